"""Turns a finished model into a .blend that the scene can append in milliseconds. Runs in a background Blender.

Request: ``model`` (glb, gltf, fbx, obj, stl, ply, usd, usdz), ``out``, ``name``, ``frame_rate`` (frames a second) and,
where a small picture of it is wanted, ``picture`` (a PNG). The files are all it gives, its answer is empty: a .blend
with one collection that has everything that was imported, images packed, and on every mesh and image what takes long to
find out about it; and the picture.
"""

from __future__ import annotations

import contextlib
import os
import sys
from pathlib import Path
from typing import Any

sys.path[:0] = [str(Path(__file__).resolve().parent), str(Path(__file__).resolve().parents[2] / "vendor")]

import bpy
from background_blender.child import Report, main
from background_blender.importers import READERS, last_line
from mesh_notes import write_image_notes, write_notes  # type: ignore[import-not-found, unused-ignore]
from thumbnail import write_thumbnail  # type: ignore[import-not-found, unused-ignore]

_HELPERS = "glTF_not_exported"
"""The collection in which the glTF importer keeps the shapes that it draws bones with."""


_TILE = "<UDIM>"
"""In the path of an image that is several files."""


def work(request: dict[str, Any], report: Report) -> dict[str, Any]:
    """Imports the model, packs it and writes the .blend."""
    model = Path(request["model"])
    read = READERS.get(model.suffix.lower().lstrip("."))
    if read is None:
        raise ValueError(f"Blender has no importer for {model.suffix or 'files without an extension'}.")
    report(0.05, "Opening the result")
    bpy.ops.wm.read_homefile(use_factory_startup=True, use_empty=True)
    _set_frame_rate(float(request.get("frame_rate", 24.0)))
    try:
        read(model)
    except Exception as error:  # importers raise anything on broken files, glTF's with a traceback as its text
        raise ValueError(
            f"The {model.suffix.lower().lstrip('.').upper()} file cannot be read: {last_line(error)}"
        ) from error
    report(0.7, "Packing the result")
    objects = _imported()
    if not objects:
        raise ValueError("The result has no objects in it.")
    collection = _collect(objects, request["name"])
    _pack_images(model.parent)
    bpy.context.view_layer.update()
    write_notes(objects)
    write_image_notes(bpy.data.images)
    bpy.data.libraries.write(request["out"], {collection}, fake_user=False, compress=False)
    if picture := request.get("picture"):
        report(0.9, "Drawing a small picture")
        # Whatever a strange mesh makes of it, the result is there; it is shown by a pictogram then.
        with contextlib.suppress(Exception):
            write_thumbnail(objects, Path(picture))
    report(1.0, "Ready")
    return {}


def _set_frame_rate(frames_per_second: float) -> None:
    """Importers turn the seconds of a motion into frames of the scene that is open."""
    render = bpy.context.scene.render
    render.fps = max(1, round(frames_per_second))
    render.fps_base = render.fps / frames_per_second


def _imported() -> list[bpy.types.Object]:
    """What the file consists of, without cameras, lights, an importer's own helpers, and empties that hold nothing."""
    for item in list(bpy.data.objects):
        if item.type == "ARMATURE":
            for bone in item.pose.bones:
                bone.custom_shape = None
    helpers = bpy.data.collections.get(_HELPERS)
    if helpers is not None:
        for item in list(helpers.objects):
            bpy.data.objects.remove(item)
    for item in list(bpy.data.objects):
        if item.type in {"CAMERA", "LIGHT", "SPEAKER", "LIGHT_PROBE"}:
            _remove_keeping_children(item)
    while leaves := [
        item for item in bpy.data.objects if item.type == "EMPTY" and not item.children and not _is_used(item)
    ]:
        for item in leaves:
            bpy.data.objects.remove(item)
    return list(bpy.data.objects)


def _is_used(item: bpy.types.Object) -> bool:
    """Whether an empty without children has a purpose: it moves, or shows a collection or an image."""
    return item.animation_data is not None or item.instance_type != "NONE" or item.data is not None


def _remove_keeping_children(item: bpy.types.Object) -> None:
    for child in item.children:
        world = child.matrix_world.copy()
        child.parent = item.parent
        child.matrix_world = world
    bpy.data.objects.remove(item)


def _collect(objects: list[bpy.types.Object], name: str) -> bpy.types.Collection:
    """Moves all objects into one collection of that name."""
    for old in list(bpy.data.collections):
        bpy.data.collections.remove(old)
    collection = bpy.data.collections.new(name)
    bpy.context.scene.collection.children.link(collection)
    for item in objects:
        for holder in item.users_collection:
            holder.objects.unlink(item)
        collection.objects.link(item)
    return collection


def _pack_images(folder: Path) -> None:
    """Takes the pixels into the .blend. An image whose file did not come with the model stays a name without pixels:
    its path would lead the Blender that appends the result to who knows where.
    """
    for image in bpy.data.images:
        if image.source not in {"FILE", "TILED"} or image.packed_files:
            continue
        path = image.filepath
        if image.source == "TILED" and image.tiles:
            path = path.replace(_TILE, str(image.tiles[0].number))
        if is_inside(bpy.path.abspath(path), folder):
            with contextlib.suppress(RuntimeError):  # the file is no image
                image.pack()
        if not image.packed_files:
            image.filepath = ""


def is_inside(path: str, folder: Path) -> bool:
    """Whether a file is there and in the folder, symbolic links seen through. Asks the system only about what is."""
    whole = os.path.normpath(os.path.join(folder, path))  # noqa: PTH118, by its letters alone
    if not Path(whole).is_relative_to(folder):
        return False
    return Path(whole).is_file() and Path(whole).resolve().is_relative_to(folder.resolve())


if __name__ == "__main__":
    main(work)
