"""A press of Run in a window: what it starts, what it asks, and what is said before it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from gui.window import PICTURES, play


@pytest.fixture(scope="module")
def seen(home: Path) -> dict[str, Any]:
    return play(home, "presses")


def test_two_clicks_in_a_row_are_one_job(seen: dict[str, Any]) -> None:
    assert seen["rests after two clicks"] is True
    assert seen["jobs after two clicks"] == seen["jobs before"] + 1


def test_the_same_while_it_is_running_is_asked_about(seen: dict[str, Any]) -> None:
    assert seen["still running"] is True
    assert seen["jobs after no"] == seen["jobs after two clicks"]
    assert seen["jobs after yes"] == seen["jobs after two clicks"] + 1


def test_a_field_that_cannot_be_sent_says_so_before_run_is_pressed(seen: dict[str, Any]) -> None:
    said = seen["said"]
    words, field, sentence = said["face limit"]
    assert (field, sentence) == ("face_limit", "Face Limit is 100; allowed: 500 to 20000")
    assert words == {field: sentence}
    assert said["face limit with quads"][2] == "Face Limit is 15000; allowed: 500 to 10000 with quad"
    assert said["mended"] == {}
    assert said["texture of nothing"] == [{}, "", "Text is missing; give words or an image of the look"]
    words, field, sentence = said["texture of two kinds"]
    assert words["image"] == "There is no file /nowhere/oak.png"
    assert field in ("text", "image")
    assert "the local engine has idle, walk, run" in said["animation"][2]


WORK_SECONDS = 1.0
"""Most that the main thread may work in a press with fourteen models: ten times what it does on a busy machine."""


@pytest.fixture(scope="module")
def many(home: Path) -> dict[str, Any]:
    return play(home, "many_models")


def test_one_press_starts_a_job_for_every_model(many: dict[str, Any]) -> None:
    names = {name for name, _, _ in many["jobs"]}
    assert names == {f"Decimate Statue {number}" for number in range(1, 15)}
    assert len(many["jobs"]) == 14, "the click after it was the second one of a double click"
    assert many["press work"] < WORK_SECONDS


def test_the_first_of_many_goes_on_before_the_others_begin(many: dict[str, Any]) -> None:
    listed = [name for name, _, _ in many["jobs"]]
    assert 1 <= len(many["ahead"]) <= len(listed) // 2, "imports take next to nothing: some are done before one looks"
    assert set(many["ahead"]) <= set(listed[: len(many["ahead"]) + 1]), "the oldest are at the top, and are the first"


@pytest.fixture(scope="module")
def early(home: Path) -> dict[str, Any]:
    return play(home, "early_presses")


DECIMATE = "ASSETGEN_OT_decimate"


def test_a_press_before_all_is_loaded_waits_while_blender_goes_on(early: dict[str, Any]) -> None:
    assert early["answer"] == ["RUNNING_MODAL"]
    assert early["after a press"] == [DECIMATE]
    assert early["after two presses"] == [DECIMATE, DECIMATE]
    assert early["jobs while loading"] == 0
    assert early["after loading"] == []


def test_an_early_press_starts_its_job_when_all_is_loaded(early: dict[str, Any]) -> None:
    assert early["jobs"] == ["Decimate Cube"], "the second press was that of a double click, the first one taken back"
    assert early["selected"] == ["Cube"], "keys came to nothing meanwhile"


def test_an_early_press_imports_nothing_on_the_main_thread(early: dict[str, Any]) -> None:
    packages = ("bl_ext.user_default.asset_generation", "httpx", "numpy", "pydantic", "sqlite3", "ssl")
    assert [name for name in early["imports"] if name.startswith(packages)] == []


def test_escape_takes_an_early_press_back(early: dict[str, Any]) -> None:
    assert early["after Escape"] == []


def test_an_early_press_that_asks_does_so_when_all_is_loaded(early: dict[str, Any]) -> None:
    waited, browsers = early["questions while loading"]
    assert waited == ["ASSETGEN_OT_convert", "ASSETGEN_OT_text_to_image"]
    assert browsers == 0
    assert early["after the questions"] == [["ASSETGEN_OT_convert"], 1], "the file browser's own"
    assert early["jobs in the end"] == ["Decimate Cube", "Text to Image: a lighthouse"]


def test_an_early_press_in_the_job_list_waits_too(early: dict[str, Any]) -> None:
    others = early["others"]
    assert others["job_action"] == [["RUNNING_MODAL"], ["ASSETGEN_OT_job_action"], [], True]
    assert others["is removed"]
    assert others["vary"] == [["RUNNING_MODAL"], ["ASSETGEN_OT_vary"], [], True]
    assert others["asked"][0] == [others["id"], 3]


def test_files_that_are_dropped_early_are_asked_about_when_all_is_loaded(early: dict[str, Any]) -> None:
    others = early["others"]
    assert others["drop_images"] == [["RUNNING_MODAL"], ["ASSETGEN_OT_drop_images"], [], True]
    assert others["asked"][1] == [others["chair"]]


def test_an_early_press_ends_with_the_file_that_it_was_made_in(early: dict[str, Any]) -> None:
    assert early["before another file"] == ["ASSETGEN_OT_texture"]
    assert early["after another file"] == [[], 0]


@pytest.fixture(scope="module")
def painted(home: Path) -> dict[str, Any]:
    return play(home, "painted_presses")


def test_a_press_on_much_paint_waits_for_its_copies(painted: dict[str, Any]) -> None:
    assert painted["answer"] == ["RUNNING_MODAL"]
    assert painted["press"] == [DECIMATE] and painted["press after"] == []
    assert painted["selected"] == ["Knight"], "keys came to nothing meanwhile"
    assert painted["result"] == pytest.approx([0.2, 0.4, 0.6], abs=0.02), "what went out and came back shows it"
    assert painted["taken"] == {name: [0.2, 0.4, 0.6, 1.0] for name in ("Paint", "Reference")}


def test_escape_takes_a_press_on_much_paint_back(painted: dict[str, Any]) -> None:
    assert painted["before Escape"] == [[DECIMATE], "Waits until the running tool ends"], "no result comes in meanwhile"
    assert painted["after Escape"] == [[], "", 0]


def test_what_was_asked_first_waits_for_copies_too(painted: dict[str, Any]) -> None:
    assert painted["after the dialog"] == ["ASSETGEN_OT_texture"]
    assert painted["after the file browser"] == ["ASSETGEN_OT_convert"]
    assert painted["a field"] == ["ASSETGEN_OT_texture"]
    assert painted["recipe"] == ["ASSETGEN_OT_run_recipe"]
    assert not any(painted[f"{name} after"] for name in ("after the dialog", "after the file browser", "a field"))


def test_who_needs_no_pixels_waits_for_none(painted: dict[str, Any]) -> None:
    assert painted["without pixels"] == []


def test_a_press_copies_no_large_image_itself(painted: dict[str, Any]) -> None:
    assert painted["copied within a press"] == []


def test_nothing_that_was_pressed_ended_in_a_traceback(
    seen: dict[str, Any], many: dict[str, Any], early: dict[str, Any], painted: dict[str, Any]
) -> None:
    assert seen["ended"] and many["ended"] and early["ended"] and painted["ended"]
    for scenario in ("presses", "many_models", "early_presses", "painted_presses"):
        assert "Traceback" not in (PICTURES / scenario / "log.txt").read_text(encoding="utf-8")
