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


def test_nothing_that_was_pressed_ended_in_a_traceback(seen: dict[str, Any], many: dict[str, Any]) -> None:
    assert seen["ended"] and many["ended"]
    for scenario in ("presses", "many_models"):
        assert "Traceback" not in (PICTURES / scenario / "log.txt").read_text(encoding="utf-8")
