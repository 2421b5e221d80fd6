"""Three objects decimated together in a window: each result is what its source was, and undo gives all back."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from gui.window import play

ORIGINS = {"Sphere": [0, 0, 0], "Torus": [3, 0, 0], "Suzanne": [0, 3, 0]}


@pytest.fixture(scope="module")
def three(home: Path) -> dict[str, Any]:
    return play(home, "three_objects")


def test_each_result_has_origin_groups_and_properties_of_its_source(three: dict[str, Any]) -> None:
    assert {name: facts["origin"] for name, facts in three["before"].items()} == ORIGINS
    after = three["after"]
    assert {name: facts["origin"] for name, facts in after.items()} == {
        f"{name} decimated": origin for name, origin in ORIGINS.items()
    }
    assert all(facts["materials"] == [name] for name, facts in after.items())
    assert all(facts["groups"] == ["Top"] for facts in after.values())
    assert {facts["rank"] for facts in after.values()} == {facts["rank"] for facts in three["before"].values()}


def test_the_results_take_over_the_selection_of_their_sources(three: dict[str, Any]) -> None:
    assert three["selected"]["selected"] == sorted(three["after"])
    assert three["selected"]["active"] in three["after"]


def test_undo_and_redo_know_two_states(three: dict[str, Any]) -> None:
    assert three["undone"] == three["before"]
    assert three["redone"] == three["after"]


def test_sources_can_be_collected_and_undo_gives_them_back(three: dict[str, Any]) -> None:
    assert {name: facts["origin"] for name, facts in three["collected"].items()} == ORIGINS
    assert three["collection"] == ["Sphere source", "Suzanne source", "Torus source"]
    assert three["given_back"]["names"] == three["given_back"]["wanted"]
    assert "Sources" not in three["collections"]
