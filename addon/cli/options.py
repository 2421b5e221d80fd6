"""The options of a capability, made from its declaration: nothing of the API is written down here."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from ...vendor.assetgen.contract import (
    FieldKind,
    FieldSpec,
    TaskRequest,
    allowed_values,
    describe,
    is_file_reference,
    usual_values,
)
from ..core import text_values
from ..core.jobs.job import EXTRA
from .parsing import Parser, plain

_FIELD = "field "
"""Begins the names under which argparse keeps fields: none of our own options can be taken for one."""

STANDARD_INPUT = "-"
"""A text that means what stands on the standard input."""

_MOST_INPUT = 1 << 20
"""Bytes of it that are read: more than any field takes."""

_SHORT_CHOICES = 40
"""Characters up to which all choices stand in the option's own column."""


def add_fields(parser: Parser, model: type[TaskRequest]) -> None:
    """Adds an option for every field that a person sets; what the task works on is not among them."""
    usual = parser.add_argument_group("settings")
    further = parser.add_argument_group("further settings")
    for spec in option_fields(model):
        _add(further if spec.advanced or not spec.panel else usual, spec)
        parser.accept_dashes(option_name(spec.name), spec.choices)
        if spec.choices:
            parser.offered[option_name(spec.name)] = tuple(spec.choices)
    further.add_argument(
        "--set",
        dest=_FIELD + EXTRA,
        metavar="NAME=VALUE",
        type=_assignment,
        action="append",
        default=argparse.SUPPRESS,
        help="a field that this program does not know, sent as it is; the value as JSON, or a text; may be repeated",
    )


def option_fields(model: type[TaskRequest]) -> list[FieldSpec]:
    """The fields of a capability that are options."""
    return [spec for spec in describe(model) if not spec.source]


def command_name(model: type[TaskRequest]) -> str:
    """The sub-command of a capability: ``text_to_model`` is ``text-to-model``."""
    return model.name.replace("_", "-")


def option_name(field: str) -> str:
    """The option of a field: ``face_limit`` is ``--face-limit``."""
    return "--" + field.replace("_", "-")


def given_fields(options: argparse.Namespace) -> dict[str, Any]:
    """The fields that were given on the command line; the service decides about all others."""
    given = {name.removeprefix(_FIELD): value for name, value in vars(options).items() if name.startswith(_FIELD)}
    if EXTRA in given:
        given[EXTRA] = dict(given[EXTRA])
    return given


def file_value(text: str) -> str:
    """A file as a job keeps it: a token or an https address as it is, a path made absolute.

    A job may go on after a restart, from another folder.
    """
    if is_file_reference(text):
        return text
    if text.startswith("http://"):
        raise argparse.ArgumentTypeError(f"{text} is not fetched by the service: only https addresses are")
    if not text:
        raise argparse.ArgumentTypeError("the path of a file is missing")
    return str(Path(text).expanduser().absolute())


def _add(group: Any, spec: FieldSpec) -> None:
    settings: dict[str, Any] = {
        "dest": _FIELD + spec.name,
        "default": argparse.SUPPRESS,
        "required": spec.required and len(spec.path) == 1,
        "help": plain(_help(spec)),
    }
    match spec.kind:
        case FieldKind.SWITCH:
            settings |= {"action": argparse.BooleanOptionalAction}
        case FieldKind.CHOICE:
            settings |= {"type": _choice(spec), "metavar": _choice_metavar(spec)}
        case FieldKind.INTEGER:
            settings |= {"type": _number(spec, int), "metavar": "N"}
        case FieldKind.NUMBER:
            settings |= {"type": _number(spec, float), "metavar": "X"}
        case FieldKind.TEXT:
            settings |= {"type": _text, "metavar": "TEXT"}
        case FieldKind.FILE:
            settings |= {"type": file_value, "metavar": "FILE"}
        case FieldKind.FILES:
            settings |= {"type": file_value, "metavar": "FILE", "nargs": "+", "action": "extend"}
        case FieldKind.NAMES:
            settings |= {"type": _names, "metavar": "NAMES", "action": "extend"}
        case FieldKind.MAP:
            settings |= {"type": _json(dict), "metavar": "JSON"}
        case FieldKind.LIST:
            settings |= {"type": _json(list), "metavar": "JSON"}
    group.add_argument(option_name(spec.name), **settings)


