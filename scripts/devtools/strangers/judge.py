"""Whether a model's figures are what is expected: a sentence for each that is not."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from . import plan
from .expected import AT_LEAST, AT_MOST, DEVIATION_OF_MANY, LIMBS, MANY_PIECES, Expected


class Miss(NamedTuple):
    """Something that is not as expected: in which step, and what, in a sentence."""

    step: str
    sentence: str


def misses_of(steps: Mapping[str, Mapping[str, Any]], expected: Expected, most_seconds: float) -> list[Miss]:
    """All that is not as expected.

    Args:
        steps: Step → its record: ``seconds``, ``error``, ``figures``, ``values``, ``skipped``.
        expected: Of this model.
        most_seconds: That a capability may take.
    """
    return [
        Miss(key, sentence)
        for key, record in steps.items()
        for sentence in _of_step(key, record, expected, most_seconds, _pieces(steps))
    ]


def _pieces(steps: Mapping[str, Mapping[str, Any]]) -> float:
    return float(steps.get(plan.IMPORT, {}).get("figures", {}).get("pieces", 1))


def _of_step(
    key: str, record: Mapping[str, Any], expected: Expected, most_seconds: float, pieces: float
) -> Iterator[str]:
    if record.get("skipped"):
        if expected.kind in LIMBS:
            yield f"not done: {record['skipped']}"
        return
    if record.get("error"):
        if key not in expected.refused:
            yield str(record["error"])
        return
    if record.get("trouble"):
        yield f"could not be measured: {record['trouble']}"
    if most_seconds and record["seconds"] > most_seconds:
        yield f"took {record['seconds']:.0f} s; {most_seconds:g} s are allowed"
    if key == plan.CHECK and expected.kind and record["values"].get("kind") != expected.kind:
        yield f"expected {expected.kind}, taken for {record['values'].get('kind') or 'nothing'}"
    figures = record.get("figures", {})
    if key == plan.WALK and expected.front and figures.get("front") not in (None, expected.front):
        yield f"faces {expected.front} and walks towards {figures['front']}"
    if key == plan.SEGMENT and (missing := LIMBS.get(expected.kind, frozenset()) - set(figures.get("names", ()))):
        yield f"has no {', '.join(sorted(missing))}"
    for name, number in figures.items():
        if isinstance(number, int | float):
            yield from _beyond(f"{name}:{key}", float(number), expected, pieces)


def _beyond(name: str, number: float, expected: Expected, pieces: float) -> Iterator[str]:
    most = expected.limits.get(name, AT_MOST.get(name))
    if name == f"deviation:{plan.DECIMATE}" and pieces >= MANY_PIECES and name not in expected.limits:
        most = DEVIATION_OF_MANY
    least = expected.limits.get(name, AT_LEAST.get(name)) if name in AT_LEAST else None
    measure = name.partition(":")[0]
    if name in AT_MOST and most is not None and not number <= most:
        yield f"{measure} is {number:.4g}; at most {most:g} is expected"
    elif least is not None and not number >= least:
        yield f"{measure} is {number:.4g}; at least {least:g} is expected"
