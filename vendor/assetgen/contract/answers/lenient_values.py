"""How answers are read whose form differs from the contract's: a paid result must not become unreadable because of a
date, a price or a preview's link.
"""

from __future__ import annotations

from typing import Any

from pydantic import ValidationError, ValidatorFunctionWrapHandler


def or_nothing(value: Any, read: ValidatorFunctionWrapHandler) -> Any:
    """Reads a value that a result does not depend on: one that has another form than expected counts as not there."""
    try:
        return read(value)
    except ValidationError:
        return None


def or_empty(value: Any, read: ValidatorFunctionWrapHandler) -> Any:
    """Reads a text that nothing depends on: in any other form it counts as empty."""
    try:
        return read(as_text(value))
    except ValidationError:
        return ""


def as_text(value: Any) -> Any:
    """A name or a state as a text, also where it comes as a number; empty where there is none."""
    if value is None:
        return ""
    return str(value) if isinstance(value, int | float) else value
