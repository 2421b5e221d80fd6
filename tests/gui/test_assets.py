"""Results are saved into an asset library, and seen in an Asset Browser. Pictures in build/gui/save_assets."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from gui.window import PICTURES, play


@pytest.fixture(scope="module")
def seen(home: Path) -> dict[str, Any]:
    return play(home, "save_assets", data="assets")


def test_a_library_is_there_when_it_was_asked_for(seen: dict[str, Any]) -> None:
    first, asked, made = seen["libraries"]
    assert asked == first, "a dialog that is left makes nothing"
    assert made == [*first, "Generated"]


def test_the_job_says_where_its_result_was_saved(seen: dict[str, Any]) -> None:
    assert seen["notices"][0] == "Saved in the asset library Generated, as a red wooden chair.blend"
    assert sum(name.endswith(".blend") for name in seen["files"]) == 2
    assert "blender_assets.cats.txt" in seen["files"] and len(seen["files"]) == 3


def test_an_open_asset_browser_shows_what_was_saved(seen: dict[str, Any]) -> None:
    (first,), both = seen["shown"]
    assert first == ["a red wooden chair", ["a red wooden chair", "Text to Model", "Local Engine"]]
    assert first in both and len(both) == 2


@pytest.mark.usefixtures("seen")
def test_no_draw_fails() -> None:
    assert "Traceback" not in (PICTURES / "save_assets" / "log.txt").read_text(encoding="utf-8")
