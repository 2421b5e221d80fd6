"""The picture that a task delivers: its size, its background, its file."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from typing import Any

import numpy as np

from ..array_types import Picture
from ..errors import EngineError
from ..images.picture_files import write_picture
from ..images.resample import resized
from ..task import Task

_WORDS = {"": 2048, "auto": 2048, "hd": 1024}
"""Sizes that a word stands for, as the side of a square."""

_MOST_PIXELS = 8192 * 8192
_TOP, _BOTTOM = np.array((0.97, 0.97, 0.975), np.float32), np.array((0.8, 0.81, 0.83), np.float32)


def size_of(body: Mapping[str, Any]) -> tuple[int, int]:
    """Width and height that a request asks for: exact, or a word such as 2K spread over the aspect ratio.

    Raises:
        EngineError: It is too large, or no size.
    """
    size = str(body.get("size") or "").lower()
    ratio = [int(part) for part in str(body.get("aspect_ratio") or "1:1").split(":")]
    width = height = 0
    exact = re.fullmatch(r"(\d+)x(\d+)", size)
    thousands = re.fullmatch(r"(\d+(?:\.\d+)?)k", size)
    if exact:
        width, height = int(exact[1]), int(exact[2])
    elif thousands or size in _WORDS:
        side = float(thousands[1]) * 1024 if thousands else _WORDS[size]
        stretch = math.sqrt(ratio[0] / ratio[1])
        width, height = (round(side * factor / 8) * 8 for factor in (stretch, 1 / stretch))
    if not width * height:
        raise EngineError(f"{size!r} is no size of a picture; 2048x2048 or 2K would be one.")
    if width * height > _MOST_PIXELS:
        raise EngineError(f"{width}x{height} is more than the local engine makes; 8192x8192 is the most.")
    return width, height


def placed(picture: Picture, width: int, height: int, fill: float = 0.94) -> Picture:
    """A transparent canvas with the picture in its middle, as large as it fits.

    Args:
        picture: RGBA 0..1 on the sRGB curve, straight alpha, bottom row first.
        width: Of the canvas, pixels.
        height: Of the canvas.
        fill: Part of the canvas that it takes at most.
    """
    rows, columns = picture.shape[:2]
    factor = min(width / columns, height / rows) * fill
    shape = max(1, round(rows * factor)), max(1, round(columns * factor))
    grown = np.clip(resized(picture, *shape), 0, 1)
    canvas = np.zeros((height, width, 4), np.float32)
    low, left = (height - shape[0]) // 2, (width - shape[1]) // 2
    canvas[low : low + shape[0], left : left + shape[1]] = grown
    return canvas


def on_paper(picture: Picture) -> Picture:
    """The picture before a plain light background, RGB."""
    rise = np.linspace(0, 1, len(picture), dtype=np.float32)[:, None, None]
    paper = _BOTTOM * (1 - rise) + _TOP * rise
    alpha = picture[..., 3:]
    return np.asarray(picture[..., :3] * alpha + paper * (1 - alpha), np.float32)


def sheet(tiles: list[Picture]) -> Picture:
    """Four pictures of one size as two rows, the first at the upper left."""
    return np.asarray(np.vstack((np.hstack(tiles[2:]), np.hstack(tiles[:2]))), np.float32)


def write_answer(task: Task, picture: Picture) -> dict[str, Any]:
    """Writes the picture as the request wants it, and makes the engine's answer.

    Args:
        task: What is being done.
        picture: RGBA of the size that :func:`size_of` gives.
    """
    height, width = picture.shape[:2]
    if task.body.get("output_format") == "jpeg":
        name = "image.jpg"
        write_picture(task.folder / name, on_paper(picture), "JPEG")
    else:
        name = "image.png"
        write_picture(task.folder / name, picture)
    return {"files": {"generated_image_url": name}, "values": {"size": f"{width}x{height}"}, "facts": {}}
