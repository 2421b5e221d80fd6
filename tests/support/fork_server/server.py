"""Forks a process for every script that is to run with what is loaded here once.

Started as ``python server.py ADDRESS [MODULE]``; prints a line when it listens, and ends with its standard input. The
module, which lies beside this file, has ``load()`` for the start, and ``begin()`` for each process that is forked. What
a script begins with is loaded too, once that is asked for. A forked process has none of the threads that were there
before, so there must be none: on one core, numerical libraries make none.
"""

from __future__ import annotations

import gc
import importlib
import marshal
import os
import random
import runpy
import selectors
import signal
import socket
import sys
import tempfile
import traceback
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from types import ModuleType
from typing import Any, NoReturn

_MOST_BYTES = 1 << 20


class Server:
    """Starts a process for each connection, tells its number and its exit code, and kills it when the other side hangs
    up.

    Args:
        listener: Where who wants a process connects.
        begin: What each forked process does before its script.
    """

    def __init__(self, listener: socket.socket, begin: Callable[[], object]) -> None:
        self._begin = begin
        self._selector = selectors.DefaultSelector()
        self._selector.register(listener, selectors.EVENT_READ, self._accept)
        self._selector.register(sys.stdin, selectors.EVENT_READ, self._end)
        self._listener = listener
        self._running: dict[socket.socket, int] = {}
        self._loaded: dict[str, dict[str, ModuleType]] = {}
        """Script → the modules that are there already when it begins."""

    def serve(self) -> NoReturn:
        """Goes on until standard input is closed."""
        while True:
            for key, _ in self._selector.select():
                key.data()

    def _accept(self) -> None:
        connection, _ = self._listener.accept()
        message, files, *_ = socket.recv_fds(connection, _MOST_BYTES, 3)
        if not message:  # the client was killed before it asked
            connection.close()
            return
        request = marshal.loads(message)
        if "loader" in request:
            try:
                self._load(**request)
                connection.send(b"0")
            except Exception:
                traceback.print_exc()
            connection.close()
            return
        pid = os.fork()
        if pid == 0:
            # What is ours: a child that held a connection would hide the end of another one.
            for key in list(self._selector.get_map().values()):
                if key.fileobj is not sys.stdin:
                    os.close(key.fd)
            os.close(connection.detach())
            sys.modules.update(self._loaded.get(request["arguments"][0], {}))
            _become(request, files, self._begin)
        with suppress(OSError):  # who asked was killed, which is seen below
            connection.send(str(pid).encode())
        for file in files:
            os.close(file)
        self._running[connection] = pid
        end = os.pidfd_open(pid)
        self._selector.register(end, selectors.EVENT_READ, lambda: self._tell(connection, end))
        self._selector.register(connection, selectors.EVENT_READ, lambda: self._kill(connection))

    def _load(self, loader: str, packages: list[str], scripts: list[str]) -> None:
        """Runs a file that loads packages, and keeps their modules for these scripts: others find none of them."""
        path, threads = sys.path[:], _threads()
        runpy.run_path(loader, run_name="__main__")
        sys.path[:] = path
        if _threads() != threads:
            raise RuntimeError(f"{loader} started a thread, which a forked process would not have")
        names = [name for name in sys.modules if name.partition(".")[0] in packages]
        modules = {name: sys.modules.pop(name) for name in names}
        self._loaded |= {script: modules for script in scripts}
        gc.freeze()

    def _tell(self, connection: socket.socket, end: int) -> None:
        self._selector.unregister(end)
        os.close(end)
        _, status = os.waitpid(self._running.pop(connection), 0)
        if connection in self._selector.get_map():
            self._selector.unregister(connection)
            connection.send(str(os.waitstatus_to_exitcode(status)).encode())
        connection.close()

    def _kill(self, connection: socket.socket) -> None:
        self._selector.unregister(connection)
        os.kill(self._running[connection], signal.SIGKILL)

    def _end(self) -> None:
        for pid in self._running.values():
            os.kill(pid, signal.SIGKILL)
        os._exit(0)


def _threads() -> set[str]:
    return {task.name for task in Path("/proc/self/task").iterdir()}


def _become(request: dict[str, Any], files: list[int], begin: Callable[[], object]) -> NoReturn:
    """Runs the script as if this process had been started for it."""
    code = 1
    try:
        for number, file in enumerate(files):
            os.dup2(file, number)
            os.close(file)
        os.sched_setaffinity(0, request["cores"])
        os.nice(max(0, request["niceness"] - os.nice(0)))
        os.environ.clear()
        os.environ.update(request["environment"])
        os.chdir(request["folder"])
        tempfile.tempdir = None
        random.seed()
        begin()
        script = request["arguments"][0]
        sys.argv = request["arguments"]
        sys.path[0] = str(Path(script).parent)
        runpy.run_path(script, run_name="__main__")
        code = 0
    except SystemExit as ending:
        code = ending.code if isinstance(ending.code, int) else int(ending.code is not None)
    except BaseException:
        traceback.print_exc()
    finally:
        for stream in (sys.stdout, sys.stderr):
            with suppress(OSError):  # nobody reads it any more
                stream.flush()
        os._exit(code)


if __name__ == "__main__":
    # Before anything counts the cores to make threads for them.
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    beginning: Callable[[], object] = bool
    if len(sys.argv) > 2:
        kind = importlib.import_module(sys.argv[2])
        kind.load()
        beginning = kind.begin
    # What is there at the start is never garbage, and a process that looks at it has to copy the memory that it is in.
    gc.freeze()
    with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as listening:
        listening.bind(sys.argv[1])
        listening.listen(16)
        print("ready", flush=True)
        Server(listening, beginning).serve()
