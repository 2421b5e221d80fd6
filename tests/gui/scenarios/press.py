"""Pressing Run: twice in a row, once more while the same is running, and with fields that cannot be sent."""

from __future__ import annotations

import importlib
import time
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import bpy

from scenarios.scene import add_source

if TYPE_CHECKING:
    from driver import Stage

Steps = Iterator[float]

MODELS = 14
PACKAGE = "bl_ext.user_default.asset_generation"


def presses(stage: Stage) -> Steps:
    """Clicks Run twice within 0.3 s, then a third time while the job is running; first no is said, then yes."""
    yield from stage.open_side_bar()
    session, state = stage.bridge("session").session, stage.bridge("state").state
    yield from stage.wait_for("the runtime is there", lambda: session.ready)
    settings = bpy.context.scene.asset_generation
    yield from fields_in_trouble(stage, settings)
    bpy.ops.object.select_all("EXEC_DEFAULT", True, action="DESELECT")
    stage.choose("text_to_model")
    settings.text_to_model.prompt = "a wooden chair"
    settings.text_to_model.texture_quality = "extreme"  # it shall run for a while
    yield 0.5
    run = yield from spot_of(stage, "bpy.ops.assetgen.text_to_model")
    stage.seen["jobs before"] = len(state.jobs)
    stage.bridge("state").REST_SECONDS = 2.5  # so that a slow machine can take a picture meanwhile
    yield from stage.click(*run)
    yield 0.1
    yield from stage.click(*run)
    stage.seen["rests after two clicks"] = state.rests("text_to_model")
    yield from stage.picture("started", side_bar_only=True)
    yield from stage.wait_for("the button is alive again", lambda: not state.rests_any)
    stage.seen["jobs after two clicks"] = len(state.jobs)
    yield from stage.picture("alive-again", side_bar_only=True)
    stage.seen["still running"] = bool(state.running())
    yield from stage.click(*run)
    yield 0.5
    yield from stage.picture("asked")
    stage.window.event_simulate(type="ESC", value="PRESS", x=run[0], y=run[1])
    stage.window.event_simulate(type="ESC", value="RELEASE", x=run[0], y=run[1])
    yield 0.5
    stage.seen["jobs after no"] = len(state.jobs)
    yield from stage.click(*run)
    yield 0.5
    # Return is the button that the dialog has chosen.
    x, y = run
    stage.window.event_simulate(type="RET", value="PRESS", x=x, y=y)
    stage.window.event_simulate(type="RET", value="RELEASE", x=x, y=y)
    yield 1.0
    stage.seen["jobs after yes"] = len(state.jobs)


def many_models(stage: Stage) -> Steps:
    """Fourteen models: what the panel says of them together and one by one, and one press for all of them."""
    yield from stage.open_side_bar()
    session, state = stage.bridge("session").session, stage.bridge("state").state
    yield from stage.wait_for("the runtime is there", lambda: session.ready)
    settings = bpy.context.scene.asset_generation
    for number in range(MODELS):
        bpy.ops.mesh.primitive_monkey_add("EXEC_DEFAULT", True, location=(3.0 * (number % 5), 3.0 * (number // 5), 0))
        bpy.context.view_layer.objects.active.name = f"Statue {number + 1}"
    bpy.data.objects.remove(bpy.data.objects["Cube"])
    bpy.ops.object.select_all("EXEC_DEFAULT", True, action="SELECT")
    stage.choose("decimate")
    yield from stage.picture("together", side_bar_only=True)
    settings.several = "EACH"
    yield from stage.picture("each", side_bar_only=True)
    run = yield from spot_of(stage, "bpy.ops.assetgen.decimate")
    # What a click does, without a hand: its time on the main thread is written down.
    with bpy.context.temp_override(area=stage.viewport, region=stage.region("UI")):
        began, worked = time.perf_counter(), time.thread_time()
        bpy.ops.assetgen.decimate("INVOKE_DEFAULT", use_panel_settings=True)
        stage.seen["press seconds"] = time.perf_counter() - began
        stage.seen["press work"] = time.thread_time() - worked
    yield from stage.click(*run)
    yield from stage.wait_for("all are in the list", lambda: len(state.jobs) >= MODELS)
    yield from stage.wait_for_job("one has come to its second task", at_second_task)
    stage.seen["jobs"] = [[job.name, job.stage, job.text] for job in listed()]
    stage.seen["ahead"] = at_second_task()
    yield from stage.picture("one-after-the-other")


def at_second_task() -> list[str]:
    """The names of the jobs whose import is done."""
    return [job.name for job in listed() if job.steps and job.steps[0].status == "success"]


def listed() -> list[Any]:
    """The jobs as the list has them."""
    return list(importlib.import_module(f"{PACKAGE}.addon.ops.job_rows").shown_jobs(bpy.context))


def fields_in_trouble(stage: Stage, settings: Any) -> Steps:
    """Fills fields with what cannot be sent and writes down what the panel says of them."""
    add_source("Bust")
    said = stage.seen["said"] = {}
    stage.choose("decimate")
    yield from stage.picture("decimate-right", side_bar_only=True)
    settings.decimate.face_limit = 100
    yield from hear(stage, said, "face limit", "is 100")
    settings.decimate.face_limit = 15_000
    settings.decimate.quad = True
    yield from hear(stage, said, "face limit with quads", "with quad")
    settings.decimate.quad = False
    yield from stage.wait_for("15,000 triangles are allowed", lambda: not troubles_of(stage).refusal[1])
    said["mended"] = troubles_of(stage).words
    stage.choose("texture")
    yield from hear(stage, said, "texture of nothing", "is missing")
    settings.texture.text = "oak"
    settings.texture.image = "/nowhere/oak.png"
    yield from hear(stage, said, "texture of two kinds", "no file")
    stage.choose("retarget")
    settings.retarget.animation = "preset:wave"
    yield from hear(stage, said, "animation", "wave")


def hear(stage: Stage, said: dict[str, Any], name: str, words: str) -> Steps:
    """Waits until the panel says of its fields what it shall, writes it down and takes a picture."""
    yield from stage.wait_for(name, lambda: words in str(troubles_of(stage).words) + troubles_of(stage).refusal[1], 10)
    found = troubles_of(stage)
    said[name] = [found.words, *found.refusal]
    yield from stage.picture(name.replace(" ", "-"), side_bar_only=True)


def troubles_of(stage: Stage) -> Any:
    """What the panel knows of the fields that it shows."""
    checks = importlib.import_module(f"{PACKAGE}.addon.ops.checks")
    table = importlib.import_module(f"{PACKAGE}.addon.props.task_properties").CAPABILITIES
    info = table[stage.chosen]
    return checks.panel_troubles(info, getattr(bpy.context.scene.asset_generation, info.name))


def spot_of(stage: Stage, command: str) -> Any:
    """Where the button is that runs a command."""
    for item in stage.find_button(command):
        if isinstance(item, tuple):
            return item
        yield item
    raise AssertionError(command)
