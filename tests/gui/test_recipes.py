"""The Recipes panel, in a window. Pictures in build/gui/recipe_on_selection."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from gui.window import play

FILES = ["Suzanne_500_faces.glb", "Suzanne_700_faces.glb", "Suzanne_900_faces.glb"]


@pytest.fixture(scope="module")
def seen(home: Path) -> dict[str, Any]:
    return play(home, "recipe_on_selection")


def test_the_recipes_that_come_along_are_offered(seen: dict[str, Any]) -> None:
    assert seen["known"] == ["Character", "Game Asset", "Level Of Detail", "Print"]


def test_steps_and_price_are_shown_before_anything_is_run(seen: dict[str, Any]) -> None:
    assert seen["steps"] == [["Decimate", 3, [name for name in reversed(FILES)]]]
    assert seen["price"] == "free: the local engine"


def test_what_is_wrong_with_a_value_is_shown_with_its_line(seen: dict[str, Any]) -> None:
    assert all(sentence.startswith("Line ") for sentence in seen["troubles"])
    assert any("500 to 20000" in sentence for sentence in seen["troubles"]), seen["troubles"]


def test_its_files_are_written_and_its_results_stand_beside_the_source(seen: dict[str, Any]) -> None:
    assert seen["end"] == {"files": FILES, "picture": True, "errors": [], "unchanged": 0, "total": 4}
    assert len(set(seen["places"])) == 4, seen["places"]


def test_run_again_it_starts_nothing(seen: dict[str, Any]) -> None:
    assert seen["again"] == {"files": FILES, "picture": True, "errors": [], "unchanged": 3, "total": 3}
    assert seen["tasks_after"] == seen["tasks"]
