"""A row of the job list: state in words, time left, a picture."""

from __future__ import annotations

from typing import Any

import pytest
from asset_generation.addon.core.jobs.job import (
    Action,
    Delivery,
    JobPlan,
    JobView,
    Source,
    SourceKind,
    Stage,
    StepPlan,
)
from asset_generation.addon.core.status.job_words import headline, operation, picture_of, progress_words, state_words


def job(stage: Stage = Stage.APPLIED, fields: dict[str, Any] | None = None, **values: Any) -> JobView:
    source = Source(SourceKind.NOTHING, title="a red chair")
    plan = JobPlan("Text to Model: a red chair", source, (StepPlan("text_to_model", fields or {}),), Delivery())
    known = {"id": "1", "name": plan.name, "stage": stage, "progress": 0.43, "text": "Done", "seconds": 12.0}
    return JobView(**{**known, "plan": plan, "service_id": "local", **values})


def test_words_stand_alone_and_the_operation_is_said_beside_them() -> None:
    assert (headline(job()), operation(job())) == ("a red chair", "Text to Model")
    textured = job(name="Texture Knight", plan=None)
    assert (headline(textured), operation(textured)) == ("Texture Knight", "Texture Knight")


@pytest.mark.parametrize(
    ("stage", "values", "words"),
    [
        (Stage.APPLIED, {}, "Done, 12 s"),
        (Stage.APPLIED, {"answer": "Not riggable", "text": "Not riggable"}, "Not riggable, 12 s"),
        (Stage.READY, {}, "Waits for Object Mode"),
        (Stage.FAILED, {"error": "There is no such task."}, "Failed: There is no such task"),
        (Stage.STOPPED, {}, "Stopped"),
        (Stage.UNCERTAIN, {}, "Please decide"),
    ],
)
def test_the_state_of_a_job_at_rest(stage: Stage, values: dict[str, Any], words: str) -> None:
    assert state_words(job(stage, **values), waits_for="Waits for Object Mode") == words


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ({}, "43%"),
        ({"ends_at": 1012.0}, "43%, 12 s left"),
        ({"ends_at": 1043.0}, "43%, 45 s left"),
        ({"ends_at": 1421.0}, "43%, 7 min left"),
        ({"ends_at": 1001.0}, "43%, a moment left"),
        ({"ends_at": 990.0}, "43%"),
        ({"actions": frozenset({Action.LOOK_AGAIN})}, "Looking for the task"),
        ({"stage": Stage.UPLOAD, "text": "Uploading"}, "Uploading"),
    ],
)
def test_the_bar_says_how_far_and_how_long_still(values: dict[str, Any], words: str) -> None:
    assert progress_words(job(**{"stage": Stage.WAIT, **values}), now=1000.0) == words


def test_the_picture_is_that_of_the_result_else_what_it_is_made_of() -> None:
    model, image = ("model", "/r/model.glb"), ("generated_image", "/r/tower.png")
    assert picture_of(job(files=(model, ("rendered_image", "/r/seen.webp")))) == "/r/seen.webp"
    assert picture_of(job(files=(model, image))) == "/r/tower.png"
    assert picture_of(job(fields={"file": "/in/sketch.JPG", "prompt": "red"})) == "/in/sketch.JPG"
    assert picture_of(job(fields={"files": ["/in/a.glb", "/in/b.png"]})) == "/in/b.png"
    assert picture_of(job(files=(model,))) == ""
