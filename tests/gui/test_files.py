"""Convert asks for a path as Blender's exporters do and leaves the scene alone; the panel's numbers are true."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from gui.window import PICTURES, play


@pytest.fixture(scope="module")
def export_file(home: Path) -> dict[str, Any]:
    return play(home, "export_file", data="data-files")


def test_the_file_browser_offers_the_name_of_the_object(export_file: dict[str, Any]) -> None:
    assert export_file["offered"] == "Knight.stl"


def test_the_file_is_written_and_the_scene_is_as_before(export_file: dict[str, Any]) -> None:
    assert list(export_file["written"]) == ["Knight.stl"]
    assert export_file["written"]["Knight.stl"] == 84 + 50 * export_file["counted"][0]
    assert export_file["after"] == export_file["before"]
    assert export_file["after"]["objects"] == ["Knight"]
    assert export_file["text"].endswith("Knight.stl")
    assert export_file["title"] == "Convert Knight: STL"


def test_undo_is_the_users_own_and_the_file_stays(export_file: dict[str, Any]) -> None:
    facts, files = export_file["undone"]
    assert facts["objects"] == ["Knight"]
    assert files == export_file["written"]
    assert export_file["redone"] == [export_file["after"], export_file["written"]]


def test_the_same_path_is_offered_again_and_overwritten_when_that_is_wanted(export_file: dict[str, Any]) -> None:
    name, folder = export_file["offered_again"]
    assert (name, Path(folder).name) == ("Knight.stl", "out")
    assert list(export_file["written_again"]) == ["Knight.stl"]


def test_it_can_be_brought_in_afterwards_in_one_step_of_undo(export_file: dict[str, Any]) -> None:
    assert len(export_file["brought_in"]["objects"]) == 2
    assert export_file["brought_in_undone"]["objects"] == ["Knight"]
    assert export_file["brought_in_redone"]["objects"] == export_file["brought_in"]["objects"]


@pytest.fixture(scope="module")
def numbers(home: Path) -> dict[str, Any]:
    return play(home, "numbers", data="data-numbers")


def test_the_panel_names_the_triangles_that_are_uploaded(numbers: dict[str, Any]) -> None:
    assert [numbers[f"counted_{number}"][0] for number in range(3)] == [15_744, 31_488, 94_464]
    for number in range(4):
        wanted, shown = numbers[f"counted_{number}"]
        assert shown == wanted


def test_the_free_engine_is_ready_and_has_no_credits(numbers: dict[str, Any]) -> None:
    assert numbers["local"].startswith("Ready")
    assert "credits" not in numbers["local"]


def test_the_text_of_a_running_job_names_its_step(numbers: dict[str, Any]) -> None:
    assert any(text.startswith("Step 1 of 2: ") for text in numbers["texts"])
    assert any(text.startswith("Step 2 of 2: Rig Check") for text in numbers["texts"])


def test_rig_check_tells_why(numbers: dict[str, Any]) -> None:
    assert numbers["answer"].startswith("Not riggable: ")


def test_there_are_pictures(export_file: dict[str, Any], numbers: dict[str, Any]) -> None:
    assert "no_pictures" not in export_file | numbers
    assert (PICTURES / "export_file" / "3-written.png").stat().st_size > 10_000
