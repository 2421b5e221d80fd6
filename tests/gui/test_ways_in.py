"""The ways in beside the panel's Run, each gone with simulated keys and mouse."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from gui.window import play


@pytest.fixture(scope="module")
def ways(home: Path) -> dict[str, Any]:
    return play(home, "ways_in", data="ways")


@pytest.fixture(scope="module")
def started(home: Path) -> dict[str, Any]:
    return play(home, "searched_and_clicked", data="searched")


@pytest.fixture(scope="module")
def dropped(home: Path) -> dict[str, Any]:
    return play(home, "dropped", data="dropped")


def test_the_search_finds_an_operation_and_its_dialog_runs_it(started: dict[str, Any]) -> None:
    assert started["searched"] == "Text to Model: a red wooden chair"


def test_the_search_has_operations_under_the_words_that_people_type(started: dict[str, Any]) -> None:
    (words, first), (other, second) = started["found"]
    assert words == "text to" and len(first) == 1 and first[0].startswith("text_to_")
    assert (other, second) == ("texture...", ["texture"])


def test_the_menus_of_viewport_and_outliner_lead_to_dialogs(ways: dict[str, Any]) -> None:
    assert ways["menus"] == {"add": ["text_to_model"], "context": ["texture"], "outliner": ["texture"]}


def test_a_dialog_asks_too_where_the_same_is_running(started: dict[str, Any]) -> None:
    assert started["still_running"] == [True, True]
    assert started["same_again"] == [[0, 0], [0, 1]], "nothing is started before the answer, and none after no"


def test_one_click_on_the_selected_object_is_enough(started: dict[str, Any]) -> None:
    assert started["pressed"][0][0] == "bpy.ops.assetgen.decimate"
    assert started["clicked"] == "Decimate Suzanne"


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
    if not ways["blender"].startswith("4."):  # there the arrow keys do not reach into such a popup
        assert ways["tab_by_note"] is True, "its button leads to the tab"


def test_shortcuts_are_empty_until_the_user_sets_them(ways: dict[str, Any]) -> None:
    assert ways["shortcuts"] == ["NONE"] * 4
    assert "ASSETGEN_MT_object" in ways["menus_by_key"]
    assert ways["tab_by_key"] is True


def test_the_image_of_the_image_editor_goes_into_the_dialog(ways: dict[str, Any]) -> None:
    assert ways["image_field"] == "image:A sketch of a chair"


def test_the_preferences_lead_to_the_tab(ways: dict[str, Any]) -> None:
    assert ways["tab"] == [True, "Asset Gen"]
