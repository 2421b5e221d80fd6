"""Reads ``scripts/locks/roots.toml``: what is asked for, before the locks say what that comes to."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from ..paths import LOCKS
from .targets import PLATFORMS, Target


@dataclass(frozen=True, slots=True)
class BlenderRoot:
    """A Blender that is tested against: the version of its bpy wheel, the wheel's Python, and the lock."""

    series: str
    bpy: str
    python: str
    main: bool
    platforms: tuple[str, ...]
    extra: tuple[str, ...]

    @property
    def name(self) -> str:
        """The environment's name, also of its folder and its lock."""
        return f"bpy-{self.series}"

    @property
    def lock(self) -> Path:
        """The requirement file with hashes."""
        return LOCKS / f"{self.name}.txt"

    @property
    def targets(self) -> tuple[Target, ...]:
        """What the wheel exists for."""
        return tuple(Target(platform, self.python) for platform in self.platforms)


@dataclass(frozen=True, slots=True)
class Roots:
    """The content of roots.toml."""

    shipped: tuple[str, ...]
    tests: tuple[str, ...]
    tools: tuple[str, ...]
    blenders: tuple[BlenderRoot, ...]

    def main_for(self, python: str) -> BlenderRoot | None:
        """The environment to work in with this Python ("3.11"), or None when no bpy wheel is made for it."""
        return next((blender for blender in self.blenders if blender.main and blender.python == python), None)

    def pythons(self) -> list[str]:
        """The Pythons that have a bpy wheel."""
        return sorted({blender.python for blender in self.blenders if blender.main}, key=lambda v: int(v.split(".")[1]))

    def requirements(self, blender: BlenderRoot) -> list[str]:
        """Everything that the environment of this Blender is asked to hold."""
        tools = self.tools if blender.main else ()
        return [f"bpy=={blender.bpy}", *blender.extra, *self.shipped, *self.tests, *tools]


@cache
def read_roots(path: Path = LOCKS / "roots.toml") -> Roots:
    """Reads the file."""
    data = tomllib.loads(path.read_text(encoding="utf-8"))
    blenders = tuple(
        BlenderRoot(
            series=series,
            bpy=entry["bpy"],
            python=entry["python"],
            main=entry.get("main", False),
            platforms=tuple(entry.get("platforms", PLATFORMS)),
            extra=tuple(entry.get("extra", ())),
        )
        for series, entry in data["blender"].items()
    )
    return Roots(tuple(data["shipped"]), tuple(data["tests"]), tuple(data["tools"]), blenders)
