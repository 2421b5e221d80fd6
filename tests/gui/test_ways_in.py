"""The ways in beside the panel's Run, each gone with simulated keys and mouse."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from gui.window import play


@pytest.fixture(scope="module")
def ways(home: Path) -> dict[str, Any]:
    return play(home, "ways_in")


def test_the_search_finds_an_operation_and_its_dialog_runs_it(ways: dict[str, Any]) -> None:
    assert ways["searched"] == {"name": "Text to Model: a red wooden chair", "stage": "applied", "error": ""}


def test_a_dialog_that_is_left_starts_nothing(ways: dict[str, Any]) -> None:
    assert ways["after_escape"] == 1


def test_one_click_on_the_selected_object_is_enough(ways: dict[str, Any]) -> None:
    assert ways["pressed"][0][0] == "bpy.ops.assetgen.decimate"
    assert ways["clicked"] == {"name": "Decimate Suzanne", "stage": "applied", "error": ""}


def test_shortcuts_are_empty_until_the_user_sets_them(ways: dict[str, Any]) -> None:
    assert ways["shortcuts"] == ["NONE"] * 4


def test_the_image_of_the_image_editor_goes_into_the_dialog(ways: dict[str, Any]) -> None:
    assert ways["image_field"] == "image:A sketch of a chair"


def test_the_preferences_lead_to_the_tab(ways: dict[str, Any]) -> None:
    assert ways["tab"] == [True, "Asset Gen"]
