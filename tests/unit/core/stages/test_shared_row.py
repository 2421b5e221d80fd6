"""What a job notes in the folder of a batch's row, which other computers may have ended."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from asset_generation.addon.core.claims import begun
from asset_generation.addon.core.jobs.job import Delivery, JobPlan, Source, SourceKind, Stage, StepPlan
from asset_generation.addon.core.jobs.records import JobRecord, StepRecord
from asset_generation.addon.core.stages import shared_row


def job_of(folder: Path) -> JobRecord:
    delivery = Delivery(folder=str(folder), row="decimate in.glb")
    plan = JobPlan("row", Source(SourceKind.TASK, task_id="t0"), (StepPlan("decimate"),), delivery)
    steps = (StepRecord(0, "decimate", task_id="paid"),)
    return JobRecord("ours", plan, "local", Stage.WAIT, None, 0, 0.0, 0.0, 1, steps=steps)


@pytest.mark.parametrize(
    ("ended", "noted"),
    [
        (None, True),
        ({"state": "done", "files": {"model": "row/row.glb"}, "job": "theirs"}, False),
        ({"state": "done", "files": {"model": "row/row.glb"}, "job": "ours"}, True),
        ({"state": "done", "answer": "It is a biped", "job": "theirs"}, True),
        ({"state": "failed", "files": {"model": "row/row.glb"}, "job": "theirs"}, True),
        ({"state": "uncertain", "files": {"model": "row/row.glb"}, "job": "theirs"}, True),
    ],
    ids=["not yet", "by others", "by itself", "without files", "failed", "uncertain"],
)
def test_what_is_paid_is_noted_as_long_as_the_row_may_be_worked_off_again(
    tmp_path: Path, ended: dict[str, Any] | None, noted: bool
) -> None:
    if ended is not None:
        (tmp_path / shared_row.RESULT).write_text(json.dumps(ended), "utf-8")
    shared_row.note(job_of(tmp_path))
    known = begun.read(tmp_path)
    assert (known is not None) is noted
    assert known is None or known.steps[0].task_id == "paid"
