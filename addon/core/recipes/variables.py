"""Variables of a recipe: ``{name}`` in a text, and the values that a person gives.

A text that is nothing but ``{faces}`` becomes the variable's own value, so that a number stays a number. In a longer
text it becomes words. A brace that is meant is written twice.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from typing import Any

from ....vendor.assetgen.contract import value_text
from .. import text_values
from .recipe import ModelInput, Variable, VariableKind

_PARTS = re.compile(r"\{\{|\}\}|\{([A-Za-z_][A-Za-z0-9_-]*)\}|[{}]")
_ON = {"true": True, "yes": True, "on": True, "1": True, "false": False, "no": False, "off": False, "0": False}

_TYPES: Mapping[VariableKind, tuple[tuple[type, ...], str]] = {
    VariableKind.TEXT: ((str,), "a text"),
    VariableKind.INTEGER: ((int,), "an integer"),
    VariableKind.NUMBER: ((int, float), "a number"),
    VariableKind.SWITCH: ((bool,), "true or false"),
    VariableKind.LIST: ((list,), "a list"),
    VariableKind.FILE: ((str,), "the path of a file"),
    VariableKind.MODEL: ((str, ModelInput), "the path of a model, or the id of a task"),
}


class BadValue(ValueError):
    """A value or a text that cannot be; the message is the end of a sentence, or a sentence."""


def names_in(value: Any) -> frozenset[str]:
    """The names of all variables in a value.

    Raises:
        BadValue: There is a brace that belongs to none.
    """
    found: set[str] = set()

    def note(name: str) -> str:
        found.add(name)
        return ""

    _walk(value, lambda text: _written(text, note))
    return frozenset(found)


def filled(value: Any, values: Mapping[str, Any], as_text: Callable[[Any], str] | None = None) -> Any:
    """A value with the variables' values in it.

    Args:
        value: A text, or a list or a map with texts in it; anything else stays as it is.
        values: By name; all that are needed.
        as_text: How a value is written inside of a text, and as the whole of it too; where it is left out, a text that
            is nothing but a variable becomes the variable's own value.
    """

    def fill(text: str) -> Any:
        whole = _PARTS.fullmatch(text)
        if as_text is None and whole is not None and whole[1]:
            return values[whole[1]]
        write = as_text or value_words
        return _written(text, lambda name: write(values[name]))

    return _walk(value, fill)


def value_words(value: Any) -> str:
    """A value inside of a text."""
    if isinstance(value, ModelInput):
        return value.title
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list | tuple):
        return ", ".join(map(value_words, value))
    return str(value)


def read_text(variable: Variable, text: str) -> Any:
    """The value that a person writes as a text, on a command line or in a table.

    Raises:
        BadValue: It is none of this kind.
    """
    try:
        match variable.kind:
            case VariableKind.INTEGER:
                return int(text)
            case VariableKind.NUMBER:
                return float(text)
            case VariableKind.SWITCH:
                return _ON[text.strip().lower()]
            case VariableKind.LIST:
                return json.loads(text) if text.lstrip().startswith("[") else list(map(_scalar, _items(text)))
    except (ValueError, KeyError):
        raise BadValue(f"{variable.name} is {value_text(text)}; allowed: {allowed(variable)}") from None
    return text


def check_value(variable: Variable, value: Any) -> Any:
    """Makes sure that a value is of the variable's kind and within what it allows; returns it.

    Raises:
        BadValue: It is not.
    """
    types, _ = _TYPES[variable.kind]
    is_right = isinstance(value, types) and (variable.kind is VariableKind.SWITCH or not isinstance(value, bool))
    if is_right and variable.choices and value not in variable.choices:
        is_right = False
    if is_right and isinstance(value, int | float):
        is_right = (variable.minimum is None or value >= variable.minimum) and (
            variable.maximum is None or value <= variable.maximum
        )
    if not is_right:
        raise BadValue(f"{variable.name} is {value_text(value)}; allowed: {allowed(variable)}")
    return value


def allowed(variable: Variable) -> str:
    """What a variable takes, in words."""
    if variable.choices:
        return ", ".join(value_words(choice) for choice in variable.choices)
    _, words = _TYPES[variable.kind]
    if variable.minimum is not None and variable.maximum is not None:
        return f"{words} from {variable.minimum:g} to {variable.maximum:g}"
    if variable.minimum is not None:
        return f"{words} from {variable.minimum:g}"
    return f"{words} up to {variable.maximum:g}" if variable.maximum is not None else words


def kind_of(value: Any) -> VariableKind:
    """The kind of a variable of which only the default is told.

    Raises:
        BadValue: No variable has such a value.
    """
    for kind in (VariableKind.SWITCH, VariableKind.INTEGER, VariableKind.NUMBER, VariableKind.TEXT, VariableKind.LIST):
        types, _ = _TYPES[kind]
        if isinstance(value, types):
            return kind
    raise BadValue(f"{value_text(value)} is no value of a variable; allowed: a text, a number, true or false, a list")


def _items(text: str) -> list[str]:
    return text_values.split(text, ",")


def _scalar(text: str) -> Any:
    """A number where a text is one."""
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text


def _written(text: str, write: Callable[[str], str]) -> str:
    def part(match: re.Match[str]) -> str:
        if match[1]:
            return write(match[1])
        if len(match[0]) == 2:
            return match[0][0]
        raise BadValue(f"{value_text(text)} has a brace without a variable; write {match[0] * 2} for one that is meant")

    return _PARTS.sub(part, text)


def _walk(value: Any, change: Callable[[str], Any]) -> Any:
    if isinstance(value, str):
        return change(value)
    if isinstance(value, list | tuple):
        return [_walk(item, change) for item in value]
    if isinstance(value, Mapping):
        return {name: _walk(item, change) for name, item in value.items()}
    return value
