"""Puts the pictures of many results on one, in rows, each with two lines below it. Runs in a background Blender.

Request: ``title``, ``tiles`` ({title, words, picture} each, the picture empty where there is none) and ``out`` (a PNG).
The file is all it gives: its answer is empty.
"""

from __future__ import annotations

import math
import sys
from pathlib import Path
from typing import Any

sys.path[:0] = [str(Path(__file__).resolve().parent), str(Path(__file__).resolve().parents[2] / "vendor")]

import bpy
import numpy as np
import numpy.typing as npt
from background_blender.child import Report, main
from text_pixels import text_pixels  # type: ignore[import-not-found, unused-ignore]

_TILE = 256
"""Pixels of the width and the height of a picture."""
_GAP = 16
_TITLE, _LINE, _SMALL = 34, 22, 18
"""Heights of the title, of the name of a result, and of what is said below it."""
_MOST_COLUMNS = 6
_PAPER = np.array((0.13, 0.13, 0.14), dtype=np.float32)
_FIELD = np.array((0.19, 0.19, 0.20), dtype=np.float32)
_INK = np.array((0.95, 0.95, 0.95), dtype=np.float32)
_PALE = np.array((0.62, 0.62, 0.64), dtype=np.float32)

Floats = npt.NDArray[np.float32]


def work(request: dict[str, Any], report: Report) -> dict[str, Any]:
    """Draws the sheet and writes it."""
    tiles = request["tiles"]
    columns = max(1, min(_MOST_COLUMNS, math.ceil(math.sqrt(len(tiles) * 1.4))))
    rows = math.ceil(len(tiles) / columns)
    step = _TILE + _LINE + _SMALL + _GAP
    width = columns * (_TILE + _GAP) + _GAP
    sheet = np.empty((_GAP + _TITLE + _GAP + rows * step, width, 3), dtype=np.float32)
    sheet[:] = _PAPER
    _write(sheet, request["title"], _GAP, _GAP, _TITLE, width - 2 * _GAP, _INK)
    for number, tile in enumerate(tiles):
        report(number / len(tiles), "Drawing the results")
        top = _GAP + _TITLE + _GAP + (number // columns) * step
        left = _GAP + (number % columns) * (_TILE + _GAP)
        sheet[top : top + _TILE, left : left + _TILE] = _FIELD
        if tile["picture"]:
            _paste(sheet, Path(tile["picture"]), top, left)
        _write(sheet, tile["title"], top + _TILE, left, _LINE, _TILE, _INK)
        _write(sheet, tile["words"], top + _TILE + _LINE, left, _SMALL, _TILE, _PALE)
    _save(sheet, request["out"])
    return {}


def _write(sheet: Floats, words: str, top: int, left: int, height: int, width: int, color: Floats) -> None:
    """Draws words in a box, by how much of each pixel they cover."""
    if words:
        covered = text_pixels(words, height, width)[..., None]
        box = sheet[top : top + height, left : left + width]
        box[:] = box * (1 - covered) + color * covered


def _paste(sheet: Floats, path: Path, top: int, left: int) -> None:
    """Draws a picture in the middle of its tile, as large as fits; one that cannot be read is left out."""
    try:
        image = bpy.data.images.load(str(path))
    except RuntimeError:
        return
    try:
        across, up = image.size
        if not across or not up:
            return
        scale = _TILE / max(across, up)
        across, up = max(1, round(across * scale)), max(1, round(up * scale))
        image.scale(across, up)
        pixels = np.empty(across * up * 4, dtype=np.float32)
        image.pixels.foreach_get(pixels)
    finally:
        bpy.data.images.remove(image)
    picture = pixels.reshape(up, across, 4)[::-1]
    top, left = top + (_TILE - up) // 2, left + (_TILE - across) // 2
    box = sheet[top : top + up, left : left + across]
    box[:] = box * (1 - picture[..., 3:]) + picture[..., :3] * picture[..., 3:]


def _save(sheet: Floats, path: str) -> None:
    height, width, _ = sheet.shape
    image = bpy.data.images.new("sheet", width, height, alpha=False)
    pixels = np.ones((height, width, 4), dtype=np.float32)
    pixels[..., :3] = sheet[::-1]
    image.pixels.foreach_set(np.ascontiguousarray(pixels).ravel())
    image.filepath_raw = path
    image.file_format = "PNG"
    image.save()


if __name__ == "__main__":
    main(work)
