"""How a camera was held: the turn that a JPEG's Exif data asks for, and which Blender leaves to others (4.2 to 5.2)."""

from __future__ import annotations

import struct
from pathlib import Path

import numpy as np

from ..array_types import Picture

UPRIGHT = 1
LYING = frozenset({5, 6, 7, 8})
"""The orientations that swap width and height."""

_MOST_BYTES = 256 * 1024  # the Exif part stands in front of the picture
_ORIENTATION = 0x0112
_ENTRY = 12


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
    if turn in (2, 4, 5, 7):  # mirrored as well: these are 1, 3, 8 and 6 of the mirror image
        picture = picture[:, ::-1]
    turn = {2: 1, 4: 3, 5: 8, 7: 6}.get(turn, turn)
    quarters = {1: 0, 3: 2, 6: 1, 8: 3}[turn]
    # rot90 of rows from the bottom up turns clockwise to the eye.
    return np.ascontiguousarray(np.rot90(picture, quarters))
