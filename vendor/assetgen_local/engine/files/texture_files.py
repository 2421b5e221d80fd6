"""The textures of a model on their way into a file: their size and their format."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import bpy
import numpy as np

from ..array_types import Picture
from ..images.arrays import to_linear
from ..images.picture_files import pixels_of, write_picture

SUFFIXES = {
    "BMP": ".bmp", "DPX": ".dpx", "HDR": ".hdr", "JPEG": ".jpg", "OPEN_EXR": ".exr", "PNG": ".png", "TARGA": ".tga",
    "TIFF": ".tif", "WEBP": ".webp",
}  # fmt: skip
"""The API's names of texture formats, which are Blender's → file name extension."""


def limit_size(largest: int | None) -> None:
    """Shrinks every texture whose width or height is above ``largest`` pixels; keeps the proportions."""
    if largest is None:
        return
    for image in bpy.data.images:
        width, height = image.size
        if image.packed_file is None or max(width, height) <= largest:
            continue
        factor = largest / max(width, height)
        image.scale(max(1, round(width * factor)), max(1, round(height * factor)))
        image.pack()


def write_all(folder: Path, image_format: str | None) -> None:
    """Writes the textures in use as files, the only form that some exporters take, and points the scene at them.

    Args:
        folder: Where to.
        image_format: A key of :data:`SUFFIXES`; None writes each as it is.
    """
    used: set[str] = set()
    for image in list(bpy.data.images):  # some are made on the way
        if image.packed_file is None or not image.users:
            continue
        name = _free_name(image.name, used)
        if image_format is None:
            file = folder / f"{name}{SUFFIXES.get(image.file_format, '.tga')}"
            file.write_bytes(image.packed_file.data)
        else:
            file = folder / f"{name}{SUFFIXES[image_format]}"
            _save_as(image, file, image_format)
        image.filepath = str(file)
        image.unpack(method="REMOVE")
        image.reload()


def _save_as(image: Any, file: Path, image_format: str) -> None:
    is_color = image.colorspace_settings.name == "sRGB"
    if image_format == "HDR":
        write_picture(file, _light(image, is_color), image_format)
    elif image_format == "OPEN_EXR" and is_color:
        # What save() writes is linear light, but marked as being on the sRGB curve from 5.0 on.
        scene = bpy.context.scene
        scene.render.image_settings.file_format = image_format
        scene.render.image_settings.color_depth = "16"
        image.save_render(str(file), scene=scene)
    else:
        image.file_format = image_format
        image.save(filepath=str(file), quality=92)


def _light(image: Any, is_color: bool) -> Picture:
    """The image as linear light (or as it is, if it holds no colours), RGB."""
    pixels = pixels_of(image)
    rgb = np.repeat(pixels[..., :1], 3, axis=2) if image.channels < 3 else pixels[..., :3]
    return to_linear(rgb) if is_color and not image.is_float else rgb


def _free_name(name: str, used: set[str]) -> str:
    stem = "".join(c if c.isalnum() or c in "-_" else "_" for c in Path(name).stem) or "texture"
    free, number = stem, 1
    while free.lower() in used:
        number += 1
        free = f"{stem}_{number}"
    used.add(free.lower())
    return free
