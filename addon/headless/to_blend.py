"""Turns a finished model into a .blend that the scene can append in milliseconds. Runs in a background Blender.

Request: ``model`` (glb, gltf, fbx, obj, stl, ply, usd, usdz), ``out``, ``name``, ``frame_rate`` (frames a second) and,
where a small picture of it is wanted, ``picture`` (a PNG).
Where it is known what the model is the result of, ``sources`` has their ``parts`` ({name, bounds, matrix} each; name
and box in the model that was worked on, and the world matrix), ``frame`` (that model's world matrix) and ``fit`` (the
boxes of which the result is brought to one; none where it is left as it is); and ``snapshot`` where vertex groups and
colours shall go over, see ``snapshot_meshes``.
The files are all it gives, its answer is empty: one collection with everything that was imported, images packed, and on
every mesh and image what takes long to find out about it.
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
from fitting import fit_matrix  # type: ignore[import-not-found, unused-ignore]
from mathutils import Matrix
from mesh_notes import (  # type: ignore[import-not-found, unused-ignore]
    bounds_of,
    union,
    write_image_notes,
    write_notes,
)
from mesh_slices import remove_slices, write_slices  # type: ignore[import-not-found, unused-ignore]
from origins import (  # type: ignore[import-not-found, unused-ignore]
    origin_matrix,
    place_origins,
    take_out_of_empties,
)
from part_matching import Part, match  # type: ignore[import-not-found, unused-ignore]
from plain_objects import plain_objects  # type: ignore[import-not-found, unused-ignore]
from snapshot_meshes import evaluated, load  # type: ignore[import-not-found, unused-ignore]
from surface_layers import transfer  # type: ignore[import-not-found, unused-ignore]
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
    parts: dict[bpy.types.Object, int] = {}
    fit = Matrix.Identity(4)
    sources = request.get("sources")
    if sources:
        parts, fit = _pair(sources)
        _place_origins(parts, sources, fit)
    collection = _collect(list(bpy.data.objects), request["name"])
    _pack_images(model.parent)
    images = list(bpy.data.images)
    bpy.context.view_layer.update()
    if parts and sources.get("snapshot"):
        report(0.8, "Carrying over groups and colours")
        _transfer_layers(parts, sources, fit)
    write_notes(list(collection.objects))
    write_image_notes(images)
    out = Path(request["out"])
    remove_slices(out)
    bpy.data.libraries.write(str(out), {collection}, fake_user=False, compress=False)
    if picture := request.get("picture"):
        report(0.9, "Drawing a small picture")
        # Whatever a strange mesh makes of it, the result is there; it is shown by a pictogram then.
        with contextlib.suppress(Exception):
            write_thumbnail(objects, Path(picture))
    with contextlib.suppress(OSError):  # a full disk: it comes in in one piece then
        write_slices(out, collection, plain_objects(collection))
    report(1.0, "Ready")
    return {}


def _pair(sources: dict[str, Any]) -> tuple[dict[bpy.types.Object, int], Matrix]:
    """The parts of the result with the number of their source, where it is clear, and what fits the whole to them."""
    bpy.context.view_layer.update()
    meshes = [item for item in bpy.data.objects if item.type == "MESH"]
    boxes = [bounds_of([(item.data, item.matrix_world)]) for item in meshes]
    parts = [Part(part["name"], part["bounds"]) for part in sources["parts"]]
    indices = match(parts, [Part(item.name, box) for item, box in zip(meshes, boxes, strict=True)])
    pairs = {item: index for item, index in zip(meshes, indices, strict=True) if index is not None}
    return pairs, fit_matrix(union(boxes), *sources["fit"])


def _place_origins(parts: dict[bpy.types.Object, int], sources: dict[str, Any], fit: Matrix) -> None:
    take_out_of_empties(list(parts))
    frame = _matrix(sources["frame"])
    matrices = [_matrix(part["matrix"]) for part in sources["parts"]]
    place_origins({item: origin_matrix(frame, matrices[index], fit) for item, index in parts.items()})


def _transfer_layers(parts: dict[bpy.types.Object, int], sources: dict[str, Any], fit: Matrix) -> None:
    """What is painted on the sources goes over. Where that cannot be done, the result comes without it."""
    snapshot = {**sources["snapshot"], "frame": sources["frame"], "images": {}}
    frame = bpy.context.scene.frame_current
    try:
        objects = load(snapshot)
        meshes = [mesh for _, mesh in evaluated(objects, snapshot)]
        for item in objects:
            bpy.data.objects.remove(item)
        bpy.context.scene.frame_set(frame)
        transfer({item: meshes[index] for item, index in parts.items()}, fit.inverted_safe())
    except Exception as error:  # whatever it is: what was paid for comes in all the same
        print(f"vertex groups and colours were not carried over: {error}", file=sys.stderr)


def _matrix(numbers: list[float]) -> Matrix:
    return Matrix([numbers[row * 4 : row * 4 + 4] for row in range(4)])


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
