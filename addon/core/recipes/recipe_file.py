"""Reads a recipe's file. What is wrong with its form is told with lines, all of it at once."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import Any, NamedTuple

from ....vendor.assetgen.contract import value_text
from ..errors import BadRequest
from .recipe import Recipe, RecipeError, Step, Trouble, Variable, VariableKind
from .toml_lines import Lines
from .variables import BadValue, check_value, kind_of

BUILT_IN = ("recipe", "step", "source")
"""Variables that every recipe has: its name, the name of the step, and what the model is called that it works on."""

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_-]*")
_NAME_WORDS = "a name of letters, digits, _ and -, which begins with a letter"
_PLACE = re.compile(r"\(at line (\d+), column (\d+)\)")


class Key(NamedTuple):
    """A key of a table: whether its value is right, what it takes in words, and what it is for."""

    is_right: Callable[[Any], bool]
    words: str
    description: str


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and bool(value.strip())


def _is_texts(value: Any) -> bool:
    return _is_text(value) or (isinstance(value, list) and bool(value) and all(map(_is_text, value)))


def _is_each(value: Any) -> bool:
    if isinstance(value, dict):
        return bool(value) and all((isinstance(item, list) and item) or _is_text(item) for item in value.values())
    return isinstance(value, list) and bool(value) and all(isinstance(row, dict) and row for row in value)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


TABLES: Mapping[str, str] = {
    "recipe": "What the recipe is called, and what it is for",
    "variables": "Values that can be given when the recipe is run",
    "step": "What is done: one table for each step",
}
RECIPE_KEYS: Mapping[str, Key] = {
    "name": Key(_is_text, "a text", "What it is called; the file's name when left out"),
    "description": Key(lambda value: isinstance(value, str), "a text", "What it makes, in a sentence"),
}
VARIABLE_KEYS: Mapping[str, Key] = {
    "type": Key(lambda value: value in tuple(VariableKind), ", ".join(VariableKind), "What kind of value it has"),
    "default": Key(lambda value: True, "a value", "Its value where none is given; one must be given when left out"),
    "description": Key(lambda value: isinstance(value, str), "a text", "What it is for"),
    "choices": Key(lambda value: isinstance(value, list) and bool(value), "a list of values", "All that it may be"),
    "minimum": Key(_is_number, "a number", "The least that it may be"),
    "maximum": Key(_is_number, "a number", "The most that it may be"),
}
STEP_KEYS: Mapping[str, Key] = {
    "name": Key(_is_text, "a text", "What other steps call it"),
    "use": Key(_is_text, "a text", "The capability that it runs"),
    "from": Key(_is_text, "a text", "What it works on: a step, a model file, file.blend:Object, or the id of a task"),
    "each": Key(
        _is_each,
        "a table of lists, or a list of tables",
        "Runs the step once for each value (with several lists for every combination), or for each table of values",
    ),
    "out": Key(_is_texts, "a file's name, or a list of them", "Where its result goes; the ending says as what"),
}
"""What a step has beside the fields of its capability, of which none may have one of these names."""


def read_recipe(path: Path) -> Recipe:
    """Reads a recipe.

    Raises:
        RecipeError: It is none; all that is wrong with its form is told.
        BadRequest: The file cannot be read.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise RecipeError(path, [Trouble(1, f"This is not a text in UTF-8: {error.reason}")]) from None
    except OSError as error:
        raise BadRequest(f"{path} cannot be read: {error.strerror or error}") from error
    return parse_recipe(text, path)


def parse_recipe(text: str, path: Path) -> Recipe:
    """The recipe that a text is.

    Args:
        text: TOML.
        path: The file that it is from; absolute.

    Raises:
        RecipeError: It is none.
    """
    try:
        document = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise RecipeError(path, [_toml_trouble(text, str(error))]) from None
    return _Reader(document, Lines(text.replace("\r\n", "\n")), path).recipe()


def near(name: str, names: Mapping[str, Any] | tuple[str, ...] | list[str]) -> str:
    """A name that was probably meant, as a question behind a sentence; empty where there is none."""
    matches = get_close_matches(name, list(names), n=1, cutoff=0.75)
    return f" (did you mean {matches[0]}?)" if matches else ""


def _toml_trouble(text: str, words: str) -> Trouble:
    if place := _PLACE.search(words):
        return Trouble(int(place[1]), f"This is not TOML: {words[: place.start()].strip()} (column {place[2]})")
    words = words.removesuffix("(at end of document)").strip()
    return Trouble(max(1, len(text.splitlines())), f"This is not TOML: {words}")


