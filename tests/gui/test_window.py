"""The built zip in a windowed Blender: installed, drawn, its button pressed, its result undone and redone.

``BLENDER`` names the program; it needs a screen (a virtual one will do). Pictures are kept in build/gui.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from devtools.terminal import Trouble
from gui.window import PICTURES, play


@pytest.fixture(scope="module")
def main_job(home: Path) -> dict[str, Any]:
    return play(home, "main_job")


def test_run_brings_the_result_in(main_job: dict[str, Any]) -> None:
    assert main_job["job"]["stage"] == "applied", main_job["job"]
    assert main_job["pressed"][0][0] == "bpy.ops.assetgen.decimate"
    assert main_job["after"]["objects"] == ["Suzanne", "Suzanne decimated"]
    assert main_job["after"]["hidden"] == ["Suzanne"]
    assert main_job["after"]["selected"] == ["Suzanne decimated"]
    assert main_job["after"]["active"] == "Suzanne decimated"


def test_the_result_stands_where_the_source_stands(main_job: dict[str, Any]) -> None:
    source, result = main_job["source_box"], main_job["result_box"]
    size = max(source[3 + axis] - source[axis] for axis in range(3))
    assert max(abs(a - b) for a, b in zip(source, result, strict=True)) < 0.01 * size


def test_undo_removes_the_result_and_nothing_else(main_job: dict[str, Any]) -> None:
    undone = main_job["after_undo"]
    assert (undone["objects"], undone["hidden"], undone["selected"]) == (["Suzanne"], [], ["Suzanne"])
    assert undone["x"]["Suzanne"] == main_job["after"]["x"]["Suzanne"], "the user's own step before it is still there"


def test_redo_brings_it_back(main_job: dict[str, Any]) -> None:
    assert main_job["after_redo"] == main_job["after"]


def test_the_next_undo_is_the_users_own_step(main_job: dict[str, Any]) -> None:
    assert main_job["after_two_undos"]["x"]["Suzanne"] != main_job["after"]["x"]["Suzanne"]
    assert main_job["after_two_redos"] == main_job["after"]


def test_no_timer_is_left_when_nothing_runs(main_job: dict[str, Any]) -> None:
    assert main_job["timer_runs"] is False


@pytest.fixture(scope="module")
def animated(home: Path) -> dict[str, Any]:
    return play(home, "create_and_animate")


def test_words_become_a_model_at_the_cursor(animated: dict[str, Any]) -> None:
    assert animated["made"]["x"] == {"a red wooden chair": 1.0}
    assert animated["made_undone"] == []


def test_a_rig_replaces_its_source(animated: dict[str, Any]) -> None:
    assert animated["rigged"]["objects"] == ["Hero", "Hero Rig", "Hero rigged"]
    assert animated["rigged"]["hidden"] == ["Hero"]


def test_a_motion_comes_onto_the_rig_that_is_there_as_one_step_of_undo(animated: dict[str, Any]) -> None:
    assert animated["motions"] == ["Hero walk", "Hero walk"], "active, and on a track of its own"
    assert animated["moving"]["objects"] == animated["rigged"]["objects"]
    assert animated["moving"]["hidden"] == ["Hero"]
    assert animated["moving_undone"]["objects"] == animated["rigged"]["objects"]
    assert animated["moving_undone"]["hidden"] == ["Hero"]
    assert animated["moving_redone"] == animated["moving"]
    assert animated["motions_redone"] == animated["motions"]


def test_an_image_is_shown_where_images_are_looked_at(home: Path) -> None:
    seen = play(home, "images")
    name = "a red lighthouse on a rock"
    assert seen["made"]["packed"] == [name]
    assert seen["made"]["shown"] == {"IMAGE_EDITOR": name}, "the UV editor is left alone"
    assert seen["next"] == ["image_to_model", f"image:{name}"]
    assert seen["undone"]["packed"] == []
    assert seen["redone"]["packed"] == [name]
    assert seen["made"]["areas"] == seen["redone"]["areas"]


def test_a_result_is_seen_in_the_local_view_of_its_source(home: Path) -> None:
    seen = play(home, "local_view")
    assert seen["before"] == ["Suzanne"]
    assert seen["after"] == ["Suzanne decimated"]
    assert seen["undone"] == ["Suzanne"]
    assert seen["redone"] == ["Suzanne decimated"]
    assert seen["left"] == ["Cube", "Suzanne decimated"]


def test_a_result_waits_for_a_bake(home: Path) -> None:
    seen = play(home, "baking")
    if "no_cycles" in seen:
        pytest.skip("this Blender has no Cycles to bake with")
    assert seen["while_baking"] == {
        "bakes": True,
        "words": "Waits until the bake is done",
        "objects": ["Cube", "Suzanne"],
        "waiting": 1,
    }
    assert seen["after"] == ["Cube", "Suzanne", "Suzanne decimated"]


def test_every_operation_can_be_drawn_also_in_a_narrow_side_bar(home: Path) -> None:
    seen = play(home, "capabilities")
    assert len(seen["names"]) == 20
    assert seen["width"] < 250
    assert "Traceback" not in (PICTURES / "capabilities" / "log.txt").read_text(encoding="utf-8")
    if "no_pictures" not in seen:
        assert len(list((PICTURES / "capabilities").glob("*.png"))) == 40


def test_storage_names_what_is_lost_and_deletes_what_was_used(home: Path) -> None:
    seen = play(home, "storage", data="other data")
    gone = set(seen["before"]) - set(seen["after"])
    assert len(gone) == 8, "the used ones that are older than thirty days"
    assert set(seen["after"]) < set(seen["before"])
    assert not any((Path(seen["folder"]) / job_id).exists() for job_id in gone)
    assert seen["sentence"].startswith("Deleted 8 results, which frees 3.2 MB")
    assert "Traceback" not in (PICTURES / "storage" / "log.txt").read_text(encoding="utf-8")


def test_every_state_of_the_panel_can_be_drawn(home: Path) -> None:
    play(home, "gallery")
    # What a draw() raises is printed and leaves the panel empty.
    assert "Traceback" not in (PICTURES / "gallery" / "log.txt").read_text(encoding="utf-8")


def test_a_scenario_that_is_not_there_leaves_no_window_open(home: Path) -> None:
    with pytest.raises(Trouble, match="called nobody is in 0 files"):
        play(home, "nobody", seconds=60)
