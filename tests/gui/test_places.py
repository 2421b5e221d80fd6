"""Results in a window: where they stand, what they leave alone, and what undo makes of it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from gui.window import PICTURES, play


@pytest.fixture(scope="module")
def chairs(home: Path) -> dict[str, Any]:
    return play(home, "chairs")


@pytest.fixture(scope="module")
def seen(home: Path) -> dict[str, Any]:
    return play(home, "moved_source")


def overlap(one: list[float], other: list[float]) -> float:
    """How deep two boxes are in each other; negative when they are apart."""
    return min(min(one[3 + axis], other[3 + axis]) - max(one[axis], other[axis]) for axis in range(3))


def test_chairs_stand_beside_the_cube_and_each_other(chairs: dict[str, Any]) -> None:
    cube, first, second = chairs["boxes"]
    assert overlap(cube, first) < 0 and overlap(cube, second) < 0 and overlap(first, second) < 0
    assert first[0] - cube[3] < 0.5, "beside, and not far away"
    assert first[1] < 0 < first[4] and first[1] == second[1], "in one row along X"


def test_the_cube_stays_selected(chairs: dict[str, Any]) -> None:
    assert (chairs["chair"]["selected"], chairs["chair"]["active"]) == (["Cube"], "Cube")
    assert chairs["chair"]["hidden"] == []


def test_a_chair_can_be_undone_and_redone(chairs: dict[str, Any]) -> None:
    assert chairs["chair_undone"]["objects"] == ["Cube"]
    assert chairs["chair_undone"]["selected"] == ["Cube"]
    assert chairs["chair_redone"] == chairs["chair"]


def test_select_result_selects_it_and_can_be_undone(chairs: dict[str, Any]) -> None:
    (chair,) = chairs["chair_selected"]["selected"]
    assert chair != "Cube" and chairs["chair_selected"]["active"] == chair
    assert chairs["select_undone"] == chairs["chair"]


def test_the_result_is_where_its_source_was_moved_to(seen: dict[str, Any]) -> None:
    source, result = seen["moved_boxes"]
    size = max(source[3 + axis] - source[axis] for axis in range(3))
    assert source[0] > 2
    assert max(abs(a - b) for a, b in zip(source, result, strict=True)) < 0.01 * size
    assert seen["moved_parent"] == "Empty"
    assert seen["moved_collections"] == ["Collection", "Shelf"]
    assert seen["moved"]["hidden"] == ["Suzanne"]


def test_undo_and_redo_keep_it_there(seen: dict[str, Any]) -> None:
    assert seen["moved_undone"]["hidden"] == []
    assert len(seen["moved_undone"]["objects"]) == len(seen["moved"]["objects"]) - 1
    assert seen["moved_redone"] == seen["moved"]
    assert seen["redone_box"] == seen["moved_boxes"][1]
    assert seen["redone_parent"] == "Empty"


def test_an_arrival_leaves_everything_else_alone(seen: dict[str, Any]) -> None:
    before, after = seen["left_alone"]
    assert before == after
    assert before["selected"] == ["Cube"] and before["tool"] == "builtin.rotate"
    assert before["scenes"][1] == "Elsewhere" and before["elsewhere"][1] == ["Left", "Right"]


def test_select_result_finds_it(seen: dict[str, Any]) -> None:
    assert len(seen["moved_selected"]["selected"]) == 1
    assert seen["moved_selected"]["selected"][0] not in {"Cube", "Suzanne"}


def test_every_button_says_in_a_sentence_why_it_cannot(seen: dict[str, Any]) -> None:
    assert len(seen["modes"]) == 5 and "OBJECT" not in seen["modes"]
    for where, (bring_in, select, *others) in seen["said"].items():
        assert bring_in.endswith("cannot come in now: waits for Object Mode"), (where, bring_in)
        assert "Object Mode" in select, (where, select)
        assert not any("Traceback" in words for words in others), (where, others)
    assert "Traceback" not in (PICTURES / "moved_source" / "log.txt").read_text(encoding="utf-8")
