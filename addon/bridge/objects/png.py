"""Pixels as a PNG file, without an image in the user's file."""

from __future__ import annotations

import struct
import zlib
from pathlib import Path
from typing import Any

_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_LEVEL = 1  # of 9: the file is made while the user waits
_UP = 2
"""The filter of each row: what differs from the one above. That halves the time, and the size more than that."""

_COLOR_TYPES = {3: 2, 4: 6}


def write(pixels: Any, path: Path) -> None:
    """Writes a picture.

    Args:
        pixels: Bytes as a numpy array of shape (height, width, 3 or 4) on the sRGB curve, bottom row first, alpha
            straight.
        path: The file.

    Raises:
        OSError: It cannot be written.
    """
    import numpy as np  # here: enabling the extension must be quick

    height, width, channels = pixels.shape
    lines = pixels[::-1].reshape(height, -1)
    rows = np.empty((height, 1 + width * channels), dtype=np.uint8)
    rows[:, 0], rows[:, 1:] = _UP, lines
    rows[1:, 1:] -= lines[:-1]
    header = struct.pack(">IIBBBBB", width, height, 8, _COLOR_TYPES[channels], 0, 0, 0)
    body = zlib.compress(rows, _LEVEL)
    with path.open("wb") as file:
        file.write(_SIGNATURE)
        for kind, content in ((b"IHDR", header), (b"IDAT", body), (b"IEND", b"")):
            file.writelines(_chunk(kind, content))


def _chunk(kind: bytes, content: bytes) -> tuple[bytes, ...]:
    check = zlib.crc32(content, zlib.crc32(kind))
    return (struct.pack(">I", len(content)), kind, content, struct.pack(">I", check))
