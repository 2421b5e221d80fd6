"""A sheet of pictures as one PNG: a row for each model, a column for each step. See ``sheet.py`` for the request."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from .drawing import PAPER, SIDE
from .measures import Array

_NAMES = 170
_GAP = 6
_LINE = 15
_HEAD = 24
_INK, _MISSED = np.array((30, 30, 35)), np.array((190, 20, 20))
_LONGEST = 26
"""Letters of a line; longer ones are broken at blanks, underscores and commas."""


def compose(request: dict[str, Any], report: Callable[[float, str], None]) -> None:
    """Draws the sheet and writes it."""
    columns, rows = request["columns"], request["rows"]
    heights = [_height(row) for row in rows]
    width = _NAMES + len(columns) * (SIDE + _GAP) + _GAP
    sheet = np.full((_HEAD + sum(heights) + _GAP, width, 3), 255, np.uint8)
    for number, title in enumerate(columns):
        _write(sheet, title, 4, _left(number), SIDE, _INK, _LINE + 3)
    top = _HEAD
    for number, (row, height) in enumerate(zip(rows, heights, strict=True)):
        report(number / len(rows), row["title"][0])
        if number % 2 == 0:
            sheet[top : top + height] = 247
        _write_lines(sheet, _broken(row["title"]), top + _GAP, _GAP, _NAMES - 2 * _GAP, _INK)
        for column, cell in enumerate(row["cells"]):
            _draw_cell(sheet, cell, top + _GAP, _left(column))
        top += height
    Path(request["path"]).write_bytes(png(sheet))


def _left(column: int) -> int:
    return _NAMES + column * (SIDE + _GAP)


def _height(row: dict[str, Any]) -> int:
    lines = max((len(_broken(cell["words"])) for cell in row["cells"] if cell["picture"]), default=0)
    return max(SIDE + lines * _LINE, len(_broken(row["title"])) * _LINE) + 2 * _GAP


def _draw_cell(sheet: Array, cell: dict[str, Any], top: int, left: int) -> None:
    has_picture = cell["picture"] and Path(cell["picture"]).is_file()
    sheet[top : top + SIDE, left : left + SIDE] = np.load(cell["picture"]) if has_picture else round(PAPER * 255)
    color = _MISSED if cell["missed"] else _INK
    if cell["missed"]:
        for edge in (np.s_[:2], np.s_[-2:], np.s_[:, :2], np.s_[:, -2:]):
            sheet[top : top + SIDE, left : left + SIDE][edge] = _MISSED
    lines = _broken(cell["words"])
    below = SIDE if cell["picture"] else max(0, (SIDE - len(lines) * _LINE) // 2)
    _write_lines(sheet, lines, top + below, left + 3, SIDE - 6, color)


def _write_lines(sheet: Array, lines: Sequence[str], top: int, left: int, width: int, color: Array) -> None:
    for number, line in enumerate(lines):
        _write(sheet, line, top + number * _LINE, left, width, color, _LINE)


def _write(sheet: Array, words: str, top: int, left: int, width: int, color: Array, height: int) -> None:
    from text_pixels import text_pixels

    if not words:
        return
    ink = text_pixels(words, height, width)[..., None]
    part = sheet[top : top + height, left : left + width]
    part[:] = (part * (1 - ink) + color * ink).astype(np.uint8)


def _broken(lines: Sequence[str]) -> list[str]:
    """The lines, those that are too long cut in several."""
    short: list[str] = []
    for line in lines:
        rest = line
        while len(rest) > _LONGEST:
            cut = max(rest.rfind(mark, 1, _LONGEST) for mark in " _,/-")
            cut = cut + 1 if cut > 0 else _LONGEST
            short.append(rest[:cut].strip())
            rest = rest[cut:]
        short.append(rest.strip())
    return [line for line in short if line]


def png(pixels: Array) -> bytes:
    """Bytes (height, width, 3), top row first, as a PNG file."""
    height, width = pixels.shape[:2]
    rows = np.concatenate((np.zeros((height, 1), np.uint8), pixels.reshape(height, -1)), axis=1)
    header = struct.pack(">2I5B", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
        for kind, data in ((b"IHDR", header), (b"IDAT", zlib.compress(rows.tobytes(), 6)), (b"IEND", b""))
    )
