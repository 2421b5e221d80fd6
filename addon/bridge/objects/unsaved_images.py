"""Pixels that are in memory only: painted on and not saved, they are not part of a written .blend."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import bpy


def images_of_objects(objects: Iterable[bpy.types.Object]) -> set[bpy.types.Image]:
    """The images that the objects' materials show."""
    trees = [slot.material.node_tree for item in objects for slot in item.material_slots if slot.material]
    return {image for tree in trees if tree for image in _of_tree(tree, set())}


def _of_tree(tree: bpy.types.NodeTree, seen: set[bpy.types.NodeTree]) -> Iterator[bpy.types.Image]:
    seen.add(tree)
    for node in tree.nodes:
        if isinstance(getattr(node, "image", None), bpy.types.Image):
            yield node.image
        inner = getattr(node, "node_tree", None)
        if inner is not None and inner not in seen:
            yield from _of_tree(inner, seen)


def save_unsaved(images: Iterable[bpy.types.Image], snapshot: Path) -> dict[str, str]:
    """Writes copies of unsaved images beside a snapshot; image name → file. The images themselves stay as they are."""
    files = {}
    unsaved = [
        image for image in images if image.is_dirty and image.source in {"FILE", "GENERATED"} and all(image.size)
    ]
    for number, image in enumerate(sorted(unsaved, key=lambda image: image.name_full)):
        path = snapshot.with_name(f"{snapshot.stem}-{number}.{'exr' if image.is_float else 'png'}")
        save_copy(image, path, "OPEN_EXR" if image.is_float else "PNG")
        files[image.name] = str(path)
    return files


def save_copy(image: bpy.types.Image, path: Path, file_format: str) -> None:
    """Writes the pixels of an image, painted ones included, and leaves the image as it is.

    Raises:
        RuntimeError: The pixels are not there, or the file cannot be written.
    """
    # A copy of the datablock has no pixels of its own in memory, so a new image takes them.
    import numpy as np

    width, height = image.size
    pixels = np.empty(width * height * image.channels, dtype=np.float32)
    image.pixels.foreach_get(pixels)
    if image.channels != 4:
        wide = np.ones((width * height, 4), dtype=np.float32)
        wide[:, : image.channels] = pixels.reshape(-1, image.channels)
        pixels = wide.ravel()
    as_float = image.is_float and file_format == "OPEN_EXR"
    if image.is_float and not as_float:  # the one kind of pixels is linear, the other is not
        pixels = _encoded(pixels)
    copy = bpy.data.images.new("assetgen", width, height, alpha=True, float_buffer=as_float)
    try:
        if as_float == image.is_float:  # else they are sRGB now
            copy.colorspace_settings.name = image.colorspace_settings.name
        copy.alpha_mode = image.alpha_mode
        copy.pixels.foreach_set(pixels)
        copy.file_format = file_format
        copy.filepath_raw = str(path)
        copy.save()
    finally:
        bpy.data.images.remove(copy)


def _encoded(pixels: Any) -> Any:
    """Linear RGBA values as sRGB ones."""
    import numpy as np

    values = np.clip(pixels.reshape(-1, 4), 0.0, 1.0)
    colours = values[:, :3]
    values[:, :3] = np.where(colours <= 0.0031308, colours * 12.92, 1.055 * colours ** (1 / 2.4) - 0.055)
    return values.ravel()
