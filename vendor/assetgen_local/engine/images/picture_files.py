"""Picture files written from arrays and read into them, and as images of the scene.

A JPEG's Exif data says how the camera was held; turning the picture is left to others by Blender (4.2 to 5.2).
"""

from __future__ import annotations

import struct
import zlib
from pathlib import Path
from tempfile import TemporaryDirectory
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
_LEVEL = 4  # of compression: a third of the time of the usual 6, for files that are some per cent larger


def write_png(path: Path, picture: Picture) -> None:
    """Writes an 8 bit RGB PNG. Values 0..1 as they are, bottom row first."""
    values = np.clip(np.rint(picture[::-1] * 255.0), 0, 255).astype(np.uint8)
    height, width, channels = values.shape
    rows = values.reshape(height, width * channels)
    filtered = np.empty((height, width * channels + 1), np.uint8)
    filtered[:, 0] = 2  # the "up" filter: each byte minus the one above
    filtered[0, 1:] = rows[0]
    filtered[1:, 1:] = rows[1:] - rows[:-1]
    header = struct.pack(">IIBBBBB", width, height, 8, {1: 0, 3: 2, 4: 6}[channels], 0, 0, 0)
    with path.open("wb") as file:
        file.write(b"\x89PNG\r\n\x1a\n")
        for kind, content in {b"IHDR": header, b"IDAT": zlib.compress(filtered, _LEVEL), b"IEND": b""}.items():
            file.write(struct.pack(">I", len(content)) + kind + content)
            file.write(struct.pack(">I", zlib.crc32(kind + content)))


def write_hdr(path: Path, picture: Picture) -> None:
    """Writes a Radiance picture: linear light, bottom row first, each pixel three bytes and a common exponent."""
    height, width, _ = picture.shape
    brightest = np.maximum(picture.max(axis=2), 1e-32)
    fraction, exponent = np.frexp(brightest)
    values = np.zeros((height, width, 4), np.uint8)
    values[..., :3] = np.rint(picture * (fraction / brightest * 256)[..., None]).clip(0, 255)
    values[..., 3] = np.where(brightest > 1e-30, exponent + 128, 0)
    with path.open("wb") as file:
        file.write(b"#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n" + f"-Y {height} +X {width}\n".encode())
        # Pixel after pixel. None looks like the start of a packed row: each but black has a byte above 127.
        file.write(values[::-1].tobytes())


def as_image(picture: Picture, name: str, *, is_data: bool) -> Any:
    """A packed image of the scene with these pixels, 8 bits each."""
    with TemporaryDirectory(prefix="assetgen-image-") as folder:
        path = Path(folder) / f"{name}.png"
        write_png(path, picture)
        image = bpy.data.images.load(str(path))
        image.name = name
        image.colorspace_settings.name = "Non-Color" if is_data else "sRGB"
        image.pack()
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
        colors = to_srgb(pixels[..., :3] / np.maximum(alpha, 1e-4))
        pixels = np.concatenate((colors, np.clip(alpha, 0, 1)), axis=2)
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
