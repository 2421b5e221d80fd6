"""A small visible mark in the corner of a picture: the word LOCAL in letters of five rows."""

from __future__ import annotations

import numpy as np

from ..array_types import Picture

_LETTERS = {
    "L": ("#..", "#..", "#..", "#..", "###"),
    "O": ("###", "#.#", "#.#", "#.#", "###"),
    "C": ("###", "#..", "#..", "#..", "###"),
    "A": ("###", "#.#", "###", "#.#", "#.#"),
}
_WORD = "LOCAL"


def marked(picture: Picture) -> Picture:
    """The RGBA picture with the mark at its lower right."""
    rows = np.array([[c == "#" for letter in _WORD for c in _LETTERS[letter][row] + "."] for row in range(5)])
    height, width = picture.shape[:2]
    dot = max(1, min(height, width) // 160)
    mark = np.pad(rows[::-1], 1).repeat(dot, axis=0).repeat(dot, axis=1)[:height, :width]
    result = picture.copy()
    low, left = min(dot * 2, height - mark.shape[0]), max(0, width - mark.shape[1] - dot * 2)
    spot = result[low : low + mark.shape[0], left : left + mark.shape[1]]
    spot[...] = np.where(
        mark[..., None], np.float32((1, 1, 1, 1)), spot * np.float32(0.35) + np.float32((0, 0, 0, 0.45))
    )
    return result
