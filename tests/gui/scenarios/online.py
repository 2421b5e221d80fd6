"""Jobs at an online service, which a test stands in for: what they cost, the budget, the grid, Copy and Stop All."""

from __future__ import annotations

import importlib
import os
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import bpy

from scenarios.again import at_edge, opened
from scenarios.jobs import empty_scene
from scenarios.scene import ended
from scenarios.ways_in import enter, escape, search

if TYPE_CHECKING:
    from driver import Stage

Steps = Iterator[float]

PACKAGE = "bl_ext.user_default.asset_generation"


def online(stage: Stage) -> Steps:
    """Three jobs within the budget; a fourth is asked about, on Run and in a dialog. Then the list with what it has."""
    opened(importlib.import_module(f"{PACKAGE}.addon.ui.credits_panel").ASSETGEN_PT_credits)
    yield from stage.open_side_bar()
    session = stage.bridge("session").session
    values = bpy.context.preferences.addons[PACKAGE].preferences
    values.service, values.base_url = "REMOTE", os.environ["ASSETGEN_TEST_SERVICE"]
    values.key, values.monthly_budget = os.environ["ASSETGEN_TEST_KEY"], 60
    yield from stage.wait_for("the runtime is there", lambda: session.ready and not session.loading)
    empty_scene()
    stage.seen["is_local"] = session.settings.is_local
    stage.choose("text_to_model")
    for words in ("a chair", "a table"):
        yield from run(stage, words)
    yield from stage.picture("1-charged", side_bar_only=True)
    spending = session.ready.spending()
    stage.seen["spent"] = [
        str(spending.session),
        str(spending.month),
        [item.capability for item in spending.operations],
    ]
    fields().prompt = "a lamp"
    yield from asked(stage, "run", lambda: stage.press("bpy.ops.assetgen.text_to_model"))
    yield from asked(stage, "dialog", lambda: search(stage, "text to model", "2-search"))
    yield from listed(stage)
    yield from stopped(stage)
    yield from stop_and_remove(stage)


def run(stage: Stage, words: str) -> Steps:
    """Presses Run and waits for the result."""
    state = stage.bridge("state").state
    fields().prompt = words
    before = len(state.jobs)
    yield from stage.press("bpy.ops.assetgen.text_to_model")
    yield from stage.wait_for("the job is in the list", lambda: len(state.jobs) > before)
    yield from stage.wait_for_job("it ends", lambda: all(ended(job) for job in state.jobs.values()))
    yield from stage.wait_for("the button is alive again", lambda: not state.rests_any)


def asked(stage: Stage, name: str, start: Any) -> Steps:
    """Something is started that is asked about: first no is said, then yes."""
    state = stage.bridge("state").state
    for answer in (escape, enter):
        before = len(state.jobs)
        yield from start()
        yield from stage.picture(f"3-asked-{name}")
        asked_for = len(state.jobs) - before
        yield from answer(stage)
        yield 1.0
        stage.seen.setdefault(name, []).append([asked_for, len(state.jobs) - before])
    yield from stage.wait_for_job("it ends", lambda: all(ended(job) for job in state.jobs.values()))
    yield from stage.wait_for("the button is alive again", lambda: not state.rests_any)


def listed(stage: Stage) -> Steps:
    """A job is chosen in the grid, and copied."""
    state = stage.bridge("state").state
    settings = stage.window_manager.asset_generation_jobs
    first = min(state.jobs.values(), key=lambda job: job.created_at)
    settings.view = "GRID"
    yield from stage.picture("4-grid")
    yield from stage.press(f'bpy.ops.assetgen.choose_job(job_id="{first.id}"', across=60)
    rows = importlib.import_module(f"{PACKAGE}.addon.ops.job_rows")
    stage.seen["chosen"] = rows.chosen_job(bpy.context).id == first.id
    yield from at_edge(stage, "bpy.ops.assetgen.copy_details")
    stage.seen["copied"] = [first.name, first.steps[-1].task_id, stage.window_manager.clipboard]
    settings.view = "LIST"


def stopped(stage: Stage) -> Steps:
    """Two jobs run for long; Stop All asks, and stops both."""
    state = stage.bridge("state").state
    for words in ("a slow clock", "a slow snail"):
        bpy.ops.assetgen.text_to_image(prompt=words)
    yield from stage.wait_for("both run", lambda: len(state.running()) == 2)
    yield from stage.press("bpy.ops.assetgen.stop_jobs")
    yield from stage.picture("5-stop-all")
    yield from escape(stage)
    stage.seen["after_no"] = len(state.running())
    yield from stage.press("bpy.ops.assetgen.stop_jobs")
    yield from enter(stage)
    yield from stage.wait_for("nothing runs", lambda: not state.running())
    yield from stage.picture("6-stopped", side_bar_only=True)
    stage.seen["stopped"] = [str(job.stage) for job in state.newest_first()[:2]]


def stop_and_remove(stage: Stage) -> Steps:
    """Where Stop was a moment ago there is nothing that removes a job."""
    state = stage.bridge("state").state
    bpy.ops.assetgen.text_to_image(prompt="a slow boat")
    yield from stage.wait_for("it runs", lambda: len(state.running()) == 1)
    job = state.newest_first()[0]
    stop = f"bpy.ops.assetgen.job_action(job_id=\"{job.id}\", action='stop'"
    for item in stage.find_button(stop, across=(100, 80, 60)):
        if isinstance(item, tuple):
            spot = item
            break
        yield item
    bpy.ops.assetgen.job_action(job_id=job.id, action="stop")
    yield from stage.wait_for("it is stopped", lambda: not state.running())
    yield 1.0
    yield from stage.move(*spot)
    yield from stage.move(*spot)
    stage.seen["where_stop_was"] = stage._command_under_mouse()


def fields() -> bpy.types.PropertyGroup:
    """The fields of Text to Model."""
    return bpy.context.scene.asset_generation.text_to_model
