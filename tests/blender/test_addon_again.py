"""Edit & Run Again: an earlier job's fields stand in the panel, and nothing is sent."""

from __future__ import annotations

import importlib
import itertools
import time
from pathlib import Path
from typing import Any

import bpy
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from support.addon import add_mesh, echo_runner, select, world_box
from support.services.local_engine import tiny_png


@pytest.fixture
def parts(addon: Any) -> dict[str, Any]:
    names = ("ops.planning", "props.task_properties", "props.field_values", "core.jobs.job", "core.settings")
    return {
        name.rpartition(".")[2]: importlib.import_module(f"{addon.package}.addon.{name}")
        for name in (*names, "props.scene_settings", "core.requests.build")
    }


def started(addon: Any, parts: dict[str, Any], name: str, fields: dict[str, Any], job_id: str = "1") -> Any:
    """A job as it is on the list after a press with these fields."""
    info, job = parts["task_properties"].CAPABILITIES[name], parts["job"]
    plan = parts["planning"].plan(bpy.context, info, fields, addon.session.settings, addon.data)
    view = job.JobView(job_id, plan.name, job.Stage.APPLIED, 1.0, "", service_id="local", plan=plan, created_at=4e9)
    addon.state.jobs[job_id] = view
    return view


def panel(parts: dict[str, Any], name: str) -> dict[str, Any]:
    """What Run would send."""
    group = getattr(bpy.context.scene.asset_generation, name)
    return dict(parts["field_values"].from_panel(group, parts["task_properties"].CAPABILITIES[name]))


def again(job_id: str = "1") -> None:
    assert bpy.ops.assetgen.edit_again(job_id=job_id) == {"FINISHED"}


def test_the_panel_sends_what_the_job_was_asked_with(addon: Any, parts: dict[str, Any]) -> None:
    fields = {
        "prompt": "a chair; of oak",
        "negative_prompt": "wheels",
        "model_version": "v3.0-20250812",
        "texture": False,
        "pbr": False,
        "face_limit": 4000,
        "model_seed": 7,
        "extra": {"new": [1, 2]},
    }
    started(addon, parts, "text_to_model", fields)
    group = bpy.context.scene.asset_generation.text_to_model
    group.prompt, group.quad, group.texture_seed = "something else", True, 9
    bpy.context.scene.asset_generation.group = "Mesh"
    before = len(addon.state.jobs)
    again()
    assert panel(parts, "text_to_model") == fields
    assert parts["scene_settings"].chosen_capability(bpy.context.scene.asset_generation) == "text_to_model"
    assert len(addon.state.jobs) == before, "nothing is sent"


def test_images_that_are_gone_are_said_and_the_others_stay(addon: Any, parts: dict[str, Any], tmp_path: Path) -> None:
    kept, gone = tmp_path / "front; left.png", tmp_path / "back.png"
    for path in (kept, gone):
        path.write_bytes(tiny_png())
    fields = {"front": str(kept), "back": str(gone), "model_version": "v3.1-20260211"}
    started(addon, parts, "multiview_to_model", fields)
    gone.unlink()
    again()
    group = bpy.context.scene.asset_generation.multiview_to_model
    assert (group.front, group.back) == (str(kept), "")
    assert addon.state.filled["multiview_to_model"].endswith("Not there any more: back.png")
    addon.state.press("multiview_to_model")
    assert not addon.state.filled, "it was said of what has been run now"


def test_what_it_worked_on_is_selected(addon: Any, parts: dict[str, Any]) -> None:
    source = add_mesh("Bust")
    started(addon, parts, "decimate", {"face_limit": 900})
    other = add_mesh("Result")
    source.hide_set(True)
    source.hide_viewport = True
    select(other)
    again()
    assert list(bpy.context.view_layer.objects.selected) == [source]
    assert panel(parts, "decimate") == {"face_limit": 900}
    bpy.data.objects.remove(source)
    bpy.context.view_layer.update()
    select(other)
    again()
    assert list(bpy.context.view_layer.objects.selected) == [other]
    assert addon.state.filled["decimate"] == "From Decimate Bust. Select what it shall work on"


