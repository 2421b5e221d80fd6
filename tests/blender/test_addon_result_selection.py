"""What is selected when a result has arrived: the user's next key must never hit what they did not select."""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import Any

import bpy
import pytest
from support.addon import add_mesh, select
from support.finished_job import arrive, made, started


def selected() -> set[str]:
    return {item.name for item in bpy.context.view_layer.objects.selected}


def active() -> bpy.types.Object:
    return bpy.context.view_layer.objects.active


def test_the_result_is_selected_while_its_source_is_the_whole_selection(addon: Any, tmp_path: Path) -> None:
    source = add_mesh("Thing")
    (result,) = arrive(addon, started(addon, tmp_path, source))
    assert selected() == {result.name}
    assert active() == result


def test_another_selection_stays_as_it_is(addon: Any, tmp_path: Path) -> None:
    source, other = add_mesh("Thing"), add_mesh("Other", "cube", location=(5, 0, 0))
    select(source)
    job = started(addon, tmp_path, source)
    select(other)
    (result,) = arrive(addon, job)
    assert selected() == {"Other"}
    assert active() == other
    assert source.hide_get() and result.visible_get()


def test_a_source_that_is_selected_with_others_leaves_the_selection_to_them(addon: Any, tmp_path: Path) -> None:
    source, other = add_mesh("Thing"), add_mesh("Other", "cube", location=(5, 0, 0))
    select(source)
    job = started(addon, tmp_path, source)
    select(other, source)
    (result,) = arrive(addon, job)
    assert selected() == {"Other"}
    assert active() == other
    assert not source.select_get() and not result.select_get()


def test_an_active_object_that_is_not_selected_does_not_matter(addon: Any, tmp_path: Path) -> None:
    source, other = add_mesh("Thing"), add_mesh("Other", "cube", location=(5, 0, 0))
    select(source)
    job = started(addon, tmp_path, source)
    bpy.context.view_layer.objects.active = other
    (result,) = arrive(addon, job)
    assert selected() == {result.name}


def test_nothing_selected_is_taken_over(addon: Any, tmp_path: Path) -> None:
    source = add_mesh("Thing")
    job = started(addon, tmp_path, source)
    select()
    (result,) = arrive(addon, job)
    assert selected() == {result.name}
    assert active() == result


def test_all_sources_must_be_selected_and_nothing_else(addon: Any, tmp_path: Path) -> None:
    first, second = add_mesh("First", "cube"), add_mesh("Second", location=(5, 0, 0))
    select(first, second)
    job, again = started(addon, tmp_path, first, second), started(addon, tmp_path, first, second)
    select(first)
    arrive(addon, job)
    assert selected() == set(), "the rest of it was hidden"
    select(first, second)
    results = arrive(addon, again)
    assert selected() == {item.name for item in results} and len(results) == 2


def test_an_armature_stands_for_what_it_moves(addon: Any, tmp_path: Path) -> None:
    source = add_mesh("Thing")
    rig = bpy.data.objects.new("Rig", bpy.data.armatures.new("Rig"))
    bpy.context.scene.collection.objects.link(rig)
    source.modifiers.new("Armature", "ARMATURE").object = rig
    job, again = started(addon, tmp_path, source), started(addon, tmp_path, source)
    select(rig)
    (result,) = arrive(addon, job)
    assert selected() == {result.name}
    add_mesh("Cap", "cube").modifiers.new("Armature", "ARMATURE").object = rig
    select(rig)
    arrive(addon, again)
    assert selected() == {"Rig"}, "it stands for more than the source by now"


def test_what_has_no_source_leaves_another_selection_alone(addon: Any, tmp_path: Path) -> None:
    other = add_mesh("Other", "cube", location=(5, 0, 0))
    (result,) = arrive(addon, made(addon, tmp_path, other.data.copy()))
    assert selected() == {"Other"}
    assert active() == other
    select()
    (result,) = arrive(addon, made(addon, tmp_path, other.data.copy()))
    assert selected() == {result.name}


