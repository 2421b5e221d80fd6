"""What a job's view says that the declarations of its steps decide."""

from __future__ import annotations

import pytest
from asset_generation.addon.core.jobs.job import Delivery, JobPlan, Source, SourceKind, Stage, StepPlan
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
