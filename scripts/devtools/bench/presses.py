"""How long the main thread is in each thing that a user can press, while the journal or its drive is in trouble.

In a window, with the built zip: ``BLENDER`` names the program. The troubles are real ones: another process holds the
journal's write lock, and a library between Blender and the system lets a folder be full, or never answer.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from ..environments.environment import Environment
from ..packaging import package
from ..paths import BUILD
from ..terminal import Trouble, clean_environment, last_lines, run, run_or_end, say, show
from ..window.player import INSTALL
from .registry import Measurement, benchmark

_MOST = 50.0
_PROBES = Path(__file__).parent / "probes"
_PICTURES = BUILD / "presses"
_HELD_SECONDS = 35
_SECONDS = 600.0
_CLEARED_SECONDS = 30.0
_ELSEWHERE = frozenset({"timer that brings a result in"})
"""What has a benchmark of its own."""

Times = Mapping[str, list[tuple[float, float]]]
"""For each thing how long it took, in ms: by the clock, and without waiting for a processor."""

_HOLD = """
import sqlite3, sys, time
connection = sqlite3.connect(sys.argv[1], isolation_level=None, timeout=30)
connection.execute("BEGIN IMMEDIATE")
print("held", flush=True)
time.sleep(float(sys.argv[2]))
"""


@benchmark(
    "presses",
    what="longest stay of the main thread in any press, drawing or timer: journal held, disk full, drive that hangs",
    reference="the same without any trouble",
    most_milliseconds=_MOST,
    in_window=True,
)
def presses(environment: Environment) -> Measurement:
    """Presses everything under each of the troubles, prints the table of the worst cases, keeps pictures."""
    archive = package.build(environment).for_all
    shutil.rmtree(_PICTURES, ignore_errors=True)
    with tempfile.TemporaryDirectory(prefix="assetgen-presses-") as name:
        folder = Path(name)
        shim = _shim(folder)
        home = folder / "home"
        install = str(INSTALL)
        arguments = ["--background", "--python-exit-code", "1", "--python", install, "--", str(archive)]
        run_or_end([os.environ["BLENDER"], *arguments], "Installing the zip", env=_environment(home))
        found = {
            trouble: _measured(trouble, begin, folder, home, shim)
            for trouble, begin in _TROUBLES.items()
            if shim is not None or trouble not in ("disk full", "drive hangs")
        }
        remove_soon(folder)
    _show(found)
    worst = {trouble: max(max(times)[0] for times in _presses(figures).values()) for trouble, figures in found.items()}
    return Measurement(
        milliseconds=max(worst.values()),
        reference_milliseconds=worst["none"],
        facts={
            "worst": {
                trouble: {name: max(times)[0] for name, times in figures.items()} for trouble, figures in found.items()
            }
        },
        broken=""
        if shim is not None
        else "there is no C compiler, so neither the full disk nor the dead drive was tried",
    )


def remove_soon(folder: Path) -> None:
    """Removes what was made. What Blender had started ends when the drive answers again, and may write till then."""
    until = time.monotonic() + _CLEARED_SECONDS
    while folder.exists() and time.monotonic() < until:
        shutil.rmtree(folder, ignore_errors=True)
        time.sleep(0.2)


def _measured(
    trouble: str, begin: Callable[[Path, ExitStack], None], folder: Path, home: Path, shim: Path | None
) -> Times:
    say(f"Pressing everything: {trouble} ...")
    place = folder / trouble.replace(" ", "-")
    place.mkdir()
    environment = _environment(home, ASSETGEN_DRIVE=str(place / "drive"))
    environment |= {"ASSETGEN_DEAD": str(place / "dead"), "ASSETGEN_FULL": str(place / "full")}
    if shim is not None:
        environment["LD_PRELOAD"] = str(shim)
    environment.pop("ASSETGEN_DATA_DIR", None)
    probe = str(_PROBES / "presses.py")
    with (place / "log.txt").open("w") as log, ExitStack() as ends:
        process = subprocess.Popen(
            [os.environ["BLENDER"], "--python", probe, "--", str(place)],
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=subprocess.STDOUT,
        )
        until = time.monotonic() + _SECONDS
        while process.poll() is None and not (place / "ready").exists() and time.monotonic() < until:
            time.sleep(0.05)
        if (place / "ready").exists():
            begin(place, ends)
        (place / "on").write_text("")
        while process.poll() is None and not (place / "figures.json").exists() and time.monotonic() < until:
            time.sleep(0.05)
        written = time.monotonic()
        try:
            process.wait(60)
        except subprocess.TimeoutExpired:
            process.kill()
        ending = time.monotonic() - written
    answer = place / "figures.json"
    notes: dict[str, Any] = json.loads(answer.read_text(encoding="utf-8")) if answer.exists() else {}
    _PICTURES.mkdir(parents=True, exist_ok=True)
    for picture in [*place.glob("*.png"), *place.glob("*.json"), place / "log.txt"]:
        shutil.copy(picture, _PICTURES / f"{place.name}-{picture.name}")
    if not notes.get("ended"):
        raise Trouble(
            f"Pressing failed under {trouble}:\n{notes.get('error') or last_lines((place / 'log.txt').read_text())}"
        )
    say(f"  Blender ended {ending:.1f} s after the last press")
    return {name: [(clock, own) for clock, own in times] for name, times in notes["figures"].items()}


# The troubles


def _none(_place: Path, _ends: ExitStack) -> None:
    """Everything works."""


def _held(place: Path, ends: ExitStack) -> None:
    """Another process holds the write lock."""
    journal = place / "drive" / "data" / "journal.sqlite3"
    holder = subprocess.Popen(
        [sys.executable, "-c", _HOLD, str(journal), str(_HELD_SECONDS)], stdout=subprocess.PIPE, text=True
    )
    ends.callback(holder.wait)
    ends.callback(holder.kill)
    if holder.stdout is None or holder.stdout.readline().strip() != "held":
        raise Trouble("The journal's write lock could not be had")
    ends.callback(holder.stdout.close)


def _full(place: Path, _ends: ExitStack) -> None:
    """Nothing can be written any more."""
    (place / "full").write_text("")


def _dead(place: Path, ends: ExitStack) -> None:
    """No call for a file of the drive returns any more."""
    dead = place / "dead"
    dead.write_text("")
    ends.callback(lambda: dead.unlink(missing_ok=True))


_TROUBLES: Mapping[str, Callable[[Path, ExitStack], None]] = {
    "none": _none,
    "journal held": _held,
    "disk full": _full,
    "drive hangs": _dead,
}


# Parts of the above


def _shim(folder: Path) -> Path | None:
    """The library that makes a drive fail; None where there is no compiler for it."""
    compiler = shutil.which("cc")
    if compiler is None or not sys.platform.startswith("linux"):
        return None
    library = folder / "drive_shim.so"
    done = run([compiler, "-shared", "-fPIC", "-O2", "-o", library, _PROBES / "drive_shim.c", "-ldl"])
    if done.returncode != 0:
        raise Trouble(f"The library that makes a drive fail could not be compiled:\n{last_lines(done.stdout)}")
    return library


def _environment(home: Path, **extra: str) -> dict[str, str]:
    return clean_environment(BLENDER_USER_RESOURCES=str(home), ASSETGEN_DATA_DIR=str(home / "data"), **extra)


def _presses(figures: Times) -> Times:
    """What the budget is for."""
    return {name: times for name, times in figures.items() if name not in _ELSEWHERE and times}


def _show(found: Mapping[str, Times]) -> None:
    show("Longest time in ms, in brackets without waiting for a processor:")
    show(f"{'':<38}" + "".join(f"{trouble:>16}" for trouble in found))
    for name in dict.fromkeys(name for figures in found.values() for name in figures):
        longest = [max(figures[name]) if figures.get(name) else None for figures in found.values()]
        cells = ["-" if times is None else f"{times[0]:.1f} ({times[1]:.1f})" for times in longest]
        show(f"{name:<38}" + "".join(f"{cell:>16}" for cell in cells))
