"""Whether processes that others have started are still there."""

from __future__ import annotations

import os
from pathlib import Path

_PROCESSES = Path("/proc")


def is_running(pid: int) -> bool:
    """Whether a process has not ended. Not for Windows, where signal 0 would end it.

    One whose parent was killed stays listed until the first process of the machine has asked after it: on some machines
    that takes seconds, on others it never happens.
    """
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    if not _PROCESSES.joinpath("self/stat").exists():
        return True
    try:
        status = _PROCESSES.joinpath(str(pid), "stat").read_bytes()
    except (FileNotFoundError, ProcessLookupError):  # it has ended meanwhile
        return False
    return status.rpartition(b")")[2].split()[0] != b"Z"  # the name before it is in brackets and may hold anything
