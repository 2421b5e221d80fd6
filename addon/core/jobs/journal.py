"""The journal: what must survive a crash. Intents are in it before the network is touched, answers right after.

One SQLite file, shared by all processes of this user. WAL lets them read while one writes; synchronous=FULL puts a
commit on the disk before it returns: a task id that is only in a cache is a paid result that a power cut loses.
"""

from __future__ import annotations

import json
import sqlite3
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from ..errors import JournalTrouble
from ..paths import make_private
from . import plan_json
from .job import RESTING, JobPlan, Stage
from .records import JobRecord, StepRecord
from .schema import prepare

_BUSY_SECONDS = 10.0
_TOUCHED = "changed_at = ?, revision = revision + 1"
_JSON = frozenset({"tokens", "candidates", "files", "delivered"})


class LeaseLost(Exception):
    """The job is not ours any more: another process runs it, or it was dismissed."""


class TaskTaken(Exception):
    """The task belongs to another job already."""


@dataclass(frozen=True, slots=True)
class Stamp:
    """What tells whether a job has changed, and who runs it."""

    revision: int
    stage: Stage
    owner: str


_Run = Callable[..., sqlite3.Cursor]


def _use_wal(connection: sqlite3.Connection) -> None:
    """Switches to WAL. SQLite's own waiting does not cover that: two that open a new file at once would collide."""
    until = time.monotonic() + _BUSY_SECONDS
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
        except sqlite3.OperationalError as error:
            if "locked" not in str(error) or time.monotonic() > until:
                raise
            time.sleep(0.01)
        else:
            return


