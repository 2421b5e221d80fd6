"""Probes in a windowed Blender: where they are installed, started, asked and ended."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Self

from ..environments.environment import Environment
from ..packaging import package
from ..terminal import Trouble, clean_environment, last_lines, run_or_end
from ..window.player import INSTALL
from .host import HostWatch, longest_undisturbed

_PROBES = Path(__file__).parent / "probes"
_SECONDS = 1200.0  # a million triangles with bones or shape keys, on a busy machine
_END_SECONDS = 60.0
_SMALL = ("--window-geometry", "0", "0", "640", "480")
"""Blender's options for the smallest window that it makes: a larger one is drawn too slowly by the processor."""


class WindowedHome:
    """A profile of Blender with the built zip installed; made when it is first asked for, for all that need it."""

    def __init__(self) -> None:
        self._folder: tempfile.TemporaryDirectory[str] | None = None

    def variables(self, environment: Environment) -> dict[str, str]:
        """The environment for a Blender that uses it."""
        if self._folder is None:
            self._folder = tempfile.TemporaryDirectory(prefix="assetgen-bench-")
            archive = package.build(environment).for_all
            arguments = ["--background", "--python-exit-code", "1", "--python", str(INSTALL), "--", str(archive)]
            run_or_end([os.environ["BLENDER"], *arguments], "Installing the zip", env=self._variables())
        return self._variables()

    def _variables(self) -> dict[str, str]:
        assert self._folder is not None
        home = Path(self._folder.name)
        found = clean_environment(BLENDER_USER_RESOURCES=str(home), ASSETGEN_DATA_DIR=str(home / "data"))
        found.pop("PYTHONDONTWRITEBYTECODE", None)  # Blender keeps compiled files
        return found


home = WindowedHome()


def in_window(environment: Environment, probe: str) -> dict[str, Any]:
    """Runs ``probes/<probe>.py`` in a window and returns what it wrote into ``figures.json``.

    Raises:
        Trouble: It failed.
    """
    session.close()  # two Blenders would be in each other's way
    with BlenderInWindow(environment, probe) as blender:
        answer = blender.folder / "figures.json"
        blender.wait_for(answer)
        notes: dict[str, Any] = json.loads(answer.read_text(encoding="utf-8"))
        if not notes.get("ended"):
            raise Trouble(f"The probe {probe} failed:\n{notes.get('error')}")
    return notes


class BlenderInWindow:
    """A probe in a window, which ends with it.

    Attributes:
        folder: What it reads and writes.
    """

    def __init__(self, environment: Environment, probe: str, *options: str) -> None:
        self._probe = probe
        self._ends = ExitStack()
        self.folder = Path(self._ends.enter_context(tempfile.TemporaryDirectory(prefix="assetgen-bench-")))
        variables = home.variables(environment)
        script = str(_PROBES / f"{probe}.py")
        with (self.folder / "log.txt").open("w") as log:
            self._process = subprocess.Popen(
                [os.environ["BLENDER"], *options, "--python", script, "--", str(self.folder)],
                env=variables,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,  # what BLENDER names may be a script that starts the real one
            )

    def wait_for(self, file: Path) -> None:
        """Waits until the probe has written a file.

        Raises:
            Trouble: It ended before that, or it takes too long.
        """
        until = time.monotonic() + _SECONDS
        while not file.exists():
            if self._process.poll() is not None and not file.exists():
                said = last_lines((self.folder / "log.txt").read_text(errors="replace"))
                raise Trouble(f"The probe {self._probe} ended too early:\n{said}")
            if time.monotonic() > until:
                raise Trouble(f"The probe {self._probe} did not answer in {_SECONDS:.0f} s")
            time.sleep(0.1)

    def close(self) -> None:
        """Ends it."""
        (self.folder / "end").write_text("")
        try:
            self._process.wait(_END_SECONDS)
        except subprocess.TimeoutExpired:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()
        self._ends.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()


class WholeJobs:
    """A Blender in which one kind of thing after the other is measured. What is first has the first press of it."""

    def __init__(self) -> None:
        self._blender: BlenderInWindow | None = None
        self._host: HostWatch | None = None
        self._played = 0

    def play(self, environment: Environment, kind: str, triangles: int) -> dict[str, Any]:
        """Measures whole jobs on a kind of thing.

        Each phase of what it returns has ``undisturbed`` beside ``longest``, both in ms: the longest gap without the
        time in which the host of a virtual machine had taken a processor away.

        Raises:
            Trouble: It failed.
        """
        if self._blender is None:
            self._blender, self._played = BlenderInWindow(environment, "whole_job", *_SMALL), 0
            self._host = HostWatch()
        folder, number = self._blender.folder, self._played
        part, answer = folder / "ask.part", folder / f"answer-{number}.json"
        part.write_text(json.dumps({"kind": kind, "triangles": triangles}))
        part.rename(folder / f"ask-{number}.json")
        self._played += 1
        try:
            self._blender.wait_for(answer)
        except Trouble:
            self.close()
            raise
        notes: dict[str, Any] = json.loads(answer.read_text(encoding="utf-8"))
        if notes.get("error"):
            self.close()
            raise Trouble(f"{kind} failed:\n{notes['error']}")
        taken = self._host.taken() if self._host is not None else []
        for phase in notes["phases"].values():
            phase["undisturbed"] = longest_undisturbed(phase.pop("gaps"), taken) * 1000
        return notes

    def close(self) -> None:
        """Ends Blender."""
        if self._blender is not None:
            self._blender.close()
            self._blender = None
        if self._host is not None:
            self._host.close()
            self._host = None


session = WholeJobs()
"""For all kinds; whoever runs benchmarks closes it in the end."""
