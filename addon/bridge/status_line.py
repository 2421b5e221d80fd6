"""What the status bar says of jobs while some of them run: how many, how far they are, or what a result waits for."""

from __future__ import annotations

from typing import NamedTuple

import bpy

from ..core.jobs.job import JobView
from . import idle
from .arrivals import arrivals
from .callbacks import callbacks
from .redraw import redraw_status_bar
from .state import state
from .titles import shorten


class StatusLine(NamedTuple):
    """What is shown; ``fraction`` is how far the jobs are, 0 to 1, and below 0 where none of them runs."""

    words: str = ""
    fraction: float = -1.0


class StatusBar:
    """The part of the status bar that is ours. For the main thread only.

    Attributes:
        line: What it shows now. What draws it is in the status bar while there is something to show.
    """

    def __init__(self) -> None:
        self.line = StatusLine()

    def follow(self) -> None:
        """Has the status bar show what there is to show now; it is drawn again only where that has changed."""
        line = _line()
        draw = callbacks.draw_status
        if line == self.line or bpy.app.background or draw is None:
            return
        if bool(line.words) is not bool(self.line.words):
            header = bpy.types.STATUSBAR_HT_header
            (header.append if line.words else header.remove)(draw)
        self.line = line
        redraw_status_bar()

    def clear(self) -> None:
        """Takes it out of the status bar."""
        if self.line.words and callbacks.draw_status is not None:
            bpy.types.STATUSBAR_HT_header.remove(callbacks.draw_status)
        self.line = StatusLine()


def _line() -> StatusLine:
    running = state.running()
    if running:
        fraction = sum(job.progress for job in running) / len(running)
        name = shorten(running[0].name) if len(running) == 1 else f"{len(running)} jobs"
        return StatusLine(f"{name}, {fraction:.0%}", round(fraction, 2))
    waiting = [job for job in state.ready() if not job.answer and arrivals.will_apply(job)]
    reason = idle.busy_reason() if waiting else ""
    return StatusLine(f"{_count(waiting)}: {reason[:1].lower()}{reason[1:]}") if reason else StatusLine()


def _count(jobs: list[JobView]) -> str:
    return shorten(jobs[0].name) if len(jobs) == 1 else f"{len(jobs)} results"


status_bar = StatusBar()
