"""How to start a background Blender. Light: the extension needs it while it is being enabled."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import NamedTuple, Self


class BlenderCommand(NamedTuple):
    """How to run a Python script with bpy on this machine.

    Attributes:
        prefix: The arguments before the script's path.
        cores: How many cores it may take, at a lower priority than the programs that somebody works with; 0 for all
            that there are, at the usual one.
        shared_cores: How many it and others like it may take together, where that are more.
    """

    prefix: tuple[str, ...]
    cores: int = 0
    shared_cores: int = 0

    @classmethod
    def of_program(cls, blender: str) -> Self:
        """A Blender program."""
        return cls((blender, "--background", "--factory-startup", "-noaudio", "--python-exit-code", "1", "--python"))

    @classmethod
    def of_python(cls, python: str = sys.executable) -> Self:
        """A Python that has the bpy module."""
        return cls((python,))

    @property
    def is_program(self) -> bool:
        """Whether it is Blender itself, with options of its own."""
        return len(self.prefix) > 1

    def limited(self, cores: int, *, shared: int = 0) -> Self:
        """The same for so many cores, 0 for all, out of those that are shared with others like it."""
        return self._replace(cores=cores, shared_cores=shared)

    def argv(self, script: Path, *arguments: str) -> list[str]:
        """The whole command line for a script."""
        program, *options = self.prefix
        threads = ["--threads", str(self.cores)] if self.cores and self.is_program else []
        return [program, *threads, *options, str(script), "--", *arguments]

    def to_json(self) -> str:
        """One text, to hand the command on to another process; without the number of cores."""
        return json.dumps(self.prefix)

    @classmethod
    def from_json(cls, text: str) -> Self:
        """Reads what :meth:`to_json` wrote."""
        return cls(tuple(json.loads(text)))


def usable_cores() -> int:
    """The cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def cores_behind() -> int:
    """Those for work behind a Blender that somebody sits at, which keeps one for itself; at least one."""
    return max(1, usable_cores() - 1)
