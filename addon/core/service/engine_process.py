"""The extension's own local engine: a child process that is started when it is first needed and ends with us."""

from __future__ import annotations

import contextlib
import importlib.util
import json
import os
import queue
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from ....vendor.background_blender import BlenderCommand
from ....vendor.background_blender.priority import creation_flags, put_behind
from ..errors import EngineTrouble
from ..paths import make_private

PROGRAM = Path(__file__).resolve().parents[3] / "vendor" / "assetgen_local" / "__main__.py"
_NEEDED = ("pydantic", "starlette", "uvicorn", "anyio")
# A first start compiles every module, and on a machine that renders on all cores the engine, which stays behind, gets a
# hundredth of one. One that ends or is cancelled is not waited for.
_START_SECONDS = 300.0
_END_SECONDS = 5.0
_LOOK_SECONDS = 0.1


@dataclass(frozen=True, slots=True)
class Address:
    """Where an engine listens, and its key."""

    base_url: str
    key: str

    def __repr__(self) -> str:
        return f"Address({self.base_url!r})"


class EngineProcess:
    """At most one engine process. Thread-safe.

    Args:
        data_dir: The engine's own data.
        blender: What the engine runs its geometry with.
        program: The engine's main file; tests put their own here.
        arguments: Further arguments for it.
    """

    def __init__(
        self, data_dir: Path, blender: BlenderCommand, *, program: Path = PROGRAM, arguments: tuple[str, ...] = ()
    ) -> None:
        self._data_dir = data_dir
        self._blender = blender
        self._program = program
        self._arguments = arguments
        self._lock = threading.Lock()
        self._process: subprocess.Popen[str] | None = None
        self._address: Address | None = None

    def ensure(self, stopped: Callable[[], bool] = lambda: False) -> Address:
        """The address of a running engine, which is started first where there is none. Can take seconds.

        Raises:
            EngineTrouble: It did not start.
        """
        with self._lock:
            if self._address is not None and (self._process is None or self._process.poll() is None):
                return self._address
            self._end()
            self._address = self._start(stopped)
            return self._address

    def suspect(self, address: Address) -> None:
        """Takes note that nothing answered at ``address``: the next :meth:`ensure` looks again instead of believing it.

        The engine of another process is shared and ends with that process, which only a refused connection shows.
        """
        with self._lock:
            # Our own process is believed for as long as it runs: it may be busy, and its tasks would start again.
            if self._address == address and self._process is None:
                self._address = None

    def use(self, blender: BlenderCommand) -> None:
        """Has the engine that is started next run its geometry with this."""
        self._blender = blender

    def stop(self) -> None:
        """Ends the engine, if it is ours."""
        with self._lock:
            self._end()

    def _start(self, stopped: Callable[[], bool]) -> Address:
        make_private(self._data_dir)
        # -I: neither the user's site-packages nor PYTHON* variables may change what the engine runs with.
        argv = [python_program(), "-I", str(self._program), "--port", "0", "--data", str(self._data_dir)]
        argv += ["--blender", self._blender.to_json(), "--end-with-stdin", *self._arguments]
        if self._blender.cores:
            argv += ["--cores", str(self._blender.cores)]
        for folder in package_folders():
            argv += ["--path", folder]
        try:
            process = subprocess.Popen(
                argv,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                text=True,
                encoding="utf-8",
                errors="replace",
                creationflags=creation_flags(bool(self._blender.cores)),
            )
        except OSError as error:
            raise EngineTrouble(f"The local engine could not be started: {error.strerror or error}") from error
        if self._blender.cores:
            put_behind(process.pid, cores=self._blender.cores)
        self._process = process
        log: list[str] = []
        line = self._first_line(process, log, stopped)
        try:
            announcement = json.loads(line)
            address = Address(str(announcement["base_url"]), str(announcement["key"]))
        except (ValueError, KeyError, TypeError):
            self._end()
            last = next((entry.strip() for entry in reversed(log) if entry.strip()), "it printed nothing")
            raise EngineTrouble(
                f"The local engine did not start: {last}",
                f"Its log is in {self._data_dir / 'engine.log'}",
                "".join(log),
            ) from None
        if announcement.get("shared"):
            # Another process of ours runs it, and ours has nothing left to do.
            self._end()
        return address

    def _first_line(self, process: subprocess.Popen[str], log: list[str], stopped: Callable[[], bool]) -> str:
        lines: queue.SimpleQueue[str] = queue.SimpleQueue()

        def read() -> None:
            assert process.stdout is not None
            with contextlib.suppress(ValueError, OSError):  # closed while it was read
                lines.put(process.stdout.readline())

        def collect() -> None:
            assert process.stderr is not None
            with contextlib.suppress(ValueError, OSError):
                for line in process.stderr:
                    log.append(line)
                    del log[:-50]

        collector = threading.Thread(target=collect, daemon=True, name="assetgen-engine-log")
        collector.start()
        threading.Thread(target=read, daemon=True, name="assetgen-engine-line").start()
        deadline = time.monotonic() + _START_SECONDS
        while time.monotonic() < deadline and not stopped():
            try:
                line = lines.get(timeout=_LOOK_SECONDS)
            except queue.Empty:
                continue
            if not line:
                collector.join(1.0)  # what it printed last says why it ended
            return line
        log.append("it was stopped" if stopped() else "it took too long")
        return ""

    def _end(self) -> None:
        process, self._process, self._address = self._process, None, None
        if process is None:
            return
        with contextlib.suppress(OSError):
            if process.stdin is not None:
                process.stdin.close()  # the engine ends when this closes
        try:
            process.wait(_END_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        for stream in (process.stdout, process.stderr):
            if stream is not None:
                stream.close()


def python_program() -> str:
    """The Python that this process runs on, also where Blender names itself as the executable.

    Raises:
        EngineTrouble: There is none.
    """
    version = f"{sys.version_info.major}.{sys.version_info.minor}"
    names = ("python.exe",) if os.name == "nt" else (f"python{version}", "python3")
    folders = (Path(sys.prefix) / "bin", Path(sys.prefix), Path(sys.base_prefix) / "bin", Path(sys.base_prefix))
    for candidate in (Path(sys.executable or ""), *(folder / name for folder in folders for name in names)):
        if candidate.name.lower().startswith("python") and candidate.is_file():
            return str(candidate)
    raise EngineTrouble(
        "The Python that belongs to this Blender was not found, so the local engine cannot run",
        "Set the address of a service in the preferences",
    )


def package_folders() -> tuple[str, ...]:
    """Where the wheels lie that the engine needs: the child does not know Blender's folder for extensions."""
    folders: dict[str, None] = {}
    for name in _NEEDED:
        spec = importlib.util.find_spec(name)
        if spec is None or spec.origin is None:
            raise EngineTrouble(
                f"The local engine needs the Python package {name}, which is not there",
                "Install the extension again, for this Blender and this system",
            )
        folders[str(Path(spec.origin).resolve().parent.parent)] = None
    return tuple(folders)
