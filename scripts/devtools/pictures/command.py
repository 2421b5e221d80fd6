"""Plays the scenes and keeps what they took: the pictures and the film in docs/pictures."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import NamedTuple

from ..environments.environment import Environment
from ..packaging import package
from ..paths import BUILD, ROOT
from ..terminal import Trouble, say, show
from ..window import player
from .account_service import serving

PICTURES = ROOT / "docs" / "pictures"
_SCENES = Path(__file__).parent / "scenes"
_TAKES = BUILD / "pictures"
_SECONDS = 900.0


class Scene(NamedTuple):
    """A function of one of the files in scenes/, and what it takes.

    Attributes:
        size: Of Blender's window, in pixels.
        pictures: The files that it leaves in docs/pictures, without their ending.
        is_online: Whether it needs the service on loopback.
    """

    size: tuple[int, int]
    pictures: tuple[str, ...]
    is_online: bool = False


def _looks(state: str) -> tuple[str, ...]:
    """The pictures of one state in a narrow side bar, in the light, and in Chinese."""
    return (f"{state}-narrow", f"{state}-light", f"{state}-chinese")


SCENES = {
    "start": Scene((1280, 860), ("first-start", "ready", "dialog", "preferences", *_looks("ready"))),
    "jobs": Scene(
        (1280, 860),
        (
            *("done", "job-list", "details", "grid", "running", "failed", "looking", "uncertain"),
            *_looks("running"),
            *_looks("uncertain"),
        ),
    ),
    "online": Scene((1280, 860), ("no-key", "preferences-online", "credits", "budget"), is_online=True),
    "film": Scene((1120, 860), ("film",)),
}


def take_pictures(environment: Environment, only: Sequence[str]) -> int:
    """Plays the scenes and brings docs/pictures up to date; returns the exit code.

    Args:
        environment: Builds the zip that is installed.
        only: The scenes to play; empty for all.

    Raises:
        Trouble: There is no Blender with a window, or a scene failed.
    """
    if not os.environ.get("BLENDER"):
        raise Trouble("The environment variable BLENDER has to name a Blender that can open a window.")
    archive = package.build(environment).for_all
    for name in only or SCENES:
        home = Path(tempfile.gettempdir()) / f"assetgen-{name}"  # always the same, since pictures show it
        shutil.rmtree(home, ignore_errors=True)
        try:
            player.install(home, str(archive))
            _play(name, home)
        finally:
            shutil.rmtree(home, ignore_errors=True)
    return 0


def _play(name: str, home: Path) -> None:
    scene = SCENES[name]
    folder = _TAKES / name
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    say(f"Playing {name} ...")
    options = ["--window-geometry", "0", "0", *map(str, scene.size)]
    with ExitStack() as stack:
        if scene.is_online:
            stack.enter_context(serving())
        try:
            player.play(_SCENES, name, home, folder, seconds=_SECONDS, data=name, options=options)
        except AssertionError as error:
            raise Trouble(f"The scene {name} failed:\n{error}") from error
    PICTURES.mkdir(exist_ok=True)
    for picture in scene.pictures:
        target = PICTURES / f"{picture}.webp"
        shutil.copyfile(folder / target.name, target)
        show(f"{target.relative_to(ROOT)}  {target.stat().st_size / 1000:.0f} kB")
