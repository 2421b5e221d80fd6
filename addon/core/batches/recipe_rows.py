"""From the row of a table to a run of a recipe: its columns are the recipe's variables."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from ..errors import BadRequest
from ..jobs.job import Delivery, JobPlan, Source, SourceKind
from ..recipes.given_values import absolute_path, model_input
from ..recipes.planning import make_plan
from ..recipes.recipe import Recipe, RecipeError, Variable, VariableKind
from ..recipes.variables import BadValue, allowed, check_value, read_text
from .manifest import RawRow
from .rows import ID, ReadRow, Row, fingerprint, row_id_of


def recipe_columns(recipe: Recipe) -> frozenset[str]:
    """Every column that a row of a recipe may have."""
    return frozenset({ID, *recipe.variables})


def recipe_rows(recipe: Recipe, table: Path, out: Path, region: str) -> ReadRow:
    """Reads rows that have the values of a recipe's variables.

    Args:
        recipe: The recipe that every row runs.
        table: The table; paths in it are seen from its folder.
        out: The folder of the batch.
        region: Where the service is, as in the settings.
    """
    folder, results = table.absolute().parent, str(out)
    columns = ", ".join(sorted(recipe_columns(recipe)))

    def read(raw: RawRow) -> Row:
        row_id = row_id_of(raw)
        for name in raw.values:
            if name != ID and name not in recipe.variables:
                raise BadRequest(f"the recipe has no variable {name!r}; allowed: {columns}", name)
        given = {
            name: _value(variable, row_id if name == ID else raw.values[name], folder)
            for name, variable in recipe.variables.items()
            if name in raw.values or _is_missing(variable)
        }
        own = Path(os.path.join(results, row_id))  # noqa: PTH118  # thousands of them
        try:
            plan = make_plan(recipe, given, own, region=region)
        except RecipeError as error:
            lines = "; ".join(f"line {line} of {error.path.name}: {sentence}" for line, sentence in error.troubles)
            raise BadRequest(lines) from error
        delivery = Delivery(folder=str(own), row=fingerprint(raw))
        nothing = JobPlan(row_id, Source(SourceKind.NOTHING), (), delivery)
        return Row(raw.number, raw.line, row_id, recipe.name, nothing, plan)

    return read


def _is_missing(variable: Variable) -> bool:
    """Whether a row must have a value, which raises."""
    if variable.default is None:
        raise BadRequest(f"it has no value; allowed: {allowed(variable)}", variable.name)
    return False


def _value(variable: Variable, given: Any, folder: Path) -> Any:
    """The value of a variable; paths are seen from the table.

    Raises:
        BadRequest: It is none of the variable's.
    """
    try:
        value = check_value(variable, read_text(variable, given) if isinstance(given, str) else given)
        if variable.kind is VariableKind.MODEL:
            return model_input(value, folder, lambda task_id: "")
    except BadValue as error:
        raise BadRequest(str(error), variable.name) from error
    except BadRequest as error:
        raise BadRequest(str(error), variable.name) from error
    return absolute_path(value, folder) if variable.kind is VariableKind.FILE else value
