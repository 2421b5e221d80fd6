from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from asset_generation.addon.core.errors import JournalTrouble
from asset_generation.addon.core.jobs import journal as journal_module
from asset_generation.addon.core.jobs import process_lock, schema
from asset_generation.addon.core.jobs.job import Delivery, JobPlan, Source, SourceKind, Stage, StepPlan
from asset_generation.addon.core.jobs.journal import Journal, LeaseLost
from asset_generation.addon.core.jobs.task_table import TaskTaken
from asset_generation.addon.core.jobs.unfinished import has_unfinished

PLAN = JobPlan("Bunny", Source(SourceKind.TASK, task_id="t0"), (StepPlan("decimate"), StepPlan("convert")), Delivery())

Open = Callable[[str], Journal]


@pytest.fixture
def opened(tmp_path: Path) -> Iterator[Open]:
    journals: list[Journal] = []

    def run(owner: str) -> Journal:
        journals.append(Journal(tmp_path / "journal.sqlite3", owner))
        return journals[-1]

    yield run
    for journal in journals:
        journal.close()


@pytest.fixture
def journal(opened: Open) -> Journal:
    journal = opened("me")
    journal.add("j1", PLAN, "local", Stage.CREATE)
    return journal


def test_a_job_is_read_as_it_was_entered(journal: Journal) -> None:
    record = journal.job("j1")
    assert record.plan == PLAN
    assert (record.stage, record.owner, record.position) == (Stage.CREATE, "me", 0)
    assert [step.capability for step in record.steps] == ["decimate", "convert"]
    assert journal.jobs() == [record]
    with pytest.raises(LookupError):
        journal.job("j2")


