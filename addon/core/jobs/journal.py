"""The journal: what must survive a crash. Intents are in it before the network is touched, answers right after."""

from __future__ import annotations

import contextlib
import sqlite3
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..log import logger
from .charge_table import ChargeTable
from .database import Database, Execute
from .duration_table import DurationTable
from .history_table import HistoryTable
from .job import RESTING, JobPlan, Stage
from .records import JobRecord, StepRecord
from .result_table import ResultTable
from .rows import JOB_COLUMNS, STEP_COLUMNS, UnreadableJob, assignments, plan_from_json, plan_to_json, read_job
from .service_table import ServiceTable
from .spending_table import SpendingTable
from .task_table import TaskEntry, TaskTable, TaskTaken
from .upload_facts import UploadFacts, awaits_facts, with_facts

log = logger(__name__)

_TOUCH = "changed_at = ?, revision = revision + 1"
_HAS_TRACES = (
    "(files <> '[]' OR result <> '' OR EXISTS"
    " (SELECT 1 FROM steps WHERE steps.job_id = jobs.id AND (steps.task_id <> '' OR steps.request_id <> '')))"
)
"""Of a job that has files, tasks, or a request that may have become a task."""
_FREE = "owner = '' AND removed_at = 0"
"""Of a job on the list that nobody runs."""