@pytest.mark.parametrize("service", [{"runner": echo_runner}], indirect=True)
@pytest.mark.parametrize("collection", ["Props", ""])
def test_what_was_put_away_is_taken_back(addon: Any, service: Any, parts: dict[str, Any], collection: str) -> None:
    sources = [add_mesh("Bust"), add_mesh("Hero")]
    scene = bpy.context.scene
    holder = bpy.data.collections.new(collection) if collection else scene.collection
    if collection:
        scene.collection.children.link(holder)
    for source in sources:
        for other in list(source.users_collection):
            other.objects.unlink(source)
        holder.objects.link(source)
        select(source)
        assert bpy.ops.assetgen.decimate(face_limit=900, source_after="COLLECT") == {"FINISHED"}
    assert [item.users_collection[0].name for item in sources] == ["Sources", "Sources"]
    again(addon.scripting.last_job().id)
    assert list(bpy.context.view_layer.objects.selected) == [sources[1]]
    assert [list(item.users_collection) for item in sources][1] == [holder]
    assert not sources[0].visible_get(), "the other one stays where it was put"
    assert addon.state.filled["decimate"] == "From Decimate Hero"
    assert bpy.ops.assetgen.decimate(use_panel_settings=True, source_after="COLLECT") == {"FINISHED"}
    assert [item.visible_get() for item in sources] == [False, False]


def test_what_cannot_be_selected_is_named(addon: Any, parts: dict[str, Any]) -> None:
    source = add_mesh("Bust")
    started(addon, parts, "decimate", {"face_limit": 900})
    shelf = bpy.data.collections.new("Shelf")
    bpy.context.scene.collection.children.link(shelf)
    shelf.objects.link(source)
    for other in set(source.users_collection) - {shelf}:
        other.objects.unlink(source)
    bpy.context.view_layer.layer_collection.children["Shelf"].hide_viewport = True
    again()
    assert addon.state.filled["decimate"] == (
        "From Decimate Bust. Select what it shall work on: Bust cannot be seen or selected now"
    )


def test_the_fields_of_another_version_are_said(addon: Any, parts: dict[str, Any]) -> None:
    job = parts["job"]
    fields = {"face_limit": 2**40, "new_field": 1, "quad": True}
    plan = job.JobPlan(
        "Decimate", job.Source(job.SourceKind.TASK, task_id="t"), (job.StepPlan("decimate", fields),), job.Delivery()
    )
    addon.state.jobs["1"] = job.JobView("1", "Decimate", job.Stage.FAILED, 0.0, "", plan=plan)
    again()
    assert panel(parts, "decimate") == {"quad": True}
    assert "The panel has no face limit. The panel has no new field" in addon.state.filled["decimate"]
    with pytest.raises(RuntimeError, match="not known here"):
        bpy.ops.assetgen.edit_again(job_id="2")


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_whatever_the_panel_sends_it_takes_back(addon: Any, parts: dict[str, Any], data: Any) -> None:
    table, values = parts["task_properties"].CAPABILITIES, parts["field_values"]
    name = data.draw(st.sampled_from(sorted(table)))
    info, group = table[name], getattr(bpy.context.scene.asset_generation, name)
    text = st.text(st.characters(exclude_categories=["C"]), max_size=20)
    forms = {
        "text": text.filter(bool),
        "integer": st.integers(0, 2**31 - 1),
        "number": st.floats(0, 1e6, width=32),
        "switch": st.booleans(),
        "file": text.map(lambda words: f"/{words}"),
        "files": st.lists(text.map(lambda words: f"/{words}".strip()), min_size=1, max_size=3),
        "names": st.lists(text.map(lambda words: f"a{words}".strip()), min_size=1, max_size=3),
        "map": st.dictionaries(text, st.integers(), min_size=1),
        "list": st.lists(st.integers(), min_size=1),
    }
    fields = {}
    for field in info.fields:
        if field.kind in forms and not field.source and data.draw(st.booleans()):
            fields[field.name] = data.draw(forms[field.kind])
    assert values.fill_panel(group, info, fields) == []
    first = {field.name: getattr(group, field.name) for field in info.fields}
    sent = values.from_panel(group, info)
    values.fill_panel(group, info, sent)
    assert values.from_panel(group, info) == sent, first


@pytest.mark.parametrize("service", [{"runner": echo_runner}], indirect=True)
def test_variants_of_a_texture_stand_beside_the_source_and_upload_nothing(
    addon: Any, service: Any, parts: dict[str, Any]
) -> None:
    source = add_mesh("Bust", rotation_euler=(0, 0, 0.5), location=(1, 2, 0))
    wanted = world_box(source)
    assert bpy.ops.assetgen.texture(text="red paint") == {"FINISHED"}
    first = addon.scripting.last_job()
    assert bpy.ops.assetgen.vary(job_id=first.id, count=3, seed=70) == {"FINISHED"}
    jobs = [job for job in addon.state.jobs.values() if job.id != first.id]
    assert [job.name for job in jobs] == [f"Texture Bust: red paint, seed {seed}" for seed in (70, 71, 72)]
    assert [[step.capability for step in job.steps] for job in jobs] == [["texture"]] * 3, "no second upload"
    fields = [job.plan.steps[-1].fields for job in jobs]
    assert [item["texture_seed"] for item in fields] == [70, 71, 72]
    assert {item["text"] for item in fields} == {"red paint"}
    assert {addon.open_file.objects_of(job.id)[0].name[:4] for job in jobs} == {"Bust"}
    boxes = sorted((world_box(*addon.open_file.objects_of(job.id)) for job in jobs), key=lambda box: box[0].x)
    assert all(before[1].x < after[0].x for before, after in itertools.pairwise([wanted, *boxes])), "side by side"
    assert all(abs((box[1] - box[0] - wanted[1] + wanted[0]).length) < 1e-3 for box in boxes), "as large, as turned"
    assert bpy.ops.assetgen.vary(job_id=jobs[0].id, count=2, seed=5) == {"FINISHED"}
    assert addon.scripting.last_job().name == "Texture Bust: red paint, seed 6", "the words are not added up"


