"""Looks whether an image that came back is whole, as far as its format tells without decoding it."""

from __future__ import annotations

import struct
import zlib
from pathlib import Path

from ..errors import BrokenResult

_PNG = b"\x89PNG\r\n\x1a\n"
_TAIL = 64 * 1024
"""A JPEG may have some bytes after its end, so the end is looked for in so many last ones."""


def check(path: Path) -> None:
    """Checks a PNG, a JPEG or a WebP; any other file only for not being empty.

    Raises:
        BrokenResult: It is not whole.
    """
    size = path.stat().st_size
    if size == 0:
        raise BrokenResult("The image that came back is empty")
    with path.open("rb") as file:
        head = file.read(12)
        if head.startswith(_PNG):
            whole = _png_is_whole(path)
        elif head.startswith(b"\xff\xd8\xff"):
            file.seek(max(0, size - _TAIL))
            whole = b"\xff\xd9" in file.read()
        elif head.startswith(b"RIFF") and head[8:] == b"WEBP":
            whole = size >= struct.unpack_from("<I", head, 4)[0] + 8
        else:
            whole = True
    if not whole:
        raise BrokenResult("The image that came back is damaged or not whole")


def _png_is_whole(path: Path) -> bool:
    """Whether every chunk is there and has the sum that it says, up to the last."""
    with path.open("rb") as file:
        file.seek(len(_PNG))
        while len(head := file.read(8)) == 8:
            (length,) = struct.unpack_from(">I", head)
            if length > path.stat().st_size:
                return False
            content, check_sum = file.read(length), file.read(4)
            if len(content) != length or check_sum != struct.pack(">I", zlib.crc32(head[4:] + content)):
                return False
            if head[4:] == b"IEND":
                return True
    return False
