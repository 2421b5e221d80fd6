"""The job list in a window, with every kind of job. Pictures in build/gui/job_list."""

from __future__ import annotations

from typing import Any

import pytest
from gui.window import PICTURES, play


@pytest.fixture(scope="module")
def seen(home: Any) -> dict[str, Any]:
    return play(home, "job_list")


def test_running_jobs_are_on_top_and_are_always_shown(seen: dict[str, Any]) -> None:
    running = ["running", "lost", "queued"]
    assert seen["order"][:3] == running
    assert set(seen["searched"]) == {*running, "failed", "ready"}
    assert set(seen["asking"]) == {*running, "failed", "ready", "uncertain"}


def test_a_saved_file_has_nothing_of_the_jobs(seen: dict[str, Any]) -> None:
    assert seen["in_file"] is False
    before, after = seen["rows_after_saving"]
    assert before == after


def test_five_hundred_jobs_are_drawn_as_quickly_as_few(seen: dict[str, Any]) -> None:
    assert seen["rows"] == 502
    assert min(seen["draws"]) > 5
    # 1.3 and 2.6 ms by themselves. To draw every row would take a hundred; how busy the machine is must not be judged.
    assert seen["draw_ms"] < 20.0
    assert seen["grid_ms"] < 40.0
    assert seen["found"] == ["running", "many-321"]


def test_a_budget_asks_before_it_is_overdrawn(seen: dict[str, Any]) -> None:
    assert seen["jobs_within_budget"] == 1
    assert seen["jobs_beyond_budget"] == 0


def test_it_is_drawn_in_a_side_bar_of_200_pixels(seen: dict[str, Any]) -> None:
    assert seen["narrow"] < 250
    assert "Traceback" not in (PICTURES / "job_list" / "log.txt").read_text(encoding="utf-8")
