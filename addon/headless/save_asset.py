"""Writes a .blend that has one asset in it. Runs in a background Blender.

Request: ``blend`` (where the objects are), ``objects`` ({name, title, matrix} each: the name there, that of the asset,
and the matrix in the world, row-major; empty for all that is in the one collection of the .blend), ``images`` (name →
file with the pixels that the .blend lacks), ``name``, ``catalog``, ``tags``, ``description``, ``picture`` (a file, or
empty) and ``out``.
One object is an asset itself; several are one as a collection, which stands on its middle where it is dropped.
"""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

sys.path[:0] = [str(Path(__file__).resolve().parent), str(Path(__file__).resolve().parents[2] / "vendor")]

import bpy
from background_blender.child import Report, main
from mathutils import Matrix, Vector
from mesh_notes import bounds_of, union  # type: ignore[import-not-found, unused-ignore]
from snapshot_meshes import load_objects, restore_pixels  # type: ignore[import-not-found, unused-ignore]
from thumbnail import write_thumbnail  # type: ignore[import-not-found, unused-ignore]


def work(request: dict[str, Any], report: Report) -> dict[str, Any]:
    """Loads the objects, marks them as an asset and writes the .blend."""
    bpy.ops.wm.read_homefile(use_factory_startup=True, use_empty=True)
    report(0.1, "Opening the model")
    objects = _load(request)
    if not objects:
        raise ValueError("There are no objects to be saved.")
    _make_local()
    bpy.context.view_layer.update()
    asset = objects[0] if len(objects) == 1 else _collection(objects, request["name"])
    asset.asset_mark()
    data = asset.asset_data
    data.catalog_id = request["catalog"]
    data.description = request["description"]
    for tag in request["tags"]:
        data.tags.new(tag, skip_if_exists=True)
    report(0.4, "Making the picture")
    _set_preview(asset, objects, request["picture"], Path(request["out"]).with_suffix(".png"))
    report(0.6, "Packing the images")
    _pack_images()
    bpy.ops.outliner.orphans_purge(do_local_ids=True, do_linked_ids=True, do_recursive=True)
    report(0.8, "Writing the asset")
    bpy.ops.wm.save_as_mainfile(filepath=request["out"], compress=True)
    report(1.0, "Ready")
    return {}


def _load(request: dict[str, Any]) -> list[bpy.types.Object]:
    """The objects in the scene, each where it stands."""
    if not request["objects"]:
        with bpy.data.libraries.load(request["blend"], link=False) as (there, here):
            here.collections = list(there.collections)[:1]
        objects = list(here.collections[0].all_objects) if here.collections else []
        for collection in list(bpy.data.collections):
            bpy.data.collections.remove(collection)
        for item in objects:
            bpy.context.scene.collection.objects.link(item)
        return objects
    objects = load_objects(request["blend"], [entry["name"] for entry in request["objects"]])
    restore_pixels(request["images"])
    wanted = set(objects)
    for item, entry in zip(objects, request["objects"], strict=True):
        item.name = entry["title"]
        if item.parent is not None and item.parent not in wanted:  # it stays behind
            item.parent = None
            item.matrix_world = _matrix(entry["matrix"])
    return objects


def _make_local() -> None:
    """What came from the user's libraries becomes part of the asset, which must not need them."""
    for block in list(bpy.data.user_map()):
        if block.library is not None:
            block.make_local()


def _collection(objects: Sequence[bpy.types.Object], name: str) -> bpy.types.Collection:
    """All objects in a collection, with the place that an instance of it is put down at."""
    collection = bpy.data.collections.new(name)
    bpy.context.scene.collection.children.link(collection)
    for item in objects:
        bpy.context.scene.collection.objects.unlink(item)
        collection.objects.link(item)
    box = union([bounds_of([(item.data, item.matrix_world)]) for item in objects if item.type == "MESH"])
    if box:
        low, high = Vector(box[:3]), Vector(box[3:])
        collection.instance_offset = ((low.x + high.x) / 2, (low.y + high.y) / 2, low.z)
    return collection


def _set_preview(asset: bpy.types.ID, objects: Sequence[bpy.types.Object], picture: str, drawn: Path) -> None:
    """Gives the asset its picture: that of the job, else one that is drawn here, else none."""
    if picture and _load_preview(asset, picture):
        return
    with contextlib.suppress(Exception):  # whatever a strange mesh makes of it, the asset is worth more
        if write_thumbnail(objects, drawn):
            _load_preview(asset, str(drawn))


def _load_preview(asset: bpy.types.ID, picture: str) -> bool:
    try:
        with bpy.context.temp_override(id=asset):
            bpy.ops.ed.lib_id_load_custom_preview(filepath=picture)
    except RuntimeError:
        return False
    # Asked for, it is read from its file; what was not read would not be written.
    return asset.preview is not None and all(asset.preview.image_size)


def _pack_images() -> None:
    for image in bpy.data.images:
        if image.source in {"FILE", "TILED"} and not image.packed_files:
            with contextlib.suppress(RuntimeError):  # its file is gone
                image.pack()


def _matrix(numbers: list[float]) -> Matrix:
    return Matrix([numbers[row * 4 : row * 4 + 4] for row in range(4)])


if __name__ == "__main__":
    main(work)