class _Reader:
    """One reading, which goes on when it has found something wrong."""

    def __init__(self, document: Mapping[str, Any], lines: Lines, path: Path) -> None:
        self._document = document
        self._lines = lines
        self._path = path
        self._troubles: list[Trouble] = []

    def recipe(self) -> Recipe:
        for name in self._document:
            if name not in TABLES:
                self._add((name,), f"There is no {name} in a recipe{near(name, TABLES)}; it has {', '.join(TABLES)}")
        told = self._table("recipe", RECIPE_KEYS)
        variables = self._variables()
        steps = self._steps()
        if self._troubles:
            raise RecipeError(self._path, self._troubles)
        name = told.get("name", self._path.stem)
        return Recipe(self._path, name, told.get("description", ""), variables, steps)

    def _add(self, path: tuple[str | int, ...], sentence: str) -> None:
        self._troubles.append(Trouble(self._lines.of(*path), sentence))

    def _table(self, name: str, keys: Mapping[str, Key]) -> dict[str, Any]:
        table = self._document.get(name, {})
        if not isinstance(table, dict):
            self._add((name,), f"{name} is {value_text(table)}; allowed: a table, [{name}]")
            return {}
        return self._checked(table, keys, (name,), name)

    def _checked(
        self, table: Mapping[str, Any], keys: Mapping[str, Key], path: tuple[str | int, ...], what: str
    ) -> dict[str, Any]:
        """The keys of a table that are known and right."""
        right = {}
        for name, value in table.items():
            if name not in keys:
                self._add((*path, name), f"{what} has no {name}{near(name, keys)}; it has {', '.join(keys)}")
            elif not keys[name].is_right(value):
                self._add((*path, name), f"{name} of {what} is {value_text(value)}; allowed: {keys[name].words}")
            else:
                right[name] = value
        return right

    # Variables

    def _variables(self) -> dict[str, Variable]:
        table = self._document.get("variables", {})
        if not isinstance(table, dict):
            self._add(("variables",), f"variables is {value_text(table)}; allowed: a table, [variables]")
            return {}
        found = {}
        for name, told in table.items():
            path = ("variables", name)
            if not _NAME.fullmatch(name):
                self._add(path, f"{value_text(name)} is no name of a variable; allowed: {_NAME_WORDS}")
            elif name in BUILT_IN:
                self._add(path, f"Every recipe has a variable {name}; give this one another name")
            elif (variable := self._variable(name, told, path)) is not None:
                found[name] = variable
        return found

    def _variable(self, name: str, told: Any, path: tuple[str, ...]) -> Variable | None:
        before = len(self._troubles)
        line = self._lines.of(*path)
        what = f"The variable {name}"
        parts = self._checked(told, VARIABLE_KEYS, path, what) if isinstance(told, dict) else {"default": told}
        default = parts.get("default")
        try:
            kind = VariableKind(parts["type"]) if "type" in parts else kind_of(default) if default is not None else None
        except BadValue as error:
            self._add(path, f"{what}: {error}")
            return None
        if kind is None:
            if len(self._troubles) == before:
                self._add(path, f"{what} needs a type or a default; types: {', '.join(VariableKind)}")
            return None
        limits = {key: value for key, value in parts.items() if key in ("description", "choices", "minimum", "maximum")}
        if "choices" in limits:
            limits["choices"] = tuple(limits["choices"])
        variable = Variable(name, kind, default, line=line, **limits)
        for key, value in [("default", default), *(("choices", choice) for choice in variable.choices)]:
            try:
                if value is not None:
                    check_value(variable, value)
            except BadValue as error:
                self._add((*path, key), f"{what}, {key}: {error}")
        return variable

    # Steps

    def _steps(self) -> tuple[Step, ...]:
        tables = self._document.get("step", [])
        if not isinstance(tables, list) or not all(isinstance(table, dict) for table in tables):
            self._add(("step",), "step is one table; allowed: a table for each step, [[step]]")
            return ()
        if not tables and not self._troubles:
            self._add((), "There is no step; allowed: a table for each step, [[step]]")
        steps: dict[str, Step] = {}
        for place, table in enumerate(tables):
            step = self._step(place, table)
            if step is None:
                continue
            if step.name in steps:
                first = steps[step.name].line
                self._add(("step", place, "name"), f"There is a step {step.name} in line {first} already")
            steps.setdefault(step.name, step)
        return tuple(steps.values())

    def _step(self, place: int, table: Mapping[str, Any]) -> Step | None:
        path = ("step", place)
        own = {name: value for name, value in table.items() if name in STEP_KEYS}
        parts = self._checked(own, STEP_KEYS, path, "a step")
        for needed in ("name", "use"):
            if needed not in own:
                self._add(path, f"This step has no {needed}; allowed: {STEP_KEYS[needed].words}")
        name = parts.get("name")
        if name is None or "use" not in parts:
            return None
        if not _NAME.fullmatch(name):
            self._add((*path, "name"), f"{value_text(name)} is no name of a step; allowed: {_NAME_WORDS}")
        outputs = parts.get("out", ())
        lines = {key: self._lines.of(*path, key) for key in table}
        return Step(
            name,
            parts["use"],
            parts.get("from", ""),
            {key: value for key, value in table.items() if key not in STEP_KEYS},
            self._each(parts.get("each"), path),
            (outputs,) if isinstance(outputs, str) else tuple(outputs),
            lines,
            self._lines.of(*path),
        )

    def _each(self, each: Any, path: tuple[str | int, ...]) -> tuple[Mapping[str, Any], ...] | Mapping[str, Any]:
        rows = each if isinstance(each, list) else [each] if each is not None else []
        for row in rows:
            for name in row:
                if not _NAME.fullmatch(name) or name in (*BUILT_IN, *self._document.get("variables", ())):
                    words = _NAME_WORDS if not _NAME.fullmatch(name) else "a name that no variable has"
                    self._add((*path, "each"), f"each cannot have {value_text(name)}; allowed: {words}")
            if set(row) != set(rows[0]):
                self._add((*path, "each"), f"The tables of each differ: {', '.join(row)} and {', '.join(rows[0])}")
        return each if isinstance(each, dict) else tuple(rows)
