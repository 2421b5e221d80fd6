"""The time that a task will take, by what such tasks of this account took."""

from __future__ import annotations

from pathlib import Path
from queue import SimpleQueue
from typing import Any

from asset_generation.addon.core.jobs.duration_table import TaskDuration
from asset_generation.addon.core.jobs.job import Delivery, JobPlan, Source, SourceKind, Stage, StepPlan
from asset_generation.addon.core.jobs.journal import Journal
from asset_generation.addon.core.jobs.records import JobRecord, StepRecord
from asset_generation.addon.core.status.expected_time import ExpectedTimes
from asset_generation.addon.core.status.job_board import JobBoard
from asset_generation.addon.core.status.messages import Message

V3, V2 = {"model_version": "v3.1-20260211", "prompt": "a"}, {"model_version": "v2.5-20250123"}


def test_the_median_of_the_same_kind_counts() -> None:
    seconds = [(V3, 10.0), (V3, 90.0), (V3, 12.0), (V2, 40.0)]
    times = ExpectedTimes(TaskDuration("s", "text_to_model", dict(fields), value) for fields, value in seconds)
    assert times.seconds_of("s", "text_to_model", {**V3, "prompt": "another"}) == 12.0
    assert times.seconds_of("s", "text_to_model", V2) == 40.0
    assert times.seconds_of("other", "text_to_model", V3) is None
    assert times.seconds_of("s", "decimate", {}) is None


def plan(*steps: StepPlan) -> JobPlan:
    return JobPlan("Chair", Source(SourceKind.TASK, task_id="t"), steps, Delivery())


def test_what_the_journal_knows_is_read_also_of_jobs_off_the_list(tmp_path: Path) -> None:
    now = {"is": 100.0}
    journal = Journal(tmp_path / "jobs.sqlite", "me", clock=lambda: now["is"])
    for number, (fields, seconds) in enumerate(((V3, 20.0), (V2, 50.0), (V3, 30.0))):
        job_id = f"job-{number}"
        journal.add(job_id, plan(StepPlan("text_to_model", dict(fields))), "s", Stage.CREATE)
        now["is"] += 1
        journal.record_task(job_id, f"task-{number}", "")
        step = {"status": "success", "finished_at": now["is"] + seconds}
        journal.change(job_id, step=step, stage=Stage.APPLIED)
    journal.add("failed", plan(StepPlan("text_to_model", dict(V3))), "s", Stage.CREATE)
    journal.record_task("failed", "task-f", "")
    journal.change("failed", step={"status": "failed", "finished_at": now["is"] + 500}, stage=Stage.FAILED)
    journal.remove("job-2")
    times = ExpectedTimes(journal.durations.latest())
    journal.close()
    assert times.seconds_of("s", "text_to_model", V3) == 25.0
    assert times.seconds_of("s", "text_to_model", V2) == 50.0


def record(**changes: Any) -> JobRecord:
    steps = (StepPlan("import_model"), StepPlan("decimate"))
    known: dict[str, Any] = {
        **{"id": "j", "plan": plan(*steps), "service_id": "s", "stage": Stage.WAIT, "resume": None, "position": 0},
        **{"created_at": 1.0, "changed_at": 2.0, "revision": 1},
        "steps": (StepRecord(0, "import_model", task_id="t1", answered_at=100.0), StepRecord(1, "decimate")),
    }
    return JobRecord(**(known | changes))


def test_a_job_ends_when_all_its_tasks_have_and_the_board_learns_from_each() -> None:
    news: SimpleQueue[Message] = SimpleQueue()
    board = JobBoard(news, times=ExpectedTimes([TaskDuration("s", "decimate", {}, 8.0)]))
    board.changed(record())
    assert board.view("j").ends_at == 0.0, "nobody knows how long an upload takes there"
    first = StepRecord(0, "import_model", task_id="t1", answered_at=100.0, finished_at=104.0, status="success")
    second = StepRecord(1, "decimate", task_id="t2", answered_at=105.0)
    board.changed(record(steps=(first, second), position=1, revision=2))
    assert board.view("j").ends_at == 113.0
    board.changed(record(id="k"))
    assert board.view("k").ends_at == 100.0 + 4.0 + 8.0
    board.changed(record(id="k", stage=Stage.CREATE, revision=2))
    assert board.view("k").ends_at == 0.0, "nobody knows when its turn comes"