_BEGUN = (
    *("request_id", "intent_at", "sends", "task_id", "task_type", "answered_at", "finished_at", "status", "credits"),
    *("marker", "unmarked", "lost"),
)
"""What is known of a step that another program began."""


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
        durations: How long they took.
        spending: What they were charged for, and when.
        history: All jobs, those included that are off the list.
        results: What is known of the files of all jobs.
        services: What services do with markers.

    Raises:
        JournalTrouble: The file cannot be used; the message says why.
    """

    def __init__(self, path: Path, owner: str, *, clock: Callable[[], float] = time.time) -> None:
        self.owner = owner
        self._clock = clock
        self._database = Database(path)
        self.tasks = TaskTable(self._database)
        self.charges = ChargeTable(self._database, clock=clock)
        self.durations = DurationTable(self._database)
        self.spending = SpendingTable(self._database)
        self.history = HistoryTable(self._database)
        self.results = ResultTable(self._database)
        self.services = ServiceTable(self._database, clock=clock)
        self._plans: dict[str, JobPlan] = {}  # a plan does not change once it has all its facts, so it is read once
        self._unreadable: set[str] = set()  # what was said of them is said once

    def close(self) -> None:
        """Closes the file. Nothing may be called afterwards."""
        self._database.close()

    # Reading

    def job(self, job_id: str) -> JobRecord:
        """One job, on the list or not.

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
        """All jobs on the list, oldest first; but for those that this version cannot read, which only stay."""
        steps: dict[str, list[sqlite3.Row]] = defaultdict(list)
        records: list[JobRecord] = []
        with self._database.reading() as execute:
            query = f"SELECT {JOB_COLUMNS}, plan FROM jobs WHERE removed_at = 0 ORDER BY created_at, id"
            rows = execute(query).fetchall()
            for step in execute(f"SELECT job_id, {STEP_COLUMNS} FROM steps ORDER BY job_id, position"):
                steps[step["job_id"]].append(step)
            for row in rows:
                with contextlib.suppress(UnreadableJob):
                    records.append(self._read(row, steps[row["id"]]))
        return records

    def summaries(self) -> dict[str, JobSummary]:
        """What shows whether a job has changed, and who runs it, for all on the list in a known stage. Cheap."""
        with self._database.reading() as execute:
            rows = execute("SELECT id, revision, stage, owner FROM jobs WHERE removed_at = 0")
            return {
                row["id"]: JobSummary(row["revision"], Stage(row["stage"]), row["owner"])
                for row in rows
                if row["stage"] in Stage.__members__.values()
            }

    def open_intents(self, service_id: str) -> dict[str, str]:
        """Jobs with a creation request of unknown fate, also those that are off the list, and its capability."""
        with self._database.reading() as execute:
            rows = execute(
                "SELECT jobs.id, steps.capability FROM steps JOIN jobs ON jobs.id = steps.job_id"
                " WHERE steps.request_id <> '' AND steps.task_id = '' AND jobs.service_id = ?",
                (service_id,),
            )
            return {row["id"]: row["capability"] for row in rows}

    def is_token_of_others(self, job_id: str, token: str) -> bool:
        """Whether another job than this one has the token of an upload as well."""
        with self._database.reading() as execute:
            row = execute("SELECT 1 FROM jobs WHERE id <> ? AND instr(tokens, ?) > 0 LIMIT 1", (job_id, token))
            return row.fetchone() is not None

    def task_of_marker(self, marker: str) -> str:
        """The task of a step whose requests carried a marker; empty where none is known."""
        with self._database.reading() as execute:
            row = execute("SELECT task_id FROM steps WHERE marker = ? AND task_id <> '' LIMIT 1", (marker,)).fetchone()
            return str(row["task_id"]) if row is not None else ""

    def mentions(self, name: str) -> bool:
        """Whether the plan of any job has a file of this name, also of a job that cannot be read."""
        with self._database.reading() as execute:
            return execute("SELECT 1 FROM jobs WHERE instr(plan, ?) LIMIT 1", (name,)).fetchone() is not None

    def data_version(self) -> int:
        """A number that changes when another process has written."""
        return self._database.data_version()

    # Writing

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Makes one transaction of all that is written inside."""
        with self._database.writing():
            yield

    def add(
        self, job_id: str, plan: JobPlan, service_id: str, stage: Stage, begun: Sequence[StepRecord] = ()
    ) -> JobRecord:
        """Enters a new job, leased by this process.

        Args:
            job_id: Its id.
            plan: What is asked for.
            service_id: Where its tasks will be.
            stage: Where it begins.
            begun: Steps that another program began for it: all but the last have ended well, and that one is where
                this job goes on.
        """
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
            for begun_step in begun:
                self._enter_begun(execute, job_id, service_id, begun_step)
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

    def record_facts(self, job_id: str, facts: UploadFacts) -> JobRecord:
        """Records what was found out about the selection of a job while its upload was made.

        Raises:
            LeaseLost: Another process runs the job now, or it is gone.
        """
        with self._database.writing() as execute:
            plan = with_facts(self.job(job_id).plan, facts)
            self._change_owned(execute, job_id, None, {"plan": plan_to_json(plan)})
            self._plans.pop(job_id, None)
        return self.job(job_id)

    def record_task(self, job_id: str, task_id: str, task_type: str, others: Sequence[str] = ()) -> JobRecord:
        """Records the task that a creation request made, or that was found to be its: the step waits for it now.

        ``others`` are further tasks that its requests made.

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
                "candidates": self._known_others(execute, record, others),
            }
            self._change_owned(execute, job_id, step, {"stage": Stage.WAIT, "text": ""})
        return self.job(job_id)

    def record_others(self, job_id: str, others: Sequence[str]) -> JobRecord:
        """Records further tasks that the requests of the current step made beside the one that it has.

        Raises:
            LeaseLost: Another process runs the job now, or it is gone.
        """
        with self._database.writing() as execute:
            record = self.job(job_id)
            found = [*record.step.candidates, *self._known_others(execute, record, others)]
            self._change_owned(execute, job_id, {"candidates": found}, {})
        return self.job(job_id)

    def add_file(self, job_id: str, key: str, path: Path, content: bytes) -> JobRecord:
        """Writes and records a file that came of a job after it had come to rest, whatever has become of it since.

        In one transaction, as results are deleted: none is written into the place of one that is gone. It is no step of
        the job, so its revision stays; other programs that show the job see the file with the next.

        Raises:
            LookupError: There is no such job, or its files were deleted.
            OSError: It cannot be written.
        """
        with self._database.writing() as execute:
            record = self.job(job_id)
            if not record.blend:
                raise LookupError(f"the files of job {job_id} are gone")
            path.write_bytes(content)
            columns, values = assignments({"files": [*record.files, (key, str(path))]})
            execute(f"UPDATE jobs SET {columns} WHERE id = ?", (*values, job_id))
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
            statement = f"UPDATE jobs SET {columns}, {_TOUCH} WHERE id = ? AND stage = ? AND {_FREE}"
            return execute(statement, (*values, self._clock(), job_id, resting)).rowcount == 1

    def restart(self, job_id: str, resting: Stage, *, step: Mapping[str, Any] | None = None, **job: Any) -> bool:
        """Leases a job that rests in ``resting`` and changes it and its current step; False when it has moved on."""
        with self._database.writing() as execute:
            taken = execute(
                f"UPDATE jobs SET owner = ? WHERE id = ? AND stage = ? AND {_FREE}", (self.owner, job_id, resting)
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
                f"UPDATE jobs SET applier = ?, {_TOUCH} WHERE id = ? AND stage = ? AND applier = ? AND removed_at = 0",
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
        """Takes a job that rests off the list; False when it has moved on.

        What is known of its tasks, requests and files stays. One that has none of these is deleted.
        """
        now = self._clock()
        marks = ", ".join("?" * len(RESTING))
        rests = f"id = ? AND {_FREE} AND stage IN ({marks})"
        values = (job_id, *sorted(RESTING))
        with self._database.writing() as execute:
            self._plans.pop(job_id, None)
            statement = f"UPDATE jobs SET removed_at = ?, {_TOUCH} WHERE {rests} AND {_HAS_TRACES}"
            if execute(statement, (now, now, *values)).rowcount == 1:
                return True
            return execute(f"DELETE FROM jobs WHERE {rests}", values).rowcount == 1

    def record_owner(self, host: str, pid: int) -> None:
        """Records who this process is, for people who look into the journal."""
        with self._database.writing() as execute:
            execute("INSERT OR REPLACE INTO owners VALUES (?,?,?,?)", (self.owner, host, pid, self._clock()))

    # Parts of the above

    def _enter_begun(self, execute: Execute, job_id: str, service_id: str, step: StepRecord) -> None:
        columns, values = assignments({name: getattr(step, name) for name in _BEGUN})
        statement = f"UPDATE steps SET {columns} WHERE job_id = ? AND position = ?"
        execute(statement, (*values, job_id, step.position))
        execute("UPDATE jobs SET position = ? WHERE id = ?", (step.position, job_id))
        if step.task_id:
            with contextlib.suppress(TaskTaken):  # by a job of this journal that is off the list
                entry = TaskEntry(step.task_id, service_id, step.capability, step.task_type, self._clock())
                self.tasks.add(execute, entry)

    def _known_others(self, execute: Execute, record: JobRecord, others: Sequence[str]) -> list[str]:
        """Enters tasks that a step has beside its own, so that no job takes them for unknown; those that were new."""
        new = []
        for task_id in others:
            with contextlib.suppress(TaskTaken):
                entry = TaskEntry(task_id, record.service_id, record.step.capability, "", self._clock())
                self.tasks.add(execute, entry)
                new.append(task_id)
        return new

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
            plan = plan_from_json(row["plan"])
            if not awaits_facts(plan):
                self._plans[row["id"]] = plan
        return plan
