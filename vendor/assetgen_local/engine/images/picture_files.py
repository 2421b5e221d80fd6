"""Picture files written from arrays and read into them, and as images of the scene.

A JPEG's Exif data says how the camera was held; turning the picture is left to others by Blender (4.2 to 5.2).
"""

from __future__ import annotations

import struct
from pathlib import Path
from typing import Any

import bpy
import numpy as np

from ..array_types import Picture
from ..errors import EngineError
from .arrays import to_srgb

UPRIGHT = 1
LYING = frozenset({5, 6, 7, 8})
"""The orientations that swap width and height."""

_MOST_BYTES = 256 * 1024  # the Exif part stands in front of the picture
_ORIENTATION = 0x0112
_ENTRY = 12


def write_picture(path: Path, picture: Picture, image_format: str = "PNG") -> None:
    """Writes RGB or RGBA, bottom row first: 8 bits of values 0..1 as they are, or linear light as ``HDR``."""
    if is_light := image_format == "HDR":
        # Blender cuts off what is less than a 256th of a pixel's brightest number, rounded up to a power of two.
        brightest = picture.max(axis=2, keepdims=True)
        picture = picture + np.exp2(np.frexp(brightest)[1] - 9.0) * (brightest > 0)
    # Of 8 bits it writes the sRGB curve into this format, which holds linear light (4.2 to 5.2).
    image = _new_image(picture, path.stem, is_data=True, float_buffer=is_light)
    image.file_format = image_format
    image.save(filepath=str(path), quality=92)  # of formats that lose some
    bpy.data.images.remove(image)


def as_image(picture: Picture, name: str, *, is_data: bool) -> Any:
    """A packed image of the scene with these pixels, 8 bits each."""
    image = _new_image(picture, name, is_data=is_data)
    image.pack()
    return image


def _new_image(picture: Picture, name: str, **settings: bool) -> Any:
    height, width, channels = picture.shape
    image = bpy.data.images.new(name, width, height, alpha=channels == 4, **settings)
    pixels = np.ones((height, width, 4), np.float32)
    pixels[..., :channels] = picture
    image.pixels.foreach_set(pixels.ravel())
    return image


def read_rgba(path: Path) -> Picture:
    """A picture file as it is to be seen: RGBA 0..1 on the sRGB curve, straight alpha, bottom row first.

    Raises:
        EngineError: Blender cannot read it.
    """
    try:
        stored, is_float = _stored(path)
    except (RuntimeError, OSError) as error:
        raise EngineError(f"The image {path.name} cannot be read.") from error
    pixels = upright(stored, orientation(path))
    if pixels.shape[2] < 4:
        opaque = np.ones((*pixels.shape[:2], 4), np.float32)
        opaque[..., :3] = pixels
        pixels = opaque
    if is_float:  # more than 8 bits: Blender holds these as linear light, multiplied by their opacity
        alpha = pixels[..., 3:]
        pixels = np.concatenate((to_srgb(pixels[..., :3] / np.maximum(alpha, 1e-4)), np.clip(alpha, 0, 1)), axis=2)
    return pixels


def pixels_of(image: Any) -> Picture:
    """The pixels of an image of the scene as Blender holds them."""
    width, height = image.size
    flat = np.empty(width * height * image.channels, np.float32)
    image.pixels.foreach_get(flat)
    return flat.reshape(height, width, image.channels)


def _stored(path: Path) -> tuple[Picture, bool]:
    image = bpy.data.images.load(str(path))
    try:
        if 0 in tuple(image.size):
            raise RuntimeError("the picture has no pixels")
        image.alpha_mode = "STRAIGHT"
        return pixels_of(image), image.is_float
    finally:
        bpy.data.images.remove(image)


def orientation(path: Path) -> int:
    """The Exif orientation of a JPEG, 1 to 8; 1, which is upright, for anything else and where it has none."""
    with path.open("rb") as file:
        head = file.read(_MOST_BYTES)
    if not head.startswith(b"\xff\xd8"):
        return UPRIGHT
    start = 2
    while start + 4 <= len(head) and head[start] == 0xFF and 0xE0 <= head[start + 1] <= 0xFE:
        size = int.from_bytes(head[start + 2 : start + 4], "big")
        part = head[start + 4 : start + 2 + size]
        if part.startswith(b"Exif\0\0"):
            return _of_tiff(part[6:])
        start += 2 + max(size, 2)
    return UPRIGHT


def _of_tiff(content: bytes) -> int:
    order = {b"II*\0": "<", b"MM\0*": ">"}.get(content[:4])
    if order is None or len(content) < 8:
        return UPRIGHT
    (start,) = struct.unpack_from(f"{order}I", content, 4)
    for entry in range(start + 2, len(content) - _ENTRY + 1, _ENTRY):
        tag, kind, count, value = struct.unpack_from(f"{order}HHIH", content, entry)
        if tag == _ORIENTATION:
            return value if (kind, count) == (3, 1) and UPRIGHT <= value <= 8 else UPRIGHT
        if tag > _ORIENTATION:  # they are sorted
            break
    return UPRIGHT


def upright(picture: Picture, turn: int) -> Picture:
    """The picture as it was seen.

    Args:
        picture: Bottom row first, as stored.
        turn: As :func:`orientation` tells it.
    """
    if turn in (2, 4, 5, 7):  # mirrored as well
        picture = picture[:, ::-1]
    # rot90 of rows from the bottom up turns clockwise to the eye.
    return np.ascontiguousarray(np.rot90(picture, {1: 0, 2: 0, 3: 2, 4: 2, 5: 3, 6: 1, 7: 1, 8: 3}[turn]))
