"""What is wrong with a request: the field, what was given and what is allowed, read from pydantic's errors."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import Enum, auto
from typing import Any, NamedTuple

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from .constraints import allowed_values
from .field_specs import FieldSpec
from .rules import RuleError


class Reason(Enum):
    """Why something is refused."""

    MISSING = auto()
    RULE = auto()
    """A rule of the contract's own, whose words say all of it."""
    VALUE = auto()


class Complaint(NamedTuple):
    """One thing that is wrong.

    Attributes:
        reason: Why it is refused.
        place: Where it is in the body; it may go on inside of a field, with the form of a union that was tried.
        spec: The field at that place; None where the request as a whole is meant, or no declared field.
        rule_field: The field that a broken rule names, as the API calls it; empty for other reasons.
        given: The value.
        words: What is said of it: a rule's sentence, else what pydantic expects.
        allowed: What the field takes, in words; what pydantic expects where there is no field.
    """

    reason: Reason
    place: tuple[str, ...]
    spec: FieldSpec | None
    rule_field: str
    given: Any
    words: str
    allowed: str


def complaints(error: ValidationError, specs: Sequence[FieldSpec] = ()) -> list[Complaint]:
    """All that is wrong, in the order of the fields.

    Args:
        error: What pydantic found.
        specs: The fields of the declaration that refused, flattened.
    """
    return [_complaint(details, specs) for details in error.errors(include_url=False)]


def _complaint(details: ErrorDetails, specs: Sequence[FieldSpec]) -> Complaint:
    place = tuple(map(str, details["loc"]))
    spec = _field_at(specs, place)
    cause = details.get("ctx", {}).get("error")
    reason = {"missing": Reason.MISSING, "value_error": Reason.RULE}.get(details["type"], Reason.VALUE)
    words = str(cause) if reason is Reason.RULE else details["msg"]
    return Complaint(
        reason=reason,
        place=place,
        spec=spec,
        rule_field=cause.field if isinstance(cause, RuleError) else "",
        given=details.get("input"),
        words=words,
        allowed=allowed_values(spec) if spec else words[:1].lower() + words[1:],
    )


def _field_at(specs: Iterable[FieldSpec], place: tuple[str, ...]) -> FieldSpec | None:
    """The field whose value is at a place: the longest path that begins it."""
    inside = [spec for spec in specs if place[: len(spec.path)] == spec.path]
    return max(inside, key=lambda spec: len(spec.path), default=None)
