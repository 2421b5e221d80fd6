"""Finds out which versions and files a list of requirements comes to, for several targets at once.

pip can choose wheels for another platform, but evaluates environment markers (``; sys_platform == "win32"``) for the
machine that it runs on. So pip is only asked for the best file of each package (`--no-deps`), and the dependencies are
followed here, with the markers of the target. Needs `packaging`: this is for the maintainer who renews the locks.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

from ..environments.targets import Target
from ..terminal import run_or_end

_MOST_ROUNDS = 20


@dataclass(frozen=True, slots=True)
class Pick:
    """The file that pip chose for one package on one target."""

    name: str
    version: str
    filename: str
    sha256: str
    requires: tuple[str, ...]


def resolve(
    python: Path, requirements: Sequence[str], targets: Sequence[Target], pins: Iterable[str] = ()
) -> dict[Target, dict[str, Pick]]:
    """The picks for each target, with the same version of a package on all of them.

    Args:
        python: A Python with pip to ask.
        requirements: What is wanted.
        targets: What it is wanted for.
        pins: Versions that are already decided, like ``idna==3.10``; used for the packages that turn out to be needed.

    Raises:
        Trouble: There is no such version, or no wheel of it for a target.
    """
    decided: dict[str, str] = {canonicalize_name(Requirement(pin).name): pin for pin in pins}
    for _ in range(_MOST_ROUNDS):
        with ThreadPoolExecutor(4) as pool:
            closures = pool.map(lambda target: _closure(python, requirements, target, decided), targets)
            picks = dict(zip(targets, closures, strict=True))
        lowest = _lowest_of_differing(picks.values())
        if not lowest:
            return picks
        decided.update(lowest)
    raise RuntimeError("the versions for the different targets do not come together; pin one in roots.toml")


def _closure(python: Path, requirements: Sequence[str], target: Target, decided: dict[str, str]) -> dict[str, Pick]:
    """What is needed on one target: repeats until the packages found need nothing that is not there."""
    picks: dict[str, Pick] = {}
    for _ in range(_MOST_ROUNDS):
        lines = {
            *requirements,
            *(need for pick in picks.values() for need in _needs(pick, target, picks, requirements)),
        }
        names = {canonicalize_name(Requirement(line).name) for line in lines}
        lines |= {pin for name, pin in decided.items() if name in names}
        picked = {pick.name: pick for pick in _ask_pip(python, sorted(lines), target)}
        if picked == picks:
            return picks
        picks = picked
    raise RuntimeError(f"the requirements for {target} do not settle; pin one in roots.toml")


def _needs(pick: Pick, target: Target, picks: dict[str, Pick], requirements: Sequence[str]) -> list[str]:
    """What one package asks for on this target, including the extras of it that somebody asked for."""
    asked = [*requirements, *(line for other in picks.values() for line in other.requires)]
    extras = {extra for line in asked for extra in _extras_of(line, pick.name)} | {""}
    needs = []
    for line in pick.requires:
        requirement = Requirement(line)
        values = target.marker_values()
        if requirement.marker is None or any(requirement.marker.evaluate({**values, "extra": e}) for e in extras):
            requirement.marker = None
            needs.append(str(requirement))
    return needs


def _extras_of(line: str, name: str) -> set[str]:
    requirement = Requirement(line)
    return requirement.extras if canonicalize_name(requirement.name) == name else set()


def _ask_pip(python: Path, requirements: Sequence[str], target: Target) -> list[Pick]:
    with tempfile.TemporaryDirectory(prefix="assetgen-lock-") as folder:
        listing = Path(folder) / "requirements.txt"
        listing.write_text("\n".join(requirements) + "\n", encoding="utf-8")
        report = Path(folder) / "report.json"
        options = [
            "--dry-run",
            "--ignore-installed",
            "--no-deps",
            "--quiet",
            "--target",
            folder,
            "--report",
            str(report),
        ]
        argv = [str(python), "-m", "pip", "install", *options, *target.pip_options(), "-r", str(listing)]
        run_or_end(argv, f"Asking pip for the wheels for {target}")
        installs = json.loads(report.read_text(encoding="utf-8"))["install"]
    return [_read_pick(entry) for entry in installs]


def _read_pick(entry: dict[str, Any]) -> Pick:
    metadata, download = entry["metadata"], entry["download_info"]
    return Pick(
        name=canonicalize_name(metadata["name"]),
        version=metadata["version"],
        filename=unquote(download["url"].rsplit("/", 1)[-1]),
        sha256=download["archive_info"]["hashes"]["sha256"],
        requires=tuple(metadata.get("requires_dist", ())),
    )


def _lowest_of_differing(closures: Iterable[dict[str, Pick]]) -> dict[str, str]:
    """Pins for the packages whose versions differ between targets: what they all have is not above the lowest."""
    versions: dict[str, set[str]] = {}
    for picks in closures:
        for pick in picks.values():
            versions.setdefault(pick.name, set()).add(pick.version)
    return {name: f"{name}=={min(picked, key=Version)}" for name, picked in versions.items() if len(picked) > 1}
