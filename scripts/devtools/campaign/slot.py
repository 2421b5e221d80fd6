"""A user's Blender in a run: one life after the other, until the run is over."""

from __future__ import annotations

import os
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

from . import client_process, fast_time, processes
from .client_process import ProcessScript
from .faults import Life

_CLOSES_WITHIN = 10.0
"""Seconds outside."""


class Slot:
    """Starts, watches and ends the processes of one user.

    Args:
        script: What each process is told, but for its life.
        lives: One after the other.
        clock: Factor, start and day, as :func:`.fast_time.enter` takes them.
        log: Where they log, and where their errors go.
        trace: Whether they log.
    """

    def __init__(
        self, script: ProcessScript, lives: tuple[Life, ...], clock: tuple[float, float, float], log: Path, trace: bool
    ) -> None:
        self._script = script
        self._lives = list(lives)
        self._clock = clock
        self._log = log
        self._trace = trace
        self._pid = 0
        self._life = Life()
        self._begun = 0.0
        self._next_start = 0.0
        self._commands = self._events = -1
        self._rest = bytearray()
        self.events: list[dict[str, Any]] = []
        self.done = False
        self.happened: Counter[str] = Counter()

    @property
    def is_alive(self) -> bool:
        """Whether a process runs."""
        return self._pid != 0

    @property
    def has_more(self) -> bool:
        """Whether there are lives to come."""
        return bool(self._lives)

    @property
    def handle(self) -> int:
        """Where news comes from."""
        return self._events

    def add(self, life: Life) -> None:
        """Another life at the end."""
        self._lives.append(life)

    def tick(self, now: float) -> bool:
        """Does what is due at ``now``, on the run's clock; whether the process was killed."""
        if not self._pid:
            if self._lives and now >= self._next_start + self._lives[0].wait:
                self._start(self._lives.pop(0), now)
            return False
        self._read()
        if os.waitpid(self._pid, os.WNOHANG)[0]:
            self._ended(now, "killed itself" if self._life.kill_point else "died")
            return True
        age = now - self._begun
        if self._life.killed_after and age >= self._life.killed_after:
            processes.kill(self._pid)
            self._ended(now, "killed")
            return True
        elif self._life.closed_after and age >= self._life.closed_after:
            self.close(now, "closed")
        return False

    def kill(self) -> None:
        """Ends the process, if there is one, without a word."""
        if self._pid:
            processes.kill(self._pid)
            self._ended(0.0, "")

    def tell(self, command: str) -> None:
        """Tells the process something."""
        if self._pid:
            os.write(self._commands, f"{command}\n".encode())

    def close(self, now: float, how: str = "") -> None:
        """Closes the process as Blender closes, and kills it when it does not end."""
        if not self._pid:
            return
        self.tell("close")
        deadline = fast_time.real_monotonic() + _CLOSES_WITHIN
        while not os.waitpid(self._pid, os.WNOHANG)[0]:
            if fast_time.real_monotonic() > deadline:
                processes.kill(self._pid)
                how = "did not close"
                break
            fast_time._real_sleep(0.002)
            self._read()
        self._ended(now, how)

    def _start(self, life: Life, now: float) -> None:
        commands, self._commands = os.pipe()
        self._events, events = os.pipe()
        os.set_blocking(self._events, False)
        script = replace(self._script, life=life)
        log = self._log if self._trace else None
        ours = (self._commands, self._events)

        def work() -> None:
            for handle in ours:
                os.close(handle)
            fast_time.enter(*self._clock)
            client_process.live(script, commands, events, log)

        self._pid = processes.fork(work, errors=self._log.with_suffix(".errors"))
        os.close(commands)
        os.close(events)
        self._life, self._begun, self.done = life, now, False

    def _read(self) -> None:
        for event in processes.read_lines(self._events, self._rest):
            if "done" in event:
                self.done = True
                continue
            if event.get("stage") not in (None, "applied", "failed", "stopped"):
                self.done = False
            self.events.append(event)

    def _ended(self, now: float, how: str) -> None:
        self._read()
        os.close(self._commands)
        os.close(self._events)
        self._pid, self._next_start, self._rest = 0, now, bytearray()
        if how:
            self.happened[how] += 1
