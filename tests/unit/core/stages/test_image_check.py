from __future__ import annotations

import struct
from pathlib import Path

import pytest
from asset_generation.addon.core.errors import BrokenResult
from asset_generation.addon.core.stages.image_check import check
from support.services.local_engine import tiny_png

JPEG = b"\xff\xd8\xff\xe0" + bytes(400) + b"\xff\xd9"
WEBP = b"RIFF" + struct.pack("<I", 4 + 90) + b"WEBP" + bytes(90)


@pytest.mark.parametrize("content", [tiny_png(), JPEG, JPEG + bytes(300), WEBP, b"II*\0 a TIFF", b"BM a bitmap"])
def test_a_whole_image_passes(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "image"
    path.write_bytes(content)
    check(path)


@pytest.mark.parametrize(
    "content",
    [b"", tiny_png()[:-1], tiny_png()[:40], tiny_png()[:40] + bytes(len(tiny_png()) - 40), JPEG[:200], WEBP[:50]],
    ids=["empty", "png without its last byte", "half a png", "png of zeros", "half a jpeg", "half a webp"],
)
def test_a_damaged_image_is_told(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "image"
    path.write_bytes(content)
    with pytest.raises(BrokenResult, match="image that came back"):
        check(path)
