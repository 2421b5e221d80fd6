"""``vendor/wheels.lock``: the third-party wheels that ship with the extension, one table for each file."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from ..environments.targets import Target
from ..terminal import Trouble

ANY = "any"
_HEAD = """\
# The third-party wheels that ship with the extension. Written by `python3 scripts/dev.py lock`; do not edit.
# They are fetched and their hashes checked by `python3 scripts/dev.py build`, and never committed.
"""


@dataclass(frozen=True, slots=True, order=True)
class Wheel:
    """One file. ``platform`` and ``python`` are "any" for a pure Python wheel, which is listed once."""

    name: str
    version: str
    filename: str
    sha256: str
    platform: str
    python: str

    def targets(self, targets: Iterable[Target]) -> list[Target]:
        """Those of ``targets`` that this file is for."""
        return [
            target
            for target in targets
            if self.platform in (ANY, target.platform) and self.python in (ANY, target.python)
        ]


def wheel_for(name: str, version: str, filename: str, sha256: str, target: Target) -> Wheel:
    """A lock entry for a file that was chosen for ``target``; the file's name says whether it runs anywhere.

    Raises:
        Trouble: The wheel is made for one platform but several Pythons, which the lock has no words for yet.
    """
    python_tag, abi_tag, platform_tag = filename.removesuffix(".whl").split("-")[-3:]
    if platform_tag == "any" and abi_tag == "none" and python_tag.startswith("py"):
        return Wheel(name, version, filename, sha256, ANY, ANY)
    if not python_tag.startswith("cp3") or abi_tag != python_tag:
        raise Trouble(
            f"{filename} is made neither for all platforms nor for one Python; vendor/wheels.lock cannot say that"
        )
    return Wheel(name, version, filename, sha256, target.platform, target.python)


def read_wheels(path: Path) -> list[Wheel]:
    """Reads the lock.

    Raises:
        Trouble: The file is not what `write_wheels` writes, or names a file twice.
    """
    try:
        data: dict[str, Any] = tomllib.loads(path.read_text(encoding="utf-8"))
        wheels = [Wheel(**entry) for entry in data["wheel"]]
    except (OSError, tomllib.TOMLDecodeError, KeyError, TypeError) as error:
        raise Trouble(f"{path.name} cannot be read ({error}); restore it from git or run: dev.py lock") from error
    names = [wheel.filename for wheel in wheels]
    if len(set(names)) != len(names):
        raise Trouble(f"{path.name} names a wheel twice; run: dev.py lock")
    return wheels


def write_wheels(path: Path, wheels: Iterable[Wheel]) -> None:
    """Writes the lock, in an order that does not depend on how it was found out."""
    tables = [
        "[[wheel]]\n" + "".join(f'{key} = "{value}"\n' for key, value in asdict(wheel).items())
        for wheel in sorted(set(wheels))
    ]
    path.write_text("\n".join([_HEAD, *tables]), encoding="utf-8", newline="\n")