class Journal:
    """Jobs and their steps on disk. Thread-safe; every method is one transaction.

    Args:
        path: The SQLite file; made with its folder when missing.
        owner: Id under which this process leases jobs.
        clock: Seconds since 1970.

    Raises:
        JournalTrouble: The file cannot be used; the message says why.
    """

    def __init__(self, path: Path, owner: str, *, clock: Callable[[], float] = time.time) -> None:
        self.owner = owner
        self._clock = clock
        self._lock = threading.RLock()
        make_private(path.parent)
        try:
            self._connection = sqlite3.connect(
                path, timeout=_BUSY_SECONDS, isolation_level=None, check_same_thread=False
            )
            self._connection.row_factory = sqlite3.Row
            _use_wal(self._connection)
            self._connection.execute("PRAGMA synchronous = FULL")
            self._connection.execute("PRAGMA foreign_keys = ON")
            prepare(self._connection)
        except sqlite3.DatabaseError as error:
            raise JournalTrouble(
                f"The list of jobs in {path} cannot be used: {error}",
                "Choose another data folder in the preferences, or move this file away",
            ) from error

    def close(self) -> None:
        """Closes the file. Nothing may be called afterwards."""
        with self._lock:
            self._connection.close()

    # Reading

    def job(self, job_id: str) -> JobRecord:
        """One job.

        Raises:
            LookupError: There is none with this id.
        """
        with self._lock:
            row = self._connection.execute("SELECT * FROM jobs WHERE id = ?", (job_id,)).fetchone()
            if row is None:
                raise LookupError(f"there is no job {job_id}")
            return _record(row, self._steps([job_id])[job_id])

    def jobs(self) -> list[JobRecord]:
        """All jobs, oldest first."""
        with self._lock:
            rows = self._connection.execute("SELECT * FROM jobs ORDER BY created_at, id").fetchall()
            steps = self._steps([row["id"] for row in rows])
            return [_record(row, steps[row["id"]]) for row in rows]

    def stamps(self) -> dict[str, Stamp]:
        """What tells whether a job has changed, and who runs it, for all jobs. Cheap."""
        with self._lock:
            rows = self._connection.execute("SELECT id, revision, stage, owner FROM jobs")
            return {row["id"]: Stamp(row["revision"], Stage(row["stage"]), row["owner"]) for row in rows}

    def known_tasks(self, service_id: str) -> dict[str, tuple[str, str, float]]:
        """Every task of a service that was ever ours: its capability, its type and when we were told of it."""
        with self._lock:
            rows = self._connection.execute("SELECT * FROM tasks WHERE service_id = ?", (service_id,))
            return {row["task_id"]: (row["capability"], row["task_type"], row["answered_at"]) for row in rows}

    def capability_of(self, service_id: str, task_id: str) -> str:
        """The capability that made a task of a service; empty when the task was never ours."""
        with self._lock:
            row = self._connection.execute(
                "SELECT capability FROM tasks WHERE service_id = ? AND task_id = ?", (service_id, task_id)
            ).fetchone()
            return str(row["capability"]) if row is not None else ""

    def open_intents(self, service_id: str, capability: str) -> list[str]:
        """Jobs with a creation request of unknown fate."""
        with self._lock:
            rows = self._connection.execute(
                "SELECT jobs.id FROM steps JOIN jobs ON jobs.id = steps.job_id"
                " WHERE steps.request_id <> '' AND steps.task_id = '' AND steps.capability = ? AND jobs.service_id = ?",
                (capability, service_id),
            )
            return [row["id"] for row in rows]

    def last_charge(self, service_id: str, capability: str) -> str:
        """Credits that the last successful task of a capability cost; empty when there was none."""
        with self._lock:
            row = self._connection.execute(
                "SELECT credits FROM charges WHERE service_id = ? AND capability = ? ORDER BY charged_at DESC LIMIT 1",
                (service_id, capability),
            ).fetchone()
            return str(row["credits"]) if row is not None else ""

    def charges(self) -> dict[tuple[str, str, str], str]:
        """Credits that tasks cost last time, by service, capability and settings, the oldest first.

        The settings are as :func:`.prices.settings_of` writes them; empty where they are not known any more.
        """
        with self._lock:
            rows = self._connection.execute(
                "SELECT service_id, capability, settings, credits FROM charges ORDER BY charged_at"
            )
            return {(row["service_id"], row["capability"], row["settings"]): row["credits"] for row in rows}

    def data_version(self) -> int:
        """A number that changes when another process has written."""
        with self._lock:
            (version,) = self._connection.execute("PRAGMA data_version").fetchone()
            return int(version)

    # Writing

    def add(self, job_id: str, plan: JobPlan, service_id: str, stage: Stage) -> JobRecord:
        """Enters a new job, leased by this process."""
        now = self._clock()
        with self._writing() as run:
            run(
                "INSERT INTO jobs (id, plan, service_id, stage, created_at, changed_at, owner) VALUES (?,?,?,?,?,?,?)",
                (job_id, plan_json.to_text(plan), service_id, stage, now, now, self.owner),
            )
            for position, step in enumerate(plan.steps):
                run(
                    "INSERT INTO steps (job_id, position, capability) VALUES (?,?,?)",
                    (job_id, position, step.capability),
                )
        return self.job(job_id)

    def change(self, job_id: str, *, step: Mapping[str, Any] | None = None, **job: Any) -> JobRecord:
        """Changes columns of a job that this process runs, and of its current step, in one transaction.

        A job that comes to rest is given back at once.

        Raises:
            LeaseLost: Another process runs it now, or it is gone.
        """
        stage = job.get("stage")
        if stage in RESTING:
            job["owner"] = ""
        with self._writing() as run:
            self._change_owned(run, job_id, step, job)
        return self.job(job_id)

    def answered(self, job_id: str, task_id: str, task_type: str) -> JobRecord:
        """Records the task that a creation request made, or that was found to be its: the step waits for it now.

        Raises:
            LeaseLost: Another process runs the job now, or it is gone.
            TaskTaken: The task belongs to another job.
        """
        now = self._clock()
        with self._writing() as run:
            record = self.job(job_id)
            task = (task_id, record.service_id, record.step.capability, task_type, now)
            if run("INSERT OR IGNORE INTO tasks VALUES (?,?,?,?,?)", task).rowcount != 1:
                raise TaskTaken(task_id)
            step = {
                "task_id": task_id,
                "task_type": task_type,
                "answered_at": now,
                "status": "queued",
                "candidates": [],
            }
            self._change_owned(run, job_id, step, {"stage": Stage.WAIT, "text": ""})
        return self.job(job_id)

    def take_over(self, job_id: str, holder: str) -> bool:
        """Leases a job that ``holder`` (empty: nobody) has; False when somebody else has it by now."""
        with self._writing() as run:
            statement = f"UPDATE jobs SET owner = ?, {_TOUCHED} WHERE id = ? AND owner = ?"
            return run(statement, (self.owner, self._clock(), job_id, holder)).rowcount == 1

    def release(self) -> None:
        """Gives back every job of this process."""
        with self._writing() as run:
            run(f"UPDATE jobs SET owner = '', {_TOUCHED} WHERE owner = ?", (self._clock(), self.owner))
            run("UPDATE jobs SET applier = '' WHERE applier = ?", (self.owner,))
            run("DELETE FROM owners WHERE id = ?", (self.owner,))

    def change_resting(self, job_id: str, resting: Stage, **job: Any) -> bool:
        """Changes a job that rests in ``resting``; False when it has moved on."""
        columns, values = _assignments(job)
        with self._writing() as run:
            statement = f"UPDATE jobs SET {columns}, {_TOUCHED} WHERE id = ? AND stage = ? AND owner = ''"
            return run(statement, (*values, self._clock(), job_id, resting)).rowcount == 1

    def restart(self, job_id: str, resting: Stage, *, step: Mapping[str, Any] | None = None, **job: Any) -> bool:
        """Leases a job that rests in ``resting`` and changes it and its current step; False when it has moved on."""
        with self._writing() as run:
            taken = run(
                "UPDATE jobs SET owner = ? WHERE id = ? AND stage = ? AND owner = ''", (self.owner, job_id, resting)
            )
            if taken.rowcount != 1:
                return False
            self._change_owned(run, job_id, step, job)
            return True

    def ask_to_stop(self, job_id: str) -> None:
        """Notes the user's wish; whoever runs the job obeys it."""
        with self._writing() as run:
            run(f"UPDATE jobs SET asked_to_stop = 1, {_TOUCHED} WHERE id = ?", (self._clock(), job_id))

    def claim_apply(self, job_id: str, holder: str) -> bool:
        """Marks a READY job as being applied by this process, if ``holder`` (empty: nobody) is what is marked now."""
        with self._writing() as run:
            claimed = run(
                f"UPDATE jobs SET applier = ?, {_TOUCHED} WHERE id = ? AND stage = ? AND applier = ?",
                (self.owner, self._clock(), job_id, Stage.READY, holder),
            )
            return claimed.rowcount == 1

    def end_apply(self, job_id: str, **job: Any) -> bool:
        """Changes a READY job that is marked as being applied by this process; False when it is not."""
        columns, values = _assignments(job)
        with self._writing() as run:
            statement = f"UPDATE jobs SET {columns}, {_TOUCHED} WHERE id = ? AND stage = ? AND applier = ?"
            return run(statement, (*values, self._clock(), job_id, Stage.READY, self.owner)).rowcount == 1

    def remove(self, job_id: str) -> bool:
        """Removes a job that rests. Its tasks stay known."""
        resting = ", ".join("?" * len(RESTING))
        with self._writing() as run:
            statement = f"DELETE FROM jobs WHERE id = ? AND owner = '' AND stage IN ({resting})"
            return run(statement, (job_id, *sorted(RESTING))).rowcount == 1

    def charged(self, service_id: str, capability: str, settings: str, credits: str) -> None:
        """Notes what a successful task cost; it stays known when its job is dismissed."""
        with self._writing() as run:
            charge = (service_id, capability, settings, credits, self._clock())
            run("INSERT OR REPLACE INTO charges VALUES (?,?,?,?,?)", charge)

    def introduce(self, host: str, pid: int) -> None:
        """Notes who this process is, for people who look into the journal."""
        with self._writing() as run:
            run("INSERT OR REPLACE INTO owners VALUES (?,?,?,?)", (self.owner, host, pid, self._clock()))

    # Parts of the above

    def _change_owned(self, run: _Run, job_id: str, step: Mapping[str, Any] | None, job: Mapping[str, Any]) -> None:
        if step:
            columns, values = _assignments(step)
            run(
                f"UPDATE steps SET {columns} WHERE job_id = ? AND position = (SELECT position FROM jobs WHERE id = ?)",
                (*values, job_id, job_id),
            )
        columns, values = _assignments(job)
        statement = f"UPDATE jobs SET {columns}{', ' if columns else ''}{_TOUCHED} WHERE id = ? AND owner = ?"
        if run(statement, (*values, self._clock(), job_id, self.owner)).rowcount != 1:
            raise LeaseLost(job_id)

    def _steps(self, job_ids: Iterable[str]) -> dict[str, tuple[StepRecord, ...]]:
        wanted = list(job_ids)
        found: dict[str, list[StepRecord]] = {job_id: [] for job_id in wanted}
        if len(wanted) == 1:
            rows = self._connection.execute("SELECT * FROM steps WHERE job_id = ? ORDER BY position", wanted)
        else:
            rows = self._connection.execute("SELECT * FROM steps ORDER BY job_id, position")
        for row in rows:
            if row["job_id"] in found:
                found[row["job_id"]].append(_step(row))
        return {job_id: tuple(steps) for job_id, steps in found.items()}

    @contextmanager
    def _writing(self) -> Iterator[_Run]:
        with self._lock:
            # IMMEDIATE takes the write lock first, so that what is read inside cannot be overtaken.
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                yield self._connection.execute
                self._connection.execute("COMMIT")
            except BaseException:
                if self._connection.in_transaction:  # SQLite ends it by itself when the disk is full
                    self._connection.execute("ROLLBACK")
                raise


