"""What probes in a window share: a script in steps that Blender's timer goes through, and the timer of 1 ms beside it.

For scripts that are started as ``blender --python PROBE.py -- FOLDER ...`` and write ``FOLDER/figures.json``.
"""

from __future__ import annotations

import json
import time
import traceback
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import bpy

INTERVAL = 0.001
LONG = 0.01
"""From so many seconds on a gap is noted by itself."""

Steps = Iterator[float]
"""What a probe does; it yields the seconds until it wants to go on."""


class Tick(NamedTuple):
    """A call of the timer: when, how long after the one before, and how much of that this thread worked (seconds)."""

    at: float
    gap: float
    own: float


class Watch:
    """The timer that runs through everything."""

    def __init__(self) -> None:
        self.ticks: list[Tick] = []
        self._last = (time.perf_counter(), time.thread_time())
        self._timer = self.tick  # a bound method is a new one each time it is asked for

    def begin(self) -> None:
        """Has Blender call it from now on."""
        self._last = (time.perf_counter(), time.thread_time())
        bpy.app.timers.register(self._timer)

    def end(self) -> None:
        """Has Blender call it no more: a timer that is left at the end keeps it from ending."""
        if bpy.app.timers.is_registered(self._timer):
            bpy.app.timers.unregister(self._timer)

    def tick(self) -> float:
        """Notes the time since the last call."""
        now, own = time.perf_counter(), time.thread_time()
        self.ticks.append(Tick(now, now - self._last[0], own - self._last[1]))
        self._last = (now, own)
        return INTERVAL

    def between(self, since: float, until: float) -> dict[str, Any]:
        """What a phase was like, in ms: longest gap, the work of this thread in the busiest one, and the percentile.

        ``gaps`` are beginning and end of the long ones, in seconds of `time.perf_counter`.
        """
        ticks = [tick for tick in self.ticks if tick.at >= since and tick.at - tick.gap < until]
        gaps = sorted(tick.gap for tick in ticks)
        if not gaps:
            return {"gaps": []}
        return {
            "gaps": [(tick.at - tick.gap, tick.at) for tick in ticks if tick.gap >= min(LONG, gaps[-1])],
            "longest": gaps[-1] * 1000,
            "own": max(tick.own for tick in ticks) * 1000,
            "p999": gaps[min(len(gaps) - 1, int(len(gaps) * 0.999))] * 1000,
            "ticks": len(gaps),
            "seconds": until - since,
        }


def wait_for(words: str, condition: Callable[[], Any], seconds: float, facts: Callable[[], Any] | None = None) -> Steps:
    """Goes on when something is so; after as many seconds as that the probe fails with the words and the facts."""
    until = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > until:
            raise AssertionError(f"waited in vain for {words}{f': {facts()}' if facts else ''}")
        yield 0.05


def redraw() -> None:
    """Has everything be drawn anew."""
    for window in bpy.context.window_manager.windows:
        for area in window.screen.areas:
            area.tag_redraw()


def play(
    steps: Steps, notes: dict[str, Any], folder: Path, seconds: float, last: Callable[[], Mapping[str, Any]] = dict
) -> None:
    """Goes through the steps, writes the notes and ends Blender, also when a step fails or all take too long.

    Blender saves by itself every two minutes, which takes it as long as the scene is large. Here it does not: which
    phase that falls into is chance (docs/platform.md).

    Args:
        steps: What there is to do.
        notes: What was seen; ``ended`` or ``error`` is added.
        folder: Where ``figures.json`` goes.
        seconds: The longest that all of it may take.
        last: Called in the end, for what ends with the probe; what it returns is added to the notes.
    """
    until = time.monotonic() + seconds
    bpy.context.preferences.filepaths.use_auto_save_temporary_files = False

    def go_on() -> float | None:
        try:
            if time.monotonic() > until:
                raise AssertionError(f"it took longer than {seconds:.0f} s")
            with bpy.context.temp_override(window=bpy.context.window_manager.windows[0]):
                return next(steps)
        except StopIteration:
            notes["ended"] = True
        except BaseException:
            notes["error"] = traceback.format_exc()
        notes.update(last())
        (folder / "figures.json").write_text(json.dumps(notes, indent=1, default=str))
        bpy.app.timers.register(lambda: bpy.ops.wm.quit_blender() and None, first_interval=0.1)
        return None

    bpy.app.timers.register(go_on, first_interval=1.0)
