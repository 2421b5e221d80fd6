"""What the host of a virtual machine takes of its processors while something is measured in it.

A watcher on each processor sleeps for a moment at a time and notes when it woke up late. It has real-time priority:
nothing that runs inside the machine comes before it, so the host had given the processor to somebody else. (What the
kernel counts as *steal* in ``/proc/stat`` is the same within a tenth, but has steps of 10 ms and no times.)
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path

_WATCHER = Path(__file__).parent / "probes" / "processor_watch.py"
_END_SECONDS = 10.0

Interval = tuple[float, float]
"""Beginning and end, in seconds of `time.perf_counter`, which all processes of a Linux machine share."""


class HostWatch:
    """Watchers on all processors, from when it is made until it is closed.

    Without Linux, or where real-time priority is not allowed, there are none: then nothing is known to be the host's.
    """

    def __init__(self) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="assetgen-bench-")
        self._watchers: list[subprocess.Popen[bytes]] = []
        if sys.platform == "linux":
            for processor in sorted(os.sched_getaffinity(0)):
                command = [sys.executable, str(_WATCHER), str(processor), str(self._file(processor))]
                self._watchers.append(subprocess.Popen(command, stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL))

    def _file(self, processor: int) -> Path:
        return Path(self._folder.name) / f"{processor}.txt"

    def taken(self) -> list[Interval]:
        """When a processor was taken away so far."""
        found: list[Interval] = []
        for file in Path(self._folder.name).glob("*.txt"):
            lines = file.read_text(encoding="ascii").split("\n")[:-1]  # the last one may be half written
            found += [(float(begin), float(end)) for begin, end in (line.split() for line in lines)]
        return found

    def close(self) -> None:
        """Ends the watchers."""
        for watcher in self._watchers:
            watcher.kill()
        for watcher in self._watchers:
            watcher.wait(_END_SECONDS)
        self._folder.cleanup()


def seconds_taken(taken: Iterable[Interval], begin: float, end: float) -> float:
    """For how long any processor was taken away between two times; counts once where several were."""
    total, until = 0.0, begin
    for since, to in sorted(taken):
        since, to = max(since, until), min(to, end)
        if to > since:
            total, until = total + to - since, to
    return total


def longest_undisturbed(gaps: Sequence[Interval], taken: Sequence[Interval]) -> float:
    """The longest of some gaps, in seconds, without what the host took of each."""
    return max((end - begin - seconds_taken(taken, begin, end) for begin, end in gaps), default=0.0)
