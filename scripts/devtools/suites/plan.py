"""Which suites there are, in which order they start, and why one is left out."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from ..environments.environment import Environment, why_not
from ..environments.roots import BlenderRoot, read_roots
from ..paths import ROOT
from . import costs
from .suite import Suite

KINDS = ("unit", "service", "engine", "blender", "gui")
CORES = max(2, os.cpu_count() or 2)
"""On how many cores suites are divided."""
_WITH_BPY = ("engine", "blender")
_PARTS = {"gui": 4, "service": 4, "engine": 2, "blender": 2, "unit": 2}
"""Into how many runs the kinds are divided. A run of a whole folder would be the last that ends, with a core idle
beside it; each run more costs the start of Python and of bpy.
"""


def suites_for(environment: Environment, kinds: Sequence[str], others: Sequence[Suite], quick: bool) -> list[Suite]:
    """What to run, in the order of :func:`in_order`; ``others`` are of :func:`other_blenders`."""
    suites: list[Suite] = []
    if "gui" in kinds:
        suites += _gui_suites(environment, quick)
    for kind in _WITH_BPY:
        if kind in kinds:
            folder = ROOT / "tests" / kind
            suites += [part for suite in _bpy_suites(kind, environment, others) for part in parts(suite, folder)]
    if "service" in kinds:
        suites += parts(Suite("service", "service", environment), ROOT / "tests" / "service")
    if "unit" in kinds:
        suites += parts(Suite("unit", "unit", environment), ROOT / "tests" / "unit")
    return in_order(suites)


def side_by_side(*, quick: bool) -> int:
    """How many suites run at once: more than there are cores, since windows and services mostly wait.

    Windows, which ``quick`` leaves out, have to answer within their time; without them there may be more.
    """
    return CORES + (4 if quick else 3)


def in_order(suites: Sequence[Suite]) -> list[Suite]:
    """The order of their starts: the longest ones first, and last of all what has no other kind to run beside it."""
    return sorted(suites, key=lambda suite: (suite.kind == "unit", -suite.seconds))


def _bpy_suites(kind: str, environment: Environment, others: Sequence[Suite]) -> list[Suite]:
    """A folder of tests with every Blender: the first one runs all of them, the others what :func:`repeated` says."""
    suites = [Suite(f"{kind} {environment.blender.series}", kind, environment)]
    pythons = {environment.blender.python}
    for other in others:
        python = other.environment.blender.python if other.environment is not None else ""
        is_new = python not in pythons
        arguments = ("-m", repeated(is_new_python=is_new))
        seconds = costs.of_repeated(kind, is_new_python=is_new)
        suites.append(replace(other, name=f"{kind} {other.name}", kind=kind, arguments=arguments, seconds=seconds))
        pythons.add(python)
    return suites


def repeated(*, is_new_python: bool) -> str:
    """What is run again with another Blender, as pytest selects it: all but what no other Blender can change.

    Args:
        is_new_python: Whether this is the first Blender with its Python, and so with its numpy.
    """
    return "not once" if is_new_python else "not once and not each_python"


def other_blenders(environment: Environment, kinds: Sequence[str], quick: bool) -> list[Suite]:
    """What the other Blenders' suites have in common, named by their series. Their environments may have to be made."""
    if not {*_WITH_BPY} & set(kinds):
        return []
    others = [blender for blender in read_roots().blenders if blender != environment.blender]
    if quick:
        return [Suite(other.series, "", None, reason="left out by --quick") for other in others]
    return [_other_blender(other) for other in others]


def _other_blender(blender: BlenderRoot) -> Suite:
    reason = why_not(blender)
    return Suite(blender.series, "", None if reason else Environment(blender), reason=reason)


def _gui_suites(environment: Environment, quick: bool) -> list[Suite]:
    suite = Suite("gui", "gui", None)
    if quick:
        return [replace(suite, reason="left out by --quick")]
    if not os.environ.get("BLENDER"):
        return [replace(suite, reason="BLENDER does not name a Blender to open a window with")]
    return parts(replace(suite, environment=environment), ROOT / "tests" / "gui")


def parts(suite: Suite, folder: Path) -> list[Suite]:
    """Divides the test files of a folder among some suites that take about as long as each other.

    A folder with fewer files gives fewer suites; one without any gives the suite as it is, and so does a suite that is
    not run.
    """
    if suite.reason:
        return [suite]
    seconds = {
        name: costs.of_file(suite.kind, name, path)
        for path in folder.glob("**/test_*.py")
        for name in [path.relative_to(folder).as_posix()]
    }
    share = suite.seconds / sum(seconds.values()) if suite.seconds and seconds else 1.0
    loads: list[list[str]] = [[] for _ in range(min(_PARTS[suite.kind], len(seconds)))]
    for name in sorted(seconds, key=lambda name: (-seconds[name], name)):
        min(loads, key=lambda load: sum(seconds[other] for other in load)).append(name)
    divided = [
        replace(
            suite,
            name=f"{suite.name} {number}",
            files=tuple(load),
            seconds=share * sum(seconds[name] for name in load),
        )
        for number, load in enumerate(loads, 1)
        if load
    ]
    return divided or [suite]
