"""The journal: what must survive a crash. Intents are in it before the network is touched, answers right after."""

from __future__ import annotations

import contextlib
import sqlite3
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..log import logger
from .charge_table import ChargeTable
from .database import Database, Execute
from .job import RESTING, JobPlan, Stage
from .records import JobRecord
from .rows import JOB_COLUMNS, STEP_COLUMNS, UnreadableJob, assignments, plan_from_json, plan_to_json, read_job
from .task_table import TaskEntry, TaskTable

log = logger(__name__)

_TOUCH = "changed_at = ?, revision = revision + 1"


class LeaseLost(Exception):
    """The job is not ours any more: another process runs it, or it was dismissed."""


@dataclass(frozen=True, slots=True)
class JobSummary:
    """What shows whether a job has changed, and who runs it."""

    revision: int
    stage: Stage
    owner: str


class Journal:
    """Jobs and their steps on disk. Thread-safe; every method is one transaction.

    Args:
        path: The SQLite file; made with its folder when missing.
        owner: Id under which this process leases jobs.
        clock: Seconds since 1970.

    Attributes:
        tasks: Every task that was ever ours.
        charges: What tasks cost.

    Raises:
        JournalTrouble: The file cannot be used; the message says why.
    """

    def __init__(self, path: Path, owner: str, *, clock: Callable[[], float] = time.time) -> None:
        self.owner = owner
        self._clock = clock
        self._database = Database(path)
        self.tasks = TaskTable(self._database)
        self.charges = ChargeTable(self._database, clock=clock)
        self._plans: dict[str, JobPlan] = {}  # a plan never changes, so it is read once
        self._unreadable: set[str] = set()  # what was said of them is said once

    def close(self) -> None:
        """Closes the file. Nothing may be called afterwards."""
        self._database.close()

    # Reading

    def job(self, job_id: str) -> JobRecord:
        """One job.

        Raises:
            LookupError: There is none with this id, or none that can be read.
        """
        with self._database.reading() as execute:
            columns = JOB_COLUMNS if job_id in self._plans else f"{JOB_COLUMNS}, plan"
            row = execute(f"SELECT {columns} FROM jobs WHERE id = ?", (job_id,)).fetchone()
            if row is None:
                raise LookupError(f"there is no job {job_id}")
            steps = execute(f"SELECT {STEP_COLUMNS} FROM steps WHERE job_id = ? ORDER BY position", (job_id,))
            return self._read(row, steps)

    def jobs(self) -> list[JobRecord]:
        """All jobs, oldest first; but for those that this version of the extension cannot read, which only stay."""
        steps: dict[str, list[sqlite3.Row]] = defaultdict(list)
        records: list[JobRecord] = []
        with self._database.reading() as execute:
            rows = execute(f"SELECT {JOB_COLUMNS}, plan FROM jobs ORDER BY created_at, id").fetchall()
            for step in execute(f"SELECT job_id, {STEP_COLUMNS} FROM steps ORDER BY job_id, position"):
                steps[step["job_id"]].append(step)
            for row in rows:
                with contextlib.suppress(UnreadableJob):
                    records.append(self._read(row, steps[row["id"]]))
        return records

    def summaries(self) -> dict[str, JobSummary]:
        """What shows whether a job has changed, and who runs it, for all jobs in a known stage. Cheap."""
        with self._database.reading() as execute:
            rows = execute("SELECT id, revision, stage, owner FROM jobs")
            return {
                row["id"]: JobSummary(row["revision"], Stage(row["stage"]), row["owner"])
                for row in rows
                if row["stage"] in Stage.__members__.values()
            }

    def open_intents(self, service_id: str, capability: str) -> list[str]:
        """Jobs with a creation request of unknown fate."""
        with self._database.reading() as execute:
            rows = execute(
                "SELECT jobs.id FROM steps JOIN jobs ON jobs.id = steps.job_id"
                " WHERE steps.request_id <> '' AND steps.task_id = '' AND steps.capability = ? AND jobs.service_id = ?",
                (capability, service_id),
            )
            return [row["id"] for row in rows]

    def mentions(self, name: str) -> bool:
        """Whether the plan of any job has a file of this name, also of a job that cannot be read."""
        with self._database.reading() as execute:
            return execute("SELECT 1 FROM jobs WHERE instr(plan, ?) LIMIT 1", (name,)).fetchone() is not None

    def data_version(self) -> int:
        """A number that changes when another process has written."""
        with self._database.reading() as execute:
            (version,) = execute("PRAGMA data_version").fetchone()
            return int(version)

    # Writing

    def add(self, job_id: str, plan: JobPlan, service_id: str, stage: Stage) -> JobRecord:
        """Enters a new job, leased by this process."""
        now = self._clock()
        with self._database.writing() as execute:
            execute(
                "INSERT INTO jobs (id, plan, service_id, stage, created_at, changed_at, owner) VALUES (?,?,?,?,?,?,?)",
                (job_id, plan_to_json(plan), service_id, stage, now, now, self.owner),
            )
            for position, step in enumerate(plan.steps):
                execute(
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
        with self._database.writing() as execute:
            self._change_owned(execute, job_id, step, job)
        return self.job(job_id)

    def record_task(self, job_id: str, task_id: str, task_type: str) -> JobRecord:
        """Records the task that a creation request made, or that was found to be its: the step waits for it now.

        Raises:
            LeaseLost: Another process runs the job now, or it is gone.
            TaskTaken: The task belongs to another job.
        """
        now = self._clock()
        with self._database.writing() as execute:
            record = self.job(job_id)
            self.tasks.add(execute, TaskEntry(task_id, record.service_id, record.step.capability, task_type, now))
            step = {
                "task_id": task_id,
                "task_type": task_type,
                "answered_at": now,
                "status": "queued",
                "candidates": [],
            }
            self._change_owned(execute, job_id, step, {"stage": Stage.WAIT, "text": ""})
        return self.job(job_id)

    def take_over(self, job_id: str, holder: str) -> bool:
        """Leases a job that ``holder`` (empty: nobody) has; False when somebody else has it by now."""
        with self._database.writing() as execute:
            statement = f"UPDATE jobs SET owner = ?, {_TOUCH} WHERE id = ? AND owner = ?"
            return execute(statement, (self.owner, self._clock(), job_id, holder)).rowcount == 1

    def release(self) -> None:
        """Gives back every job of this process."""
        with self._database.writing() as execute:
            execute(f"UPDATE jobs SET owner = '', {_TOUCH} WHERE owner = ?", (self._clock(), self.owner))
            execute("UPDATE jobs SET applier = '' WHERE applier = ?", (self.owner,))
            execute("DELETE FROM owners WHERE id = ?", (self.owner,))

    def change_resting(self, job_id: str, resting: Stage, **job: Any) -> bool:
        """Changes a job that rests in ``resting``; False when it has moved on."""
        columns, values = assignments(job)
        with self._database.writing() as execute:
            statement = f"UPDATE jobs SET {columns}, {_TOUCH} WHERE id = ? AND stage = ? AND owner = ''"
            return execute(statement, (*values, self._clock(), job_id, resting)).rowcount == 1

    def restart(self, job_id: str, resting: Stage, *, step: Mapping[str, Any] | None = None, **job: Any) -> bool:
        """Leases a job that rests in ``resting`` and changes it and its current step; False when it has moved on."""
        with self._database.writing() as execute:
            taken = execute(
                "UPDATE jobs SET owner = ? WHERE id = ? AND stage = ? AND owner = ''", (self.owner, job_id, resting)
            )
            if taken.rowcount != 1:
                return False
            self._change_owned(execute, job_id, step, job)
            return True

    def ask_to_stop(self, job_id: str) -> None:
        """Records that the user wants a job to stop; whoever runs it obeys."""
        with self._database.writing() as execute:
            execute(f"UPDATE jobs SET asked_to_stop = 1, {_TOUCH} WHERE id = ?", (self._clock(), job_id))

    def claim_apply(self, job_id: str, holder: str) -> bool:
        """Marks a READY job as being applied by this process, if ``holder`` (empty: nobody) is what is marked now."""
        with self._database.writing() as execute:
            claimed = execute(
                f"UPDATE jobs SET applier = ?, {_TOUCH} WHERE id = ? AND stage = ? AND applier = ?",
                (self.owner, self._clock(), job_id, Stage.READY, holder),
            )
            return claimed.rowcount == 1

    def end_apply(self, job_id: str, **job: Any) -> bool:
        """Changes a READY job that is marked as being applied by this process; False when it is not."""
        columns, values = assignments(job)
        with self._database.writing() as execute:
            statement = f"UPDATE jobs SET {columns}, {_TOUCH} WHERE id = ? AND stage = ? AND applier = ?"
            return execute(statement, (*values, self._clock(), job_id, Stage.READY, self.owner)).rowcount == 1

    def remove(self, job_id: str) -> bool:
        """Removes a job that rests. Its tasks stay known."""
        resting = ", ".join("?" * len(RESTING))
        with self._database.writing() as execute:
            self._plans.pop(job_id, None)
            statement = f"DELETE FROM jobs WHERE id = ? AND owner = '' AND stage IN ({resting})"
            return execute(statement, (job_id, *sorted(RESTING))).rowcount == 1

    def record_owner(self, host: str, pid: int) -> None:
        """Records who this process is, for people who look into the journal."""
        with self._database.writing() as execute:
            execute("INSERT OR REPLACE INTO owners VALUES (?,?,?,?)", (self.owner, host, pid, self._clock()))

    # Parts of the above

    def _change_owned(
        self, execute: Execute, job_id: str, step: Mapping[str, Any] | None, job: Mapping[str, Any]
    ) -> None:
        if step:
            columns, values = assignments(step)
            execute(
                f"UPDATE steps SET {columns} WHERE job_id = ? AND position = (SELECT position FROM jobs WHERE id = ?)",
                (*values, job_id, job_id),
            )
        columns, values = assignments(job)
        statement = f"UPDATE jobs SET {columns}{', ' if columns else ''}{_TOUCH} WHERE id = ? AND owner = ?"
        if execute(statement, (*values, self._clock(), job_id, self.owner)).rowcount != 1:
            raise LeaseLost(job_id)

    def _read(self, row: sqlite3.Row, steps: Iterable[sqlite3.Row]) -> JobRecord:
        try:
            return read_job(row, self._plan, steps)
        except UnreadableJob as error:
            if row["id"] not in self._unreadable:
                self._unreadable.add(row["id"])
                log.warning("%s; another version of the extension may know it, so it stays in the journal", error)
            raise

    def _plan(self, row: sqlite3.Row) -> JobPlan:
        plan = self._plans.get(row["id"])
        if plan is None:
            plan = self._plans[row["id"]] = plan_from_json(row["plan"])
        return plan
