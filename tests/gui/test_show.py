"""What comes of a job is seen: progress and reports in the status bar, and Show. Pictures in build/gui/show_results."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from gui.window import PICTURES, play


@pytest.fixture(scope="module")
def seen(home: Path) -> dict[str, Any]:
    return play(home, "show_results")


@pytest.fixture(scope="module")
def ended(home: Path) -> dict[str, Any]:
    return play(home, "end_reports")


def test_the_status_bar_says_how_far_jobs_are(seen: dict[str, Any], ended: dict[str, Any]) -> None:
    (line,) = seen["lines"]
    assert line.startswith("Text to Model: a red wooden chair, ") and line.endswith("%")
    assert ended["lines"] == ["3 jobs, 40%"]


def test_nothing_of_ours_is_in_the_status_bar_when_nothing_runs(ended: dict[str, Any]) -> None:
    assert ended["draws_left"] == 0
    assert ended["timer_runs"] is False


def test_the_end_of_a_job_is_one_report(seen: dict[str, Any]) -> None:
    new = [line for line in seen["reports"] if line not in seen["reports_before"]]
    ends = [line for line in new if "Text to Model: a red wooden chair is done (" in line]
    assert len(ends) == 1, seen["reports"]


def test_a_view_is_left_alone_when_a_result_arrives(seen: dict[str, Any]) -> None:
    assert seen["shading_on_arrival"] == "SOLID"


def test_show_frames_what_was_hidden_and_shows_its_textures(seen: dict[str, Any]) -> None:
    shown = seen["shown"]
    assert 0.4 < shown["share"] < 1.0
    assert shown["hidden"] == []
    assert shown["shading"] == "MATERIAL"
    assert (shown["selected"], shown["active"]) == (["Mine"], "Mine"), "the selection is the user's"


def test_what_show_has_unhidden_is_one_step_of_undo(seen: dict[str, Any]) -> None:
    assert seen["show_undone"]["hidden"] == ["a red wooden chair"]
    assert seen["show_redone"]["hidden"] == []


def test_show_works_in_edit_mode_and_leaves_the_camera(seen: dict[str, Any]) -> None:
    found = seen["from_camera"]
    assert found["mode"] == "EDIT_MESH"
    assert found["view"] == "PERSP"
    assert 0.4 < found["share"] < 1.0
    assert found["selected"] == ["Mine"]


def test_show_leaves_a_local_view_that_is_of_something_else(seen: dict[str, Any]) -> None:
    assert seen["from_local_view"]["left"] is True
    assert 0.4 < seen["from_local_view"]["share"] < 1.0
    assert seen["from_local_view"]["selected"] == ["Mine"]


def test_show_goes_to_the_scene_of_the_result(seen: dict[str, Any]) -> None:
    first, shown, share = seen["scene"]
    assert shown == first
    assert 0.4 < share < 1.0


def test_an_image_opens_in_a_window_that_can_be_closed(seen: dict[str, Any]) -> None:
    assert seen["images_on_arrival"] == []
    ((window, name, zoom),) = seen["image_window"]
    assert (window, name) == (1, "a red lighthouse on a rock")
    assert 0 < zoom <= 1
    assert seen["windows"] == 2
    assert [item[:2] for item in seen["image_window_again"]] == [[1, name]], "the second time it is used again"
    assert seen["windows_closed"] == 1


def test_an_open_image_editor_is_used(seen: dict[str, Any]) -> None:
    assert [item[:2] for item in seen["image_editor"]] == [[0, "a red lighthouse on a rock"]]


def test_a_report_takes_nothing_from_a_text_field(ended: dict[str, Any]) -> None:
    assert ended["typed"] == "Hero"
    assert sum("Rig Check Body:" in line for line in ended["reports_while_typing"]) == 1, ended["reports_while_typing"]


def test_a_report_takes_nothing_from_a_tool(ended: dict[str, Any]) -> None:
    assert ended["still_dragging"] == ["TRANSFORM_OT_translate"]
    reported_at, end = ended["dragged"]
    assert 0 < reported_at < end


def test_jobs_that_end_together_are_one_report(ended: dict[str, Any]) -> None:
    failed = "Texture Knight failed: There are not enough credits. Top up the balance"
    done = "Rig Hero is done (1 min 15 s); Convert Lamp is done (1 min 15 s)"
    (report,) = ended["several"]
    assert report.endswith(f"{failed}; {done}")
    (report,) = ended["stopped"]
    assert report.count("was stopped") == 2


@pytest.mark.usefixtures("seen", "ended")
def test_no_draw_fails() -> None:
    for scenario in ("show_results", "end_reports"):
        assert "Traceback" not in (PICTURES / scenario / "log.txt").read_text(encoding="utf-8")
