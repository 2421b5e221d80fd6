"""The environments in ``.venv``: one for each Blender, each from its own lock."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

from ..paths import ROOT, VENVS
from ..terminal import Trouble, clean_environment, last_lines, pip, run, run_or_end, say
from . import bpy_module, debian, pythons
from .one_at_a_time import one_at_a_time
from .requirement_lock import digest
from .roots import BlenderRoot, read_roots
from .targets import this_platform

_INSTALLED = "installed.sha256"
"""Holds the hash of the lock that was installed completely."""
_READY = "ready"
"""Is there once bpy could be imported, which the system's libraries decide."""
_ATTEMPTS = 2
_PAUSE_SECONDS = 5.0


@dataclass(frozen=True, slots=True)
class Environment:
    """A folder with a Python, a bpy and everything else that its lock names."""

    blender: BlenderRoot

    @property
    def folder(self) -> Path:
        """Where it is."""
        return VENVS / self.blender.name

    @property
    def python(self) -> Path:
        """Its Python."""
        return self.folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")

    def is_ready(self) -> bool:
        """Whether it was made completely, from today's lock, and its Python still exists."""
        return self._is_installed() and (self.folder / _READY).exists()

    def _is_installed(self) -> bool:
        try:
            lock = (self.folder / _INSTALLED).read_text(encoding="utf-8")
        except OSError:
            return False
        return lock == digest(self.blender.lock) and self.python.exists()

    def make(self, python: Path) -> None:
        """Makes it with this Python: from the start, or from where missing libraries of the system ended it last time.

        Raises:
            Trouble: It could not be made; the sentence says what is missing.
        """
        started = time.monotonic()
        say(f"Setting up {self.folder.relative_to(ROOT)} (bpy {self.blender.bpy}, Python {self.blender.python}) ...")
        if not self._is_installed():
            if self.folder in Path(sys.prefix).parents or self.folder == Path(sys.prefix):
                raise Trouble(f"This Python lies in {self.folder.name}, which is to be made anew: use another one")
            # What an older lock left behind would hide that the new one lacks something.
            shutil.rmtree(self.folder, ignore_errors=True)
            _make_venv(python, self.folder)
            self._install()
            (self.folder / _INSTALLED).write_text(digest(self.blender.lock), encoding="utf-8")
        bpy_module.make_importable(self.folder, self.python)
        (self.folder / _READY).touch()
        say(f"    {self.folder.relative_to(ROOT)} is ready after {time.monotonic() - started:.0f} s")

    def _install(self) -> None:
        options = ["--disable-pip-version-check", "--no-input", "--progress-bar", "off", "--quiet"]
        # Half of the work would be to compile what is never imported; Python compiles the rest when it is.
        options.append("--no-compile")
        checked = ["--require-hashes", "--no-deps", "--only-binary=:all:", "-r", str(self.blender.lock)]
        command, variables = pip(self.python)
        for attempt in range(1, _ATTEMPTS + 1):
            done = run([*command, "install", *options, *checked], env=variables)
            if done.returncode == 0:
                return
            if attempt < _ATTEMPTS:
                say(f"    The installation failed; trying once more in {_PAUSE_SECONDS:.0f} s")
                time.sleep(_PAUSE_SECONDS)
        raise Trouble(
            f"pip could not install what {self.blender.lock.relative_to(ROOT)} names."
            f" Is there a network, and does the package index that pip uses here have these versions?\n"
            f"{last_lines(done.stdout)}"
        )


def _make_venv(python: Path, folder: Path) -> None:
    version = python_version(python)
    if not _has_ensurepip(python):
        package = f"python{version}-venv"
        if not debian.install([package]) or not _has_ensurepip(python):
            raise Trouble(f"This Python {version} cannot make virtual environments.\n{debian.advice([package])}")
    run_or_end([python, "-m", "venv", folder], f"Making the virtual environment {folder.name}")


def python_version(python: Path) -> str:
    """Like "3.11"."""
    code = "import sys; print('%d.%d' % sys.version_info[:2])"
    return subprocess.run([python, "-c", code], capture_output=True, text=True, check=True).stdout.strip()


def _has_ensurepip(python: Path) -> bool:
    # Debian keeps `venv` itself in the base package, without the ensurepip that it needs.
    return run([python, "-c", "import ensurepip, venv"], env=clean_environment()).returncode == 0


def main_environment() -> Environment:
    """The environment of the Python that runs this, made when it is missing or out of date.

    Raises:
        Trouble: No bpy wheel exists for this Python or machine, or it could not be made.
    """
    version = pythons.running()
    roots = read_roots()
    blender = roots.main_for(version)
    if blender is None:
        versions = " or ".join(roots.pythons())
        candidates = [path for candidate in roots.pythons() if (path := pythons.find(candidate)) is not None]
        hint = f" Found here: {candidates[0]} scripts/dev.py ..." if candidates else ""
        raise Trouble(f"Blender's module bpy is not made for Python {version}. Use Python {versions} instead.{hint}")
    if this_platform() not in blender.platforms:
        machines = ", ".join(blender.platforms)
        raise Trouble(f"Blender's module bpy {blender.bpy} is not made for this machine; it is for {machines}.")
    return ready(blender)


def why_not(blender: BlenderRoot) -> str:
    """Why this Blender can have no environment here, as far as that is known without making it; "" if it can."""
    if Environment(blender).is_ready():
        return ""
    if pythons.find(blender.python) is None:
        return f"needs Python {blender.python}, which was not found here"
    if this_platform() not in blender.platforms:
        return f"no bpy {blender.bpy} is made for this machine"
    return ""


def ready(blender: BlenderRoot) -> Environment:
    """The environment of this Blender, made when it is missing or out of date.

    Raises:
        Trouble: Its Python is not on this machine, or it could not be made.
    """
    environment = Environment(blender)
    if environment.is_ready():
        return environment
    reason, python = why_not(blender), pythons.find(blender.python)
    if reason or python is None:
        raise Trouble(reason)
    with one_at_a_time(VENVS / f"{blender.name}.lock"):
        if not environment.is_ready():
            environment.make(python)
    return environment
