"""The sheets: pictures of all models, a row for each, so many on one that it can be looked at."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from .table import Row, words_of

_SCRIPT = Path(__file__).parent / "in_blender" / "sheet.py"
_SMALL_SCRIPT = Path(__file__).parent / "in_blender" / "small.py"
_ROWS = 16
_WORDS = 130


def draw_sheets(rows: Sequence[Row], keys: Sequence[str], pictures: Sequence[Path], folder: Path) -> list[Path]:
    """Writes ``sheet.png``, or ``sheet-1.png`` and so on; older ones are removed.

    Args:
        rows: The models.
        keys: The columns.
        pictures: Where the pictures of each row are.
        folder: Where the sheets go.
    """
    from asset_generation.vendor.background_blender import BlenderCommand, run

    for old in folder.glob("sheet*.png"):
        old.unlink()
    paths = []
    for start in range(0, len(rows), _ROWS):
        name = f"sheet-{start // _ROWS + 1}.png" if len(rows) > _ROWS else "sheet.png"
        part = zip(rows[start : start + _ROWS], pictures[start : start + _ROWS], strict=True)
        request = {
            "path": str(folder / name),
            "columns": list(keys),
            "rows": [_row(row, keys, where) for row, where in part],
        }
        run(BlenderCommand.of_python(), _SCRIPT, request)
        paths.append(folder / name)
    return paths


def draw_small(sheets: Sequence[Path], page: Path, heading: str) -> list[str]:
    """Writes the sheets beside a page as small files; their paths as the page refers to them."""
    from asset_generation.vendor.background_blender import BlenderCommand, run

    folder = page.parent / "pictures"
    folder.mkdir(exist_ok=True)
    stem = "strangers-" + re.sub(r"\W+", "-", heading.lower())
    for old in folder.glob(f"{stem}-*.webp"):
        old.unlink()
    paths = [folder / f"{stem}-{number}.webp" for number in range(1, len(sheets) + 1)]
    pairs = [[str(sheet), str(path)] for sheet, path in zip(sheets, paths, strict=True)]
    run(BlenderCommand.of_python(), _SMALL_SCRIPT, {"pairs": pairs})
    return [path.relative_to(page.parent).as_posix() for path in paths]


def _row(row: Row, keys: Sequence[str], pictures: Path) -> dict[str, Any]:
    expected = " ".join(part for part in (row.expected.kind, row.expected.front) if part)
    return {"title": [row.model, expected], "cells": [_cell(row, key, pictures) for key in keys]}


def _cell(row: Row, key: str, pictures: Path) -> dict[str, Any]:
    record = row.steps.get(key)
    if record is None:
        return {"picture": "", "words": [], "missed": False}
    missed = row.missed(key)
    seconds = "" if record["skipped"] else f", {record['seconds']:.0f}\u00a0s"
    reason = "" if missed and record["skipped"] else record["skipped"] or record["values"].get("reason", "")
    words = [words_of(key, record) + seconds, *(sentence[:_WORDS] for sentence in [*missed[:2], reason] if sentence)]
    picture = pictures / f"{key}.npy"
    return {"picture": str(picture) if picture.is_file() else "", "words": words, "missed": bool(missed)}
