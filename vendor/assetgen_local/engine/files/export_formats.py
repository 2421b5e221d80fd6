"""Writes the scene in the formats beside GLB (which is :func:`.model_io.save_glb`)."""

from __future__ import annotations

import tempfile
import zipfile
from pathlib import Path
from typing import Any

import bpy
from background_blender.operators import call

from . import animation_clips, texture_files

FBX_PRESETS: dict[str, dict[str, Any]] = {
    "blender": {},
    "3dsmax": {"axis_forward": "Y", "axis_up": "Z", "apply_scale_options": "FBX_SCALE_UNITS"},
    "mixamo": {"use_armature_deform_only": True, "apply_scale_options": "FBX_SCALE_ALL"},
    "bake_scale": {"apply_scale_options": "FBX_SCALE_ALL", "bake_space_transform": True},
}
"""What differs for each program: 3ds Max wants +Z up, Mixamo only deforming bones, engines the scale in the mesh."""


def write_fbx(
    path: Path,
    *,
    preset: str = "blender",
    animations: bool = True,
    joined: bool = False,
    image_format: str | None = None,
) -> None:
    """One FBX with the textures inside.

    Args:
        path: Where to.
        preset: A key of :data:`FBX_PRESETS`.
        animations: Write animations, each as a stack of its own; as one where they are of shape keys or several things.
        joined: Write the scene's timeline as the only one instead: :func:`.animation_clips.join_all` was called.
        image_format: Of the textures, a key of :data:`.texture_files.SUFFIXES`; None for what they are.
    """
    kinds = [getattr(owner, "type", "KEY") for owner in animation_clips.animated()] if animations else []
    # Of several things Blender writes each one alone, with every action that fits, and shape keys not at all.
    if not joined and "ARMATURE" not in kinds and ("KEY" in kinds or len(kinds) > 1):
        animation_clips.join_all()
        joined = True
    with tempfile.TemporaryDirectory(prefix="assetgen-fbx-") as folder, animation_clips.moving(animations):
        texture_files.write_all(Path(folder), image_format)
        call(
            bpy.ops.export_scene.fbx,
            filepath=str(path),
            path_mode="COPY",
            embed_textures=True,
            object_types={"MESH", "ARMATURE", "EMPTY"},
            mesh_smooth_type="FACE",
            bake_anim=animations,
            bake_anim_use_nla_strips=False,
            bake_anim_use_all_actions=not joined,
            bake_anim_simplify_factor=1e-3,  # of a thousandth: no keys where nothing moves
            add_leaf_bones=False,
            **FBX_PRESETS[preset],
        )


def write_obj_zip(path: Path, *, vertex_colors: bool = False, image_format: str | None = None) -> None:
    """A zip with ``model.obj``, ``model.mtl`` and the textures; +Y up."""
    with tempfile.TemporaryDirectory(prefix="assetgen-objzip-") as name:
        folder = Path(name)
        texture_files.write_all(folder, image_format)
        call(
            bpy.ops.wm.obj_export,
            filepath=str(folder / "model.obj"),
            export_pbr_extensions=True,
            export_colors=vertex_colors,
            path_mode="RELATIVE",
        )
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=6) as archive:
            for file in sorted(folder.iterdir()):
                archive.writestr(zipfile.ZipInfo(file.name), file.read_bytes(), zipfile.ZIP_DEFLATED)


def write_stl(path: Path) -> None:
    """A binary STL in the scene's units; +Z up, as printing programs want it."""
    call(bpy.ops.wm.stl_export, filepath=str(path))


def write_usdz(path: Path, *, animations: bool = False, image_format: str | None = None) -> None:
    """A USDZ with the textures inside; +Y up, as viewers on phones want it. It holds one animation: the first."""
    if animations:
        animation_clips.show_first()
    with tempfile.TemporaryDirectory(prefix="assetgen-usdz-") as folder, animation_clips.moving(animations, skins=True):
        texture_files.write_all(Path(folder), image_format)
        call(
            bpy.ops.wm.usd_export,
            filepath=str(path),
            export_textures=True,
            export_textures_mode="NEW",
            export_animation=animations,
            export_armatures=animations,
            export_shapekeys=animations,
            export_lights=False,
            export_cameras=False,
            convert_world_material=False,
            convert_orientation=True,
        )
