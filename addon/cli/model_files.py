"""Model files on a command line: into the scene, and out of it."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

import bpy

from ...vendor.background_blender import BlenderFailed, run
from ..bridge import prefs
from ..bridge.objects.selection import triangle_count
from ..bridge.results.append import append
from ..core.errors import BadRequest
from ..core.requests.model_files import split_object

READABLE = (".blend", ".glb", ".gltf", ".fbx", ".obj", ".stl", ".ply", ".usd", ".usda", ".usdc", ".usdz")

_TO_BLEND = Path(__file__).resolve().parent.parent / "headless" / "to_blend.py"


def open_model(path: Path) -> list[bpy.types.Object]:
    """Brings a model file into the scene and makes its meshes the selection.

    Raises:
        BadRequest: There is no such file, it is not a model, or there is no mesh in it.
    """
    file, item = split_object(str(path))
    path = Path(file)
    if not path.is_file():
        raise BadRequest(f"There is no file {path}", "input")
    if path.suffix.lower() not in READABLE:
        raise BadRequest(f"{path.name} is not a model file: it must end in {', '.join(READABLE)}", "input")
    objects = _from_blend(path, item) if path.suffix.lower() == ".blend" else _from_model(path)
    meshes = [item for item in objects if item.type == "MESH" and len(item.data.polygons)]
    if not meshes:
        raise BadRequest(f"There is no mesh with faces in {path.name}", "input")
    select(meshes)
    return meshes


def select(objects: Sequence[bpy.types.Object]) -> None:
    """Makes some objects the selection and nothing else; the first is the active one."""
    for item in bpy.context.view_layer.objects:
        item.select_set(item in objects)
    bpy.context.view_layer.objects.active = objects[0]


def triangles(objects: Sequence[bpy.types.Object]) -> int:
    """The number of triangles that the meshes come to, as they are without modifiers."""
    return sum(triangle_count(item) for item in objects if item.type == "MESH")


def _from_model(path: Path) -> list[bpy.types.Object]:
    # As for a result: a background Blender reads the file, and one that breaks an importer breaks only that.
    with tempfile.TemporaryDirectory(prefix="assetgen-") as folder:
        blend = Path(folder) / "model.blend"
        try:
            run(prefs.blender_command(), _TO_BLEND, {"model": str(path), "out": str(blend), "name": path.stem})
        except BlenderFailed as error:
            raise BadRequest(f"{path.name} cannot be read: {error}", "input") from error
        return append(blend, bpy.context.scene.collection)


def _from_blend(path: Path, item: str) -> list[bpy.types.Object]:
    try:
        with bpy.data.libraries.load(str(path), link=False) as (there, here):
            if item and item not in there.objects:
                raise BadRequest(f"There is no object named {item} in {path.name}", "input")
            here.objects = [item] if item else list(there.objects)
    except (OSError, RuntimeError) as error:
        raise BadRequest(f"{path.name} is not a .blend file that can be opened", "input") from error
    objects = [loaded for loaded in here.objects if loaded is not None]
    for loaded in objects:
        bpy.context.scene.collection.objects.link(loaded)
    bpy.context.view_layer.update()
    return objects


def check_writable(path: Path) -> None:
    """Tells before anything is spent that a result could not be written.

    Raises:
        BadRequest: The folder does not exist, or the file would be of an unknown kind.
    """
    if path.suffix.lower() not in _WRITERS:
        raise BadRequest(f"{path.name} cannot be written: it must end in {', '.join(_WRITERS)}", "output")
    if not path.absolute().parent.is_dir():
        raise BadRequest(f"There is no folder {path.absolute().parent} to write {path.name} into", "output")


def save_model(path: Path, objects: Sequence[bpy.types.Object]) -> None:
    """Writes some objects, and what they need, as the kind of file that the name says."""
    select(objects)
    _WRITERS[path.suffix.lower()](str(path.absolute()))


def _write_blend(path: str) -> None:
    bpy.ops.file.pack_all()
    bpy.ops.wm.save_as_mainfile(filepath=path, copy=True, compress=True)


def _write_fbx(path: str) -> None:
    bpy.ops.export_scene.fbx(filepath=path, use_selection=True, path_mode="COPY", embed_textures=True)


_WRITERS: dict[str, Callable[[str], object]] = {
    ".glb": lambda path: bpy.ops.export_scene.gltf(filepath=path, export_format="GLB", use_selection=True),
    ".gltf": lambda path: bpy.ops.export_scene.gltf(filepath=path, export_format="GLTF_SEPARATE", use_selection=True),
    ".fbx": _write_fbx,
    ".obj": lambda path: bpy.ops.wm.obj_export(filepath=path, export_selected_objects=True, path_mode="COPY"),
    ".stl": lambda path: bpy.ops.wm.stl_export(filepath=path, export_selected_objects=True),
    ".ply": lambda path: bpy.ops.wm.ply_export(filepath=path, export_selected_objects=True),
    ".usdz": lambda path: bpy.ops.wm.usd_export(filepath=path, selected_objects_only=True),
    ".blend": _write_blend,
}
