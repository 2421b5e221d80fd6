"""Pixels that are in memory only: painted on and not saved, they are not part of a written .blend."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import bpy

if TYPE_CHECKING:  # enabling the extension need not wait for it
    from .pixel_files import Pixels

_copies: Mapping[int, Pixels] = {}
"""What was copied ahead for the press that is under way, by the images' session uids."""


@contextmanager
def use_copies(copies: Mapping[int, Pixels]) -> Iterator[None]:
    """As long as it is open, :func:`pixels_of` gives these copies where there is one."""
    global _copies
    _copies = copies
    try:
        yield
    finally:
        _copies = {}


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


def unsaved_of(images: Iterable[bpy.types.Image]) -> list[bpy.types.Image]:
    """Those whose pixels are in memory only."""
    return [image for image in images if image.is_dirty and image.source in {"FILE", "GENERATED"} and all(image.size)]


def save_unsaved(images: Iterable[bpy.types.Image], snapshot: Path) -> dict[str, str]:
    """Has copies of unsaved images written beside a snapshot; image name → file. The images stay as they are.

    Their pixels are copied now, and the files are there when ``late_files`` says so.
    """
    from ...core.jobs.late_files import late_files  # here, as below: enabling the extension must be quick

    files = {}
    for number, image in enumerate(sorted(unsaved_of(images), key=lambda image: image.name_full)):
        pixels = pixels_of(image)
        path = snapshot.with_name(f"{snapshot.stem}-{number}.{pixels.extension}")
        late_files.add(path, pixels.nbytes, pixels.save)
        files[image.name] = str(path)
    return files


def pixels_of(image: bpy.types.Image) -> Pixels:
    """A copy of what an image holds in memory, painted pixels included: for 4096 x 4096 about 50 ms, and longer where
    the system has no memory at hand. Of what was copied ahead (:mod:`.pixel_copies`), that copy.

    Raises:
        RuntimeError: The pixels are not there.
    """
    import numpy as np

    from ...core.jobs.late_files import late_files
    from .pixel_files import Pixels

    if (copied := _copies.get(image.session_uid)) is not None:
        return copied
    width, height = image.size
    size = width * height * image.channels
    late_files.wait_for_room(size * np.dtype(np.float32).itemsize)
    values = np.empty(size, dtype=np.float32)
    image.pixels.foreach_get(values)
    return Pixels(values, width, height, image.channels, image.is_float)
