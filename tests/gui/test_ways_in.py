"""The ways in beside the panel's Run, each gone with simulated keys and mouse."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from gui.window import play


@pytest.fixture(scope="module")
def ways(home: Path) -> dict[str, Any]:
    return play(home, "ways_in")


@pytest.fixture(scope="module")
def started(home: Path) -> dict[str, Any]:
    return play(home, "searched_and_clicked")


@pytest.fixture(scope="module")
def dropped(home: Path) -> dict[str, Any]:
    return play(home, "dropped")


def test_the_search_finds_an_operation_and_its_dialog_runs_it(started: dict[str, Any]) -> None:
    assert started["searched"] == {"name": "Text to Model: a red wooden chair", "stage": "applied", "error": ""}


def test_one_click_on_the_selected_object_is_enough(started: dict[str, Any]) -> None:
    assert started["pressed"][0][0] == "bpy.ops.assetgen.decimate"
    assert started["clicked"] == {"name": "Decimate Suzanne", "stage": "applied", "error": ""}


@pytest.mark.parametrize("files", ["one-image", "several-images", "views", "model"])
def test_dropped_files_open_a_dialog_that_can_be_left(dropped: dict[str, Any], files: str) -> None:
    assert dropped[files] == ["RUNNING_MODAL"]
    assert dropped["jobs"] == 0


def test_files_can_be_dropped_onto_the_viewport(dropped: dict[str, Any]) -> None:
    assert dropped["over_viewport"] == [True, True]


def test_dialogs_that_are_left_start_nothing_and_one_click_asks_where_words_are_needed(ways: dict[str, Any]) -> None:
    assert ways["pressed"][0][0] == "bpy.ops.assetgen.texture"
    assert ways["jobs"] == 0


def test_the_note_after_the_installation_is_shown_once(ways: dict[str, Any]) -> None:
    assert ways["note"] == [True, False]


def test_shortcuts_are_empty_until_the_user_sets_them(ways: dict[str, Any]) -> None:
    assert ways["shortcuts"] == ["NONE"] * 4


def test_the_image_of_the_image_editor_goes_into_the_dialog(ways: dict[str, Any]) -> None:
    assert ways["image_field"] == "image:A sketch of a chair"


def test_the_preferences_lead_to_the_tab(ways: dict[str, Any]) -> None:
    assert ways["tab"] == [True, "Asset Gen"]
