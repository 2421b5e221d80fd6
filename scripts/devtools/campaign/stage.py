"""Where a run takes place: its service, the processes of its users, and what happens to their data folder."""

from __future__ import annotations

import contextlib
import os
import sqlite3
import time
from collections import Counter
from pathlib import Path
from typing import Any

from . import client_process, fast_time, local_service, processes
from .client_process import ProcessScript
from .faults import Life, Scenario
from .processes import SmallDisk
from .scripted.server import serve
from .slot import Slot
from .truth import ask_truth

_LONGEST_SILENCE = 300.0


class Stage:
    """Everything of one run that has to be cleared away.

    Args:
        scenario: What is done and what goes wrong.
        folder: Takes the data folder, ``data``, and the logs.
        clock: Factor, start and day, as :func:`.fast_time.enter` takes them.
        trace: Whether everything is logged.
        impatient: Whether the product is broken on purpose.
        most_open: How many jobs each user has under way at the same time; 0 for all.
        local: Whether the service is the extension's local engine.

    Attributes:
        key: Of the service; of this run only, so that no run can reach the service of another.
        data: The data folder.
        slots: The users.
        happened: What went wrong on purpose, and how often.
        stages: The stages in which jobs were when their process died.
    """

    def __init__(
        self,
        scenario: Scenario,
        folder: Path,
        clock: tuple[float, float, float],
        *,
        trace: bool = False,
        impatient: bool = False,
        most_open: int = 0,
        local: bool = False,
    ) -> None:
        self._scenario = scenario
        self._folder = folder
        self._clock = clock
        self._trace = trace
        self._impatient = impatient
        self._most_open = most_open
        self._local = local
        self._disk: SmallDisk | None = None
        self._service = 0
        self._base_url = ""
        self._lockers: list[int] = []
        self._locks = list(scenario.disk.locked)
        spans = [(begin, begin + length) for begin, length in scenario.disk.full]
        self._fillings = sorted(
            (moment, full) for span in spans for moment, full in zip(span, (True, False), strict=True)
        )
        self.key = f"tsk_{scenario.seed}_{scenario.number}"
        self.data = folder / "data"
        self.data.mkdir(mode=0o700, exist_ok=True)
        self.slots: list[Slot] = []
        self.happened: Counter[str] = Counter()
        self.stages: Counter[str] = Counter()

    def begin(self) -> None:
        """Starts the service; the users begin at the first tick."""
        scenario = self._scenario
        if scenario.disk.full and SmallDisk.is_allowed():
            self._disk = SmallDisk(self.data)
        base_url = self.start_service()
        wanted = sum(job.copies for job in scenario.jobs)
        for number, lives in enumerate((scenario.lives, scenario.second)):
            if not lives:
                continue
            jobs = tuple(job for job in scenario.jobs if job.process == number or not scenario.second)
            script = ProcessScript(
                self._folder,
                base_url,
                jobs,
                Life(),
                wanted,
                self.key,
                impatient=self._impatient,
                most_open=self._most_open,
                marks=scenario.service.marker != "off",
            )
            log = self._folder / f"process-{number}.log"
            self.slots.append(Slot(script, lives, self._clock, log, self._trace))

    def start_service(self) -> str:
        """Starts the service alone; returns its address."""
        readable, writable = os.pipe()
        seed = f"{self._scenario.seed}:{self._scenario.number}:service"

        def work() -> None:
            os.close(readable)
            fast_time.enter(*self._clock)
            if self._trace:
                client_process.log_into(self._folder / "service.log")
            if self._local:
                local_service.serve_local(self._folder / "local_engine", self.key, writable)
            else:
                serve(self._scenario.service, seed, self.key, writable)

        self._service = processes.fork(work, errors=self._folder / "service.errors")
        os.close(writable)
        with os.fdopen(readable) as lines:
            self._base_url = f"http://127.0.0.1:{int(lines.readline())}"
        if self._local:
            local_service.arm(self._base_url, self.key, self._scenario.service)
        return self._base_url

    def now(self) -> float:
        """Seconds since the run began, on its own clock."""
        return (fast_time.real_monotonic() - self._clock[1]) * self._clock[0]

    def tick(self) -> None:
        """Does what is due now."""
        now = self.now()
        for slot in self.slots:
            if slot.tick(now):
                self._note_stages()
        while self._locks and now >= self._locks[0][0]:
            self._lock_journal(self._locks.pop(0)[1])
        while self._fillings and now >= self._fillings[0][0]:
            self._fill_disk(self._fillings.pop(0)[1])
        if not any(slot.is_alive or slot.has_more for slot in self.slots):
            self.slots[0].add(Life(wait=1.0))

    def all_done(self) -> bool:
        """Whether all jobs have ended, as every process sees it that runs."""
        alive = [slot for slot in self.slots if slot.is_alive]
        return not self._fillings and bool(alive) and all(slot.done for slot in alive)

    def end(self) -> tuple[list[dict[str, Any]], dict[str, Any] | None]:
        """Closes all processes; what they reported, and the truth."""
        began = self.now()
        for slot in self.slots:
            slot.close(self.now())
        if self._local:
            local_service.disarm(self._base_url, self.key)
        truth = ask_truth(self._base_url, self.key)
        while truth is None and self.now() < _LONGEST_SILENCE + began:  # nobody may be listening just now
            time.sleep(fast_time.real(1.0) / self._clock[0])
            truth = ask_truth(self._base_url, self.key)
        for slot in self.slots:
            self.happened.update(slot.happened)
        self.happened.update((truth or {}).get("fired", {}))
        return [event for slot in self.slots for event in slot.events], truth

    def deaths(self) -> list[str]:
        """What processes died of that nobody killed, in sentences."""
        found = []
        for number in range(len(self.slots)):
            errors = self._folder / f"process-{number}.errors"
            if errors.is_file() and (text := errors.read_text().strip()):
                found.append(f"a process died of {text.splitlines()[-1]}")
        return [*found, *(["a process did not close"] if self.happened["did not close"] else [])]

    def clear(self) -> None:
        """Ends everything that still runs."""
        for slot in self.slots:
            slot.kill()
        for pid in [*self._lockers, self._service]:
            if pid:
                processes.kill(pid)
        if self._disk is not None:
            self._disk.unmount()

    def _note_stages(self) -> None:
        path = self.data / "journal.sqlite3"
        if not path.is_file():
            self.stages["before the journal"] += 1
            return
        with contextlib.suppress(sqlite3.Error), contextlib.closing(_read_only(path)) as journal:
            self.stages.update(row[0] for row in journal.execute("SELECT stage FROM jobs"))

    def _lock_journal(self, seconds: float) -> None:
        path = self.data / "journal.sqlite3"
        if not path.is_file():
            return

        def work() -> None:
            fast_time.enter(*self._clock)
            connection = sqlite3.connect(path, isolation_level=None, timeout=5.0)
            connection.execute("BEGIN IMMEDIATE")
            time.sleep(seconds)
            connection.execute("ROLLBACK")

        self._lockers.append(processes.fork(work, errors=self._folder / "locker.errors"))
        self.happened["journal locked"] += 1

    def _fill_disk(self, full: bool) -> None:
        if self._disk is None:
            for slot in self.slots:
                slot.tell("full" if full else "room")
        elif full:
            self._disk.fill()
        else:
            self._disk.empty()
        if full:
            self.happened["disk full" if self._disk is not None else "write limit"] += 1


def _read_only(path: Path) -> sqlite3.Connection:
    return sqlite3.connect(f"file:{path}?mode=ro", uri=True, timeout=5.0)
