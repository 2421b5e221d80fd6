"""Processes that are forked from a warm one, and that never outlive it."""

from __future__ import annotations

import contextlib
import ctypes
import json
import os
import signal
import sys
import traceback
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

_PR_SET_PDEATHSIG = 1
_CLONE_NEWNS = 0x00020000
_MS_REC_PRIVATE = (1 << 14) | (1 << 18)


def fork(work: Callable[[], None], *, errors: Path | None = None) -> int:
    """Does ``work`` in a child process and returns its id. What the child says of its errors goes into ``errors``.

    There must be no thread in this process.
    """
    sys.stdout.flush()
    sys.stderr.flush()
    pid = os.fork()
    if pid:
        return pid
    code = 1
    try:
        end_with_parent()
        if errors is not None:
            handle = os.open(errors, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
            os.dup2(handle, 2)
            os.close(handle)
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        work()
        code = 0
    except BaseException:
        traceback.print_exc()
    finally:
        with contextlib.suppress(Exception):
            sys.stderr.flush()
        os._exit(code)


def end_with_parent() -> None:
    """Has the kernel kill this process with its parent, where it can."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)


def kill(pid: int) -> None:
    """Ends a child as ``kill -9`` does, and waits for it."""
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, signal.SIGKILL)
    with contextlib.suppress(ChildProcessError):
        os.waitpid(pid, 0)


def read_lines(handle: int, rest: bytearray) -> Iterator[dict[str, Any]]:
    """The events that a child has written since last time; ``rest`` keeps the line that is not whole yet."""
    with contextlib.suppress(BlockingIOError):
        while piece := os.read(handle, 65536):
            rest += piece
            if len(piece) < 65536:
                break
    *lines, last = bytes(rest).split(b"\n")
    rest[:] = last
    for line in lines:
        yield json.loads(line)


class SmallDisk:
    """Folders of this process that can be full: a file system of their own, where the kernel lets us have one."""

    _is_allowed: bool | None = None

    @classmethod
    def is_allowed(cls) -> bool:
        """Whether there can be one. Asked once; afterwards nobody else sees what this process mounts."""
        if cls._is_allowed is None:
            cls._is_allowed = False
            if sys.platform == "linux":
                libc = ctypes.CDLL(None, use_errno=True)
                cls._is_allowed = (
                    libc.unshare(_CLONE_NEWNS) == 0 and libc.mount(b"none", b"/", None, _MS_REC_PRIVATE, None) == 0
                )
        return cls._is_allowed

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._filler = folder / "filler"
        libc = ctypes.CDLL(None, use_errno=True)
        if libc.mount(b"tmpfs", os.fsencode(folder), b"tmpfs", 0, b"size=4m") != 0:
            raise OSError(ctypes.get_errno(), "no file system could be mounted")

    def fill(self) -> None:
        """Leaves no room."""
        with self._filler.open("ab") as file, contextlib.suppress(OSError):
            while True:
                os.write(file.fileno(), bytes(4096))

    def empty(self) -> None:
        """Makes room again."""
        self._filler.unlink(missing_ok=True)

    def unmount(self) -> None:
        """Takes it away, with all that is in it."""
        ctypes.CDLL(None, use_errno=True).umount2(os.fsencode(self._folder), 2)
