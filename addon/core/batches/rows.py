"""From the row of a table to the job that it asks for, checked against the declarations."""

from __future__ import annotations

import hashlib
import json
import os
import unicodedata
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from ....vendor.assetgen.contract import (
    CAPABILITIES,
    FieldKind,
    FieldSpec,
    ImportModel,
    Takes,
    TaskRequest,
    describe,
    is_file_reference,
    is_task_id,
)
from .. import text_values
from ..errors import BadRequest
from ..jobs.job import EXTRA, Delivery, JobPlan, Source, SourceKind, StepPlan
from ..paths import file_name
from ..recipes.recipe_plan import RecipePlan
from ..requests.plan_checks import check_plan
from .manifest import RawRow

ID, CAPABILITY, INPUT = "id", "capability", "input"
"""The columns that are no fields: what a row is called, what it runs, and what that works on."""

RESERVED = frozenset({"batch.json", "report.csv", "report.html"})
"""Names in the folder of a batch that are no rows'."""

_LONGEST_ID = 60
_ON, _OFF = frozenset({"true", "yes", "on", "1"}), frozenset({"false", "no", "off", "0"})


class Row(NamedTuple):
    """One row, as what it asks for.

    Attributes:
        number: From 1, as in :class:`.manifest.RawRow`.
        line: In the file.
        id: Names it, its folder and its files.
        label: What it runs, for people.
        plan: The job; its results go into the folder of the row. That of a row with a recipe has no steps.
        recipe: What a row with a recipe runs instead, checked as a whole.
    """

    number: int
    line: int
    id: str
    label: str
    plan: JobPlan
    recipe: RecipePlan | None = None

    @property
    def requests(self) -> list[tuple[str, Mapping[str, Any]]]:
        """The tasks that it comes to: capability and fields."""
        return [(step.capability, step.fields) for step in (self.recipe.jobs if self.recipe else self.plan.steps)]

    @property
    def asked(self) -> str:
        """What was asked for, as a short text; of another row or with another value it is another one."""
        return self.plan.delivery.row

    @property
    def folder(self) -> Path:
        """Where the row's files go."""
        return Path(self.plan.delivery.folder)


ReadRow = Callable[[RawRow], Row]
"""Makes a row of what stands in the table, or raises BadRequest with the column as its field."""


def capability_rows(table: Path, out: Path) -> ReadRow:
    """Reads rows that name a capability and its fields.

    Args:
        table: The table; paths in it are seen from its folder.
        out: The folder of the batch.
    """
    folder, results = table.absolute().parent, str(out)

    def read(raw: RawRow) -> Row:
        row_id = row_id_of(raw)
        model = _model_of(raw)
        given = {name: value for name, value in raw.values.items() if name not in (ID, CAPABILITY, INPUT)}
        fields = _fields(model, given, folder)
        source, steps = _source(model, raw.values.get(INPUT), fields, folder)
        asked = fingerprint(raw)
        delivery = Delivery(folder=os.path.join(results, row_id), row=asked)  # noqa: PTH118  # thousands of them
        return Row(raw.number, raw.line, row_id, model.label, JobPlan(row_id, source, steps, delivery))

    return read


def check_row(row: Row, region: str) -> None:
    """Makes sure that a row can be run; nothing is sent.

    Raises:
        Refused: It cannot. BadRequest has the column as its field.
    """
    if row.recipe is None:  # a recipe is checked when it is planned
        check_plan(row.plan, lambda task_id: "", region)


def row_id_of(raw: RawRow) -> str:
    """The id of a row.

    Raises:
        BadRequest: It is missing, or no name for a folder.
    """
    if ID not in raw.values:
        raise BadRequest("the id is missing", ID)
    row_id = str(raw.values[ID])
    if file_name(row_id, _LONGEST_ID) != row_id or row_id.lower() in RESERVED:
        allowed = f"up to {_LONGEST_ID} letters, digits, blanks, dots, hyphens and underscores between them"
        raise BadRequest(f"{row_id!r} is no name for a folder; allowed: {allowed}", ID)
    return row_id


def same_id(row_id: str) -> str:
    """What two ids share that are one name for some drives."""
    return unicodedata.normalize("NFC", row_id).casefold()


def fingerprint(raw: RawRow) -> str:
    """A short text for what stands in a row; where the table lies does not matter, nor in which order its columns."""
    text = json.dumps(raw.values, sort_keys=True, ensure_ascii=True, default=str)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def known_columns() -> frozenset[str]:
    """Every column that a row of some capability may have."""
    fields = {name for model in CAPABILITIES.values() for name in _specs(model)}
    return frozenset({ID, CAPABILITY, INPUT, EXTRA, *fields})


def _model_of(raw: RawRow) -> type[TaskRequest]:
    if CAPABILITY not in raw.values:
        raise BadRequest(f"the capability is missing; allowed: {', '.join(CAPABILITIES)}", CAPABILITY)
    name = str(raw.values[CAPABILITY])
    model = CAPABILITIES.get(name.lower().replace("-", "_"))
    if model is None:
        raise BadRequest(f"{name!r} is no capability; allowed: {', '.join(CAPABILITIES)}", CAPABILITY)
    return model


