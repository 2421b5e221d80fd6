"""Pictures as people send them: from cameras that were turned, and with more than 8 bits."""

from __future__ import annotations

import struct
import zlib
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from support.engine.engine_run import needs_bpy
from support.models.meshes import png

pytestmark = needs_bpy

AS_SEEN = np.arange(6).reshape(3, 2)
STORED = {
    1: AS_SEEN,
    2: AS_SEEN[:, ::-1],
    3: AS_SEEN[::-1, ::-1],
    4: AS_SEEN[::-1],
    5: AS_SEEN.T,
    6: np.rot90(AS_SEEN),
    7: AS_SEEN[::-1, ::-1].T,
    8: np.rot90(AS_SEEN, -1),
}
"""How the lines of a picture are stored for each orientation of Exif; the first line is the upper one."""


def engine() -> Any:
    from asset_generation.vendor.assetgen_local.engine.images import picture_files

    return picture_files


@pytest.mark.parametrize("orientation", STORED)
def test_every_turn_of_a_camera_is_undone(orientation: int) -> None:
    seen = engine().upright(STORED[orientation][::-1], orientation)[::-1]
    assert seen.tolist() == AS_SEEN.tolist()


@pytest.mark.parametrize("order", "<>")
def test_the_orientation_is_read_from_the_jpeg(tmp_path: Path, order: str) -> None:
    import bpy

    files = engine()
    wide = np.zeros((8, 24, 3), np.uint8)
    wide[:, 12:] = 255
    (tmp_path / "wide.png").write_bytes(png(wide))
    image = bpy.data.images.load(str(tmp_path / "wide.png"))
    settings = bpy.context.scene.render.image_settings
    settings.file_format, settings.quality = "JPEG", 100
    image.save_render(str(tmp_path / "plain.jpg"))
    bpy.data.images.remove(image)
    plain = (tmp_path / "plain.jpg").read_bytes()
    mark = {"<": b"II*\0", ">": b"MM\0*"}[order]
    tiff = mark + struct.pack(f"{order}IHHHIHHI", 8, 1, 0x112, 3, 1, 6, 0, 0)
    part = b"Exif\0\0" + tiff
    (tmp_path / "turned.jpg").write_bytes(plain[:2] + b"\xff\xe1" + struct.pack(">H", len(part) + 2) + part + plain[2:])
    assert files.orientation(tmp_path / "plain.jpg") == 1 and files.orientation(tmp_path / "turned.jpg") == 6
    lying = files.read_rgba(tmp_path / "plain.jpg")
    upright = files.read_rgba(tmp_path / "turned.jpg")
    assert lying.shape == (8, 24, 4) and upright.shape == (24, 8, 4)
    assert lying[4, 20, 0] > 0.6 > 0.1 > lying[4, 4, 0]
    assert upright[4, 4, 0] > 0.6 > 0.1 > upright[20, 4, 0], "what was to the right is below, as turned clockwise"


@pytest.mark.parametrize("content", [b"", b"\xff\xd8", b"\xff\xd8\xff\xe1\0\x10Exif\0\0II*\0\xff\xff\xff\xff"])
def test_broken_exif_means_upright(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "broken.jpg").write_bytes(content)
    assert engine().orientation(tmp_path / "broken.jpg") == 1


def test_sixteen_bits_show_the_same_colours_as_eight(tmp_path: Path) -> None:
    files = engine()
    colors = np.zeros((4, 4, 4), np.uint8)
    colors[...] = (200, 100, 30, 128)
    files.write_picture(tmp_path / "eight.png", colors / np.float32(255))
    (tmp_path / "sixteen.png").write_bytes(_png16(colors.astype(np.uint16) * 257))
    eight, sixteen = (files.read_rgba(tmp_path / f"{name}.png") for name in ("eight", "sixteen"))
    assert np.abs(eight - colors / 255).max() < 0.01
    assert np.abs(eight - sixteen).max() < 0.01


def _png16(pixels: np.ndarray[Any, Any]) -> bytes:
    height, width, _ = pixels.shape
    lines = b"".join(b"\0" + line.astype(">u2").tobytes() for line in pixels)
    chunks = (
        (b"IHDR", struct.pack(">IIBBBBB", width, height, 16, 6, 0, 0, 0)),
        (b"IDAT", zlib.compress(lines)),
        (b"IEND", b""),
    )
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))
        for kind, content in chunks
    )
