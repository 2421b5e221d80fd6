"""Our own programs, out of a Python that has them loaded already: a short one computes mostly for its imports."""

from __future__ import annotations

import functools
import marshal
import os
import socket
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, AnyStr

from .command import load_in, start_server

_HERE = Path(__file__).parent
_LOADERS = {
    "assetgen.py": "load_command_line.py",
    "ended_batch.py": "load_command_line.py",
    "__main__.py": "load_local_engine.py",
}
"""A program's file → what loads it."""
_PACKAGES = ("asset_generation", "load_extension", "_assetgen_vendor")
_MOST_BYTES = 100


class ForkedProgram(subprocess.Popen[AnyStr]):
    """A ``Popen`` of one of our programs, which is forked where that is possible.

    Number, pipes, signals and exit code are those of the process itself. What it shares with others like it is what
    Python settles while it starts, so tests of that use the plain command.

    Args:
        program: Its file.
        arguments: What it is given.
        options: As of ``Popen``: pipes or files, ``env``, ``cwd``, ``text``.
    """

    def __init__(self, program: Path, *arguments: str, **options: Any) -> None:
        address = _server_with(program)
        self._server = None if address is None else socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        if self._server is not None:
            self._server.connect(address)
        super().__init__([sys.executable, str(program), *arguments], **options)

    def _execute_child(self, args: Sequence[str], *rest: Any) -> None:
        """Has the process forked; ``rest`` is what ``Popen`` hands to each of its ways to start one."""
        if self._server is None:
            super()._execute_child(args, *rest)  # type: ignore[misc]
            return
        (_, _, _, _, folder, environment, _, _, _), ends = rest[:9], rest[9:15]
        request = {
            "arguments": list(args[1:]),
            "environment": dict(os.environ if environment is None else environment),
            "folder": str(folder or Path.cwd()),
            "niceness": os.nice(0),
            "cores": sorted(os.sched_getaffinity(0)),
        }
        standard = (ends[0], ends[3], ends[5])  # what the process reads, writes and complains to; -1 is our own
        files = [number if file == -1 else file for number, file in enumerate(standard)]
        socket.send_fds(self._server, [marshal.dumps(request)], files)
        self.pid = int(self._server.recv(_MOST_BYTES))
        self._child_created = True
        self._close_pipe_fds(*ends)  # type: ignore[attr-defined]

    def _internal_poll(self, *rest: Any, **named: Any) -> int | None:
        if self._server is None:
            return super()._internal_poll(*rest, **named)  # type: ignore[misc, no-any-return]
        return self._told(0.0)

    def _wait(self, timeout: float | None) -> int:
        if self._server is None:
            return super()._wait(timeout)  # type: ignore[misc, no-any-return]
        code = self._told(timeout)
        if code is None:
            assert timeout is not None
            raise subprocess.TimeoutExpired(self.args, timeout)
        return code

    def _told(self, timeout: float | None) -> int | None:
        """The exit code, once the server has told it; None is after so many seconds."""
        if self.returncode is None and self._server is not None:
            self._server.settimeout(timeout)
            try:
                self.returncode = int(self._server.recv(_MOST_BYTES) or 1)
            except (BlockingIOError, TimeoutError):
                return None
            self._server.close()
        return self.returncode


def run_program(
    program: Path, *arguments: str, timeout: float = 60.0, **options: Any
) -> subprocess.CompletedProcess[str]:
    """What ``subprocess.run`` would say of one of our programs, with the texts that it wrote."""
    pipes = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with ForkedProgram[str](program, *arguments, text=True, **pipes | options) as process:
        try:
            output, errors = process.communicate(timeout=timeout)
        finally:
            process.kill()
    return subprocess.CompletedProcess(process.args, process.returncode, output, errors)


@functools.cache
def _server_with(program: Path) -> str | None:
    address = _server()
    if address is not None:
        load_in(address, _HERE / _LOADERS[program.name], _PACKAGES, (program,))
    return address


@functools.cache
def _server() -> str | None:
    return start_server(environment=os.environ)
