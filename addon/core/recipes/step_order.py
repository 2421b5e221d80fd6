"""Which steps wait for which, and the order that follows from it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ....vendor.assetgen.contract import CAPABILITIES, FieldKind, describe
from .recipe import Step, Trouble

_FILES = frozenset({FieldKind.FILE, FieldKind.FILES})


def waits_for(step: Step, names: Mapping[str, Step]) -> dict[str, tuple[str, ...]]:
    """The steps whose results a step needs, by the key that names them: what it works on, or a field of images."""
    needed: dict[str, tuple[str, ...]] = {"from": (step.source,)} if step.source in names else {}
    model = CAPABILITIES.get(step.use)
    for spec in describe(model) if model is not None else ():
        if spec.kind in _FILES and spec.name in step.fields:
            value = step.fields[spec.name]
            items = value if isinstance(value, list) else [value]
            if found := tuple(item for item in items if isinstance(item, str) and item in names):
                needed[spec.name] = found
    return needed


def in_order(steps: Sequence[Step]) -> tuple[list[Step], list[Trouble]]:
    """The steps with each behind those that it waits for, else as they stand in the file; and the circles among them.

    The steps of a circle, and those that wait for them, are not in the order.
    """
    names = {step.name: step for step in steps}
    needed = {step.name: {name for found in waits_for(step, names).values() for name in found} for step in steps}
    order: list[Step] = []
    left = list(steps)
    while ready := next((step for step in left if not needed[step.name] & {other.name for other in left}), None):
        order.append(ready)
        left.remove(ready)
    return order, _circles(left, needed)


def _circles(left: Sequence[Step], needed: Mapping[str, set[str]]) -> list[Trouble]:
    """A sentence for each circle; every step that is left waits for one of them."""
    there = {step.name: step for step in left}
    told: set[str] = set()
    troubles = []
    for step in left:
        way = [step.name]
        while True:
            # Every step that is left waits for another one that is left, so the way comes back to itself.
            following = min(needed[way[-1]] & set(there), key=lambda name: there[name].line)
            if following in way:
                break
            way.append(following)
        circle = way[way.index(following) :]
        if not told & set(circle):
            told |= set(circle)
            first = min((there[name] for name in circle), key=lambda item: item.line)
            at = circle.index(first.name)
            words = " > ".join([*circle[at:], *circle[:at], first.name])
            key = next((key for key, found in waits_for(first, there).items() if set(found) & set(circle)), "from")
            troubles.append(Trouble(first.line_of(key), f"Steps that wait for each other never begin: {words}"))
    return troubles
