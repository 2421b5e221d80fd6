"""`dev.py test`: sets up and runs every suite, and says what ran, what did not, and why."""

from __future__ import annotations

import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from ..checks import LAYERS, check_all
from ..environments.environment import Environment, main_environment, ready
from ..packaging import package
from ..paths import ROOT
from ..terminal import Trouble, say, show
from . import suite_times
from .heartbeat import Heartbeat
from .junit import Counts
from .lanes import Lanes
from .made import WITH_ZIP, Made, set_up_window
from .plan import CORES, KINDS, other_blenders, side_by_side, suites_for
from .process import run_suite
from .suite import RESULTS, Outcome, Suite

_MAKERS = 2  # environments that are made at once, or one and the zip


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
    kinds = only or KINDS
    with ThreadPoolExecutor(1) as window, ThreadPoolExecutor(1) as checking, ThreadPoolExecutor(_MAKERS) as making:
        # Everything that only some suites need is made beside the first of those that do not need it.
        has_window = window.submit(set_up_window) if "gui" in kinds and not quick else None
        environment = main_environment()
        archive = making.submit(_build, environment) if not quick and {*WITH_ZIP} & {*kinds} else None
        others = other_blenders(environment, kinds, quick)
        environments = {
            other.environment.folder: making.submit(ready, other.environment.blender)
            for other in others
            if other.environment is not None
        }
        # The unit suite has this one too, whole unless the arguments choose among its tests.
        without = () if arguments else (LAYERS,)
        checks = None if only else checking.submit(check_all, environment, without)
        made = Made(environments, archive, has_window)
        suites = suites_for(environment, kinds, others, quick)
        chosen = ("-m", "not slow and not once") if quick else ()
        outcomes = _run_all(suites, [*chosen, *arguments], made, side_by_side(quick=quick))
    broken = ["build"] if archive is not None and archive.exception() is not None else []
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


def _build(environment: Environment) -> Path:
    try:
        return package.build(environment).for_all
    except Trouble as trouble:
        say(str(trouble))
        raise


def _run_all(suites: Sequence[Suite], arguments: Sequence[str], made: Made, count: int) -> list[Outcome]:
    """Runs them all, so many at once, and returns how they ended, in the order in which they ended."""
    RESULTS.mkdir(parents=True, exist_ok=True)
    say(f"Running the tests; what they print goes to {RESULTS.relative_to(ROOT)}/ too ...")
    lanes, outcomes = Lanes(suites, made, CORES), []

    def run_lane(heartbeat: Heartbeat) -> None:
        suite = None
        while (suite := lanes.take(suite)) is not None:
            outcomes.append(_run_and_show(suite, arguments, heartbeat))

    with ThreadPoolExecutor(count) as pool, Heartbeat() as heartbeat:
        running = [pool.submit(run_lane, heartbeat) for _ in range(count)]
        for each in running:
            each.result()
    return outcomes


def _run_and_show(suite: Suite, arguments: Sequence[str], heartbeat: Heartbeat) -> Outcome:
    with heartbeat.during(suite.name):
        outcome = run_suite(suite, arguments)
    if outcome.suite.environment is not None:
        text = suite.log.read_text(encoding="utf-8", errors="replace").rstrip()
        note = f"\n{outcome.trouble}" if outcome.trouble else ""
        show(f"\n----- {suite.name} ({outcome.seconds:.0f} s) -----\n{text}{note}")
    return outcome


def _show_table(outcomes: Sequence[Outcome], seconds: float) -> None:
    show(f"\n{'suite':<14}{'passed':>8}{'failed':>8}{'skipped':>8}{'seconds':>9}  note")
    for outcome in sorted(outcomes, key=lambda outcome: (KINDS.index(outcome.suite.kind), outcome.suite.name)):
        counts, suite = outcome.counts, outcome.suite
        if suite.environment is None:
            show(f"{suite.name:<14}{'-':>8}{'-':>8}{'-':>8}{'-':>9}  not run: {suite.reason}")
            continue
        figures = f"{counts.passed:>8}{counts.failed:>8}{counts.skipped:>8}{outcome.seconds:>9.0f}"
        show(f"{suite.name:<14}{figures}  {outcome.trouble}".rstrip())
        for reason, count in counts.reasons.most_common():
            show(f"{'':<14}{count} skipped: {reason}")
    show(f"all in {seconds:.0f} s\n")
