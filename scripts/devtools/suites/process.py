"""Runs one suite in a process of its own, and judges how the process ended."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from ..paths import BUILD, ROOT
from ..terminal import clean_environment
from .junit import Counts, read_counts
from .suite import Outcome, Suite

_LONGEST_SILENCE_SECONDS = 900.0
"""What may pass without the end of a test; how long a whole suite takes depends on the machine, and suites grow."""
_FAREWELL_SECONDS = 60.0
"""What a process may take to end after its last test: a Blender 4.5 with a timer left registered, or whose module is
kept alive, never ends.
"""
_LOOK_SECONDS = 0.5
_COMPILED = BUILD / "compiled"
"""What Python has compiled, for all suites, all that they start, and the next run."""
_MEMORY = Path("/dev/shm")
"""Where Linux keeps files in memory. Writing through to a disk is a quarter of what the tests of jobs compute, and a
third of their time; no test can see whether it was done, since none takes the current away.
"""
_ROOM_BYTES = 8 << 30
"""What must be free there and in memory when a suite starts. Suites of a quick run leave up to 0.4 GB each."""
_PYTEST_CODES = (0, 1, 2, 5)  # passed, failed, could not import a test file, found no tests


def run_suite(suite: Suite, arguments: Sequence[str]) -> Outcome:
    """Runs one suite in a process of its own.

    Args:
        suite: The suite.
        arguments: Handed on to pytest.
    """
    if suite.environment is None:
        return Outcome(suite)
    folder = ROOT / "tests" / suite.kind
    if not any(folder.glob("**/test_*.py")):
        return Outcome(replace(suite, environment=None, reason=f"there are no tests in tests/{suite.kind}"))
    suite.results.unlink(missing_ok=True)
    started = time.monotonic()
    with (
        tempfile.TemporaryDirectory(prefix="assetgen-test-", dir=folder_in_memory(suite)) as home,
        suite.log.open("wb") as log,
    ):
        python = str(suite.environment.python)
        options = [
            "-q",
            "--color=no",
            "--continue-on-collection-errors",
            "-p",
            "no:cacheprovider",
            # From the root: pytest would take a "$" in a longer path for a variable.
            f"--junitxml={suite.results.relative_to(ROOT)}",
        ]
        process = subprocess.Popen(
            [python, "-m", "pytest", *options, *suite.paths, *suite.arguments, *arguments],
            cwd=ROOT,
            # Blender must find no settings or extensions of the person who runs this, and leave no folders behind.
            env=clean_environment(
                BLENDER_USER_RESOURCES=str(Path(home) / "blender"),
                PYTHONFAULTHANDLER="1",
                **dict.fromkeys(("TMPDIR", "TEMP", "TMP"), home),
                # Not beside the sources, and also where the environment forbids compiled files.
                PYTHONDONTWRITEBYTECODE="",
                PYTHONPYCACHEPREFIX=str(_COMPILED),
                **dict(suite.extra),
            ),
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=subprocess.STDOUT,
        )
        try:
            trouble = _await(process, suite.results, suite.log)
        finally:
            if process.poll() is None:
                process.kill()
        code = process.wait()
        shutil.rmtree(_compiled_of(Path(home)), ignore_errors=True)  # no other run has a folder of that name
    return outcome_of(suite, code, read_counts(suite.results), time.monotonic() - started, trouble)


def folder_in_memory(suite: Suite) -> Path | None:
    """Where a suite's temporary files are kept in memory; None where there is no room, or no such place.

    Windows, which play the whole product, keep theirs on the disk as users do.
    """
    if suite.kind == "gui" or not (hasattr(os, "statvfs") and os.access(_MEMORY, os.W_OK | os.X_OK)):
        return None
    found = os.statvfs(_MEMORY)
    if found.f_flag & os.ST_NOEXEC:  # as in containers; some tests write a program and start it
        return None
    free = min(found.f_bavail * found.f_frsize, os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE"))
    return _MEMORY if free >= _ROOM_BYTES else None


def _compiled_of(folder: Path) -> Path:
    """Where Python keeps what it has compiled of the sources in a folder."""
    return _COMPILED / folder.relative_to(folder.anchor)


def _await(process: subprocess.Popen[bytes], results: Path, log: Path) -> str:
    """Waits for a run to end; returns what is wrong when it does not, "" otherwise."""
    deadline = time.monotonic() + _LONGEST_SILENCE_SECONDS
    reported, printed = False, 0
    while True:
        try:
            process.wait(_LOOK_SECONDS)
        except subprocess.TimeoutExpired:
            if time.monotonic() > deadline and reported:
                return "its process hung after its last test; a timer that is left registered does that"
            if time.monotonic() > deadline:
                return f"stopped because no test came to an end for {_LONGEST_SILENCE_SECONDS:.0f} s"
            if not reported and results.exists():  # pytest writes it when all tests have ended
                reported, deadline = True, time.monotonic() + _FAREWELL_SECONDS
            elif not reported and log.stat().st_size != printed:  # pytest prints a character for each test
                printed, deadline = log.stat().st_size, time.monotonic() + _LONGEST_SILENCE_SECONDS
        else:
            return ""


def outcome_of(suite: Suite, code: int, counts: Counts | None, seconds: float, trouble: str = "") -> Outcome:
    """Turns an exit code and a result file into an outcome; a process that broke down counts as one failure more."""
    if not trouble and counts is None:
        trouble = f"crashed before its end ({_exit_words(code)})"
    elif not trouble and code not in _PYTEST_CODES:
        trouble = f"its tests ended, but not its process ({_exit_words(code)})"
    counts = counts or Counts()
    if not trouble and code in (1, 2) and counts.failed == 0:
        trouble = "pytest reports a failure that belongs to no test"
    if trouble:
        counts = counts + Counts(failed=1)
    return Outcome(suite, counts, seconds, trouble)


def _exit_words(code: int) -> str:
    return f"signal {-code}" if code < 0 else f"exit code {code}"
