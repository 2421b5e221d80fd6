"""Keeps a process in the background: behind the programs that somebody works with, and on some of the cores only."""

from __future__ import annotations

import os
import subprocess
import sys
from contextlib import suppress

_NICENESS = 15
_THREAD_VARIABLES = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "VECLIB_MAXIMUM_THREADS")
"""With these the libraries of numpy and of Blender are told how many threads to start."""


def creation_flags(behind: bool) -> int:
    """What a process is created with on Windows: no console, and a lower priority; 0 elsewhere."""
    flags = getattr(subprocess, "CREATE_NO_WINDOW", 0)
    return flags | getattr(subprocess, "BELOW_NORMAL_PRIORITY_CLASS", 0) if behind else flags


def thread_variables(cores: int) -> dict[str, str]:
    """Environment variables for a process that may take so many cores."""
    return dict.fromkeys(_THREAD_VARIABLES, str(cores))


def put_behind(pid: int, *, cores: int = 0) -> None:
    """Lowers the priority of a process that was just started, before it has threads: they inherit it.

    On Linux all such processes of a user's Blender run on the same cores, however many of them there are: each may have
    as many threads as there are cores, and together they take no more.

    Args:
        pid: The process, one of ours.
        cores: How many cores all of them may take; 0 for no such limit.
    """
    with suppress(OSError):  # it has ended already
        if hasattr(os, "setpriority"):
            os.setpriority(os.PRIO_PROCESS, pid, _NICENESS)
        if sys.platform == "linux":
            # Its threads wait for their turn when they wake up, instead of taking the core from whom has it.
            os.sched_setscheduler(pid, os.SCHED_BATCH, os.sched_param(0))
            if cores:
                # The last ones: not where most programs begin. What it starts itself runs there as well.
                os.sched_setaffinity(pid, sorted(os.sched_getaffinity(0))[-cores:])
