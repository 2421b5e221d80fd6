"""`dev.py lock`: computes all locks anew from roots.toml and what the package index offers now."""

from __future__ import annotations

from pathlib import Path

from ..environments.requirement_lock import Locked, write_requirements
from ..environments.roots import read_roots
from ..environments.targets import SHIPPED, Target
from ..packaging import manifest
from ..packaging.wheel_lock import wheel_for, write_wheels
from ..paths import ROOT, WHEELS_LOCK
from ..terminal import say
from .resolve import Pick, resolve


def lock_all(python: Path) -> None:
    """Writes vendor/wheels.lock, the manifest's list of wheels, and one requirement file for each environment.

    What ships is decided first; the environments then get the same versions, so tests run with what users get.

    Args:
        python: A Python with pip and packaging.

    Raises:
        Trouble: A package that is asked for cannot be had.
    """
    roots = read_roots()
    say("Finding out which wheels ship with the extension ...")
    shipped = resolve(python, roots.shipped, SHIPPED)
    wheels = [
        wheel_for(pick.name, pick.version, pick.filename, pick.sha256, target)
        for target, picks in shipped.items()
        for pick in picks.values()
    ]
    write_wheels(WHEELS_LOCK, wheels)
    manifest.write_wheel_list()
    say(f"    {WHEELS_LOCK.relative_to(ROOT)}: {len(set(wheels))} files")

    everywhere = sorted({target for blender in roots.blenders for target in blender.targets})
    say("Finding out which versions the environments share ...")
    asked = [*roots.shipped, *roots.tests, *roots.tools]
    shared = resolve(python, asked, everywhere, _pins(shipped))
    for blender in roots.blenders:
        say(f"Finding out what goes into the environment {blender.name} ...")
        picks = resolve(python, roots.requirements(blender), blender.targets, _pins(shipped) | _pins(shared))
        packages = _by_package(picks)
        write_requirements(blender.lock, blender.targets, packages)
        say(f"    {blender.lock.relative_to(ROOT)}: {len(packages)} packages")


def _pins(picks: dict[Target, dict[str, Pick]]) -> set[str]:
    return {f"{pick.name}=={pick.version}" for closure in picks.values() for pick in closure.values()}


def _by_package(picks: dict[Target, dict[str, Pick]]) -> list[Locked]:
    hashes: dict[tuple[str, str], dict[Target, str]] = {}
    for target, closure in picks.items():
        for pick in closure.values():
            hashes.setdefault((pick.name, pick.version), {})[target] = pick.sha256
    return [Locked(name, version, found) for (name, version), found in hashes.items()]
