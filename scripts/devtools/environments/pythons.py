"""Finds the Pythons of this machine."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

_PROBE = "import sys; print('%d.%d %d' % (*sys.version_info[:2], sys.maxsize > 2**32)); print(sys.executable)"
_PROBE_SECONDS = 20.0


def running() -> str:
    """The version of the Python that runs this, like "3.11"."""
    return f"{sys.version_info.major}.{sys.version_info.minor}"


@cache
def find(version: str) -> Path | None:
    """A 64-bit Python of this version: the running one, else from PATH, the Windows launcher, or pyenv."""
    if version == running():
        return Path(sys.executable)
    return next((path for argv in _candidates(version) if (path := _probe(argv, version)) is not None), None)


def _candidates(version: str) -> Iterator[list[str]]:
    program = f"python{version}"
    if os.name == "nt":
        yield ["py", f"-{version}"]
    else:
        # pyenv's shim of a version that is not selected is on PATH and fails; the folders below have the real one.
        yield from ([found] for folder in os.get_exec_path() if (found := shutil.which(program, path=folder)))
    for folder in _pyenv_versions(version):
        yield [str(folder / ("python.exe" if os.name == "nt" else f"bin/{program}"))]


def _pyenv_versions(version: str) -> list[Path]:
    default = Path.home() / (".pyenv/pyenv-win" if os.name == "nt" else ".pyenv")
    versions = Path(os.environ.get("PYENV_ROOT", default)) / "versions"
    return sorted(versions.glob(f"{version}.*"), reverse=True)


def _probe(argv: list[str], version: str) -> Path | None:
    """Asks a program whether it is the Python that is looked for; the answer is its real path."""
    try:
        done = subprocess.run(
            [*argv, "-c", _PROBE], capture_output=True, text=True, timeout=_PROBE_SECONDS, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    lines = done.stdout.splitlines()
    return Path(lines[1]) if done.returncode == 0 and lines[:1] == [f"{version} 1"] else None
