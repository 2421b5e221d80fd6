"""An earlier job again, in a window. Pictures in build/gui/run_again and build/gui/kept_words."""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import Any

import pytest
from gui.window import PICTURES, play

PROMPT = "a red wooden chair"


@pytest.fixture(scope="module")
def again(home: Path) -> dict[str, Any]:
    return play(home, "run_again")


@pytest.fixture(scope="module")
def kept(home: Path) -> dict[str, Any]:
    return play(home, "kept_words")


def test_edit_again_fills_the_panel_and_starts_nothing(again: dict[str, Any]) -> None:
    assert again["filled"] == ["text_to_model", PROMPT, 3000, False, 1]


def test_what_was_changed_then_is_run(again: dict[str, Any]) -> None:
    assert (again["again"]["prompt"], again["again"]["face_limit"]) == (PROMPT, 2000)


def test_variants_have_seeds_of_their_own_and_stand_side_by_side(again: dict[str, Any]) -> None:
    assert again["after_escape"] == 2, "a dialog that was left starts nothing"
    assert [stage for _, stage, _ in again["variants"]] == ["applied"] * 4, again["variants"]
    assert len(set(again["seeds"])) == 4
    assert len(again["spans"]) == 6
    assert all(before[1] < after[0] for before, after in itertools.pairwise(again["spans"])), again["spans"]


def test_words_are_kept_and_chosen_in_the_menu_of_the_prompt(kept: dict[str, Any]) -> None:
    assert kept["favourites"] == ["a blue door"]
    assert kept["chosen_words"] == ["a blue door", PROMPT]


@pytest.mark.usefixtures("again", "kept")
def test_no_draw_fails() -> None:
    for scenario in ("run_again", "kept_words"):
        assert "Traceback" not in (PICTURES / scenario / "log.txt").read_text(encoding="utf-8")
