"""`dev.py campaign`: many runs, side by side, and the table."""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from . import fast_time

if TYPE_CHECKING:
    from .faults import Scenario
    from .run import Outcome

FACTOR = 40.0
"""How many times as fast as outside time passes in a run."""

_LANES_PER_JOB = 3
"""Runs mostly wait, so that a core can play several at a time."""

_MOST_REPEATS = 2


def main(argv: Sequence[str]) -> int:
    """Plays a campaign; returns 0 when nothing was paid twice and nothing was lost."""
    if sys.platform == "win32":
        print("The campaign forks its processes, which Windows cannot do.")
        return 1
    fast_time.install()  # before anything is imported that keeps a clock
    from load_extension import load_package

    load_package()
    from .runtime_face import warm_up
    from .scenario import KINDS, MARKERS

    options = _options(argv, sorted(KINDS), sorted(MARKERS))
    warm_up()
    if options.run is not None:
        return _play_one(options)
    return _play(options)


def _options(argv: Sequence[str], kinds: list[str], markers: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="dev.py campaign",
        description="Kills, cuts and delays in every way that is known, and counts what was paid twice or lost.",
    )
    parser.add_argument("--runs", type=int, default=1000, metavar="N", help="how many (1000)")
    parser.add_argument("--first", type=int, default=0, metavar="K", help="the number of the first (0)")
    parser.add_argument("--seed", type=int, default=1, metavar="S", help="what they are drawn from (1)")
    parser.add_argument("--only", choices=kinds, metavar="KIND", help="only this trouble: " + ", ".join(kinds))
    parser.add_argument("--marker", choices=markers, help="what the service does with markers; drawn when left out")
    parser.add_argument(
        "--service",
        choices=("scripted", "local", "both"),
        default="scripted",
        help="who is asked: the scripted service, the local engine, or that one in every fourth run (scripted)",
    )
    parser.add_argument("--jobs", type=int, default=2, metavar="N", help="how many cores to use (2)")
    parser.add_argument("--factor", type=float, default=FACTOR, help=f"how fast their time passes ({FACTOR:.0f})")
    parser.add_argument("--json", type=Path, metavar="FILE", help="store the figures")
    parser.add_argument("--run", type=int, metavar="K", help="play only this run again, and tell everything about it")
    parser.add_argument("--trace", type=Path, metavar="FOLDER", help="with --run: where its logs and files are kept")
    parser.add_argument(
        "--impatient", action="store_true", help="break the product on purpose: it sends a lost request again at once"
    )
    return parser.parse_args(argv)


def _play(options: argparse.Namespace) -> int:
    from .lanes import in_lanes
    from .run import Outcome
    from .table import Table

    began = time.monotonic()
    table = Table()

    def work(number: int) -> Outcome:
        local = _is_local(options, number)
        return play(_draw(options, number), options.factor, impatient=options.impatient, local=local)

    numbers = range(options.first, options.first + options.runs)
    for count, (number, result) in enumerate(in_lanes(numbers, work, options.jobs * _LANES_PER_JOB), 1):
        if not isinstance(result, Outcome):
            table.crashed[number] = str(result)
        else:
            table.add(_draw(options, number), result)
            if result.verdict.failed:
                print(f"run {number}: {'; '.join(result.verdict.sentences)}", flush=True)
        if count % 100 == 0:
            print(f"{count} runs in {time.monotonic() - began:.0f} s", flush=True)
    only = f" --only '{options.only}'" if options.only else ""
    marker = f" --marker {options.marker}" if options.marker else ""
    marker += " --impatient" if options.impatient else ""
    marker += f" --service {options.service}" if options.service != "scripted" else ""
    command = f"dev.py campaign --runs {options.runs} --first {options.first} --seed {options.seed}{only}{marker}"
    print("\n".join(table.lines(time.monotonic() - began, f"{command}, {options.factor:.0f} times as fast as outside")))
    if options.json is not None:
        options.json.write_text(json.dumps(table.as_json(), indent=2) + "\n", encoding="utf-8")
    return 0 if table.passed else 1


def play(scenario: Scenario, factor: float, *, impatient: bool = False, local: bool = False) -> Outcome:
    """One run; again where this machine stood still and it says nothing."""
    from .run import run

    for _ in range(1 + _MOST_REPEATS):
        outcome = run(scenario, factor, impatient=impatient, local=local)
        if not outcome.verdict.stalled:
            break
    outcome.events = []
    return outcome


def _is_local(options: argparse.Namespace, number: int) -> bool:
    """Whether a run is played with the local engine; with ``both``, every fourth is."""
    return options.service == "local" or (options.service == "both" and number % 4 == 3)


def _draw(options: argparse.Namespace, number: int) -> Scenario:
    from .scenario import draw, draw_for_local_engine

    if _is_local(options, number):
        return draw_for_local_engine(options.seed, number, only=options.only or "")
    return draw(options.seed, number, only=options.only or "", marker=options.marker or "")


def _play_one(options: argparse.Namespace) -> int:
    from .run import run

    scenario = _draw(options, options.run)
    print(json.dumps(asdict(scenario), indent=2))
    local = _is_local(options, options.run)
    outcome = run(scenario, options.factor, trace=options.trace, impatient=options.impatient, local=local)
    for event in sorted(outcome.events, key=lambda event: float(event["t"])):
        print(json.dumps(event))
    print(json.dumps(outcome.happened))
    print("\n".join(outcome.verdict.sentences) or "nothing was paid twice and nothing was lost")
    if outcome.verdict.stalled:
        print(f"It says nothing: {outcome.verdict.stalled}")
    return 1 if outcome.verdict.failed else 0
