"""Gives out the suites to those who run them, side by side."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from concurrent.futures import Future
from typing import Any

from .made import Made
from .suite import Suite

_MOSTLY_WAITING = ("gui", "service")
"""The kinds of suites that leave most of a core to others."""


class Lanes:
    """The suites that have not started yet, in the order in which they should.

    One that has to wait for what is being made is passed over: who waited for it would leave a core idle. So is one
    that mostly waits until one that computes runs for each core, and then one that computes.

    Args:
        suites: In their order.
        made: What they need.
        cores: How many there are.
    """

    def __init__(self, suites: Sequence[Suite], made: Made, cores: int) -> None:
        self._left = list(suites)
        self._running: list[Suite] = []
        self._made = made
        self._cores = cores
        self._changed = threading.Condition()
        for each in {each for suite in suites for each in made.needed_by(suite)}:
            each.add_done_callback(self._wake)

    def take(self, ended: Suite | None = None) -> Suite | None:
        """The next suite that can start, with what it needs; waits for one. None is after the last one.

        Args:
            ended: What was taken before and has ended.
        """
        with self._changed:
            if ended is not None:
                self._running.remove(ended)
            while self._left:
                ready = [suite for suite in self._left if all(each.done() for each in self._made.needed_by(suite))]
                if ready:
                    wanted = self._cores_are_taken()
                    chosen = next((suite for suite in ready if _waits(suite) == wanted), ready[0])
                    self._left.remove(chosen)
                    given = self._made.given_to(chosen)
                    self._running.append(given)
                    return given
                self._changed.wait()
            return None

    def _cores_are_taken(self) -> bool:
        return sum(not _waits(suite) for suite in self._running) >= self._cores

    def _wake(self, _: Future[Any]) -> None:
        with self._changed:
            self._changed.notify_all()


def _waits(suite: Suite) -> bool:
    return suite.kind in _MOSTLY_WAITING
