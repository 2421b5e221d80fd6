"""Jobs at an online service, which a test stands in for: what they cost, and the budget."""

from __future__ import annotations

import importlib
import os
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import bpy

from scenarios.again import opened
from scenarios.jobs import empty_scene
from scenarios.scene import ended
from scenarios.ways_in import enter, escape, search

if TYPE_CHECKING:
    from driver import Stage

Steps = Iterator[float]

PACKAGE = "bl_ext.user_default.asset_generation"


def online(stage: Stage) -> Steps:
    """Three jobs within the budget; a fourth is asked about, on Run and in a dialog."""
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


def run(stage: Stage, words: str) -> Steps:
    """Presses Run and waits for the result."""
    state = stage.bridge("state").state
    fields().prompt = words
    before = len(state.jobs)
    yield from stage.press("bpy.ops.assetgen.text_to_model")
    yield from stage.wait_for("the job is in the list", lambda: len(state.jobs) > before)
    yield from stage.wait_for("it ends", lambda: all(ended(job) for job in state.jobs.values()))
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
    yield from stage.wait_for("it ends", lambda: all(ended(job) for job in state.jobs.values()))
    yield from stage.wait_for("the button is alive again", lambda: not state.rests_any)


def fields() -> bpy.types.PropertyGroup:
    """The fields of Text to Model."""
    return bpy.context.scene.asset_generation.text_to_model
