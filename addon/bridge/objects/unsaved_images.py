"""Pixels that are in memory only: painted on and not saved, they are not part of a written .blend."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import bpy

if TYPE_CHECKING:  # enabling the extension need not wait for it
    from .pixel_files import Pixels


def images_of_objects(objects: Iterable[bpy.types.Object]) -> set[bpy.types.Image]:
    """The images that the objects' materials show."""
    materials = {slot.material for item in objects for slot in item.material_slots if slot.material}
    return {image for one in materials if one.node_tree for image in _of_tree(one.node_tree, set())}


def _of_tree(tree: bpy.types.NodeTree, seen: set[bpy.types.NodeTree]) -> Iterator[bpy.types.Image]:
    seen.add(tree)
    for node in tree.nodes:
        if isinstance(getattr(node, "image", None), bpy.types.Image):
            yield node.image
        inner = getattr(node, "node_tree", None)
        if inner is not None and inner not in seen:
            yield from _of_tree(inner, seen)


def save_unsaved(images: Iterable[bpy.types.Image], snapshot: Path) -> dict[str, str]:
    """Has copies of unsaved images written beside a snapshot; image name → file. The images stay as they are.

    Their pixels are copied now, and the files are there when ``late_files`` says so.
    """
    from ...core.jobs.late_files import late_files  # here: enabling the extension must be quick

    files = {}
    unsaved = [
        image for image in images if image.is_dirty and image.source in {"FILE", "GENERATED"} and all(image.size)
    ]
    for number, image in enumerate(sorted(unsaved, key=lambda image: image.name_full)):
        pixels = pixels_of(image)
        path = snapshot.with_name(f"{snapshot.stem}-{number}.{pixels.extension}")
        late_files.add(path, pixels.values.nbytes, pixels.save)
        files[image.name] = str(path)
    return files


def pixels_of(image: bpy.types.Image) -> Pixels:
    """A copy of what an image holds in memory, painted pixels included: for 4096 x 4096 about 50 ms.

    Raises:
        RuntimeError: The pixels are not there.
    """
    import numpy as np  # here, both: enabling the extension must be quick

    from .pixel_files import Pixels

    width, height = image.size
    values = np.empty(width * height * image.channels, dtype=np.float32)
    image.pixels.foreach_get(values)
    return Pixels(values, width, height, image.channels, image.is_float)
