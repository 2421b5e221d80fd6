"""Model files in and out of the scene.

Files are untrusted: formats are recognised by their first bytes, nothing outside the file itself is read (external
buffers, textures and material libraries are refused or left out), and a .blend is never opened.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import bpy
import numpy as np
from background_blender import importers
from background_blender.exporters import write_glb

from ..errors import EngineError
from ..materials.vertex_colors import show_vertex_colors
from ..mesh import measure
from ..mesh.operators import drop_loose_points
from . import animation_clips, file_checks, threemf

KEPT_TYPES = {"MESH", "ARMATURE", "EMPTY"}
"""Kinds of objects that a model consists of; lights and cameras of a file are not part of it."""

_IMAGE_FORMATS = ("JPEG", "WEBP")
"""Texture formats that GLB can carry beside PNG, by the API's names, which are the exporter's."""

LEAST_AREA = 1e-7  # of the diagonal's square: what rounding makes of points on a line


def reset() -> None:
    """An empty scene, whatever the program started with."""
    bpy.ops.wm.read_homefile(use_factory_startup=True, use_empty=True)


def load(path: Path) -> list[Any]:
    """Reads a model into an empty scene and returns its meshes, in the rest pose.

    Args:
        path: A glb, gltf, obj, fbx, stl, ply, usdz/usd or 3mf file.

    Raises:
        EngineError: It cannot be read, or has no faces.
    """
    reset()
    kind = file_checks.kind_of(path)
    try:
        _READERS[kind](path)
    except EngineError:
        raise
    # The importers' own errors are RuntimeError with a traceback as text; what broken files raise in them is anything.
    except Exception as error:
        reason = importers.last_line(error).replace(f" '{path}'", "").removesuffix(".")
        raise EngineError(f"The {kind.upper()} file cannot be read: {reason}.") from error
    _drop_what_is_outside()
    # Blender's importer of glTF has validated its meshes: a second time takes a second for a million triangles.
    is_valid = _READERS[kind] is _read_gltf
    meshes = [item for item in bpy.context.scene.objects if _is_usable_mesh(item, is_valid=is_valid)]
    if not meshes:
        raise EngineError("The model has no faces.")
    for armature in bpy.data.armatures:
        armature.pose_position = "REST"
    bpy.context.view_layer.update()
    for scene_object in meshes:
        _make_mesh_own_and_upright(scene_object)
        drop_loose_points(scene_object.data)
    show_vertex_colors(meshes)
    bpy.context.view_layer.update()
    diagonal = measure.bounds(meshes).diagonal
    if diagonal <= 1e-9:
        raise EngineError("All points of the model are in the same place.")
    surfaces = ((measure.world_coordinates(item), measure.triangle_corners(item.data)) for item in meshes)
    if not any(measure.has_area(*surface, LEAST_AREA * diagonal**2) for surface in surfaces):
        raise EngineError("The model's faces have no area.")
    return meshes


def _is_usable_mesh(scene_object: Any, *, is_valid: bool) -> bool:
    if scene_object.type != "MESH" or not len(scene_object.data.polygons):
        return False
    if not np.isfinite(measure.coordinates(scene_object.data)).all():
        raise EngineError("The model has points without a finite position.")
    if not is_valid:
        scene_object.data.validate(clean_customdata=False)
    return bool(len(scene_object.data.polygons))


def _make_mesh_own_and_upright(scene_object: Any) -> None:
    """One mesh per object with its materials, and no mirrored transform: else work on faces would be ambiguous."""
    if scene_object.data.users > 1:
        scene_object.data = scene_object.data.copy()
    for slot in (slot for slot in scene_object.material_slots if slot.link == "OBJECT"):  # of a shared mesh in an FBX
        material, slot.link = slot.material, "DATA"
        slot.material = material
    if scene_object.matrix_world.is_negative and not scene_object.children and scene_object.animation_data is None:
        mirror = type(scene_object.matrix_world).Diagonal((-1.0, 1.0, 1.0, 1.0))
        scene_object.data.transform(mirror)
        scene_object.data.flip_normals()
        scene_object.matrix_world = scene_object.matrix_world @ mirror


def _drop_what_is_outside() -> None:
    """Removes other kinds of objects, and images that are not inside the model's file."""
    others = [scene_object for scene_object in bpy.data.objects if scene_object.type not in KEPT_TYPES]
    away = [image for image in bpy.data.images if image.source not in {"GENERATED", "VIEWER"} and not image.packed_file]
    bpy.data.batch_remove([*others, *away])


def _read_gltf(path: Path) -> None:
    document = file_checks.check_gltf(path)
    importers.READERS["gltf"](path)
    animation_clips.hold_unmoved(document)


def _read_obj(path: Path) -> None:
    with file_checks.without_material_libraries(path) as safe:
        importers.READERS["obj"](safe)


_READERS: dict[str, Callable[[Path], None]] = {
    **importers.READERS,
    "glb": _read_gltf,
    "gltf": _read_gltf,
    "obj": _read_obj,
    "3mf": threemf.read,
}


def save_glb(
    path: Path,
    *,
    image_format: str | None = None,
    vertex_colors: bool = False,
    draco: bool = False,
    animations: bool = True,
    joined: bool = False,
    motions_of: Path | None = None,
) -> None:
    """Writes the scene as one GLB: +Y up, images inside, transforms kept as nodes.

    Args:
        path: Where to.
        image_format: Of the textures: JPEG or WEBP; they stay as they are for all that GLB cannot hold.
        vertex_colors: Write the active vertex colours even where no material shows them.
        draco: Compress the geometry, where this Blender has the library for it.
        animations: Write animations.
        joined: Write them as one: :func:`.animation_clips.join_all` was called.
        motions_of: Where the model came from, if its animations are as they were there.
    """
    with animation_clips.moving():
        write_glb(
            path,
            motions_of=motions_of if animations and animation_clips.animated() else None,
            export_image_format=image_format if image_format in _IMAGE_FORMATS else "AUTO",
            export_jpeg_quality=92,
            export_image_quality=92,
            export_vertex_color="ACTIVE" if vertex_colors else "MATERIAL",
            export_active_vertex_color_when_no_material=vertex_colors,
            export_all_vertex_colors=False,
            export_animations=animations,
            export_animation_mode="ACTIVE_ACTIONS" if joined else "ACTIONS",
            export_force_sampling=not animation_clips.are_straight(),
            export_nla_strips_merged_animation_name=animation_clips.ONE,
            export_all_influences=True,
            export_rest_position_armature=bool(animation_clips.animated()),  # else in the pose that one sees
            export_draco_mesh_compression_enable=draco,
        )


def keep_only(objects: Sequence[Any]) -> None:
    """Removes everything else from the scene, such as a rig that nothing hangs on any more."""
    bpy.data.batch_remove([item for item in bpy.context.scene.objects if item not in objects])


def parts_named(objects: Sequence[Any], names: Sequence[str] | None) -> list[Any]:
    """The objects that ``part_names`` asks for; all of them when it is empty.

    Raises:
        EngineError: A name is not one of the model's parts.
    """
    if not names:
        return list(objects)
    by_name = {scene_object.name: scene_object for scene_object in objects}
    missing = [name for name in names if name not in by_name]
    if missing:
        raise EngineError(f"The model has no part named {missing[0]!r}; its parts are {', '.join(sorted(by_name))}.")
    return [by_name[name] for name in dict.fromkeys(names)]
