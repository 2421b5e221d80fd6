"""Rules between the fields of a request: declared once as words and check, so that they are documented and enforced."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar, NamedTuple, Self

from pydantic import BaseModel, ConfigDict, ValidationInfo, model_validator

_LONGEST = 60

UNNAMED = ("the file", "the task")
"""What the check of a value by itself calls it: it does not know of which field it is the value."""


class RuleError(ValueError):
    """A request breaks a rule.

    Attributes:
        field: The field to mend, by its name in the API.
    """

    def __init__(self, message: str, *, field: str) -> None:
        super().__init__(message)
        self.field = field


class Rule(NamedTuple):
    """One rule between fields.

    Attributes:
        words: The rule as a sentence for the reference page, without its full stop.
        check: Takes the request and raises :class:`RuleError` when it breaks the rule.
    """

    words: str
    check: Callable[[Any], None]


class Declared(BaseModel):
    """A model with rules. They are checked in their order once every field by itself is good."""

    # JSON has no infinity, so such a number could not even be sent.
    model_config = ConfigDict(extra="allow", populate_by_name=True, protected_namespaces=(), allow_inf_nan=False)

    rules: ClassVar[tuple[Rule, ...]] = ()

    @model_validator(mode="before")
    @classmethod
    def _without_none(cls, value: Any, info: ValidationInfo) -> Any:
        # In Python None says that a field is not given. In JSON null is a value, and one that no field takes.
        if info.mode == "python" and isinstance(value, Mapping):
            return {name: given for name, given in value.items() if given is not None}
        return value

    @model_validator(mode="after")
    def _obeys_rules(self) -> Self:
        for rule in self.rules:
            rule.check(self)
        return self


def refusal(field: str, given: object, allowed: str) -> RuleError:
    """The error that names a field, what was given, and what is allowed."""
    return RuleError(f"{field} is {value_text(given)}; allowed: {allowed}", field=field)


def value_text(value: object) -> str:
    """A value as a sentence shows it: as JSON, since that is what goes over the wire; a long one by its length."""
    text = json.dumps(value, default=str, ensure_ascii=False)
    if len(text) <= _LONGEST:
        return text
    if isinstance(value, str):
        return f"a text of {len(value)} characters"
    return f"a list of {len(value)}" if isinstance(value, list | tuple) else f"{text[: _LONGEST - 3]}..."


def at_least_one(*names: str, but: str = "") -> Rule:
    """The rule that one of several fields is given, or more; ``but`` is what its words say beside."""

    def check(request: Any) -> None:
        if all(getattr(request, name) is None for name in names):
            raise RuleError(f"give at least one of {_listed(names)}; given: none", field=names[0])

    return Rule(f"At least one of {_listed(names)} is given" + (f"; {but}" if but else ""), check)


def exactly_one(*names: str) -> Rule:
    """The rule that one of several fields is given, and only one."""
    words = _listed(names)

    def check(request: Any) -> None:
        present = [name for name in names if getattr(request, name) is not None]
        if len(present) != 1:
            raise RuleError(f"give exactly one of {words}; given: {', '.join(present) or 'none'}", field=names[0])

    return Rule(f"Exactly one of {words} is given", check)


def _listed(names: Sequence[str]) -> str:
    return f"{', '.join(names[:-1])} and {names[-1]}"
