"""Gives out the suites to those who run them, side by side."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from concurrent.futures import Future
from typing import Any

from .made import Made
from .suite import Suite


class Lanes:
    """The suites that have not started yet, in the order in which they should.

    One that has to wait for what is being made is passed over: who waited for it would leave a core idle.
    """

    def __init__(self, suites: Sequence[Suite], made: Made) -> None:
        self._left = list(suites)
        self._made = made
        self._changed = threading.Condition()
        for each in {each for suite in suites for each in made.needed_by(suite)}:
            each.add_done_callback(self._wake)

    def take(self) -> Suite | None:
        """The first suite that can start, with what it needs; waits for one. None is after the last one."""
        with self._changed:
            while self._left:
                for suite in self._left:
                    if all(each.done() for each in self._made.needed_by(suite)):
                        self._left.remove(suite)
                        return self._made.given_to(suite)
                self._changed.wait()
            return None

    def _wake(self, _: Future[Any]) -> None:
        with self._changed:
            self._changed.notify_all()
