"""One process that runs jobs, from its start to its end: asks for jobs, brings results in, answers when it is asked."""

from __future__ import annotations

import contextlib
import json
import logging
import os
import resource
import select
import threading
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from . import fast_time
from .faults import JobScript, Life
from .footprint import sample
from .kill_points import KillPoints
from .plans import make_plan
from .runtime_face import Client, report_creations
from .user import User

_LOOK_SECONDS = 0.4
_ENDS = frozenset({"applied", "failed", "stopped"})


@dataclass(frozen=True, slots=True)
class ProcessScript:
    """What one process is told.

    Attributes:
        folder: Of the run; the data folder is ``data`` in it.
        base_url: The service.
        jobs: What its user asks for, unless it is in the list already.
        life: How it lives.
        wanted: How many jobs there are in the whole run.
        key: Of the service.
        impatient: Whether the product is broken on purpose, see :class:`.runtime_face.Client`.
        most_open: How many jobs its user has under way at the same time; 0 for all of them.
        marks: Whether the preference for markers is on.
    """

    folder: Path
    base_url: str
    jobs: tuple[JobScript, ...]
    life: Life
    wanted: int
    key: str
    impatient: bool = False
    most_open: int = 0
    marks: bool = True


class ClientProcess:
    """Runs in a process of its own. It reads file descriptor ``commands`` and writes ``events``."""

    def __init__(self, script: ProcessScript, commands: int, events: int) -> None:
        self._script = script
        self._commands = commands
        self._events = events
        self._lock = threading.Lock()
        self._kill_points = KillPoints(script.life.kill_point)
        self._stages: dict[str, str] = {}
        self._jumps = list(script.life.jumps)
        self._stopped = False

    def run(self) -> None:
        """Lives."""
        self._kill_points.install()
        report_creations(self._report)
        script = self._script
        client = Client(
            script.folder,
            script.base_url,
            time.sleep,
            key=script.key,
            impatient=script.impatient,
            marks=script.marks,
        )
        began = time.monotonic()
        while True:
            try:
                client.open()
                break
            except Exception as error:  # the disk may be full, or the journal locked: the user tries again
                self._report(unopened=f"{type(error).__name__}: {error}")
                time.sleep(5.0)
                if self._told() == "close":
                    return
        user = User(client, script.base_url, script.key, self._report)
        while True:
            age = time.monotonic() - began
            self._change_clock(age)
            self._ask_for_jobs(client)
            jobs = client.jobs()
            self._stop_jobs(client, jobs, age)
            busy = self._look_at(client, user, jobs)
            if not busy and len(jobs) >= self._script.wanted:
                self._report(done=True)
            command = self._told()
            if command == "close":
                break
            time.sleep(_LOOK_SECONDS)
        for job_id, count in client.brought_in.items():
            if count > 1:
                self._report(twice=job_id)
        client.close()
        self._report(closed=True, threads=[thread.name for thread in threading.enumerate()][1:])

    def _look_at(self, client: Client, user: User, jobs: list[Any]) -> bool:
        """Does what a user and the pump would do now; whether anything is still to come."""
        busy = False
        for job in jobs:
            stage = str(job.stage)
            if self._stages.get(job.id) != stage:
                self._stages[job.id] = stage
                self._report(job=job.id, stage=stage)
            if stage == "ready":
                busy = True
                try:
                    client.bring_in(job, lambda: self._kill_points.passes("claim", after=False))
                except Exception as error:
                    self._report(refused="bring in", error=f"{type(error).__name__}: {error}")
            else:
                busy = user.looks_at(job) or stage not in _ENDS or busy
        return busy

    def _ask_for_jobs(self, client: Client) -> None:
        seen = client.jobs()
        there = Counter(job.name for job in seen)
        most = self._script.most_open
        labels = {job.label for job in self._script.jobs}
        under_way = sum(1 for job in seen if job.name in labels and str(job.stage) not in _ENDS)
        for job in self._script.jobs:
            for _ in range(job.copies - there[job.label]):
                if most and under_way >= most:
                    return
                under_way += 1
                try:
                    plan = make_plan(job.plan, job.label, self._script.folder)
                    self._kill_points.passes("submit", after=False)
                    client.submit(plan)
                    self._kill_points.passes("submit", after=True)
                except Exception as error:  # said to the user, who tries again
                    self._report(refused="submit", error=f"{type(error).__name__}: {error}")

    def _stop_jobs(self, client: Client, jobs: list[Any], age: float) -> None:
        if self._stopped or not self._script.life.stop_after or age < self._script.life.stop_after:
            return
        self._stopped = True
        for job in jobs:
            if "stop" in {str(action) for action in job.actions}:
                self._report(stopped=job.id, stage=str(job.stage))
                with contextlib.suppress(Exception):
                    client.press(job.id, "stop")

    def _change_clock(self, age: float) -> None:
        while self._jumps and age >= self._jumps[0][0]:
            fast_time.jump(self._jumps.pop(0)[1])
            self._report(jumped=True)

    def _told(self) -> str:
        if not select.select([self._commands], [], [], 0)[0]:
            return ""
        words = os.read(self._commands, 200).decode().split()
        if not words or "close" in words:
            return "close"
        if "sample" in words:
            self._report(sample=sample(self._script.folder / "data"))
            return ""
        limit = resource.getrlimit(resource.RLIMIT_FSIZE)
        soft = 0 if words[-1] == "full" else limit[1]
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, limit[1]))
        return ""

    def _report(self, **event: Any) -> None:
        since = round(fast_time.true_now() - fast_time.started_at(), 2)
        line = json.dumps({"t": since, **event}).encode() + b"\n"
        with self._lock:
            os.write(self._events, line)


def live(script: ProcessScript, commands: int, events: int, log: Path | None) -> None:
    """Runs a process; what it logs goes into ``log``."""
    if log is not None:
        log_into(log)
    else:
        logging.disable()
    ClientProcess(script, commands, events).run()


def log_into(file: Path) -> None:
    """Has everything that this process logs written into a file, with the times of the run."""
    form = "%(asctime)s.%(msecs)03d %(process)d %(threadName)s %(name)s %(message)s"
    logging.basicConfig(filename=file, level=logging.DEBUG, format=form, datefmt="%H:%M:%S", force=True)
    logging.raiseExceptions = False  # the disk of the file may be full as well