def _assignments(columns: Mapping[str, Any]) -> tuple[str, list[Any]]:
    values = [json.dumps(value) if name in _JSON else value for name, value in columns.items()]
    return ", ".join(f"{name} = ?" for name in columns), values


# By their names: a newer version of the extension in another Blender may have added columns to the open journal.
_STEP_COLUMNS = tuple(item.name for item in fields(StepRecord))
_JOB_COLUMNS = tuple(item.name for item in fields(JobRecord) if item.name != "steps")


def _step(row: sqlite3.Row) -> StepRecord:
    values = {name: row[name] for name in _STEP_COLUMNS}
    return StepRecord(**{**values, "candidates": tuple(json.loads(row["candidates"]))})


def _record(row: sqlite3.Row, steps: tuple[StepRecord, ...]) -> JobRecord:
    values = {name: row[name] for name in _JOB_COLUMNS}
    values |= {
        "plan": plan_json.from_text(row["plan"]),
        "stage": Stage(row["stage"]),
        "resume": Stage(row["resume"]) if row["resume"] else None,
        "asked_to_stop": bool(row["asked_to_stop"]),
        "tokens": json.loads(row["tokens"]),
        "files": tuple((key, path) for key, path in json.loads(row["files"])),
        "delivered": tuple((key, path) for key, path in json.loads(row["delivered"])),
    }
    return JobRecord(**values, steps=steps)
