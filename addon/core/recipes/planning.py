"""From a recipe and the values of its variables to jobs. All that is wrong is found here, before anything is paid."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from ....vendor.assetgen.contract import (
    CAPABILITIES,
    Convert,
    FieldKind,
    ImportModel,
    Takes,
    TaskRequest,
    is_file_reference,
    value_text,
)
from ..errors import BadRequest
from ..jobs.job import Source, SourceKind
from ..paths import file_name
from .given_values import absolute_path, bound_values, model_input
from .output_kinds import divided, set_kind
from .recipe import ModelInput, Recipe, RecipeError, Step, Trouble
from .recipe_plan import ImageUse, PlannedJob, RecipePlan
from .step_checks import CONVERTED, check_fields, check_output, check_source, check_use, step_fields
from .step_order import in_order, waits_for
from .variable_names import check_names
from .variables import BadValue, filled, value_words

_FILES = frozenset({FieldKind.FILE, FieldKind.FILES})
_MOST_WORDS = 40


class _Run(NamedTuple):
    """One run of a step: its job, the rows that it has from itself and those before it, and what it goes back to."""

    job: PlannedJob
    rows: Mapping[str, Mapping[str, Any]]
    title: str


def make_plan(
    recipe: Recipe,
    given: Mapping[str, Any],
    folder: Path,
    *,
    region: str = "",
    capability_of: Callable[[str], str] = lambda task_id: "",
) -> RecipePlan:
    """The jobs that a recipe comes to.

    Args:
        recipe: The recipe.
        given: Values of variables, by name: texts as a person writes them, or values of the variables' kinds. Paths
            among them are absolute, or go from the working folder.
        folder: Where results go; absolute.
        region: Where the service is, as in the settings.
        capability_of: Which capability made a task; empty where that is not known.

    Raises:
        RecipeError: It cannot be run; all that is wrong is told.
    """
    planner = _Planner(recipe, folder, region, capability_of)
    return planner.plan(given)


class _Planner:
    def __init__(self, recipe: Recipe, folder: Path, region: str, capability_of: Callable[[str], str]) -> None:
        self._recipe = recipe
        self._folder = folder
        self._region = region
        self._capability_of = capability_of
        self._steps = {step.name: step for step in recipe.steps}
        self._troubles: list[Trouble] = []
        self._jobs: dict[str, PlannedJob] = {}
        self._runs: dict[str, list[_Run]] = {}
        self._values: dict[str, Any] = {}
        self._writers: dict[str, tuple[str, int]] = {}

    def plan(self, given: Mapping[str, Any]) -> RecipePlan:
        values, troubles = bound_values(self._recipe, given, self._capability_of)
        self._values = {"recipe": self._recipe.name, **values}
        self._troubles += troubles
        for step in self._recipe.steps:
            self._troubles += check_use(step)
        self._troubles += check_names(self._recipe)
        order, circles = in_order(self._recipe.steps)
        self._troubles += circles
        # What a step does is looked at only when it is clear what it says.
        if not self._troubles:
            for step in order:
                self._runs[step.name] = list(self._expanded(step))
        if self._troubles:
            raise RecipeError(self._recipe.path, self._troubles)
        return RecipePlan(self._recipe, self._folder, tuple(self._jobs.values()))

    # Steps

    def _expanded(self, step: Step) -> Iterator[_Run]:
        """Every run of a step: one for each that it works on, times its own values."""
        needed = waits_for(step, self._steps)
        parents = list(dict.fromkeys(name for found in needed.values() for name in found))
        for combination in itertools.product(*(self._runs.get(name, []) for name in parents)):
            rows: dict[str, Mapping[str, Any]] = {}
            if any(rows.setdefault(name, row) != row for run in combination for name, row in run.rows.items()):
                continue  # they go back to different runs of one step
            before = dict(zip(parents, combination, strict=True))
            values = {**self._values, **{name: item for row in rows.values() for name, item in row.items()}}
            for row in self._own_rows(step, values):
                run = self._run(step, needed, before, {**rows, **({step.name: row} if row else {})}, {**values, **row})
                if run is not None:
                    yield run

    def _own_rows(self, step: Step, values: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
        if not step.each:
            yield {}
        elif isinstance(step.each, tuple):
            for row in step.each:
                yield filled(row, values)
        else:
            lists = filled(step.each, values)
            wrong = [name for name, items in lists.items() if not isinstance(items, list) or not items]
            for name in wrong:
                self._add(
                    step.line_of("each"), f"{name} of each is {value_text(lists[name])}; allowed: a list of values"
                )
            if not wrong:
                for items in itertools.product(*lists.values()):
                    yield dict(zip(lists, items, strict=True))

    def _run(
        self,
        step: Step,
        needed: Mapping[str, tuple[str, ...]],
        before: Mapping[str, _Run],
        rows: Mapping[str, Mapping[str, Any]],
        values: Mapping[str, Any],
    ) -> _Run | None:
        model = CAPABILITIES[step.use]
        found = len(self._troubles)
        source_run = before[step.source] if "from" in needed else None
        item = None if source_run is not None or not step.source else self._model_named(step, values)
        if len(self._troubles) > found:
            return None
        title = source_run.title if source_run is not None else item.title if item is not None else ""
        values = {**values, "step": step.name, **({"source": title} if title else {})}
        try:
            fields, images = self._fields(step, model, needed, before, values)
            names = [filled(name, values, as_text=_name_part) for name in step.outputs]
        except KeyError:
            self._add(step.line, f"{step.name} works on no model, so it has no variable source")
            return None
        is_model = item is not None and item.source.kind is not SourceKind.TASK
        maker = source_run.job.capability if source_run is not None else ""
        if item is not None and item.source.kind is SourceKind.TASK:
            maker = item.source.capability or self._capability_of(item.source.task_id)
        if sentence := check_source(step, model, maker, is_model=is_model):
            self._add(step.line_of("from"), f"{step.name}: {sentence}")
        outputs = self._outputs(step, model, names)
        set_kind(model, fields, outputs)
        fed = source_run is not None or (item is not None and not is_model)
        self._troubles += check_fields(
            step, model, fields, fed=fed, region=self._region, images=frozenset(use.field for use in images)
        )
        if len(self._troubles) > found:
            return None
        return self._add_jobs(step, model, fields, images, source_run, item, outputs, rows, title)

    def _add_jobs(
        self,
        step: Step,
        model: type[TaskRequest],
        fields: dict[str, Any],
        images: tuple[ImageUse, ...],
        source_run: _Run | None,
        item: ModelInput | None,
        outputs: list[Path],
        rows: Mapping[str, Mapping[str, Any]],
        title: str,
    ) -> _Run:
        """A job for a run of a step, one before it where a model has to be imported, and one after it for each kind
        of file that it does not give itself.
        """
        key = step.name + (f" ({_rows_words(rows)})" if rows else "")
        after = source_run.job.key if source_run is not None else ""
        source = item.source if item is not None else None
        fingerprint = item.fingerprint if item is not None else ""
        if source is not None and item is not None and model.takes is not Takes.MODEL_FILE:
            if source.kind is not SourceKind.TASK:
                after, source = self._imported(step, item), None
        elif source is not None and source.kind is SourceKind.NOTHING:
            fields = {**fields, str(model.source_field): source.path}
            source = None
        own, others = divided(model, fields, outputs)
        name = f"{model.label} {title or step.name}{_values_words(rows)}"
        job = PlannedJob(key, step.name, model.name, fields, source, after, images, own, step.line, name, fingerprint)
        self._jobs[key] = job
        for ending, paths in others.items():
            self._convert(job, ending, paths)
        return _Run(job, rows, title)

    def _imported(self, step: Step, item: ModelInput) -> str:
        """The job that brings a model into the service; one for all that work on it."""
        key = f"import {item.title}"
        same = [job for job in self._jobs.values() if job.source == item.source and job.capability == ImportModel.name]
        if same:
            return same[0].key
        if key in self._jobs:
            key = f"{key} {len(self._jobs)}"
        fields: dict[str, Any] = {}
        source: Source | None = item.source
        if item.source.kind is SourceKind.NOTHING:
            fields, source = {str(ImportModel.source_field): item.source.path}, None
        label = f"{ImportModel.label} {item.title}"
        self._jobs[key] = PlannedJob(
            key, step.name, ImportModel.name, fields, source, "", (), (), step.line, label, item.fingerprint
        )
        return key

    def _convert(self, job: PlannedJob, ending: str, outputs: tuple[Path, ...]) -> None:
        key = f"{job.key}{ending}"
        kinds = Convert.result_kinds
        assert kinds is not None
        label = f"{job.title} ({ending})"
        fields = {kinds.field: CONVERTED[ending]}
        self._jobs[key] = PlannedJob(key, job.step, Convert.name, fields, None, job.key, (), outputs, job.line, label)

    # Parts of a step

    def _model_named(self, step: Step, values: Mapping[str, Any]) -> ModelInput | None:
        """What ``from`` names where that is no step."""
        try:
            value = filled(step.source, values)
            if isinstance(value, ModelInput):
                return value
            if not isinstance(value, str):
                raise BadValue(f"from is {value_text(value)}; allowed: a step, a model file, or the id of a task")
            return model_input(value, self._recipe.path.parent, self._capability_of)
        except (BadValue, BadRequest) as error:
            others = ", ".join(name for name in self._steps if name != step.name)
            there = f"; the other steps are {others}" if others and "." not in step.source else ""
            self._add(step.line_of("from"), f"{step.name}: {error}{there}")
            return None

    def _fields(
        self,
        step: Step,
        model: type[TaskRequest],
        needed: Mapping[str, tuple[str, ...]],
        before: Mapping[str, _Run],
        values: Mapping[str, Any],
    ) -> tuple[dict[str, Any], tuple[ImageUse, ...]]:
        """The fields with their values, paths made absolute, and the images of other steps that belong into them."""
        specs = step_fields(model)
        fields = {name: values[name] for name in step.each_names if name in specs and name not in step.fields}
        fields |= filled(step.fields, values)
        images: list[ImageUse] = []
        for name in list(fields):
            spec = specs.get(name)
            if spec is None or spec.kind not in _FILES:
                continue
            items = fields[name] if isinstance(fields[name], list) else [fields[name]]
            is_list = isinstance(fields[name], list)
            for place, item in enumerate(items):
                if isinstance(item, str) and item in needed.get(name, ()):
                    images.append(ImageUse(name, place if is_list else -1, before[item].job.key))
                elif isinstance(item, str) and not is_file_reference(item):
                    items[place] = absolute_path(item, self._recipe.path.parent)
            fields[name] = items if is_list else items[0]
        return fields, tuple(images)

    def _outputs(self, step: Step, model: type[TaskRequest], names: list[str]) -> list[Path]:
        """The files of a run of a step; a name that another one has is told."""
        paths = []
        for name in names:
            if sentence := check_output(step, model, name):
                self._add(step.line_of("out"), f"{step.name}: {sentence}")
                continue
            path = self._folder / name
            writer = self._writers.get(str(path).casefold())
            if writer is not None:
                where = f"{writer[0]} in line {writer[1]}" if writer[0] != step.name else "another run of this step"
                self._add(step.line_of("out"), f"{step.name}: {name} is written by {where} too")
                continue
            self._writers[str(path).casefold()] = (step.name, step.line_of("out"))
            paths.append(path)
        return paths

    def _add(self, line: int, sentence: str) -> None:
        self._troubles.append(Trouble(line, sentence))


def _rows_words(rows: Mapping[str, Mapping[str, Any]]) -> str:
    """What tells a run of a step from the others."""
    return ", ".join(f"{name} {value_words(value)}" for row in rows.values() for name, value in row.items())


def _values_words(rows: Mapping[str, Mapping[str, Any]]) -> str:
    """The same for the name of a job, which says what it is a job of already."""
    words = ", ".join(value_words(value) for row in rows.values() for value in row.values())
    return f": {words if len(words) <= _MOST_WORDS else words[:_MOST_WORDS].rstrip()}" if words else ""


def _name_part(value: Any) -> str:
    """A value inside of a file's name."""
    return file_name(value_words(value))
