"""Why a request cannot be sent, as one sentence that names the field as a person filled it in."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from pydantic import ValidationError

from ....vendor.assetgen.contract import (
    UNNAMED,
    FieldSpec,
    Reason,
    RuleError,
    TaskRequest,
    allowed_values,
    complaints,
    value_text,
)
from ..errors import BadRequest

_CHOICES_OF_FIELDS = ("give exactly one of ", "give at least one of ")


def bad_request(model: type[TaskRequest], specs: Sequence[FieldSpec], error: ValidationError) -> BadRequest:
    """The first complaint as a sentence: one clear thing to mend is worth more than a list.

    Args:
        model: The declaration that refused the values.
        specs: Its fields, flattened.
        error: What it said.
    """
    first = complaints(error, specs)[0]
    if first.reason is Reason.RULE:
        spec = _field_named(specs, first.rule_field) or first.spec
        return BadRequest(_rule_sentence(first.words, spec, specs), spec.name if spec else "")
    spec = first.spec
    if first.reason is Reason.MISSING:
        return _missing(model, specs, spec, first.place)
    label = spec.label if spec else ".".join(first.place) or model.label
    return BadRequest(f"{label} is {value_text(first.given)}; allowed: {first.allowed}", spec.name if spec else "")


def broken_rule(error: RuleError, specs: Sequence[FieldSpec]) -> BadRequest:
    """A broken rule as a sentence."""
    spec = _field_named(specs, error.field)
    return BadRequest(_rule_sentence(str(error), spec, specs), spec.name if spec else "")


def _field_named(specs: Iterable[FieldSpec], name: str) -> FieldSpec | None:
    """The field that a rule names; the first of those that are nested in it, where it names a whole."""
    by_name = {spec.path[0]: spec for spec in reversed(list(specs))} | {spec.name: spec for spec in specs}
    return by_name.get(name)


def _missing(
    model: type[TaskRequest], specs: Sequence[FieldSpec], spec: FieldSpec | None, place: tuple[str, ...]
) -> BadRequest:
    if spec is not None:
        return BadRequest(f"{model.label} needs {spec.label}; allowed: {allowed_values(spec)}", spec.name)
    parts = [part for part in specs if part.path[: len(place)] == place]
    if not parts:
        return BadRequest(f"{model.label} needs {'.'.join(place)}")
    labels = [part.label for part in parts]
    words = f"one of {', '.join(labels)}" if len(labels) > 1 else labels[0]
    return BadRequest(f"{model.label} needs {words}; allowed: {allowed_values(parts[0])}", parts[0].name)


def _rule_sentence(words: str, spec: FieldSpec | None, specs: Sequence[FieldSpec]) -> str:
    """A rule's own sentence, with the names that a person knows."""
    if spec is not None:
        labels = {part.name: part.label for part in specs} | dict.fromkeys((spec.path[0], *UNNAMED), spec.label)
        for name, label in labels.items():
            if words.startswith(f"{name} "):
                return f"{label} {words.removeprefix(name).lstrip()}"
    if words.startswith(_CHOICES_OF_FIELDS):
        wholes: dict[str, list[str]] = {}
        for part in specs:
            if len(part.path) > 1:
                wholes.setdefault(part.path[0], []).append(part.name)
        for whole, names in wholes.items():
            words = re.sub(rf"\b{whole}\b", "/".join(names), words)
    return words[:1].upper() + words[1:]
