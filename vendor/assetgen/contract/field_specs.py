"""A declaration as plain data: what generators, panels and command lines need to know of each field."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from typing import Any, Literal, get_args, get_origin

import annotated_types
from pydantic import AliasChoices, BaseModel
from pydantic.fields import FieldInfo

from .references import FileForm, FileMark, FileObject, FileRef, file_mark, union_members
from .request import Hints, TaskRequest
from .rules import Declared


class FieldKind(StrEnum):
    """How a field's value is given by a person."""

    TEXT = "text"
    CHOICE = "choice"
    INTEGER = "integer"
    NUMBER = "number"
    SWITCH = "switch"
    FILE = "file"
    FILES = "files"
    NAMES = "names"
    MAP = "map"
    LIST = "list"


@dataclass(frozen=True, slots=True)
class FieldSpec:
    """One field of a request, flattened: ``texture_prompt.text`` is the field ``text`` with that path.

    What is not told here is as in :class:`.request.Hints`.

    ``default`` is the API's own default (None where it has none) and is never sent; ``suggested`` is what a panel
    starts with. Bounds are inclusive, except ``above``, which is exclusive. ``length`` bounds the characters of a text
    or the items of a list. ``panel`` is false for other forms of what a panel offers already;
    ``forbidden_by`` names the model versions that do not take the field; ``examples`` are values of a text to choose
    from; ``replaced_by`` names a field beside which a suggestion is not sent; ``names_parts`` is whether it holds
    names of parts of the model. ``file_form`` and ``text_field`` are as in :class:`.references.FileMark`, for files.
    ``seed`` is whether another number gives another result. ``aliases`` are other names under which the field is read.
    """

    name: str
    path: tuple[str, ...]
    kind: FieldKind
    label: str
    description: str
    required: bool
    default: Any
    placeholder: str
    suggested: Any
    minimum: float | None
    maximum: float | None
    above: float | None
    length: tuple[int, int | None]
    choices: tuple[str, ...]
    formats: tuple[str, ...]
    file_form: FileForm | None
    text_field: str
    advanced: bool
    source: bool
    panel: bool
    examples: tuple[str, ...]
    replaced_by: str
    names_parts: bool
    forbidden_by: tuple[str, ...]
    units: str
    usual: tuple[float | None, float | None]
    usual_length: int | None
    seed: bool
    aliases: tuple[str, ...]
    start: float | None
    empty: str
    choice_words: tuple[tuple[str, tuple[str, str]], ...]
    only_with: str


_ACRONYMS = {"pbr": "PBR", "uv": "UV", "id": "ID", "fbx": "FBX"}


@cache
def describe(request: type[TaskRequest]) -> tuple[FieldSpec, ...]:
    """All fields of a declaration, nested ones flattened, in their order of declaration; common fields come last.

    Worked out once for each declaration: a request that is checked asks for them several times.
    """
    specs = tuple(_fields(request, (), advanced=False))
    own = [spec for spec in specs if spec.name not in TaskRequest.model_fields]
    common = [spec for spec in specs if spec.name in TaskRequest.model_fields]
    names = [spec.name for spec in specs]
    if len(set(names)) != len(names):
        raise TypeError(f"{request.__name__}: two fields have the same name once flattened: {names}")
    return (*own, *common)


def rules_of(request: type[TaskRequest]) -> tuple[str, ...]:
    """The rules between fields, in words: those of the request, then those of the models inside it."""
    inner = [nested_model(info.annotation) for info in request.model_fields.values()]
    models = [request, *(model for model in inner if model is not None and issubclass(model, Declared))]
    return tuple(rule.words for model in models for rule in model.rules)


def value_in(request: BaseModel, spec: FieldSpec) -> Any:
    """The value that a request has for a field; None where it, or what it is nested in, was not set."""
    value: Any = request
    for name in spec.path:
        value = getattr(value, name, None)
    return value


