"""For scripts that run inside the background Blender: the model formats that Blender reads, and with which settings."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import bpy

from .operators import call


def _read_gltf(path: Path) -> None:
    call(
        bpy.ops.import_scene.gltf,
        filepath=str(path),
        import_pack_images=True,
        import_webp_texture=True,
        import_select_created_objects=False,
        disable_bone_shape=True,
    )


def _read_fbx(path: Path) -> None:
    # Blender's own importer came with 4.5; before it there is only the add-on.
    if hasattr(bpy.types, "WM_OT_fbx_import"):
        call(bpy.ops.wm.fbx_import, filepath=str(path))
    else:
        call(bpy.ops.import_scene.fbx, filepath=str(path), use_image_search=False)


def _read_obj(path: Path) -> None:
    call(bpy.ops.wm.obj_import, filepath=str(path), forward_axis="NEGATIVE_Z", up_axis="Y", validate_meshes=True)


def _read_stl(path: Path) -> None:
    call(bpy.ops.wm.stl_import, filepath=str(path), forward_axis="Y", up_axis="Z", use_mesh_validate=True)


def _read_ply(path: Path) -> None:
    call(bpy.ops.wm.ply_import, filepath=str(path), forward_axis="Y", up_axis="Z", import_colors="SRGB")


def _read_usd(path: Path) -> None:
    call(
        bpy.ops.wm.usd_import,
        filepath=str(path),
        import_textures_mode="IMPORT_PACK",
        import_cameras=False,
        import_lights=False,
        create_world_material=False,
    )


READERS: dict[str, Callable[[Path], None]] = {
    "glb": _read_gltf,
    "gltf": _read_gltf,
    "fbx": _read_fbx,
    "obj": _read_obj,
    "stl": _read_stl,
    "ply": _read_ply,
    "usd": _read_usd,
    "usda": _read_usd,
    "usdc": _read_usd,
    "usdz": _read_usd,
}
"""File name extension, in lower case → what reads such a file into the scene; a broken file raises anything."""


def last_line(error: Exception) -> str:
    """What an importer's error says: glTF's has a traceback as its text."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return (lines[-1] if lines else type(error).__name__).removeprefix("Error: ")[:200]