@cache
def _specs(model: type[TaskRequest]) -> dict[str, FieldSpec]:
    return {spec.name: spec for spec in describe(model) if not spec.source}


def _fields(model: type[TaskRequest], given: Mapping[str, Any], folder: Path) -> dict[str, Any]:
    specs = _specs(model)
    fields: dict[str, Any] = {}
    for name, value in given.items():
        if name == EXTRA:
            fields[name] = _json(value, dict, name)
        elif name not in specs:
            raise BadRequest(f"{model.label} has no field {name!r}; allowed: {', '.join(specs)}", name)
        else:
            fields[name] = _value(specs[name], value, folder)
    return fields


def _value(spec: FieldSpec, value: Any, folder: Path) -> Any:
    """A value as a job keeps it. What it should not be stays as it is: the declaration has the words for that."""
    match spec.kind:
        case FieldKind.FILE:
            return _file(str(value), folder)
        case FieldKind.FILES:
            items = value if isinstance(value, list) else text_values.split(str(value), ";")
            return [_file(str(item), folder) for item in items]
        case FieldKind.NAMES:
            return value if isinstance(value, list) else text_values.split(str(value), ",")
        case FieldKind.MAP:
            return _json(value, dict, spec.name)
        case FieldKind.LIST:
            return _json(value, list, spec.name)
        case _:
            return _plain(spec, value) if isinstance(value, str) else value


def _plain(spec: FieldSpec, text: str) -> Any:
    match spec.kind:
        case FieldKind.SWITCH:
            word = text.lower()
            if word not in _ON | _OFF:
                raise BadRequest(f"{spec.label} is {text!r}; allowed: true, false", spec.name)
            return word in _ON
        case FieldKind.CHOICE:
            return next((choice for choice in spec.choices if choice.lower() == text.lower()), text)
        case FieldKind.INTEGER:
            return int(text) if text.removeprefix("-").isdecimal() else text
        case FieldKind.NUMBER:
            try:
                return float(text)
            except ValueError:
                return text
        case _:
            return text


def _json(value: Any, kind: type[dict[str, Any]] | type[list[Any]], name: str) -> Any:
    if not isinstance(value, str):
        return value
    try:
        return text_values.from_json(value, kind)
    except ValueError as error:
        raise BadRequest(str(error), name) from None


def _file(text: str, folder: Path) -> str:
    """A file as a job keeps it; paths are seen from the table."""
    if is_file_reference(text) or text.startswith("http://"):
        return text
    return str(folder / Path(text).expanduser())


def _source(
    model: type[TaskRequest], given: Any, fields: dict[str, Any], folder: Path
) -> tuple[Source, tuple[StepPlan, ...]]:
    """What a row works on, and the steps that it needs. An image is entered into ``fields``."""
    step = StepPlan(model.name, fields)
    if given is None:
        if model.source_field is not None:
            raise BadRequest(f"the input is missing: {_wanted(model)}", INPUT)
        return Source(SourceKind.NOTHING), (step,)
    text = str(given)
    if is_task_id(text) and (model.source_field or model.task_field) and model.takes is not Takes.MODEL_FILE:
        return Source(SourceKind.TASK, task_id=text), (step,)
    if model.takes is Takes.MODEL_FILE:
        if is_file_reference(text):
            return Source(SourceKind.NOTHING), (StepPlan(model.name, {**fields, str(model.source_field): text}),)
        return Source(SourceKind.MODEL_FILE, path=_file(text, folder)), (step,)
    if model.takes is Takes.MODEL_TASK:
        if is_file_reference(text):
            load = StepPlan(ImportModel.name, {str(ImportModel.source_field): text})
            return Source(SourceKind.NOTHING), (load, step)
        return Source(SourceKind.MODEL_FILE, path=_file(text, folder)), (StepPlan(ImportModel.name), step)
    image = _image_field(model)
    if image is None or image.name in fields:
        raise BadRequest(f"{text!r} is not what {model.label} works on: {_wanted(model)}", INPUT)
    fields[image.name] = _value(image, text, folder)
    return Source(SourceKind.NOTHING), (step,)


def _image_field(model: type[TaskRequest]) -> FieldSpec | None:
    """The field that takes the image which a capability begins with, where it begins with one."""
    fits = (spec for spec in describe(model) if spec.panel and spec.formats and spec.name in model.content_fields)
    return next(fits, None)


def _wanted(model: type[TaskRequest]) -> str:
    """What a row of a capability may have as its input."""
    match model.takes:
        case Takes.MODEL_FILE:
            return "a model file, or the token of an uploaded one"
        case Takes.MODEL_TASK:
            return "a model file, or a task"
        case Takes.NOTHING:
            return "it works on nothing, so the cell stays empty"
        case Takes.IMAGES if _image_field(model) is not None:
            return "an image file, its https address or token, which may have a column of its own instead"
        case Takes.IMAGES:
            return "each of its images has a column of its own"
        case _:
            labels = [CAPABILITIES[name].label for name in CAPABILITIES if name in model.source_takes]
            return f"a task of {' or '.join(labels)}"
