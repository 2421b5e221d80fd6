"""A journal that the first version wrote is opened, and nothing in it is lost."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest
from asset_generation.addon.core.jobs.job import Action, Delivery, Source, SourceKind, Stage
from asset_generation.addon.core.jobs.journal import Journal
from asset_generation.addon.core.status.job_view import LiveProgress, view

_WRITTEN = Path(__file__).resolve().parents[3] / "support" / "journal_version_1.sql"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "journal.sqlite3"
    connection = sqlite3.connect(path)
    connection.executescript(_WRITTEN.read_text(encoding="utf-8"))
    connection.close()
    return path


def test_a_journal_of_version_1_keeps_its_jobs(path: Path) -> None:
    journal = Journal(path, "me")
    ready, waits, asks = journal.jobs()
    assert (ready.stage, ready.result, ready.blend) == (
        Stage.READY,
        "/d/results/1/model.glb",
        "/d/results/1/result.blend",
    )
    assert ready.plan.source == Source(SourceKind.SELECTION, "/d/snap.blend", details={"objects": [{"name": "Cube"}]})
    assert [step.task_id for step in ready.steps] == ["t-1", "t-2"]
    assert (waits.stage, waits.step.task_id, waits.tokens) == (Stage.WAIT, "t-3", {"/i/look.png": "file_2"})
    assert waits.plan.delivery == Delivery(folder="/out")
    assert asks.step.intent_is_open
    assert asks.step.candidates == ("t-8", "t-9")
    assert {task.task_id for task in journal.tasks.all("local")} == {"t-1", "t-2", "t-3"}
    journal.close()


def test_what_the_new_version_adds_is_empty_in_old_jobs_and_can_be_written(path: Path) -> None:
    journal = Journal(path, "me")
    old = journal.job("20261121-1-ready")
    assert (old.files, old.answer) == ((), "")
    assert Action.APPLY in view(old, LiveProgress(), now=0.0).actions
    assert journal.take_over("20261121-2-waits", "1-aaa")
    changed = journal.change("20261121-2-waits", files=[("model", "/d/m.glb")], answer="Not riggable")
    assert (changed.files, changed.answer) == ((("model", "/d/m.glb"),), "Not riggable")
    journal.close()


def test_what_old_tasks_cost_is_still_known(path: Path) -> None:
    journal = Journal(path, "me")
    assert journal.charges.last("local", "decimate") == "5"
    assert journal.charges.all() == {("local", "import_model", ""): "0", ("local", "decimate", ""): "5"}
    journal.close()
