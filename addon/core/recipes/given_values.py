"""The values that a recipe is run with: those that were given, else its own, each checked."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from ....vendor.assetgen.contract import is_file_reference, is_task_id
from ..errors import BadRequest
from ..jobs.job import Source, SourceKind
from ..requests.model_files import check_model, split_object
from .recipe import ModelInput, Recipe, Trouble, Variable, VariableKind
from .recipe_file import near
from .variables import BadValue, allowed, check_value, read_text


def bound_values(
    recipe: Recipe, given: Mapping[str, Any], capability_of: Callable[[str], str]
) -> tuple[dict[str, Any], list[Trouble]]:
    """The value of each variable, by name, and what is wrong with them.

    Args:
        recipe: The recipe.
        given: Texts as a person writes them, or values of the variables' kinds; paths go from the working folder.
        capability_of: Which capability made a task; empty where that is not known.
    """
    variables = recipe.variables
    there = ", ".join(variables) or "none"
    troubles = [
        Trouble(1, f"The recipe has no variable {name}{near(name, variables)}; its variables are {there}")
        for name in given
        if name not in variables
    ]
    values = {}
    for variable in variables.values():
        try:
            values[variable.name] = _value(recipe, variable, given.get(variable.name), capability_of)
        except (BadValue, BadRequest) as error:
            troubles.append(Trouble(variable.line, str(error)))
    return values, troubles


def model_input(value: str, beside: Path, capability_of: Callable[[str], str]) -> ModelInput:
    """What a text names that steps can work on: a model file, an object of a .blend, an uploaded file, a task.

    Raises:
        BadRequest: It is none of these, or the file cannot be used.
    """
    if is_task_id(value):
        return ModelInput(value[:8], Source(SourceKind.TASK, task_id=value, capability=capability_of(value)))
    if is_file_reference(value):
        return ModelInput("upload", Source(SourceKind.NOTHING, path=value))
    checked = check_model(absolute_path(value, beside))
    file, item = split_object(checked)
    return ModelInput(item or Path(file).stem, Source(SourceKind.MODEL_FILE, path=checked))


def absolute_path(value: str, beside: Path) -> str:
    """A path that a person wrote, made absolute; an address or a token as it is."""
    if is_file_reference(value) or value.startswith("http://"):
        return value
    file, item = split_object(value)
    absolute = str((beside / Path(file).expanduser()).absolute())
    return f"{absolute}:{item}" if item else absolute


def _value(recipe: Recipe, variable: Variable, given: Any, capability_of: Callable[[str], str]) -> Any:
    value = variable.default if given is None else given
    if value is None:
        raise BadValue(f"The variable {variable.name} has no value; allowed: {allowed(variable)}")
    if given is not None and isinstance(value, str):
        value = read_text(variable, value)
    check_value(variable, value)
    if not isinstance(value, str):
        return value
    beside = recipe.path.parent if given is None else Path.cwd()
    if variable.kind is VariableKind.MODEL:
        return model_input(value, beside, capability_of)
    return absolute_path(value, beside) if variable.kind is VariableKind.FILE else value
