"""Takes the pictures: a part of the screen as a WebP that loses nothing."""

from __future__ import annotations

import struct
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import bpy
import numpy as np

if TYPE_CHECKING:
    from devtools.window.driver import Stage

Steps = Iterator[float]

LOSSLESS = ("-strip", "-define", "webp:lossless=true", "-define", "webp:method=6", "-quality", "100")
_BORDER = 14  # pixels that stay below the last thing that a side bar shows
_TABS, _EDGE = 18, 6  # pixels that are not looked at: the tabs at the right, and the borders
_SHOT = "shot.png"


def side_bar(stage: Stage, name: str) -> Steps:
    """The side bar of the viewport, as far down as there is anything in it."""
    yield from redrawn(stage)
    region = stage.region("UI")
    left, top = region.x, stage.window.height - region.y - region.height
    shown = _colors(take(stage, _SHOT, (left, top, region.width, region.height)))
    inner = shown[:, _EDGE : -_TABS - _EDGE]
    differing = np.flatnonzero((inner != shown[-1, shown.shape[1] // 2]).any(axis=2).any(axis=1))
    height = min(region.height, int(differing[-1]) + _BORDER) if differing.size else region.height
    _convert(stage, name, "-crop", f"{region.width}x{height}+0+0", "+repage")


def window(stage: Stage, name: str) -> Steps:
    """All of Blender's window."""
    yield from redrawn(stage)
    take(stage, _SHOT, (0, 0, stage.window.width, stage.window.height))
    _convert(stage, name)


def redrawn(stage: Stage) -> Steps:
    """Waits until Blender shows what is so now; panels slide to their new places."""
    for _ in range(3):
        for shown in stage.window_manager.windows:
            for area in shown.screen.areas:
                area.tag_redraw()
        yield 0.3


def take(stage: Stage, file: str, place: tuple[int, int, int, int]) -> Path:
    """Saves a part of Blender's window as a PNG.

    Args:
        stage: Where the window is, and the folder for the file.
        file: The file's name.
        place: Left and upper border, width and height in pixels; counted from above, in the window.
    """
    left, top, width, height = place
    command = ["import", "-window", "root", file]
    subprocess.run(command, cwd=stage.folder, check=True, timeout=30)
    path = stage.folder / file
    # Blender counts the window's own place from below as well.
    above = _size(path)[1] - stage.window.y - stage.window.height
    crop = f"{width}x{height}+{left + stage.window.x}+{top + above}"
    subprocess.run(["convert", file, "-crop", crop, "+repage", file], cwd=stage.folder, check=True, timeout=30)
    return path


def _size(path: Path) -> tuple[int, int]:
    """Width and height of a PNG, in pixels."""
    width, height = struct.unpack(">II", path.read_bytes()[16:24])
    return width, height


def _colors(path: Path) -> np.ndarray:
    """The colours of a picture: rows from above, columns, RGB as bytes."""
    width, height = _size(path)
    command = ["convert", path.name, "-depth", "8", "rgb:-"]
    content = subprocess.run(command, cwd=path.parent, check=True, timeout=30, stdout=subprocess.PIPE).stdout
    return np.frombuffer(content, dtype=np.uint8).reshape(height, width, 3)


def _convert(stage: Stage, name: str, *options: str) -> None:
    command = ["convert", _SHOT, *options, *LOSSLESS, f"{name}.webp"]
    subprocess.run(command, cwd=stage.folder, check=True, timeout=60)
    (stage.folder / _SHOT).unlink()
    print("picture:", name, bpy.app.version_string, flush=True)
