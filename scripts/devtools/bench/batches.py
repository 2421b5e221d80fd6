"""Batches: what a row costs, how soon the first one begins, and what more programs bring."""

from __future__ import annotations

from typing import Any

from ..environments.environment import Environment
from .probe import run_probe
from .registry import Measurement, benchmark

_MOST_MIB = 1.0
_MOST_POLLS = 1.0
_ROUNDING = 0.05


@benchmark(
    "batch_row",
    what="computing for one row of a batch of 2,000, program and its start included",
    reference="the same requests by a plain client, one row after the other",
    most_milliseconds=20,
)
def row(environment: Environment) -> Measurement:
    """Memory has to stay as it is meanwhile, and one look a second has to do for all rows."""
    found: dict[str, Any] = run_probe(environment, "batch", "rows")
    broken = []
    growth, polls = found["mib_per_1000_rows"], found["polls_a_second"]
    if growth is not None and growth >= _MOST_MIB:
        broken.append(f"{growth:.1f} MiB more for 1,000 rows")
    if polls > _MOST_POLLS + _ROUNDING:
        broken.append(f"{polls:.2f} polls a second")
    return Measurement(found["milliseconds"], found["reference"], facts=found, broken="; ".join(broken))


@benchmark(
    "batch_start",
    what="from the start of the program to the first request of a batch of 10,000 rows, all of them checked",
    reference="the program's own --help",
    most_milliseconds=2000,
)
def start(environment: Environment) -> Measurement:
    """Every row is checked before the first one is paid for."""
    found = run_probe(environment, "batch", "start")
    return Measurement(found["milliseconds"], found["reference"], facts=found)


@benchmark(
    "batch_workers",
    what="160 rows by four programs, whose tasks take 2 s and of which each has ten under way",
    reference="the same by one program",
    times_less=3,
)
def workers(environment: Environment) -> Measurement:
    """Each row is created once, whoever is quicker."""
    found = run_probe(environment, "batch", "workers")
    return Measurement(found["milliseconds"], found["reference"], facts=found)
