"""A second press of Run: what counts as the same job again, and how long a button rests."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import bpy
import pytest
from support.addon import add_mesh
from support.services.local_engine import tiny_png

Twin = Callable[..., Any]


@pytest.fixture
def twin(service: Any, addon: Any) -> Twin:
    """Has a job run and asks for it again: ``between`` is done in the meantime, ``again`` is asked for then."""
    planning = importlib.import_module(f"{addon.package}.addon.ops.planning")
    repeats = importlib.import_module(f"{addon.package}.addon.ops.repeats")
    table = importlib.import_module(f"{addon.package}.addon.props.task_properties").CAPABILITIES
    jobs = importlib.import_module(f"{addon.package}.addon.core.jobs.job")

    def ask(
        name: str,
        fields: dict[str, Any],
        *,
        again: dict[str, Any] | None = None,
        between: Callable[[], Any] = lambda: None,
        stage: str = "WAIT",
    ) -> Any:
        settings = addon.session.settings
        plan = planning.plan(bpy.context, table[name], fields, settings, addon.data)
        job = jobs.JobView("1", plan.name, jobs.Stage[stage], 0.5, "", service_id=settings.service_id, plan=plan)
        addon.state.jobs["1"] = job._replace(created_at=4e9)
        between()
        found = repeats.running_twin(bpy.context, table[name], fields if again is None else again, settings)
        addon.state.jobs.clear()
        return found

    return ask


def test_the_same_fields_on_the_same_mesh_are_the_same_job(twin: Twin) -> None:
    item = add_mesh("Bust")
    assert twin("decimate", {"face_limit": 900}).name == "Decimate Bust"
    assert twin("decimate", {"face_limit": 900}, stage="READY"), "its result waits to come in"
    assert twin("decimate", {"face_limit": 900}, again={"face_limit": 800}) is None
    assert twin("decimate", {"face_limit": 900}, again={}) is None
    assert twin("decimate", {"face_limit": 900}, stage="APPLIED") is None
    assert twin("decimate", {"face_limit": 900}, stage="FAILED") is None

    def move() -> None:
        item.location.x += 4
        bpy.context.view_layer.update()

    assert twin("decimate", {"face_limit": 900}, between=move), "it is the same mesh elsewhere"
    assert twin("decimate", {"face_limit": 900}, between=lambda: add_mesh("Other")) is None

    def edit() -> None:
        bpy.ops.object.select_all(action="DESELECT")
        item.select_set(True)
        bpy.context.view_layer.objects.active = item
        item.data.materials.append(bpy.data.materials.new("New"))

    assert twin("decimate", {"face_limit": 900}, between=edit) is None, "it would look otherwise"


def test_the_same_words_are_asked_about_and_others_are_not(twin: Twin, addon: Any) -> None:
    version = {"model_version": "v3.1-20260211"}
    chair = {"prompt": "a chair", **version}
    assert twin("text_to_model", chair), "without a seed it may be meant: that is asked"
    assert twin("text_to_model", chair, again={"prompt": "a table", **version}) is None
    assert twin("text_to_model", chair, between=addon.open_file.replaced) is None, "it belongs to another file"


def test_images_are_compared_by_what_they_show(twin: Twin, tmp_path: Path) -> None:
    version = {"model_version": "v3.1-20260211"}
    path = tmp_path / "a.png"
    path.write_bytes(tiny_png())
    assert twin("image_to_model", {**version, "file": str(path)})
    assert (
        twin("image_to_model", {**version, "file": str(path)}, again={**version, "file": str(tmp_path / "b.png")})
        is None
    )
    image = bpy.data.images.new("Paint", 4, 4)
    image.pixels[:] = [0.5] * 64
    reference = {**version, "file": "image:Paint"}
    assert twin("image_to_model", reference)

    def paint() -> None:
        image.pixels[:] = [0.9] * 64

    assert twin("image_to_model", reference, between=paint) is None


def test_a_button_rests_for_a_moment_after_a_press(addon: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    now = [100.0]
    monkeypatch.setattr(addon.state.__class__.press.__globals__["time"], "monotonic", lambda: now[0])
    state = type(addon.state)()
    assert not state.rests("rig")
    assert not state.end_rest()
    state.press("rig")
    now[0] += 0.3
    assert state.rests("rig")
    assert not state.rests("decimate"), "another operation is no second click"
    assert not state.end_rest()
    now[0] += 0.8
    assert not state.rests("rig")
    assert state.rests_any
    assert state.end_rest()
    assert not state.end_rest(), "it is drawn anew once"
    assert not state.rests_any


def test_what_goes_on_is_listed_in_the_order_in_which_it_ends(addon: Any) -> None:
    jobs = importlib.import_module(f"{addon.package}.addon.core.jobs.job")
    stages = ("APPLIED", "WAIT", "READY", "CREATE", "FAILED", "UPLOAD")
    messages = importlib.import_module(f"{addon.package}.addon.core.status.messages")
    for number, stage in enumerate(stages):
        job = jobs.JobView(str(number), "", jobs.Stage[stage], 0.5, "", created_at=float(number))
        addon.state.update(messages.JobChanged(job))
    rows = importlib.import_module(f"{addon.package}.addon.ops.job_rows")
    assert [job.id for job in rows.shown_jobs(bpy.context)] == ["1", "3", "5", "4", "2", "0"]
