"""What a job's view says that the declarations of its steps decide."""

from __future__ import annotations

import pytest
from asset_generation.addon.core.jobs.job import (
    Delivery,
    JobPlan,
    JobView,
    Source,
    SourceKind,
    Stage,
    StepPlan,
    StepView,
)
from asset_generation.addon.core.jobs.records import JobRecord, StepRecord
from asset_generation.addon.core.status.job_view import LiveProgress, make_view


def record_of(*capabilities: str, stage: Stage = Stage.WAIT, position: int = 0) -> JobRecord:
    plan = JobPlan("Bunny", Source(SourceKind.TASK, task_id="t0"), tuple(map(StepPlan, capabilities)), Delivery())
    steps = tuple(StepRecord(number, name) for number, name in enumerate(capabilities))
    return JobRecord("j1", plan, "local", stage, None, position, 0.0, 0.0, 1, steps=steps)


@pytest.mark.parametrize(
    ("capabilities", "expected"),
    [
        (("import_model", "decimate"), True),
        (("convert",), False),
        (("texture", "convert"), False),
        (("of_another_version",), False),
    ],
)
def test_a_result_stands_where_its_source_does_when_every_step_keeps_the_shape(
    capabilities: tuple[str, ...], expected: bool
) -> None:
    assert make_view(record_of(*capabilities, stage=Stage.READY), LiveProgress(), now=1.0).keeps_shape is expected


def test_a_job_gives_what_its_last_step_gives() -> None:
    def view(*capabilities: str) -> tuple[bool, bool]:
        found = make_view(record_of(*capabilities, stage=Stage.READY), LiveProgress(), now=1.0)
        return found.gives_motion, found.gives_parts

    assert view("rig", "retarget") == (True, False)
    assert view("import_model", "segment") == (False, True)
    assert view("segment", "texture") == (False, False)
    assert view("of_another_version") == (False, False)


def test_a_step_counts_in_the_progress_as_much_as_such_tasks_take() -> None:
    done = {
        name: make_view(record_of(name, "convert", position=1), LiveProgress(), now=1.0).progress
        for name in ("image_to_multiview", "convert", "text_to_model")
    }
    assert done == {
        "image_to_multiview": pytest.approx(2 / 6.5),
        "convert": pytest.approx(3 / 7.5),
        "text_to_model": pytest.approx(5 / 9.5),
    }


@pytest.mark.parametrize(
    ("capabilities", "stage", "position", "words"),
    [
        (("import_model", "rig"), Stage.WAIT, 0, "Step 1 of 2: Import Model: in the queue"),
        (("import_model", "rig"), Stage.CREATE, 1, "Step 2 of 2: Rig: starting"),
        (("rig",), Stage.CREATE, 0, "Rig: starting"),
        (("import_model", "rig"), Stage.DOWNLOAD, 1, "Fetching the result"),
    ],
)
def test_a_job_of_several_steps_says_which_it_is_in(
    capabilities: tuple[str, ...], stage: Stage, position: int, words: str
) -> None:
    record = record_of(*capabilities, stage=stage, position=position)
    assert make_view(record, LiveProgress(), now=1.0).text == words


@pytest.mark.parametrize(
    ("credits", "words"), [(("", ""), ""), (("", "30"), "30"), (("0.5", "30"), "30.5"), (("0", "0"), "0"), ((), "")]
)
def test_what_nobody_has_said_is_not_nothing(credits: tuple[str, ...], words: str) -> None:
    steps = tuple(StepView("rig", credits=text) for text in credits)
    assert JobView("j", "Bunny", Stage.APPLIED, 1.0, "", steps=steps).credits == words
