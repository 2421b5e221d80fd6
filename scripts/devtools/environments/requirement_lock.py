"""The requirement files in ``scripts/locks``: every package of an environment, with version and hashes, for pip."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from .targets import PLATFORMS, Target

_HEAD = """\
# Everything in the environment {name}, for: {targets}.
# Written by `python3 scripts/dev.py lock` from roots.toml; do not edit.
"""


@dataclass(frozen=True, slots=True)
class Locked:
    """One package: its version, the hash of its file on each target that needs it."""

    name: str
    version: str
    sha256: Mapping[Target, str]


def write_requirements(path: Path, targets: Sequence[Target], packages: Sequence[Locked]) -> None:
    """Writes a lock that pip installs with ``--require-hashes --no-deps``."""
    blocks = []
    for package in sorted(packages, key=lambda package: package.name):
        marker = marker_for(sorted(package.sha256), targets)
        hashes = sorted(set(package.sha256.values()))
        line = f"{package.name}=={package.version}" + (f" ; {marker}" if marker else "")
        blocks.append(" \\\n".join([line, *(f"    --hash=sha256:{value}" for value in hashes)]) + "\n")
    head = _HEAD.format(name=path.stem, targets="; ".join(str(target) for target in targets))
    path.write_text("\n".join([head, *blocks]), encoding="utf-8", newline="\n")


def marker_for(needed_on: Sequence[Target], targets: Sequence[Target]) -> str:
    """The environment marker that is true on ``needed_on`` and false on the rest of ``targets``; "" for all of them."""
    if set(needed_on) == set(targets):
        return ""
    systems = {PLATFORMS[target.platform].sys_platform for target in needed_on}
    if {target for target in targets if PLATFORMS[target.platform].sys_platform in systems} == set(needed_on):
        return " or ".join(f'sys_platform == "{system}"' for system in sorted(systems))
    return " or ".join(
        f'(sys_platform == "{values["sys_platform"]}" and platform_machine == "{values["platform_machine"]}"'
        f' and python_version == "{values["python_version"]}")'
        for values in (target.marker_values() for target in sorted(needed_on))
    )


def digest(path: Path) -> str:
    """Identifies the content of a lock."""
    return hashlib.sha256(path.read_bytes()).hexdigest()
