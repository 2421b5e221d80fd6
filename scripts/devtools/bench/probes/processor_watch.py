"""Stays on one processor with real-time priority and notes when it wakes up late, until its parent ends it or is gone.

Started as ``python processor_watch.py PROCESSOR FILE``. A line of the file has the beginning and the end of a time in
which the processor did not run it, in seconds of `time.perf_counter`. Ends with an error where the priority is not
allowed.
"""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

_SLEEP_SECONDS = 0.002
_LATE_SECONDS = 0.003
"""Longer than the kernel itself keeps a processor to itself; a host's turns are some 10 ms."""


def _watch(file: Path) -> None:
    parent = os.getppid()
    with file.open("w", encoding="ascii", buffering=1) as notes:
        last = time.perf_counter()
        while os.getppid() == parent:
            time.sleep(_SLEEP_SECONDS)
            now = time.perf_counter()
            if now - last > _SLEEP_SECONDS + _LATE_SECONDS:
                notes.write(f"{last + _SLEEP_SECONDS} {now}\n")
            last = now


if __name__ == "__main__":
    os.sched_setaffinity(0, {int(sys.argv[1])})
    os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1))
    _watch(Path(sys.argv[2]))
