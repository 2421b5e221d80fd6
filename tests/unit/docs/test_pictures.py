"""The pictures of the documentation: each is made by a command, is shown with words, and is small."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from asset_generation.addon.translation import catalogue, po_file
from devtools.pictures.command import PICTURES, SCENES
from load_extension import ROOT

PAGES = (ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md")))
BY_OTHER_COMMANDS = {"demo.png", "capabilities.png"}
"""What `dev.py demo` and `dev.py sheet` make. `dev.py strangers` makes those whose names begin so."""

SAMPLES = ROOT / "scripts/devtools/pictures/scenes/samples.py"
CHINESE = catalogue.Catalogue(po_file.read((ROOT / "addon/translation/zh_HANS.po").read_text(encoding="utf-8")).entries)

OF_THE_SERVICE = "insufficient balance"
"""Words that a service would say, which nobody translates."""

MOST_BYTES = 350_000
MOST_BYTES_OF_FILM = 1_500_000
_SHOWN = re.compile(r"!\[([^\]]*)\]\(([^)]+)\)")


def test_the_folder_has_nothing_that_no_command_makes() -> None:
    made = {f"{name}.webp" for scene in SCENES.values() for name in scene.pictures}
    others = {path.name for path in PICTURES.glob("strangers-*.webp")} | BY_OTHER_COMMANDS
    assert {path.name for path in PICTURES.iterdir()} == made | others


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.name))
def test_every_shown_picture_is_there_and_has_words(page: Path) -> None:
    for words, target in _SHOWN.findall(page.read_text(encoding="utf-8")):
        assert (page.parent / target).is_file(), target
        assert len(words) > 15, target


def test_pictures_are_small() -> None:
    for path in PICTURES.glob("*.webp"):
        most = MOST_BYTES_OF_FILM if path.stem == "film" else MOST_BYTES
        assert path.stat().st_size < most, path.name


def test_jobs_of_the_pictures_say_what_real_ones_say() -> None:
    said = list(sentences(ast.parse(SAMPLES.read_text(encoding="utf-8"))))
    assert len(said) >= 4
    for text in said:
        assert not re.search("[a-z]{3,} [a-z]{3,}", CHINESE.translated(text).replace(OF_THE_SERVICE, "")), text


def sentences(tree: ast.Module) -> Iterator[str]:
    """What is given as ``text``, ``error`` or ``advice``; any task's id stands for what is filled in."""
    for keyword in (node for node in ast.walk(tree) if isinstance(node, ast.keyword)):
        if keyword.arg not in ("text", "error", "advice"):
            continue
        if isinstance(keyword.value, ast.JoinedStr):
            yield "".join(
                str(part.value) if isinstance(part, ast.Constant) else "8f2c" for part in keyword.value.values
            )
        elif isinstance(keyword.value, ast.Constant):
            yield str(keyword.value.value)
