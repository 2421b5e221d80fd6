"""Several jobs on one model in a window: motions on its rig, its parts, and Clean Up; each with undo and redo."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from gui.window import play


@pytest.fixture(scope="module")
def cleaned(home: Path) -> dict[str, Any]:
    return play(home, "clean_up")


def test_clean_up_asks_and_leaves_the_last_of_everything(cleaned: dict[str, Any]) -> None:
    assert cleaned["while_asked"] == cleaned["before"]
    before, after = cleaned["before"], cleaned["cleaned"]
    assert (len(before["objects"]), len(before["hidden"])) == (3, 2)
    assert (len(after["objects"]), after["hidden"]) == (2, ["Hero"]), "the user's own model stays"
    assert after["selected"] == before["selected"]
    assert after["meshes"] == before["meshes"] - 1


def test_clean_up_is_one_step_of_undo(cleaned: dict[str, Any]) -> None:
    assert cleaned["cleaned_undone"] == cleaned["before"]
    assert cleaned["cleaned_redone"] == cleaned["cleaned"]


@pytest.fixture(scope="module")
def chain(home: Path) -> dict[str, Any]:
    return play(home, "motions")


@pytest.mark.parametrize("motion", ["walk", "run"])
def test_a_motion_adds_an_action_and_nothing_else(chain: dict[str, Any], motion: str) -> None:
    before = chain["rigged" if motion == "walk" else "walk"]
    after = chain[motion]
    same = ("objects", "hidden", "meshes", "armatures", "materials", "images")
    assert {key: after[key] for key in same} == {key: before[key] for key in same}
    assert after["actions"] == before["actions"] + 1
    (name,) = after["moved_by"].values()
    assert name.endswith(f" {motion}")
    uses_range, start, end, is_cyclic = after["ranges"][name]
    assert (uses_range, start, is_cyclic) == (True, 1.0, True)
    assert 15 < end < 30


def test_the_first_motion_is_still_there(chain: dict[str, Any]) -> None:
    (tracks,) = chain["run"]["tracks"].values()
    assert [name.split()[-1] for name, _ in tracks] == ["walk", "run"]
    assert all(is_muted for _, is_muted in tracks)


@pytest.mark.parametrize("motion", ["walk", "run"])
def test_each_motion_is_one_step_of_undo(chain: dict[str, Any], motion: str) -> None:
    before = chain["rigged" if motion == "walk" else "walk"]
    assert chain[f"{motion}_undone"] == before
    assert chain[f"{motion}_redone"] == chain[motion]


@pytest.mark.parametrize("motion", ["walk", "run"])
def test_nobody_freezes_in_mid_stride(chain: dict[str, Any], motion: str) -> None:
    first, second, third = chain[f"{motion}_later"]
    assert max(abs(a - b) for a, b in zip(first, second, strict=True)) > 0.02
    assert max(abs(a - b) for a, b in zip(second, third, strict=True)) > 0.02


def test_the_range_is_set_by_the_button_alone(chain: dict[str, Any]) -> None:
    assert chain["range_undone"] == [1, 250]
    (name,) = chain["run"]["moved_by"].values()
    assert chain["range"] == chain["range_redone"] == [1, round(chain["run"]["ranges"][name][2]) - 1]


@pytest.fixture(scope="module")
def parted(home: Path) -> dict[str, Any]:
    return play(home, "parts")


def test_parts_come_in_a_collection_of_their_own(parted: dict[str, Any]) -> None:
    names = parted["parts"]["collections"]["Hero parts"]
    assert {"Hero arm.L", "Hero arm.R", "Hero head"} <= set(names)
    assert parted["parts"]["hidden"] == ["Hero"]
    assert parted["undone"] == parted["whole"]
    assert parted["redone"] == parted["parts"]
