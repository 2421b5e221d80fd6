"""The side that asks: start a background Blender on a script, follow its progress, take its answer."""

from __future__ import annotations

import json
import os
import queue
import subprocess
import tempfile
import threading
import time
from collections import deque
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import IO, Any

from .command import BlenderCommand
from .errors import BlenderFailed, BlenderMissing, BlenderStopped, BlenderTimedOut
from .priority import creation_flags, put_behind, thread_variables
from .protocol import PROGRESS_MARK, START, Exchange

_LOG_LINES = 60
_POLL_SECONDS = 0.1  # how often a running child is asked after; also the delay of a stop
_END_SECONDS = 5.0
_USER_SETUP = ("PYTHON", "BLENDER_USER_", "BLENDER_EXTENSION")
"""The child must not read the user's Python set-up, and neither the user's scripts nor extensions may run in it."""

KEPT_MEMORY = {"MALLOC_MMAP_THRESHOLD_": str(1 << 30), "MALLOC_TRIM_THRESHOLD_": str(1 << 36)}
"""Has glibc keep the memory that was given back for what is asked for next. By itself it hands every picture back to
the system and takes it anew, page by page and cleared, which is a fifth of a bake's time.
"""


def run(
    command: BlenderCommand,
    script: Path,
    request: Mapping[str, Any],
    *,
    on_progress: Callable[[float, str], None] | None = None,
    stopped: Callable[[], bool] | None = None,
    timeout: float = 1800.0,
) -> dict[str, Any]:
    """Runs ``script`` in a background Blender and returns its answer.

    The script ends with ``child.main(function)``; the function gets ``request`` and returns the answer. Both are JSON.
    The child ends with this process: it watches its standard input, which closes when this process is gone.

    Args:
        command: The Blender to use.
        script: A Python file.
        request: What the script's function gets.
        on_progress: Called with a fraction from 0 to 1 and a few words, from the calling thread.
        stopped: Asked ten times a second; when it says True the child is ended.
        timeout: Seconds after which the child is ended.

    Raises:
        BlenderMissing: The program could not be started.
        BlenderFailed: The script raised or the program ended without an answer.
        BlenderTimedOut: It took longer than ``timeout``.
        BlenderStopped: ``stopped`` said so.
    """
    child = BlenderProcess(command, script)
    try:
        return child.ask(request, on_progress=on_progress, stopped=stopped, timeout=timeout)
    finally:
        child.end()


class BlenderProcess:
    """A background Blender that was started and waits for a request.

    Attributes:
        waits: Whether it has not been asked yet, or says that it can be asked again.
        asked: How often it was asked.

    Args:
        command: The Blender to use.
        script: A Python file that ends with ``child.main(function)``.

    Raises:
        BlenderMissing: The program could not be started.
    """

    def __init__(self, command: BlenderCommand, script: Path) -> None:
        # Its files are removed as soon as the process has ended, so nothing holds them any more.
        self._folder = tempfile.TemporaryDirectory(prefix="assetgen-", ignore_cleanup_errors=True)
        self._log: deque[str] = deque(maxlen=_LOG_LINES)
        self.waits = True
        self.asked = 0
        try:
            self._process = _start(command, script, Path(self._folder.name))
        except BaseException:
            self._folder.cleanup()
            raise
        self._lines: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        assert self._process.stdout is not None
        threading.Thread(
            target=_read_lines, args=(self._process.stdout, self._lines), daemon=True, name="assetgen-blender-log"
        ).start()

    @property
    def is_alive(self) -> bool:
        """Whether the process still runs."""
        return self._process.poll() is None

    def ask(
        self,
        request: Mapping[str, Any],
        *,
        on_progress: Callable[[float, str], None] | None = None,
        stopped: Callable[[], bool] | None = None,
        timeout: float = 1800.0,
    ) -> dict[str, Any]:
        """Gives the process its request and waits for the answer; see :func:`run`."""
        exchange = Exchange(Path(self._folder.name))
        self.waits = False
        self.asked += 1
        exchange.write(request)
        assert self._process.stdin is not None
        with suppress(OSError):  # it ended already; why is told below
            self._process.stdin.write(START.decode())
            self._process.stdin.flush()
        self._follow(on_progress, stopped, time.monotonic() + timeout)
        answer = exchange.take_answer()
        log = "\n".join(self._log)
        if answer is None:
            code = self._process.returncode
            raise BlenderFailed(f"the background Blender ended with exit code {code} and no answer", log=log)
        if "error" in answer:
            error = answer["error"]
            raise BlenderFailed(error["message"], kind=error["kind"], log=error.get("traceback", "") or log)
        result: dict[str, Any] = answer["result"]
        return result

    def end(self) -> None:
        """Ends the process if it still runs, and removes its files."""
        _end(self._process)
        self._folder.cleanup()

    def _follow(
        self, on_progress: Callable[[float, str], None] | None, stopped: Callable[[], bool] | None, deadline: float
    ) -> None:
        while True:
            if stopped is not None and stopped():
                raise BlenderStopped("stopped")
            if time.monotonic() > deadline:
                raise BlenderTimedOut("the background Blender took too long and was ended")
            try:
                line = self._lines.get(timeout=_POLL_SECONDS)
            except queue.Empty:
                continue
            if line is None:
                self._process.wait()
                return
            if line.startswith(PROGRESS_MARK):
                news = json.loads(line[len(PROGRESS_MARK) :])
                if "waits" in news:
                    self.waits = True
                    return
                if on_progress is not None:
                    on_progress(float(news["progress"]), str(news["message"]))
            else:
                self._log.append(line.rstrip())


def _start(command: BlenderCommand, script: Path, folder: Path) -> subprocess.Popen[str]:
    argv = command.argv(script, str(folder))
    environment = {name: value for name, value in os.environ.items() if not name.startswith(_USER_SETUP)}
    # A user folder of its own: a Blender that goes back to factory settings removes the packages of all extensions
    # from the user's folder (4.2 to 5.2), those of the Blender that waits for it included.
    environment["BLENDER_USER_RESOURCES"] = str(folder / "user")
    # Blender's own temporary folder stays behind when a process leaves by _exit; here it goes with the exchange.
    environment |= dict.fromkeys(("TMPDIR", "TEMP", "TMP"), str(folder))
    environment |= KEPT_MEMORY
    if command.cores:
        environment |= thread_variables(command.cores)
    try:
        process = subprocess.Popen(
            argv,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            encoding="utf-8",
            errors="replace",
            env=environment,
            creationflags=creation_flags(bool(command.cores)),
        )
    except OSError as error:
        raise BlenderMissing(f"could not start {argv[0]}: {error.strerror or error}") from error
    if command.cores:
        # To a Python with bpy it cannot be said how many threads to start, and two Blenders would take twice as many.
        put_behind(process.pid, cores=max(command.cores, command.shared_cores))
    return process


def _read_lines(stream: IO[str], lines: queue.SimpleQueue[str | None]) -> None:
    for line in stream:
        lines.put(line)
    lines.put(None)


def _end(process: subprocess.Popen[str]) -> None:
    if process.poll() is None:
        process.terminate()
        try:
            process.wait(_END_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
    for stream in (process.stdin, process.stdout):
        if stream is not None:
            with suppress(OSError):  # what was still to be written to a process that has ended
                stream.close()
