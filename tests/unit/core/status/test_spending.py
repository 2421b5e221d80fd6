"""What was spent, in this session and in this month, by operation."""

from __future__ import annotations

import time
from decimal import Decimal
from pathlib import Path
from queue import SimpleQueue

from asset_generation.addon.core.jobs.job import Delivery, JobPlan, Source, SourceKind, Stage, StepPlan
from asset_generation.addon.core.jobs.journal import Journal
from asset_generation.addon.core.jobs.records import JobRecord, StepRecord
from asset_generation.addon.core.jobs.spending_table import ChargedTask
from asset_generation.addon.core.status.job_board import JobBoard
from asset_generation.addon.core.status.spending import Ledger, month_begin

NOVEMBER = time.mktime((2026, 11, 12, 12, 0, 0, 0, 0, -1))
PLAN = JobPlan("Knight", Source(SourceKind.TASK, task_id="t"), (StepPlan("texture"),), Delivery())


def test_sums_are_by_operation_and_leave_out_other_services_and_months() -> None:
    now = {"is": NOVEMBER}
    before = [
        ChargedTask("s", "texture", "10", NOVEMBER - 3600),
        ChargedTask("s", "rig", "25", NOVEMBER - 40 * 86400),
        ChargedTask("other", "texture", "99", NOVEMBER - 3600),
        ChargedTask("s", "decimate", "what is this", NOVEMBER - 3600),
    ]
    ledger = Ledger(before, clock=lambda: now["is"])
    ledger.add(ChargedTask("s", "texture", "2.5", NOVEMBER + 60))
    ledger.add(ChargedTask("s", "text_to_model", "40", NOVEMBER + 90))
    spending = ledger.of("s")
    assert (spending.session, spending.month) == (Decimal("42.5"), Decimal("52.5"))
    assert [tuple(item) for item in spending.operations] == [
        ("text_to_model", Decimal(40), Decimal(40)),
        ("texture", Decimal("2.5"), Decimal("12.5")),
        ("rig", Decimal(0), Decimal(0)),
    ]
    now["is"] = NOVEMBER + 30 * 86400
    assert (ledger.of("s").session, ledger.of("s").month) == (Decimal("42.5"), Decimal(0)), "another month has begun"


def test_the_journal_knows_what_was_charged_also_for_jobs_off_the_list_and_for_failures(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "jobs.sqlite", "me")
    for number, (credits, status) in enumerate((("10", "success"), ("3", "failed"), ("", "success"))):
        journal.add(f"job-{number}", PLAN, "s", Stage.CREATE)
        journal.record_task(f"job-{number}", f"task-{number}", "")
        step = {"status": status, "finished_at": NOVEMBER + number, "credits": credits}
        journal.change(f"job-{number}", step=step, stage=Stage.FAILED if status == "failed" else Stage.APPLIED)
    journal.remove("job-0")
    found = journal.spending.since(month_begin(NOVEMBER))
    later = journal.spending.since(NOVEMBER + 1)
    journal.close()
    assert [(task.capability, task.credits) for task in found] == [("texture", "10"), ("texture", "3")]
    assert [task.credits for task in later] == ["3"]


def test_the_board_enters_what_a_task_is_charged_for_once() -> None:
    ledger = Ledger(clock=lambda: NOVEMBER)
    board = JobBoard(SimpleQueue(), ledger=ledger)
    waiting = StepRecord(0, "texture", task_id="t1", answered_at=NOVEMBER)
    charged = StepRecord(
        0, "texture", task_id="t1", answered_at=NOVEMBER, finished_at=NOVEMBER + 9, status="success", credits="10"
    )
    for revision, (stage, step) in enumerate(
        ((Stage.WAIT, waiting), (Stage.DOWNLOAD, charged), (Stage.READY, charged), (Stage.APPLIED, charged)), 1
    ):
        record = JobRecord("j", PLAN, "s", stage, None, 0, 1.0, 2.0, revision, steps=(step,))
        board.changed(record)
    assert ledger.of("s").session == Decimal(10)
