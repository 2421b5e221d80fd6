"""Whether every variable that a recipe's steps name is there, and everything that they run with is used."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ....vendor.assetgen.contract import CAPABILITIES
from .recipe import Recipe, Step, Trouble
from .recipe_file import BUILT_IN, near
from .step_checks import step_fields
from .step_order import waits_for
from .variables import BadValue, names_in


def check_names(recipe: Recipe) -> Iterator[Trouble]:
    """What steps call variables and is none, and values of ``each`` that nothing is made of."""
    steps = {step.name: step for step in recipe.steps}
    used = _used_names(recipe)
    for step in recipe.steps:
        known = sorted({*recipe.variables, *BUILT_IN, *_each_names(step, steps)})
        for key, value in _texts(step).items():
            try:
                for name in sorted(names_in(value).difference(known)):
                    there = ", ".join(known)
                    sentence = f"There is no variable {name}{near(name, known)}; there are {there}"
                    yield Trouble(step.line_of(key), sentence)
            except BadValue as error:
                yield Trouble(step.line_of(key), str(error))
        model = CAPABILITIES.get(step.use)
        fields = step_fields(model) if model is not None else {}
        label = model.label if model is not None else step.use
        for name in step.each_names:
            if name not in fields and name not in used:
                sentence = f"{name} is neither a field of {label} nor a variable that is used anywhere"
                yield Trouble(step.line_of("each"), sentence)


def _texts(step: Step) -> dict[str, Any]:
    """All in which a step can name variables, by its keys."""
    each = list(step.each) if isinstance(step.each, tuple) else step.each
    return {**step.fields, "from": step.source, "out": list(step.outputs), "each": each}


def _each_names(step: Step, steps: dict[str, Step], seen: frozenset[str] = frozenset()) -> set[str]:
    """The names that a step has from ``each``: its own, and those of the steps that it needs."""
    names = set(step.each_names)
    for found in waits_for(step, steps).values():
        for other in set(found) - seen - {step.name}:
            names |= _each_names(steps[other], steps, seen | {step.name})
    return names


def _used_names(recipe: Recipe) -> set[str]:
    used: set[str] = set()
    for step in recipe.steps:
        for value in _texts(step).values():
            try:
                used |= names_in(value)
            except BadValue:  # it is told elsewhere
                continue
    return used
