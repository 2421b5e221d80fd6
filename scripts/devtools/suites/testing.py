"""`dev.py test`: sets up and runs every suite, and says what ran, what did not, and why."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

from ..checks import check_all
from ..environments.environment import Environment, main_environment, ready
from ..packaging import package
from ..paths import ROOT
from ..terminal import Trouble, say, show
from . import suite_times
from .heartbeat import Heartbeat
from .junit import Counts
from .plan import KINDS, SIDE_BY_SIDE, other_blenders, suites_for
from .process import run_suite
from .suite import RESULTS, Outcome, Suite

_SETUPS = 2  # environments that are made at once

Made = Mapping[Path, Future[Environment]]
"""The environments that are being made, by their folders."""


def test(only: Sequence[str], quick: bool, arguments: Sequence[str]) -> int:
    """Runs the checks and the suites.

    Args:
        only: Kinds of suites; empty for all of them and the checks.
        quick: Leave out slow tests, the other Blenders and the window.
        arguments: Handed on to pytest.

    Returns:
        The exit code: 0 only when everything that ran passed and something ran.
    """
    started = time.monotonic()
    environment = main_environment()
    kinds = only or KINDS
    archive: Path | None = None
    broken: list[str] = []
    others = other_blenders(environment, kinds, quick)
    # The checks and the other Blenders' environments are made beside the first suites, which need neither.
    with ThreadPoolExecutor(1) as checking, ThreadPoolExecutor(_SETUPS) as setting_up:
        made = {
            other.environment.folder: setting_up.submit(ready, other.environment.blender)
            for other in others
            if other.environment is not None
        }
        checks = None if only else checking.submit(check_all, environment)
        if not quick and {"blender", "gui"} & set(kinds):
            try:
                archive = package.build(environment).for_all
            except Trouble as trouble:
                say(str(trouble))
                broken.append("build")
        suites = suites_for(environment, kinds, others, archive, quick)
        chosen = ("-m", "not slow and not once") if quick else ()
        outcomes = _run_all(suites, [*chosen, *arguments], made)
    if checks is not None:
        broken += [outcome.name for outcome in checks.result() if not outcome.passed]
    seconds = time.monotonic() - started
    _show_table(outcomes, seconds)
    if not (only or quick or arguments):
        suite_times.keep(outcomes, seconds)
    if broken:
        show(f"also failed: {', '.join(broken)}")
    total = sum((outcome.counts for outcome in outcomes), Counts())
    show(total.sentence())
    return 1 if broken or any(outcome.failed for outcome in outcomes) or total.total == 0 else 0


def _run_all(suites: Sequence[Suite], arguments: Sequence[str], made: Made) -> list[Outcome]:
    RESULTS.mkdir(parents=True, exist_ok=True)
    say(f"Running the tests; what they print goes to {RESULTS.relative_to(ROOT)}/ too ...")
    with (
        tempfile.TemporaryDirectory(prefix="assetgen-compiled-") as compiled,
        ThreadPoolExecutor(SIDE_BY_SIDE) as pool,
        Heartbeat() as heartbeat,
    ):
        return list(pool.map(lambda suite: _run_and_show(suite, arguments, heartbeat, Path(compiled), made), suites))


def _run_and_show(suite: Suite, arguments: Sequence[str], heartbeat: Heartbeat, compiled: Path, made: Made) -> Outcome:
    suite = once_made(suite, made)
    with heartbeat.during(suite.name):
        outcome = run_suite(suite, arguments, compiled)
    if outcome.suite.environment is not None:
        text = suite.log.read_text(encoding="utf-8", errors="replace").rstrip()
        note = f"\n{outcome.trouble}" if outcome.trouble else ""
        show(f"\n----- {suite.name} ({outcome.seconds:.0f} s) -----\n{text}{note}")
    return outcome


def once_made(suite: Suite, made: Made) -> Suite:
    """The suite when its environment is there, or why there is none."""
    future = made.get(suite.environment.folder) if suite.environment is not None else None
    try:
        if future is not None:
            future.result()
    except Trouble as trouble:
        return replace(suite, environment=None, reason=str(trouble))
    return suite


def _show_table(outcomes: Sequence[Outcome], seconds: float) -> None:
    show(f"\n{'suite':<14}{'passed':>8}{'failed':>8}{'skipped':>8}{'seconds':>9}  note")
    for outcome in sorted(outcomes, key=lambda outcome: KINDS.index(outcome.suite.kind)):
        counts, suite = outcome.counts, outcome.suite
        if suite.environment is None:
            show(f"{suite.name:<14}{'-':>8}{'-':>8}{'-':>8}{'-':>9}  not run: {suite.reason}")
            continue
        figures = f"{counts.passed:>8}{counts.failed:>8}{counts.skipped:>8}{outcome.seconds:>9.0f}"
        show(f"{suite.name:<14}{figures}  {outcome.trouble}".rstrip())
        for reason, count in counts.reasons.most_common():
            show(f"{'':<14}{count} skipped: {reason}")
    show(f"all in {seconds:.0f} s\n")
