"""Pictures as arrays: filling what was not baked, colour curves, PNG files."""

from __future__ import annotations

import struct
import zlib
from pathlib import Path
from typing import Any

import bpy
import numpy as np
from numpy.typing import NDArray

from ..errors import EngineError
from ..materials.bake import Picture
from . import exif


def fill(picture: Picture, known: NDArray[np.bool_]) -> Picture:
    """Spreads the known pixels over the unknown ones, so that no seam ever shows an empty colour.

    Halves the picture until everything is known, averaging what is, then fills the gaps from the coarse to the fine
    (pull-push). Sizes are powers of two.
    """
    if known.all():
        return picture
    if not known.any():
        return np.full_like(picture, 0.5)
    if picture.shape[0] < 2 or picture.shape[0] % 2:
        return np.where(known[..., None], picture, picture[known].mean(axis=0)).astype(np.float32)
    weights = known.astype(np.float32)
    total = _halve_sum(weights[..., None])
    coarse = _halve_sum(picture * weights[..., None]) / np.maximum(total, 1.0)
    filled = fill(coarse, total[..., 0] > 0)
    return np.where(known[..., None], picture, filled.repeat(2, axis=0).repeat(2, axis=1))


def _halve_sum(values: Picture) -> Picture:
    summed = values[0::2, 0::2] + values[1::2, 0::2] + values[0::2, 1::2] + values[1::2, 1::2]
    return np.asarray(summed, np.float32)


def enlarged(picture: Picture, size: int) -> Picture:
    """The picture with ``size`` pixels, a multiple of what it has."""
    ratio = size // picture.shape[0]
    return picture if ratio <= 1 else picture.repeat(ratio, axis=0).repeat(ratio, axis=1)


def to_srgb(linear: Picture) -> Picture:
    """Linear light to the sRGB curve, clipped to 0..1."""
    clipped = np.clip(linear, 0.0, 1.0)
    curved = np.where(clipped <= 0.0031308, clipped * 12.92, 1.055 * np.power(clipped, 1 / 2.4) - 0.055)
    return np.asarray(curved, np.float32)


def to_linear(curved: Picture) -> Picture:
    """The sRGB curve back to linear light."""
    return np.asarray(np.where(curved <= 0.04045, curved / 12.92, ((curved + 0.055) / 1.055) ** 2.4), np.float32)


def normalised(normals: Picture) -> Picture:
    """Baked normals (0..1) with unit length again after filling."""
    vectors = normals * 2.0 - 1.0
    lengths = np.linalg.norm(vectors, axis=2, keepdims=True)
    vectors = np.where(lengths > 1e-4, vectors / np.maximum(lengths, 1e-4), (0.0, 0.0, 1.0))
    return np.asarray(vectors * 0.5 + 0.5, np.float32)


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
    level = 6 if width <= 2048 else 3
    with path.open("wb") as file:
        file.write(b"\x89PNG\r\n\x1a\n")
        for kind, content in (
            (b"IHDR", header),
            (b"IDAT", zlib.compress(filtered.tobytes(), level)),
            (b"IEND", b""),
        ):
            file.write(struct.pack(">I", len(content)) + kind + content)
            file.write(struct.pack(">I", zlib.crc32(kind + content)))


def write_hdr(path: Path, picture: Picture) -> None:
    """Writes a Radiance picture: linear light, bottom row first, each pixel three bytes and a common exponent."""
    height, width, _ = picture.shape
    fraction, exponent = np.frexp(np.maximum(picture.max(axis=2), 1e-32))
    values = np.zeros((height, width, 4), np.uint8)
    values[..., :3] = np.rint(picture * (fraction / np.maximum(picture.max(axis=2), 1e-32) * 256)[..., None]).clip(
        0, 255
    )
    values[..., 3] = np.where(picture.max(axis=2) > 1e-30, exponent + 128, 0)
    with path.open("wb") as file:
        file.write(b"#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n" + f"-Y {height} +X {width}\n".encode())
        for row in values[::-1]:
            if not 8 <= width < 1 << 15:  # too narrow or wide for scan lines by channel
                file.write(row.tobytes())
                continue
            file.write(bytes((2, 2, width >> 8, width & 255)))
            for channel in row.T:
                for start in range(0, width, 128):
                    part = channel[start : start + 128].tobytes()
                    file.write(bytes((len(part),)) + part)


def as_image(path: Path, *, is_data: bool) -> Any:
    """Loads a picture into the scene and packs it."""
    image = bpy.data.images.load(str(path))
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
    pixels = exif.upright(stored, exif.orientation(path))
    if is_float:  # more than 8 bits: Blender holds these as linear light, multiplied by their opacity
        pixels = _as_seen(pixels)
    channels = pixels.shape[2]
    if channels == 4:
        return pixels
    rgba = np.ones((*pixels.shape[:2], 4), np.float32)
    rgba[..., :3] = pixels[..., : min(channels, 3)]
    return rgba


def _stored(path: Path) -> tuple[Picture, bool]:
    image = bpy.data.images.load(str(path))
    try:
        width, height = image.size
        if not width or not height:
            raise RuntimeError("the picture has no pixels")
        image.alpha_mode = "STRAIGHT"
        flat = np.empty(width * height * image.channels, np.float32)
        image.pixels.foreach_get(flat)
        return flat.reshape(height, width, image.channels), image.is_float
    finally:
        bpy.data.images.remove(image)


def _as_seen(pixels: Picture) -> Picture:
    if pixels.shape[2] < 4:
        return to_srgb(pixels)
    alpha = pixels[..., 3:]
    return np.concatenate((to_srgb(pixels[..., :3] / np.maximum(alpha, 1e-4)), np.clip(alpha, 0, 1)), axis=2)
