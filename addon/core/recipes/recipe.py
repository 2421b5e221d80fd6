"""What a recipe is: steps that are capabilities with their fields, and variables (plain data)."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from pathlib import Path
from typing import Any, NamedTuple

from ..errors import Refused
from ..jobs.job import Source


class VariableKind(StrEnum):
    """What kind of value a variable has."""

    TEXT = "text"
    INTEGER = "integer"
    NUMBER = "number"
    SWITCH = "switch"
    LIST = "list"
    FILE = "file"
    MODEL = "model"


class ModelInput(NamedTuple):
    """A model that steps can work on, beside the results of other steps.

    Attributes:
        title: What it is called: a file's name without its ending, an object's name.
        source: As a job takes it. NOTHING with a ``path`` is the token of a file that was uploaded.
        fingerprint: Tells whether it is the same as before; empty for one whose file tells that.
    """

    title: str
    source: Source
    fingerprint: str = ""


class Variable(NamedTuple):
    """One variable. ``default`` is None where a value must be given; bounds are inclusive."""

    name: str
    kind: VariableKind
    default: Any = None
    description: str = ""
    choices: tuple[Any, ...] = ()
    minimum: float | None = None
    maximum: float | None = None
    line: int = 1


class Step(NamedTuple):
    """One step.

    Attributes:
        name: What other steps and outputs call it.
        use: The capability.
        source: What it works on: a step, a file, a task; empty for nothing.
        fields: Of the request, flattened, with variables in them.
        each: The values with which it runs: once for each row, or for every combination of the lists of a table; empty
            for a step that runs once.
        outputs: Files, with variables in their names.
        lines: The line of each key.
        line: Where it begins.
    """

    name: str
    use: str
    source: str
    fields: Mapping[str, Any]
    each: tuple[Mapping[str, Any], ...] | Mapping[str, Any]
    outputs: tuple[str, ...]
    lines: Mapping[str, int]
    line: int

    @property
    def each_names(self) -> tuple[str, ...]:
        """The names of the values with which it runs."""
        return tuple(self.each if isinstance(self.each, Mapping) else self.each[0] if self.each else ())

    def line_of(self, key: str) -> int:
        """The line of a key; that of the step where it has none."""
        return self.lines.get(key, self.line)


class Recipe(NamedTuple):
    """A recipe as its file has it. ``path`` is the file; what it names relatively lies beside it."""

    path: Path
    name: str
    description: str
    variables: Mapping[str, Variable]
    steps: tuple[Step, ...]


class Trouble(NamedTuple):
    """Something that is wrong with a recipe: the line, counted from 1, and a sentence that says what is allowed."""

    line: int
    sentence: str


class RecipeError(Refused):
    """A recipe that cannot be run. ``troubles`` has all that is wrong with it, in the order of its lines."""

    def __init__(self, path: Path, troubles: list[Trouble]) -> None:
        self.path = path
        self.troubles = tuple(sorted(dict.fromkeys(troubles)))
        super().__init__("\n".join(f"{path}:{line}: {sentence}" for line, sentence in self.troubles))
