"""A recipe as a panel shows it: what it is called, its variables, its steps and their price, or what is wrong with it.

(Plain data at the top, so that who draws it need import nothing else.)
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping

    from .recipe_plan import PriceFunction


class VariableView(NamedTuple):
    """A variable: its name, its default as a text, what it is for, and whether the selection is its value."""

    name: str
    default: str
    description: str
    is_selection: bool


class StepView(NamedTuple):
    """A step: its name, what it does, how many times, and its files."""

    name: str
    label: str
    times: int
    files: tuple[str, ...]


class RecipeView(NamedTuple):
    """A recipe. ``troubles`` are sentences; where there are some, it cannot be run as it is."""

    name: str
    description: str
    variables: tuple[VariableView, ...] = ()
    steps: tuple[StepView, ...] = ()
    price: str = ""
    troubles: tuple[str, ...] = ()

    @property
    def needs_selection(self) -> bool:
        """Whether it works on what is selected."""
        return any(variable.is_selection for variable in self.variables)


def look_at(path: Path, given: Mapping[str, str], title: str, region: str, price_of: PriceFunction) -> RecipeView:
    """Reads a recipe and plans it with a selection that is not there yet.

    Args:
        path: Its file.
        given: Values of its variables, as texts.
        title: What the selection is called; empty where nothing is selected.
        region: Where the service is, as in the settings.
        price_of: What is known of prices.
    """
    from ....vendor.assetgen.contract import CAPABILITIES
    from ..errors import CoreError
    from .planning import make_plan
    from .recipe import RecipeError, VariableKind
    from .recipe_file import read_recipe
    from .recipe_plan import price_sum
    from .variables import value_words

    try:
        recipe = read_recipe(path)
    except RecipeError as error:
        return RecipeView(path.stem, "", troubles=_sentences(error))
    except CoreError as error:
        return RecipeView(path.stem, "", troubles=(str(error),))
    variables = tuple(
        VariableView(
            variable.name,
            "" if variable.default is None else value_words(variable.default).replace(", ", ","),
            variable.description,
            variable.kind is VariableKind.MODEL and variable.default is None,
        )
        for variable in recipe.variables.values()
    )
    view = RecipeView(recipe.name, recipe.description, variables)
    values = {**known_values(view, given), **selection_values(view, title)}
    try:
        plan = make_plan(recipe, values, path.parent, region=region)
    except RecipeError as error:
        return view._replace(troubles=_sentences(error))
    steps = []
    for step in recipe.steps:
        runs = [job for job in plan.jobs if job.step == step.name]
        own = [job for job in runs if job.capability == step.use]
        files = tuple(output.name for job in runs for output in job.outputs)
        steps.append(StepView(step.name, CAPABILITIES[step.use].label, len(own), files))
    return view._replace(steps=tuple(steps), price=price_sum(plan.jobs, price_of).words)


def known_values(view: RecipeView, given: Mapping[str, str]) -> dict[str, str]:
    """Of the values that were filled in those that the recipe has a variable for."""
    names = {variable.name for variable in view.variables if not variable.is_selection}
    return {name: value for name, value in given.items() if name in names and value.strip()}


def selection_values(view: RecipeView, title: str) -> dict[str, object]:
    """What stands for the selection where only the plan is wanted."""
    from ..jobs.job import Source, SourceKind
    from .recipe import ModelInput

    source = Source(SourceKind.SELECTION)
    return {item.name: ModelInput(title or "selection", source) for item in view.variables if item.is_selection}


def _sentences(error: object) -> tuple[str, ...]:
    from .recipe import RecipeError

    assert isinstance(error, RecipeError)
    return tuple(f"Line {line}: {sentence}" for line, sentence in error.troubles)
