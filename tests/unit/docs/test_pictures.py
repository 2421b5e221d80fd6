"""The pictures of the documentation: each is made by a command, is shown with words, and is small."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from devtools.pictures.command import PICTURES, SCENES
from load_extension import ROOT

PAGES = (ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md")))
BY_OTHER_COMMANDS = {"demo.png", "capabilities.png"}
"""What `dev.py demo` and `dev.py sheet` make."""

MOST_BYTES = 350_000
MOST_BYTES_OF_FILM = 1_500_000
_SHOWN = re.compile(r"!\[([^\]]*)\]\(([^)]+)\)")


def test_the_folder_has_nothing_that_no_command_makes() -> None:
    made = {f"{name}.webp" for scene in SCENES.values() for name in scene.pictures}
    assert {path.name for path in PICTURES.iterdir()} == made | BY_OTHER_COMMANDS


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.name))
def test_every_shown_picture_is_there_and_has_words(page: Path) -> None:
    for words, target in _SHOWN.findall(page.read_text(encoding="utf-8")):
        assert (page.parent / target).is_file(), target
        assert len(words) > 15, target


def test_pictures_are_small() -> None:
    for path in PICTURES.glob("*.webp"):
        most = MOST_BYTES_OF_FILM if path.stem == "film" else MOST_BYTES
        assert path.stat().st_size < most, path.name
