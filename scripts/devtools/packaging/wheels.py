"""Fetches the wheels that ship with the extension, by their lock."""

from __future__ import annotations

import hashlib
import tempfile
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from ..environments.targets import SHIPPED, Target
from ..paths import ROOT, WHEELS, WHEELS_LOCK
from ..terminal import Trouble, pip, run_or_end, say
from .wheel_lock import Wheel, read_wheels

_SIDE_BY_SIDE = 4


def fetch(python: Path) -> list[Path]:
    """Brings ``vendor/wheels`` in line with the lock: fetches what is missing or altered, removes what is not locked.

    Args:
        python: A Python with pip.

    Returns:
        All wheels of the lock, by name.

    Raises:
        Trouble: A wheel cannot be had, or is not the one that was locked.
    """
    wheels = read_wheels(WHEELS_LOCK)
    WHEELS.mkdir(parents=True, exist_ok=True)
    filenames = {wheel.filename for wheel in wheels}
    for path in WHEELS.iterdir():
        if path.name not in filenames:
            path.unlink()
    missing = [wheel for wheel in wheels if not is_intact(WHEELS / wheel.filename, wheel.sha256)]
    if missing:
        say(f"Fetching {len(missing)} wheels into {WHEELS.relative_to(ROOT)} ...")
        with ThreadPoolExecutor(_SIDE_BY_SIDE) as pool:
            list(pool.map(lambda batch: _download(python, *batch), _batches(missing)))
    for wheel in wheels:
        if not is_intact(WHEELS / wheel.filename, wheel.sha256):
            raise Trouble(f"pip did not deliver {wheel.filename} as vendor/wheels.lock describes it")
    return sorted(WHEELS / name for name in filenames)


def is_intact(path: Path, sha256: str) -> bool:
    """Whether the file is there with this content."""
    return path.is_file() and hashlib.sha256(path.read_bytes()).hexdigest() == sha256


def _batches(wheels: Iterable[Wheel]) -> list[tuple[Target, list[Wheel]]]:
    """What to ask pip for at a time: it chooses files for one target."""
    batches: dict[Target, list[Wheel]] = {}
    for wheel in wheels:
        batches.setdefault(wheel.targets(SHIPPED)[0], []).append(wheel)
    return list(batches.items())


def _download(python: Path, target: Target, wheels: list[Wheel]) -> None:
    with tempfile.TemporaryDirectory(prefix="assetgen-wheels-") as folder:
        listing = Path(folder) / "requirements.txt"
        lines = [f"{wheel.name}=={wheel.version} --hash=sha256:{wheel.sha256}\n" for wheel in wheels]
        listing.write_text("".join(lines), encoding="utf-8")
        checked = ["--require-hashes", "--no-deps", "--quiet", "-d", str(WHEELS), "-r", str(listing)]
        command, variables = pip(python)
        argv = [*command, "download", *checked, *target.pip_options()]
        run_or_end(argv, f"Fetching the wheels for {target}", env=variables)
