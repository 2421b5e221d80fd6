"""Where results go, in a window: the choice in the panel, and what is seen there while a job runs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from gui.window import PICTURES, play

NEAR = 1e-3
NAMES = ["a red wooden chair", "a blue metal chair", "a small oak table"]


@pytest.fixture(scope="module")
def chairs(home: Path) -> dict[str, Any]:
    return play(home, "placeholders_of_chairs")


@pytest.fixture(scope="module")
def chosen(home: Path) -> dict[str, Any]:
    return play(home, "chosen_place")


def are_apart(one: list[float], other: list[float]) -> bool:
    return any(one[axis] >= other[axis + 3] - NEAR or other[axis] >= one[axis + 3] - NEAR for axis in range(3))


def test_what_stands_for_three_chairs_stands_side_by_side(chairs: dict[str, Any]) -> None:
    first, second, third = chairs["empties"]
    assert first[3] < second[0] and second[3] < third[0]
    assert chairs["names"] == [f"Text to Model: {name}" for name in NAMES]


def test_each_says_its_name_and_how_far_it_is(chairs: dict[str, Any]) -> None:
    assert [name for name, _, _ in chairs["lines"]] == NAMES
    assert all(words and 0 <= fraction <= 1 for _, words, fraction in chairs["lines"])
    assert chairs["drawn"] is True and chairs["drawn_after"] is False


def test_each_result_comes_in_the_stead_of_its_own(chairs: dict[str, Any]) -> None:
    assert chairs["left"] < 3
    assert chairs["after"]["objects"] == sorted(NAMES)
    boxes = chairs["boxes"]
    assert all(are_apart(one, other) for number, one in enumerate(boxes) for other in boxes[number + 1 :])
    assert all(abs(box[2]) < NEAR for box in boxes[:2])


def test_what_was_done_meanwhile_is_done_with_the_result(chairs: dict[str, Any]) -> None:
    box = chairs["boxes"][2]
    assert ((box[0] + box[3]) / 2, (box[1] + box[4]) / 2) == pytest.approx(
        (chairs["moved"][3], chairs["moved"][7]), abs=0.2
    )
    assert box[2] == pytest.approx(chairs["moved_floor"], abs=NEAR)
    assert abs(chairs["turned"]) == pytest.approx(0.5, abs=NEAR)
    assert chairs["scaled"] == pytest.approx(1.5, abs=NEAR)


def test_an_arrival_is_one_step_of_undo(chairs: dict[str, Any]) -> None:
    (last,) = set(NAMES) - set(chairs["undone"]["objects"])
    wanted = {name if name != last else f"Text to Model: {name}" for name in NAMES}
    assert set(chairs["undone"]["objects"]) == wanted, "what stood for it is there again"
    assert chairs["redone"]["objects"] == chairs["after"]["objects"]
    assert chairs["redone"]["x"] == chairs["after"]["x"]


def test_the_place_is_chosen_in_the_panel(chosen: dict[str, Any]) -> None:
    assert chosen["chosen"] == "OBJECT"


def test_a_result_goes_into_the_box_and_the_box_makes_way(chosen: dict[str, Any]) -> None:
    room, *parts = chosen["into"]
    found = [min(part[axis] for part in parts) for axis in range(3)]
    found += [max(part[axis] for part in parts) for axis in (3, 4, 5)]
    assert all(found[axis] >= room[axis] - NEAR and found[axis + 3] <= room[axis + 3] + NEAR for axis in range(3))
    assert found[2] == pytest.approx(room[2], abs=NEAR)
    assert any(abs(found[axis + 3] - found[axis] - room[axis + 3] + room[axis]) < NEAR for axis in range(3))
    assert chosen["only"] == ["Stand-in"], "the box stands for itself"
    assert chosen["into_facts"]["hidden"] == ["Stand-in"]
    assert (chosen["into_undone"]["objects"], chosen["into_undone"]["hidden"]) == (["Stand-in"], [])


def test_a_press_in_edit_mode_leaves_that_alone(chosen: dict[str, Any]) -> None:
    assert chosen["pressed_in"] == "EDIT_MESH"
    assert chosen["in_edit_mode"] == ["EDIT_MESH", 0]
    assert chosen["after_edit_mode"] == 1


def test_what_stands_for_a_stopped_job_goes_and_is_the_users_after_undo(chosen: dict[str, Any]) -> None:
    assert chosen["stopped"] == ["stopped", 0, False]
    assert chosen["stopped_undone"] == chosen["left_alone"] == 1


def test_nothing_is_drawn_by_a_disabled_extension(chosen: dict[str, Any]) -> None:
    assert chosen["drawn_when_disabled"] is False


@pytest.mark.parametrize("scenario", ["placeholders_of_chairs", "chosen_place"])
def test_nothing_went_wrong_on_the_way(scenario: str, chairs: dict[str, Any], chosen: dict[str, Any]) -> None:
    assert "Traceback" not in (PICTURES / scenario / "log.txt").read_text(encoding="utf-8")