def file_references(request: TaskRequest) -> dict[str, FileRef | list[FileRef]]:
    """The files that a request refers to, by the name of the field as a person fills it in (nested ones flattened); a
    list for a field that takes several.
    """
    fields = [spec for spec in describe(type(request)) if spec.kind in (FieldKind.FILE, FieldKind.FILES)]
    values = {spec.name: value_in(request, spec) for spec in fields}
    return {name: value for name, value in values.items() if value is not None} | request.extra_files()


def _fields(model: type[BaseModel], path: tuple[str, ...], *, advanced: bool) -> Iterator[FieldSpec]:
    for name, info in model.model_fields.items():
        nested = nested_model(info.annotation)
        if nested is not None:
            yield from _fields(nested, (*path, name), advanced=advanced)
        else:
            yield _spec(name, (*path, name), info)


def _spec(name: str, path: tuple[str, ...], info: FieldInfo) -> FieldSpec:
    hints = next((item for item in info.metadata if isinstance(item, Hints)), Hints())
    kind, choices, mark = _kind(info)
    bounds = {type(item): item for item in info.metadata}
    low, high = bounds.get(annotated_types.Ge), bounds.get(annotated_types.Le)
    above = bounds.get(annotated_types.Gt)
    shortest, longest = bounds.get(annotated_types.MinLen), bounds.get(annotated_types.MaxLen)
    words = hints.label or " ".join(_ACRONYMS.get(word, word.capitalize()) for word in name.split("_"))
    return FieldSpec(
        name=name,
        path=path,
        kind=kind,
        label=words,
        description=info.description or "",
        required=info.is_required() and not hints.source,
        default=None if info.is_required() else info.default,
        placeholder=hints.placeholder,
        suggested=hints.suggested,
        minimum=low.ge if low else None,
        maximum=high.le if high else None,
        above=above.gt if above else None,
        length=(shortest.min_length if shortest else 0, longest.max_length if longest else None),
        choices=choices,
        formats=mark.formats if mark else (),
        file_form=mark.form if mark else None,
        text_field=mark.text_field if mark else "",
        advanced=hints.advanced,
        source=hints.source,
        panel=hints.panel,
        examples=hints.examples,
        replaced_by=hints.replaced_by,
        names_parts=hints.names_parts,
        forbidden_by=hints.forbidden_by,
        units=hints.units,
        usual=hints.usual,
        usual_length=hints.usual_length,
        seed=hints.seed,
        aliases=_aliases(name, info),
        start=hints.start,
        empty=hints.empty,
        choice_words=tuple(hints.choice_words.items()),
        only_with=hints.only_with,
    )


def _aliases(name: str, info: FieldInfo) -> tuple[str, ...]:
    read_as = info.validation_alias
    return tuple(str(alias) for alias in read_as.choices if alias != name) if isinstance(read_as, AliasChoices) else ()


def nested_model(annotation: Any) -> type[BaseModel] | None:
    """The model that a field is nested in; None for a plain field."""
    members = union_members(annotation)
    # A file is one field to a person, whatever it is on the wire.
    if len(members) == 1 and isinstance(members[0], type) and issubclass(members[0], BaseModel):
        return None if issubclass(members[0], FileObject) else members[0]
    return None


def _kind(info: FieldInfo) -> tuple[FieldKind, tuple[str, ...], FileMark | None]:
    members = union_members(info.annotation)
    mark = file_mark(*info.metadata, *members)
    if mark is not None:
        return FieldKind.FILE, (), mark
    first = members[0]
    if hasattr(first, "__metadata__"):  # Annotated inside of a union
        first = first.__origin__
    origin = get_origin(first)
    if origin is list:
        (item,) = get_args(first)
        mark = file_mark(item)
        if mark is not None:
            return FieldKind.FILES, (), mark
        return (FieldKind.NAMES if item is str else FieldKind.LIST), (), None
    if origin is Literal:
        return FieldKind.CHOICE, tuple(str(value) for value in get_args(first)), None
    plain = {str: FieldKind.TEXT, int: FieldKind.INTEGER, float: FieldKind.NUMBER, bool: FieldKind.SWITCH}
    if first in plain:
        return plain[first], (), None
    if first is dict or origin is dict:
        return FieldKind.MAP, (), None
    raise TypeError(f"no way to offer a field of the type {info.annotation!r}")
