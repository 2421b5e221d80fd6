"""One run: a service, one or two users with their processes, what happens to the disk, and the verdict at the end."""

from __future__ import annotations

import contextlib
import os
import select
import shutil
import sqlite3
import tempfile
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from . import client_process, fast_time, processes
from .client_process import ProcessScript
from .faults import Life, Scenario
from .judge import Verdict, judge
from .processes import SmallDisk
from .scripted.server import serve
from .slot import Slot
from .user import ask_truth

DAY = 1_800_000_000.0
"""The time of day at which every run begins."""

_LONGEST = 3000.0
_LOOK = 0.5
"""Seconds of the run's clock: how long a run may take, and how often it is looked at."""


@dataclass(slots=True)
class Outcome:
    """What became of a run.

    Attributes:
        verdict: Of the judge.
        happened: What went wrong on purpose, and how often.
        stages: The stages in which jobs were when their process died.
        events: What the processes reported.
        seconds: How long it took, outside.
        run_seconds: How long it took on its own clock.
    """

    verdict: Verdict
    happened: Counter[str] = field(default_factory=Counter)
    stages: Counter[str] = field(default_factory=Counter)
    events: list[dict[str, Any]] = field(default_factory=list)
    seconds: float = 0.0
    run_seconds: float = 0.0


def run(scenario: Scenario, factor: float, *, trace: Path | None = None, impatient: bool = False) -> Outcome:
    """Plays a scenario.

    Args:
        scenario: What is done and what goes wrong.
        factor: How many times as fast as outside its time passes.
        trace: A folder in which everything is kept; a temporary one that is removed when left out.
        impatient: Whether the product is broken on purpose, to see that the judge notices.
    """
    base = Path("/dev/shm") if Path("/dev/shm").is_dir() else None
    folder = trace or Path(tempfile.mkdtemp(prefix="assetgen-campaign-", dir=base))
    folder.mkdir(parents=True, exist_ok=True)
    began = fast_time.real_monotonic()
    stage = _Stage(scenario, folder, (factor, began, DAY), trace is not None, impatient)
    try:
        outcome = stage.play()
    finally:
        stage.clear()
        if trace is None:
            shutil.rmtree(folder, ignore_errors=True)
    outcome.seconds = fast_time.real_monotonic() - began
    outcome.run_seconds = outcome.seconds * factor
    return outcome


