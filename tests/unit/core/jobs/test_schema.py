"""A journal that an earlier version wrote is opened, and nothing in it is lost."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest
from asset_generation.addon.core.jobs.job import Action, Delivery, Snapshot, SnapshotObject, Source, SourceKind, Stage
from asset_generation.addon.core.jobs.journal import Journal
from asset_generation.addon.core.jobs.rows import plan_from_json, plan_to_json
from asset_generation.addon.core.status.job_view import LiveProgress, make_view

_SUPPORT = Path(__file__).resolve().parents[3] / "support"


def _written(path: Path, version: int) -> Path:
    connection = sqlite3.connect(path)
    connection.executescript((_SUPPORT / f"journal_version_{version}.sql").read_text(encoding="utf-8"))
    connection.close()
    return path


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return _written(tmp_path / "journal.sqlite3", 1)


def test_a_journal_of_version_1_keeps_its_jobs(path: Path) -> None:
    journal = Journal(path, "me")
    ready, waits, asks = journal.jobs()
    assert (ready.stage, ready.result, ready.blend) == (
        Stage.READY,
        "/d/results/1/model.glb",
        "/d/results/1/result.blend",
    )
    snapshot = Snapshot((SnapshotObject("Cube"),))
    assert ready.plan.source == Source(SourceKind.SELECTION, "/d/snap.blend", snapshot=snapshot)
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
    assert Action.APPLY in make_view(old, LiveProgress(), now=0.0).actions
    assert journal.take_over("20261121-2-waits", "1-aaa")
    changed = journal.change("20261121-2-waits", files=[("model", "/d/m.glb")], answer="Not riggable")
    assert (changed.files, changed.answer) == ((("model", "/d/m.glb"),), "Not riggable")
    journal.close()


def test_what_old_tasks_cost_is_still_known(path: Path) -> None:
    journal = Journal(path, "me")
    assert journal.charges.last("local", "decimate") == "5"
    assert journal.charges.all() == {("local", "import_model", ""): "0", ("local", "decimate", ""): "5"}
    journal.close()


def test_a_plan_has_the_same_form_as_ever(tmp_path: Path) -> None:
    connection = sqlite3.connect(_written(tmp_path / "journal.sqlite3", 2))
    plans = {job_id: plan for job_id, plan in connection.execute("SELECT id, plan FROM jobs")}
    connection.close()
    assert len(plans) == 5
    for plan in plans.values():
        assert plan_to_json(plan_from_json(plan)) == plan
    snapshot = plan_from_json(plans["20261121-1-uploads"]).source.snapshot
    assert snapshot is not None
    assert snapshot.objects[0].title == "Chair ä"
    assert snapshot.fingerprints == ("f-1", "")
