"""Talking with the person at the terminal, and running other programs."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from .paths import ROOT


class Trouble(Exception):
    """Ends dev.py with this sentence: it says what is wrong and what to do, so no traceback is needed."""


def say(text: str = "") -> None:
    """Tells what is going on. On standard error, so that a command's own output stays clean for pipes."""
    sys.stdout.flush()
    print(text, file=sys.stderr, flush=True)


def show(text: str = "") -> None:
    """Prints a result of the command."""
    sys.stderr.flush()
    print(text, flush=True)


def clean_environment(**extra: str) -> dict[str, str]:
    """The environment for child processes: without the caller's own Python set-up, which would leak into a venv."""
    kept = {
        name: value for name, value in os.environ.items() if name not in {"PYTHONPATH", "PYTHONHOME", "VIRTUAL_ENV"}
    }
    return {**kept, "PYTHONUTF8": "1", **extra}


def pip(python: Path) -> tuple[list[str], dict[str, str]]:
    """The command that is this Python's pip, and an environment for it in which it need not compile itself at each
    start, which took a quarter of the time of fetching wheels.
    """
    return [str(python), "-m", "pip"], clean_environment(PYTHONDONTWRITEBYTECODE="")


def run(
    argv: Sequence[str | Path],
    *,
    cwd: Path = ROOT,
    env: Mapping[str, str] | None = None,
    timeout: float | None = None,
) -> subprocess.CompletedProcess[str]:
    """Runs a program and keeps what it prints (both streams as one); the exit code is the caller's to judge.

    Raises:
        subprocess.TimeoutExpired: It took longer than ``timeout`` and was ended.
    """
    return subprocess.run(
        [str(part) for part in argv],
        cwd=cwd,
        env=dict(env) if env is not None else clean_environment(),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        encoding="utf-8",
        errors="replace",
        timeout=timeout,
        check=False,
    )


def run_or_end(argv: Sequence[str | Path], what: str, *, cwd: Path = ROOT, env: Mapping[str, str] | None = None) -> str:
    """Runs a program that has to succeed and returns what it printed.

    Raises:
        Trouble: It failed; the sentence holds ``what`` and the last lines that it printed.
    """
    done = run(argv, cwd=cwd, env=env)
    if done.returncode != 0:
        raise Trouble(f"{what} failed (exit code {done.returncode}):\n{last_lines(done.stdout)}")
    return done.stdout


def last_lines(text: str, count: int = 25) -> str:
    """The end of a long output, indented."""
    return "\n".join("    " + line for line in text.rstrip().splitlines()[-count:])