class _Stage:
    """Everything of one run that has to be cleared away."""

    def __init__(
        self, scenario: Scenario, folder: Path, clock: tuple[float, float, float], trace: bool, impatient: bool
    ) -> None:
        self._scenario = scenario
        self._folder = folder
        self._clock = clock
        self._trace = trace
        self._impatient = impatient
        self._data = folder / "data"
        self._data.mkdir(mode=0o700, exist_ok=True)
        self._key = f"tsk_{scenario.seed}_{scenario.number}"  # so that no run can reach the service of another
        self._disk: SmallDisk | None = None
        self._service = 0
        self._lockers: list[int] = []
        self._slots: list[Slot] = []
        self._happened: Counter[str] = Counter()
        self._stages: Counter[str] = Counter()

    def play(self) -> Outcome:
        scenario = self._scenario
        if scenario.disk.full and SmallDisk.is_allowed():
            self._disk = SmallDisk(self._data)
        base_url = f"http://127.0.0.1:{self._start_service()}"
        wanted = sum(job.copies for job in scenario.jobs)
        for number, lives in enumerate((scenario.lives, scenario.second)):
            if lives:
                jobs = tuple(job for job in scenario.jobs if job.process == number or not scenario.second)
                script = ProcessScript(self._folder, base_url, jobs, Life(), wanted, self._key, self._impatient)
                log = self._folder / f"process-{number}.log"
                self._slots.append(Slot(script, lives, self._clock, log, self._trace))
        ended = self._watch()
        for slot in self._slots:
            slot.close(self._now())
        truth = ask_truth(base_url)
        events = [event for slot in self._slots for event in slot.events]
        for slot in self._slots:
            self._happened.update(slot.happened)
        self._happened.update((truth or {}).get("fired", {}))
        verdict = judge(scenario, truth, events, self._data, ended=ended)
        for number in range(2):
            errors = self._folder / f"process-{number}.errors"
            if errors.is_file() and (text := errors.read_text().strip()):
                verdict.troubles.append(f"a process died of {text.splitlines()[-1]}")
        if self._happened["did not close"]:
            verdict.troubles.append("a process did not close")
        return Outcome(verdict, self._happened, self._stages, events)

    def clear(self) -> None:
        for slot in self._slots:
            if slot.is_alive:
                processes.kill(slot._pid)
        for pid in [*self._lockers, self._service]:
            if pid:
                processes.kill(pid)
        if self._disk is not None:
            self._disk.unmount()

    def _now(self) -> float:
        return (fast_time.real_monotonic() - self._clock[1]) * self._clock[0]

    def _start_service(self) -> int:
        readable, writable = os.pipe()

        def work() -> None:
            os.close(readable)
            fast_time.enter(*self._clock)
            if self._trace:
                client_process.log_into(self._folder / "service.log")
            serve(self._scenario.service, f"{self._scenario.seed}:{self._scenario.number}:service", self._key, writable)

        self._service = processes.fork(work, errors=self._folder / "service.errors")
        os.close(writable)
        with os.fdopen(readable) as lines:
            return int(lines.readline())

    def _watch(self) -> bool:
        """Lets the run go on until all jobs have ended; whether they did."""
        scenario = self._scenario
        locks = list(scenario.disk.locked)
        fulls = [(begin, True) for begin, _ in scenario.disk.full]
        fulls += [(begin + length, False) for begin, length in scenario.disk.full]
        fulls.sort()
        while self._now() < _LONGEST:
            now = self._now()
            for slot in self._slots:
                died = slot.happened["killed"] + slot.happened["killed itself"]
                slot.tick(now)
                if slot.happened["killed"] + slot.happened["killed itself"] > died:
                    self._note_stages()
            while locks and now >= locks[0][0]:
                self._lock_journal(locks.pop(0)[1])
            while fulls and now >= fulls[0][0]:
                self._fill_disk(fulls.pop(0)[1])
            if not any(slot.is_alive or slot.has_more for slot in self._slots):
                self._slots[0].add(Life(wait=1.0))
            if not fulls and self._all_done():
                return True
            handles = [slot.handle for slot in self._slots if slot.is_alive]
            select.select(handles, [], [], _LOOK / self._clock[0])
        return False

    def _all_done(self) -> bool:
        """Whether one process sees all jobs at rest, and no other that runs sees it otherwise."""
        alive = [slot for slot in self._slots if slot.is_alive]
        return bool(alive) and all(slot.done for slot in alive)

    def _note_stages(self) -> None:
        path = self._data / "journal.sqlite3"
        if not path.is_file():
            self._stages["before the journal"] += 1
            return
        with contextlib.suppress(sqlite3.Error), contextlib.closing(_read_only(path)) as journal:
            self._stages.update(row[0] for row in journal.execute("SELECT stage FROM jobs"))

    def _lock_journal(self, seconds: float) -> None:
        path = self._data / "journal.sqlite3"
        if not path.is_file():
            return

        def work() -> None:
            fast_time.enter(*self._clock)
            connection = sqlite3.connect(path, isolation_level=None, timeout=5.0)
            connection.execute("BEGIN IMMEDIATE")
            time.sleep(seconds)
            connection.execute("ROLLBACK")

        self._lockers.append(processes.fork(work, errors=self._folder / "locker.errors"))
        self._happened["journal locked"] += 1

    def _fill_disk(self, full: bool) -> None:
        if self._disk is None:
            for slot in self._slots:
                slot.tell("full" if full else "room")
        elif full:
            self._disk.fill()
        else:
            self._disk.empty()
        if full:
            self._happened["disk full" if self._disk is not None else "write limit"] += 1


def _read_only(path: Path) -> sqlite3.Connection:
    return sqlite3.connect(f"file:{path}?mode=ro", uri=True, timeout=5.0)
