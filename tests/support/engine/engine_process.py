"""The local engine as the real child process, with a small script in place of Blender."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

import pydantic
from asset_generation.vendor import assetgen_local
from asset_generation.vendor.background_blender import BlenderCommand

from ..fork_server.program import ForkedProgram

MAIN = Path(assetgen_local.__file__).parent / "__main__.py"
SITE_PACKAGES = Path(pydantic.__file__).parents[1]
FAKE_BLENDER = Path(__file__).with_name("fake_engine.py")


@dataclass(frozen=True, slots=True)
class Engine:
    """A running engine process."""

    process: subprocess.Popen[str]
    connection: dict[str, Any]

    @property
    def base_url(self) -> str:
        return str(self.connection["base_url"])

    @property
    def key(self) -> str:
        return str(self.connection["key"])

    @property
    def stdin(self) -> IO[str]:
        assert self.process.stdin is not None
        return self.process.stdin

    def rest_of_output(self) -> str:
        """What it printed after its first line, once it has ended."""
        assert self.process.stdout is not None
        return self.process.stdout.read()


def command_line(data_dir: Path, *arguments: str, main: Path = MAIN) -> list[str]:
    """How the extension starts the engine: isolated, so packages are found through ``--path`` alone."""
    return [sys.executable, "-I", "-S", str(main), *engine_arguments(data_dir, *arguments)]


def engine_arguments(data_dir: Path, *arguments: str) -> list[str]:
    """What the engine's program is given."""
    blender = BlenderCommand((sys.executable, str(FAKE_BLENDER))).to_json()
    return [
        *("--data", str(data_dir), "--path", str(SITE_PACKAGES)),
        *("--blender", blender, "--end-with-stdin", *arguments),
    ]


@contextmanager
def engine_process(data_dir: Path, *arguments: str, main: Path = MAIN, alone: bool = False) -> Iterator[Engine]:
    """A running engine; it is ended the way its parent's death ends it.

    Args:
        data_dir: Its data.
        arguments: Further ones.
        main: The program; another one than the clone's starts as for users.
        alone: Whether the clone's does so too, instead of having its modules there already.
    """
    pipes: dict[str, Any] = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE) | {"text": True}
    process: subprocess.Popen[str]
    if alone or main != MAIN:
        process = subprocess.Popen(command_line(data_dir, *arguments, main=main), **pipes)
    else:
        process = ForkedProgram(main, *engine_arguments(data_dir, *arguments), **pipes)
    assert process.stdin and process.stdout and process.stderr
    try:
        line = process.stdout.readline()
        if not line:
            raise RuntimeError(f"the engine did not start: {process.communicate(timeout=30)[1]}")
        yield Engine(process, json.loads(line))
    finally:
        process.stdin.close()
        try:
            process.wait(30)
        finally:
            process.kill()
            process.wait()
            process.stdout.close()
            process.stderr.close()
