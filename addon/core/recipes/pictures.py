"""Pictures that a background Blender makes: a PNG of any image, and one picture of all results."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple, Protocol

from ....vendor.background_blender import BlenderCommand, run

_HEADLESS = Path(__file__).resolve().parents[2] / "headless"


class Tile(NamedTuple):
    """One result on the picture of all: its name, what is said below that, and its picture where it has one."""

    title: str
    words: str
    picture: str = ""


class PictureMaker(Protocol):
    """Makes pictures. Both raise ``BlenderTrouble`` when it cannot be done."""

    def to_png(self, image: Path, out: Path) -> None:
        """Writes an image as a PNG."""

    def contact_sheet(self, title: str, tiles: Sequence[Tile], out: Path) -> None:
        """Writes one picture (PNG) of all tiles, in rows."""


class BackgroundPictures:
    """Makes them with a background Blender, started as ``command`` says at that time."""

    def __init__(self, command: Callable[[], BlenderCommand]) -> None:
        self._command = command

    def to_png(self, image: Path, out: Path) -> None:
        """See :class:`PictureMaker`."""
        run(self._command(), _HEADLESS / "to_png.py", {"image": str(image), "out": str(out)})

    def contact_sheet(self, title: str, tiles: Sequence[Tile], out: Path) -> None:
        """See :class:`PictureMaker`."""
        request = {"title": title, "tiles": [tile._asdict() for tile in tiles], "out": str(out)}
        run(self._command(), _HEADLESS / "contact_sheet.py", request)
