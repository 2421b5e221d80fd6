"""How soon the end of a task is noticed, and with how many requests: a simulation, always with the same figures."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..environments.environment import Environment
from ..terminal import show
from .probe import run_probe
from .registry import Measurement, benchmark

_MANY = "1000"
_FEWER_REQUESTS = 40
_SOON = 0.95
_WAYS = {"own": "this poller", "every_2_s": "each task every 2 s", "doubling": "each task, doubling to 30 s"}


@benchmark(
    "noticing",
    what="from the end of a task until it is noticed, 95 of 100, with 1,000 tasks",
    reference="each task read on its own, at an interval that doubles to 30 s",
    most_milliseconds=2000,
)
def noticing(environment: Environment) -> Measurement:
    """Prints the requests and the delays for 1 to 1,000 tasks, beside two plain ways to poll."""
    counts = run_probe(environment, "noticing")["counts"]
    _show(counts)
    many = counts[_MANY]
    fewer = many["every_2_s"]["requests"] / many["own"]["requests"]
    late = [count for count, ways in counts.items() if ways["own"]["within_2_s"] < _SOON]
    broken = [f"with {', '.join(late)} tasks fewer than 95 of 100 are noticed within 2 s"] if late else []
    if fewer < _FEWER_REQUESTS:
        broken.append(f"only {fewer:.0f} times fewer requests than one for each task every 2 s")
    return Measurement(
        milliseconds=1000 * many["own"]["p95"],
        reference_milliseconds=1000 * many["doubling"]["p95"],
        facts={"counts": counts},
        broken="; ".join(broken),
    )


def _show(counts: Mapping[str, Mapping[str, Mapping[str, Any]]]) -> None:
    show(f"{'tasks':>6}  {'way':<28}{'requests a task':>16}{'fewer':>8}{'median':>9}{'95 %':>8}{'within 2 s':>12}")
    for count, ways in counts.items():
        most = ways["every_2_s"]["requests"]
        for name, way in ways.items():
            figures = (
                f"{way['requests']:>16.2f}{most / way['requests']:>7.1f}x{way['median']:>7.2f} s{way['p95']:>6.2f} s"
            )
            show(f"{count:>6}  {_WAYS[name]:<28}{figures}{way['within_2_s']:>12.1%}")