def test_each_view_layer_has_its_own_selection(addon: Any, tmp_path: Path) -> None:
    source, other = add_mesh("Thing"), add_mesh("Other", "cube", location=(5, 0, 0))
    second = bpy.context.scene.view_layers.new("Second")
    select(source)
    other.select_set(False, view_layer=second)
    source.select_set(True, view_layer=second)
    jobs = [started(addon, tmp_path, source) for _ in range(2)]
    select(other)
    (result,) = arrive(addon, jobs[0])
    assert selected() == {"Other"}
    assert {item.name for item in second.objects.selected} == {result.name}, "there it was the whole selection"
    assert source.hide_get(view_layer=second), "or both would be seen there"
    for item in list(second.objects.selected):
        item.select_set(False, view_layer=second)
    select()
    (result,) = arrive(addon, jobs[1])
    assert selected() == {result.name}
    assert not list(second.objects.selected), "an empty selection elsewhere is left alone"


def test_the_selection_of_the_shown_scene_is_left_alone_by_a_result_in_another(addon: Any, tmp_path: Path) -> None:
    source, other_scene = add_mesh("Thing"), bpy.data.scenes.new("Other")
    job = started(addon, tmp_path, source)
    bpy.data.collections["Work"].objects.unlink(source)
    other_scene.collection.objects.link(source)
    here = add_mesh("Here", "cube")
    (result,) = arrive(addon, job)
    assert list(result.users_scene) == [other_scene]
    assert selected() == {"Here"}
    assert active() == here


# Select Result


def test_select_result_selects_what_a_job_brought_in(addon: Any, tmp_path: Path) -> None:
    source, other = add_mesh("Thing"), add_mesh("Other", "cube", location=(5, 0, 0))
    job = started(addon, tmp_path, source)
    select(other)
    (result,) = arrive(addon, job)
    assert bpy.ops.assetgen.select_result(job_id=job.id) == {"FINISHED"}
    assert selected() == {result.name}
    assert active() == result


def test_select_result_without_a_job_takes_the_last_one(addon: Any, tmp_path: Path) -> None:
    source, other = add_mesh("Thing"), add_mesh("Other", "cube", location=(5, 0, 0))
    job = started(addon, tmp_path, source)
    select(other)
    (result,) = arrive(addon, job)
    addon.scripting.remember_job(job.id)
    assert bpy.ops.assetgen.select_result() == {"FINISHED"}
    assert selected() == {result.name}


@pytest.mark.parametrize(
    ("reason", "words"),
    [
        ("gone", "is not in this file any more"),
        ("hidden", "is hidden"),
        ("excluded", "is hidden"),
        ("elsewhere", 'is in the scene "Elsewhere"'),
    ],
)
def test_select_result_says_why_it_cannot(
    addon: Any, tmp_path: Path, reason: str, words: str, capfd: pytest.CaptureFixture[str]
) -> None:
    source, other = add_mesh("Thing"), add_mesh("Other", "cube", location=(5, 0, 0))
    bpy.data.collections["Work"].objects.unlink(other)
    bpy.context.scene.collection.objects.link(other)
    job = started(addon, tmp_path, source)
    select(other)
    (result,) = arrive(addon, job)
    if reason == "gone":
        bpy.data.objects.remove(result)
    elif reason == "hidden":
        result.hide_set(True)
    elif reason == "excluded":
        bpy.context.view_layer.layer_collection.children["Work"].exclude = True
    else:
        bpy.data.scenes.new("Elsewhere").collection.objects.link(result)
        bpy.data.collections["Work"].objects.unlink(result)
    assert bpy.ops.assetgen.select_result(job_id=job.id) == {"CANCELLED"}
    assert words in capfd.readouterr().out
    assert selected() == {"Other"}


def test_a_part_that_is_hidden_is_left_out(addon: Any, tmp_path: Path) -> None:
    first, second = add_mesh("First", "cube"), add_mesh("Second", location=(5, 0, 0))
    select(first, second)
    job = started(addon, tmp_path, first, second)
    results = arrive(addon, job)
    results[0].hide_set(True)
    selection = importlib.import_module(f"{addon.package}.addon.bridge.results.result_selection")
    assert selection.selectable(results, bpy.context.view_layer) == results[1:]
    assert bpy.ops.assetgen.select_result(job_id=job.id) == {"FINISHED"}
    assert selected() == {results[1].name}