def test_variants_of_another_file_or_service_or_without_a_seed(
    addon: Any, parts: dict[str, Any], tmp_path: Path
) -> None:
    job = started(addon, parts, "text_to_model", {"prompt": "a chair", "model_version": "v3.1-20260211"})
    vary = importlib.import_module(f"{addon.package}.addon.ops.vary")
    assert vary.seed_fields(job) == ("model_seed", "texture_seed"), "the local engine reads no other"
    online = job._replace(service_id="api.service.example")
    assert vary.seed_fields(online) == ("model_seed", "texture_seed", "image_seed")
    assert vary.can_vary(job)
    addon.state.jobs["1"] = job._replace(service_id="api.service.example")
    with pytest.raises(RuntimeError, match="was run at another service"):
        bpy.ops.assetgen.vary(job_id="1")
    add_mesh("Bust")
    decimated = started(addon, parts, "decimate", {}, "2")
    assert not vary.can_vary(decimated)
    with pytest.raises(RuntimeError, match="no seed"):
        bpy.ops.assetgen.vary(job_id="2")
    image = tmp_path / "oak.png"
    image.write_bytes(tiny_png())
    version = {"model_version": "v3.1-20260211"}
    for name, fields in (("texture", {"image": str(image)}), ("image_to_model", {"file": str(image), **version})):
        job = started(addon, parts, name, fields, "4")
        assert (vary.has_seeds(job), vary.can_vary(job)) == (True, False)
        assert vary.can_vary(job._replace(service_id="api.service.example"))
        with pytest.raises(RuntimeError, match="variants would be equal"):
            bpy.ops.assetgen.vary(job_id="4")
    textured = started(addon, parts, "texture", {"text": "red"}, "3")
    with pytest.raises(RuntimeError, match="has not been uploaded"):
        bpy.ops.assetgen.vary(job_id=textured.id)


def test_a_job_that_was_taken_off_the_list_is_in_the_history(addon: Any, service: Any, parts: dict[str, Any]) -> None:
    add_mesh("Bust")
    assert bpy.ops.assetgen.decimate(face_limit=900) == {"FINISHED"}
    job = addon.scripting.last_job()
    records = importlib.import_module(f"{addon.package}.addon.bridge.records").records
    bpy.ops.assetgen.job_action(job_id=job.id, action="dismiss")
    assert job.id not in addon.state.jobs
    wait_until(addon, lambda: records.look("bust", 0) or records.page)
    assert ([item.name for item in records.page.jobs], records.page.removed) == ([job.name], {job.id})
    again(job.id)
    assert panel(parts, "decimate") == {"face_limit": 900}
    assert bpy.ops.assetgen.storage_put_back(job_id=job.id) == {"FINISHED"}
    wait_until(addon, lambda: job.id in addon.state.jobs)
    wait_until(addon, lambda: records.look("bust", 0) or not records.page.removed)


def test_words_are_kept_as_favourites(addon: Any, service: Any) -> None:
    addon.session.runtime()
    records = importlib.import_module(f"{addon.package}.addon.bridge.records").records
    assert bpy.ops.assetgen.star_prompt(text="a red chair") == {"FINISHED"}
    assert records.favourites == ["a red chair"]
    bpy.ops.assetgen.use_prompt(capability="text_to_model", field="prompt", text=records.favourites[0])
    assert bpy.context.scene.asset_generation.text_to_model.prompt == "a red chair"
    assert bpy.ops.assetgen.star_prompt(text="a red chair", add=False) == {"FINISHED"}
    assert records.favourites == []


def wait_until(addon: Any, condition: Any) -> None:
    until = time.monotonic() + 30
    while not condition():
        assert time.monotonic() < until
        addon.pump.tick()
        time.sleep(0.02)
