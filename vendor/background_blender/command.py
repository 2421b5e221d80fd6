"""How to start a background Blender. Light: the extension needs it while it is being enabled."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import NamedTuple, Self


class BlenderCommand(NamedTuple):
    """How to run a Python script with bpy on this machine: the arguments before the script's path."""

    prefix: tuple[str, ...]

    @classmethod
    def of_program(cls, blender: str) -> Self:
        """A Blender program."""
        return cls((blender, "--background", "--factory-startup", "-noaudio", "--python-exit-code", "1", "--python"))

    @classmethod
    def of_python(cls, python: str = sys.executable) -> Self:
        """A Python that has the bpy module."""
        return cls((python,))

    def argv(self, script: Path, *arguments: str) -> list[str]:
        """The whole command line for a script."""
        return [*self.prefix, str(script), "--", *arguments]

    def to_json(self) -> str:
        """One text, to hand the command on to another process."""
        return json.dumps(self.prefix)

    @classmethod
    def from_json(cls, text: str) -> Self:
        """Reads what :meth:`to_json` wrote."""
        return cls(tuple(json.loads(text)))