def _help(spec: FieldSpec) -> str:
    parts = [spec.description]
    if hint := value_hint(spec):
        parts.append(hint)
    if spec.forbidden_by:
        parts.append(f"not for {', '.join(spec.forbidden_by)}")
    if spec.default is not None:
        default = {True: "on", False: "off"}.get(spec.default, spec.default)
        parts.append(f"default: {default}")
    return "; ".join(parts)


def value_hint(spec: FieldSpec) -> str:
    """What a value looks like, where the option's metavar and the description do not say it."""
    match spec.kind:
        case FieldKind.CHOICE:
            return f"one of {allowed_values(spec)}" if len(_listed(spec)) > _SHORT_CHOICES else ""
        case FieldKind.INTEGER | FieldKind.NUMBER:
            bounded = spec.minimum is not None or spec.maximum is not None or spec.above is not None
            hard = allowed_values(spec).removeprefix("an integer ").removeprefix("a number ") if bounded else ""
            return hard or usual_values(spec)
        case FieldKind.TEXT:
            return allowed_values(spec).removeprefix("a text of ") if spec.length[1] else usual_values(spec)
        case FieldKind.FILE:
            return f"path ({', '.join(spec.formats)}), file token or https address"
        case FieldKind.FILES:
            how_many = allowed_values(spec).removeprefix("a list of ").removesuffix(" files")
            return f"{how_many} paths ({', '.join(spec.formats)}), file tokens or https addresses"
        case FieldKind.NAMES:
            return "separated by commas, or the option repeated"
        case FieldKind.MAP:
            return "a JSON object"
        case FieldKind.LIST:
            return "a JSON list"
    return ""


def _listed(spec: FieldSpec) -> str:
    return ",".join(choice or '""' for choice in spec.choices)


def _choice_metavar(spec: FieldSpec) -> str:
    listed = _listed(spec)
    return f"{{{listed}}}" if len(listed) <= _SHORT_CHOICES else spec.name.rpartition("_")[2].upper()


def _choice(spec: FieldSpec) -> Callable[[str], str]:
    """Choices may be given in any case: nobody remembers which of them the API writes large."""
    by_case = {choice.lower(): choice for choice in spec.choices}

    def read(text: str) -> str:
        if text.lower() not in by_case:
            raise argparse.ArgumentTypeError(f"{text!r} is not among what is allowed: {allowed_values(spec)}")
        return by_case[text.lower()]

    return read


def _number(spec: FieldSpec, kind: type[int] | type[float]) -> Callable[[str], float]:
    # Only the form is looked at here: the declaration's own sentence says what is out of bounds.
    def read(text: str) -> float:
        try:
            return kind(text)
        except ValueError:
            raise argparse.ArgumentTypeError(f"{text!r} is not {allowed_values(spec)}") from None

    return read


def _text(text: str) -> str:
    """A text as it is; for a single dash, what stands on the standard input."""
    if text != STANDARD_INPUT:
        return text
    try:
        # Not as the system's code page has it: what other programs write is UTF-8.
        words = sys.stdin.buffer.read(_MOST_INPUT).decode("utf-8").strip()
    except UnicodeDecodeError:
        raise argparse.ArgumentTypeError("what stands on the standard input is no text in UTF-8") from None
    if not words:
        raise argparse.ArgumentTypeError("there is nothing on the standard input; it can be read once")
    return words


def _assignment(text: str) -> tuple[str, Any]:
    name, equals, value = text.partition("=")
    if not name.strip() or not equals:
        raise argparse.ArgumentTypeError(f"{text!r} is not a name, an equals sign and a value")
    try:
        return name.strip(), json.loads(value)
    except ValueError:
        return name.strip(), value


def _names(text: str) -> list[str]:
    names = text_values.split(text, ",")
    if not names:
        raise argparse.ArgumentTypeError("a name is missing")
    return names


def _json(kind: type[dict[str, Any]] | type[list[Any]]) -> Callable[[str], Any]:
    def read(text: str) -> Any:
        try:
            return text_values.from_json(text, kind)
        except ValueError as error:
            raise argparse.ArgumentTypeError(str(error)) from None

    return read