def test_a_plan_is_parsed_once(journal: Journal, opened: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    other = opened("other")
    other.jobs()
    monkeypatch.setattr(journal_module, "plan_from_json", lambda text: pytest.fail("parsed again"))
    assert journal.change("j1", text="goes on").plan is journal.job("j1").plan
    assert other.job("j1").plan == PLAN


def test_it_is_written_through_to_the_disk(journal: Journal) -> None:
    connection = journal._database._connection
    assert connection.execute("PRAGMA journal_mode").fetchone()[0] == "wal"
    assert connection.execute("PRAGMA synchronous").fetchone()[0] == 2  # FULL


def test_an_intent_is_open_until_its_answer(journal: Journal) -> None:
    record = journal.change("j1", step={"request_id": "r", "intent_at": 1.0, "sends": 1})
    assert record.step.intent_is_open
    assert journal.open_intents("local") == {"j1": "decimate"}
    assert journal.open_intents("elsewhere") == {}
    record = journal.record_task("j1", "t1", "decimate-model")
    assert record.stage is Stage.WAIT
    assert not record.step.intent_is_open
    assert journal.open_intents("local") == {}
    assert {task.task_id for task in journal.tasks.all("local")} == {"t1"}
    assert journal.tasks.all("elsewhere") == []


def test_the_step_that_ends_is_the_one_that_is_changed(journal: Journal) -> None:
    journal.record_task("j1", "t1", "")
    record = journal.change("j1", step={"status": "success"}, position=1, stage=Stage.CREATE)
    assert [step.status for step in record.steps] == ["success", ""]
    assert record.step.capability == "convert"


def test_one_task_belongs_to_one_job(journal: Journal) -> None:
    journal.add("j2", PLAN, "local", Stage.CREATE)
    journal.record_task("j1", "t1", "")
    with pytest.raises(TaskTaken):
        journal.record_task("j2", "t1", "")
    assert journal.job("j2").step.task_id == ""


def test_a_task_stays_known_when_its_job_is_gone(journal: Journal) -> None:
    journal.record_task("j1", "t1", "")
    journal.change("j1", stage=Stage.STOPPED)
    assert journal.remove("j1")
    assert journal.jobs() == []
    assert {task.task_id for task in journal.tasks.all("local")} == {"t1"}


def test_a_job_off_the_list_is_known_as_long_as_it_has_traces(journal: Journal, opened: Open) -> None:
    other = opened("other")
    journal.record_task("j1", "t1", "")
    journal.change("j1", stage=Stage.READY, files=[("model", "/d/model.glb")], result="/d/model.glb")
    revision = journal.job("j1").revision
    assert journal.remove("j1")
    assert (other.jobs(), other.summaries()) == ([], {})
    kept = other.job("j1")
    assert kept.removed_at > 0 and kept.revision > revision
    assert (kept.result, kept.steps[0].task_id) == ("/d/model.glb", "t1")
    # Nothing that begins with the list changes it any more.
    assert not journal.remove("j1")
    assert not journal.claim_apply("j1", "")
    assert not journal.restart("j1", Stage.READY)
    assert not journal.change_resting("j1", Stage.READY, text="x")


def test_a_job_without_traces_is_deleted_from_the_list(journal: Journal) -> None:
    journal.change("j1", stage=Stage.STOPPED)
    assert journal.remove("j1")
    with pytest.raises(LookupError):
        journal.job("j1")


def test_a_request_of_unknown_fate_stays_known_off_the_list(journal: Journal) -> None:
    journal.change("j1", step={"request_id": "r", "intent_at": 1.0, "sends": 1}, stage=Stage.STOPPED)
    assert journal.remove("j1")
    assert journal.jobs() == []
    assert journal.open_intents("local") == {"j1": "decimate"}


def test_a_result_that_is_dismissed_while_it_comes_in_counts_as_used(journal: Journal, opened: Open) -> None:
    journal.change("j1", stage=Stage.READY, result="/d/model.glb")
    assert journal.claim_apply("j1", "")
    assert opened("other").remove("j1")
    assert journal.end_apply("j1", stage=Stage.APPLIED, used_at=5.0)
    assert journal.job("j1").used_at == 5.0


def test_the_first_use_of_a_result_is_what_is_kept(journal: Journal) -> None:
    assert journal.change("j1", used_at=5.0).used_at == 5.0
    assert journal.change("j1", used_at=9.0, text="x").used_at == 5.0


@pytest.mark.parametrize("version", [2, 3])
def test_a_job_off_the_list_wakes_no_blender(tmp_path: Path, version: int) -> None:
    path = tmp_path / "journal.sqlite3"
    journal = Journal(path, "me")
    journal.add("j1", PLAN, "local", Stage.CREATE)
    journal.change("j1", stage=Stage.READY, result="/d/model.glb")
    if version == 2:  # as an earlier version of the extension has left it
        for column in ("removed_at", "used_at"):
            journal._database._connection.execute(f"ALTER TABLE jobs DROP COLUMN {column}")
        journal._database._connection.execute("PRAGMA user_version = 2")
    assert has_unfinished(path)
    if version == 3:
        journal.remove("j1")
        assert not has_unfinished(path)
    journal.close()


def test_only_the_owner_writes(journal: Journal, opened: Open) -> None:
    other = opened("other")
    with pytest.raises(LeaseLost):
        other.change("j1", text="mine", step={"status": "stolen"})
    with pytest.raises(LeaseLost):
        other.record_task("j1", "t1", "")
    assert journal.job("j1").text == ""
    assert journal.job("j1").step.status == ""
    assert other.tasks.all("local") == []


def test_a_lease_is_taken_by_exactly_one(journal: Journal, opened: Open) -> None:
    heirs = [opened(f"heir{number}") for number in range(8)]
    taken: list[str] = []
    start = threading.Barrier(len(heirs))

    def take(heir: Journal) -> None:
        start.wait()
        if heir.take_over("j1", "me"):
            taken.append(heir.owner)

    threads = [threading.Thread(target=take, args=(heir,)) for heir in heirs]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(taken) == 1
    assert journal.job("j1").owner == taken[0]
    with pytest.raises(LeaseLost):
        journal.change("j1", text="too late")


def test_a_job_that_rests_belongs_to_nobody(journal: Journal, opened: Open) -> None:
    assert journal.change("j1", stage=Stage.READY).owner == ""
    other = opened("other")
    assert other.claim_apply("j1", "")
    assert not journal.claim_apply("j1", "")
    assert not journal.end_apply("j1", stage=Stage.APPLIED)
    assert other.end_apply("j1", stage=Stage.APPLIED)


def test_a_running_job_is_neither_restarted_nor_removed(journal: Journal) -> None:
    assert not journal.restart("j1", Stage.CREATE)
    assert not journal.remove("j1")
    assert not journal.change_resting("j1", Stage.CREATE, text="x")


def test_release_gives_everything_back(journal: Journal) -> None:
    journal.add("j2", PLAN, "local", Stage.READY)
    journal.claim_apply("j2", "")
    journal.release()
    assert [record.owner for record in journal.jobs()] == ["", ""]
    assert journal.job("j2").applier == ""


def test_another_process_notices_every_change(journal: Journal, opened: Open) -> None:
    other = opened("other")
    version, revision = other.data_version(), other.summaries()["j1"].revision
    journal.ask_to_stop("j1")
    assert other.data_version() != version
    assert other.summaries()["j1"].revision > revision
    assert other.job("j1").asked_to_stop


def test_the_last_charge_is_what_a_success_cost_and_survives_its_job(journal: Journal) -> None:
    assert journal.charges.last("local", "decimate") == ""
    journal.charges.add("local", "decimate", "{}", "5")
    journal.charges.add("local", "decimate", '{"quad": true}', "7")
    journal.change("j1", stage=Stage.STOPPED)
    journal.remove("j1")
    assert journal.charges.last("local", "decimate") == "7"
    assert journal.charges.last("elsewhere", "decimate") == ""
    assert journal.charges.all() == {
        ("local", "decimate", "{}"): "5",
        ("local", "decimate", '{"quad": true}'): "7",
    }


def test_columns_of_a_newer_version_do_not_disturb_a_process_that_runs(journal: Journal) -> None:
    # Another Blender with a newer version of the extension brings the open file up to its own version.
    journal._database._connection.execute("ALTER TABLE jobs ADD COLUMN mood TEXT NOT NULL DEFAULT 'good'")
    journal._database._connection.execute("ALTER TABLE steps ADD COLUMN mood TEXT NOT NULL DEFAULT 'good'")
    assert journal.change("j1", text="goes on").text == "goes on"


def test_a_change_that_fails_changes_nothing(journal: Journal) -> None:
    with pytest.raises(sqlite3.Error):
        journal.change("j1", step={"status": "half"}, no_such_column=1)
    assert journal.job("j1").step.status == ""
    journal.change("j1", text="goes on")


def test_a_journal_of_a_newer_version_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite3"
    Journal(path, "me").close()
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA user_version = 99")
    connection.close()
    with pytest.raises(JournalTrouble, match="newer version"):
        Journal(path, "me")


def test_what_is_no_database_is_a_sentence(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite3"
    path.write_bytes(b"not a database, and long enough to be looked at" * 10)
    with pytest.raises(JournalTrouble, match="cannot be used"):
        Journal(path, "me")


def test_a_schema_step_that_fails_leaves_the_version_before(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "journal.sqlite3"
    Journal(path, "me").close()
    monkeypatch.setattr(schema, "_VERSIONS", (*schema._VERSIONS, "CREATE TABLE extra (a); CREATE NONSENSE;"))
    with pytest.raises(JournalTrouble):
        Journal(path, "me")
    monkeypatch.undo()
    Journal(path, "me").close()
    monkeypatch.setattr(schema, "_VERSIONS", (*schema._VERSIONS, "CREATE TABLE extra (a);"))
    Journal(path, "me").close()


def test_many_processes_open_a_new_journal_at_once(tmp_path: Path) -> None:
    # Repeated, because the moment in which they used to lock each other out is short.
    for attempt in range(15):
        path = tmp_path / str(attempt) / "journal.sqlite3"
        errors: list[BaseException] = []
        start = threading.Barrier(6)

        def run(
            number: int, path: Path = path, start: threading.Barrier = start, errors: list[BaseException] = errors
        ) -> None:
            try:
                start.wait()
                journal = Journal(path, str(number))
                journal.add(f"j{number}", PLAN, "local", Stage.CREATE)
                journal.close()
            except BaseException as error:
                errors.append(error)

        threads = [threading.Thread(target=run, args=(number,)) for number in range(6)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert errors == []
        journal = Journal(path, "me")
        assert len(journal.jobs()) == 6
        journal.close()


# Owners


def test_an_owner_lives_until_it_is_released(tmp_path: Path) -> None:
    owner = process_lock.Owner(tmp_path)
    assert not process_lock.is_dead(tmp_path, owner.id)
    owner.release()
    assert process_lock.is_dead(tmp_path, owner.id)
    assert process_lock.is_dead(tmp_path, "")
    assert process_lock.is_dead(tmp_path, "never-was")


def test_the_dead_are_removed_and_the_young_are_left(tmp_path: Path) -> None:
    living = process_lock.Owner(tmp_path)
    for name in ("dead", "young"):
        (tmp_path / name).touch()
    long_ago = time.time() - 3600
    os.utime(tmp_path / "dead", (long_ago, long_ago))
    os.utime(tmp_path / living.id, (long_ago, long_ago))
    process_lock.remove_dead(tmp_path)
    assert {path.name for path in tmp_path.iterdir()} == {"young", living.id}
    living.release()


def test_others_are_those_that_may_live(tmp_path: Path) -> None:
    owner = process_lock.Owner(tmp_path)
    (tmp_path / "dead").touch()
    long_ago = time.time() - 3600
    os.utime(tmp_path / "dead", (long_ago, long_ago))
    assert not process_lock.has_others(tmp_path, owner.id)
    other = process_lock.Owner(tmp_path)
    os.utime(tmp_path / other.id, (long_ago, long_ago))
    assert process_lock.has_others(tmp_path, owner.id)
    other.release()
    assert not process_lock.has_others(tmp_path, owner.id)
    owner.release()


_OWNER = """
import sys, time
from pathlib import Path
sys.path.insert(0, sys.argv[1] + "/scripts")
from load_extension import load_package
load_package()
from asset_generation.addon.core.jobs.process_lock import Owner
owner = Owner(Path(sys.argv[2]))
print(owner.id, flush=True)
time.sleep(600)
"""


def test_a_killed_process_is_a_dead_owner(tmp_path: Path) -> None:
    from load_extension import ROOT

    process = subprocess.Popen(
        [sys.executable, "-c", _OWNER, str(ROOT), str(tmp_path)], stdout=subprocess.PIPE, text=True
    )
    try:
        assert process.stdout is not None
        owner_id = process.stdout.readline().strip()
        assert not process_lock.is_dead(tmp_path, owner_id)
    finally:
        process.kill()
        process.communicate()
    assert process_lock.is_dead(tmp_path, owner_id)


FOREIGN = {
    "a plan with a field of a newer version": "UPDATE jobs SET plan = json_set(plan, '$.steps[0].variants', 4)",
    "a kind of source that is not known": "UPDATE jobs SET plan = json_set(plan, '$.source.kind', 'sketch')",
    "a plan that is no JSON": 'UPDATE jobs SET plan = \'{"name": "Bun\'',
    "a plan that is no object": "UPDATE jobs SET plan = '[]'",
    "a plan that is nested deeply": "UPDATE jobs SET plan = '" + "[" * 100_000 + "'",
    "a stage that is not known": "UPDATE jobs SET stage = 'polish'",
    "a stage to resume that is not known": "UPDATE jobs SET resume = 'polish'",
    "files that are no pairs": "UPDATE jobs SET files = '[1]'",
    "tokens that are no JSON": "UPDATE jobs SET tokens = '{'",
    "candidates that are no list": "UPDATE steps SET candidates = '7'",
    "a step that is not there": "UPDATE jobs SET position = 5",
    "steps that are gone": "DELETE FROM steps",
}


@pytest.mark.parametrize("statement", FOREIGN.values(), ids=FOREIGN.keys())
def test_a_job_that_cannot_be_read_hides_no_other(
    opened: Open, statement: str, caplog: pytest.LogCaptureFixture
) -> None:
    writer = opened("writer")
    writer.add("foreign", PLAN, "local", Stage.CREATE)
    with writer._database.writing() as execute:
        execute(statement)
        before = [tuple(row) for row in execute("SELECT * FROM jobs")]
    writer.add("good", PLAN, "local", Stage.CREATE)
    reader = opened("reader")
    for _ in range(3):
        assert [record.id for record in reader.jobs()] == ["good"]
        assert reader.summaries()["good"].owner == "writer"
        with pytest.raises(LookupError):
            reader.job("foreign")
    assert sum("foreign" in message for message in caplog.messages) == 1, "said once"
    with writer._database.reading() as execute:
        assert [tuple(row) for row in execute("SELECT * FROM jobs WHERE id = 'foreign'")] == before, "it stays"
