"""The forms in which images reach a request (docs/api.md, 6.3): one image, or views from several sides."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any, ClassVar

from pydantic import AfterValidator, ConfigDict, Field, ValidationInfo, model_serializer, model_validator

from ..references import (
    TASK_WANTED,
    FileObject,
    FileRef,
    ImageObject,
    InputText,
    OneImageObject,
    is_file_reference,
    is_task_id,
)
from ..request import Hints, TaskRequest
from ..rules import Declared, Rule, RuleError, at_least_one, refusal, value_text

VIEWS = ("front", "left", "back", "right")
"""The sides that a multiview has, in the order of the API's slots."""

_FEWEST_VIEWS = 2


class OneImage(TaskRequest):
    """What takes a single image, as ``file`` or as ``input``."""

    rules: ClassVar[tuple[Rule, ...]] = (at_least_one("file", "input"),)
    task_field: ClassVar[str | None] = "input"
    content_fields: ClassVar[tuple[str, ...]] = ("file", "input")
    source_takes: ClassVar[frozenset[str]] = frozenset({"text_to_image", "image_to_image"})

    file: Annotated[
        OneImageObject | None, Field(description="The image"), Hints(label="Image", placeholder="Image")
    ] = None
    input: Annotated[
        InputText | None,
        Field(description="In place of a file: a file token, an https URL, or the id of an image's task"),
        Hints(panel=False),
    ] = None

    def source_task(self) -> str | None:
        """The task whose image is meant, where ``input`` names one."""
        return self.input if self.input is not None and is_task_id(self.input) else None

    def extra_files(self) -> dict[str, FileRef]:
        """The image in ``input``, where that names no task."""
        return {} if self.input is None or is_task_id(self.input) else {"input": self.input}


def _front_and_another(views: Mapping[str, Any]) -> None:
    present = [view for view in VIEWS if views.get(view) is not None]
    if "front" not in present:
        raise RuleError(f"front is missing; given: {', '.join(present) or 'no view'}", field="front")
    if len(present) < _FEWEST_VIEWS:
        raise RuleError(f"only the front view is given; allowed: {_FEWEST_VIEWS} to {len(VIEWS)} views", field="left")


def _list_schema(item: dict[str, Any], fewest: int) -> Callable[[dict[str, Any]], None]:
    """Writes a model's JSON schema as the list that it is on the wire."""

    def rewrite(schema: dict[str, Any]) -> None:
        schema.pop("properties", None)
        schema.pop("additionalProperties", None)
        schema |= {"type": "array", "items": item, "minItems": fewest, "maxItems": len(VIEWS)}

    return rewrite


_SLOTS_WANTED = "4 slots: front, left, back, right, with {} for none"

_SLOT = {"type": "object"}
_PROMPT = {
    "type": "object",
    "properties": {
        "view": {"enum": list(VIEWS)},
        "prompt": {"type": "string", "maxLength": 1024},
    },
    "required": ["view", "prompt"],
}


class ViewFiles(Declared):
    """An object seen from several sides. On the wire a list of four slots, with ``{}`` for a side that is not given."""

    model_config = ConfigDict(json_schema_extra=_list_schema(_SLOT, len(VIEWS)))

    rules: ClassVar[tuple[Rule, ...]] = (
        Rule(
            "files has the four slots front, left, back, right; front and one more are needed",
            lambda files: _front_and_another({view: getattr(files, view) for view in VIEWS}),
        ),
    )

    front: Annotated[ImageObject | None, Field(description="The front view")] = None
    left: Annotated[ImageObject | None, Field(description="The left view")] = None
    back: Annotated[ImageObject | None, Field(description="The back view")] = None
    right: Annotated[ImageObject | None, Field(description="The right view")] = None

    @model_validator(mode="before")
    @classmethod
    def _from_slots(cls, value: Any, info: ValidationInfo) -> Any:
        if not isinstance(value, list | tuple):
            return value
        if len(value) != len(VIEWS):
            raise refusal("files", value, _SLOTS_WANTED)
        if info.mode == "json" and None in value:
            raise refusal("files", value, _SLOTS_WANTED)
        return {view: slot for view, slot in zip(VIEWS, value, strict=True) if slot not in ({}, None)}

    @model_serializer(mode="plain")
    def _as_slots(self) -> list[dict[str, Any]]:
        files: list[FileObject | None] = [getattr(self, view) for view in VIEWS]
        return [{} if file is None else file.model_dump(mode="json", exclude_unset=True) for file in files]


@dataclass(frozen=True, slots=True)
class Inputs:
    """What the ``inputs`` of a multiview mean: images by view, or the task whose views are meant."""

    views: Mapping[str, FileRef] = field(default_factory=dict)
    task_id: str | None = None


def read_inputs(items: Sequence[Any]) -> Inputs:
    """Reads ``inputs``: items keyed by view, a list in the order of the views, or ``[{"task_id": ...}]``.

    Raises:
        RuleError: They are none of these.
    """
    if len(items) == 1 and isinstance(items[0], Mapping) and set(items[0]) == {"task_id"}:
        return Inputs(task_id=_task_id(items[0]["task_id"]))
    if not items or len(items) > len(VIEWS):
        raise refusal("inputs", items, "one to four views, or one {task_id}")
    views: dict[str, FileRef] = {}
    for number, item in enumerate(items):
        for view, file in _views_in(item, number):
            if view in views:
                raise RuleError(f"inputs gives the {view} view twice", field="inputs")
            views[view] = file
    if not views:
        raise refusal("inputs", items, "one to four views, or one {task_id}")
    return Inputs(views)


def _readable(items: list[Any] | None) -> list[Any] | None:
    if items is not None:
        read_inputs(items)
    return items


InputsList = Annotated[list[Any] | None, AfterValidator(_readable)]
"""The ``inputs`` form as it is on the wire; :func:`read_inputs` says what it means."""


def _task_id(value: Any) -> str:
    if not isinstance(value, str) or not is_task_id(value):
        raise RuleError(f"inputs names the task {value_text(value)}; allowed: {TASK_WANTED}", field="inputs")
    return value


def _views_in(item: Any, number: int) -> list[tuple[str, FileRef]]:
    """The views that one item of ``inputs`` gives: it names them, or its place in the list does."""
    if isinstance(item, Mapping):
        if item and set(item) <= set(VIEWS):
            return [(view, _reference(file)) for view, file in item.items()]
        if "view" in item:
            view = item["view"]
            if view not in VIEWS:
                raise refusal("view", view, ", ".join(VIEWS))
            return [(view, _reference({name: value for name, value in item.items() if name != "view"}))]
    return [] if item == {} else [(VIEWS[number], _reference(item))]


def _reference(value: Any) -> FileRef:
    if isinstance(value, str) and is_file_reference(value):
        return value
    if isinstance(value, Mapping):
        return FileObject.model_validate(dict(value))
    allowed = "a file token, an https URL or a file object"
    raise RuleError(f"inputs has {value_text(value)}; allowed: {allowed}", field="inputs")


def _some_words(prompts: ViewPrompts) -> None:
    if all(getattr(prompts, view) is None for view in VIEWS):
        raise RuleError("no view has a prompt; allowed: 1 to 4 prompts, one for each view", field="front")


_UNCHANGED = Hints(empty="Unchanged")


class ViewPrompts(Declared):
    """What to change in which view. On the wire a list of ``{view, prompt}``."""

    model_config = ConfigDict(json_schema_extra=_list_schema(_PROMPT, 1))

    rules: ClassVar[tuple[Rule, ...]] = (
        Rule("prompts has 1 to 4 items, each for another view, each of up to 1024 characters", _some_words),
    )

    front: Annotated[str | None, Field(max_length=1024, description="Change of the front"), _UNCHANGED] = None
    left: Annotated[str | None, Field(max_length=1024, description="Change of the left"), _UNCHANGED] = None
    back: Annotated[str | None, Field(max_length=1024, description="Change of the back"), _UNCHANGED] = None
    right: Annotated[str | None, Field(max_length=1024, description="Change of the right"), _UNCHANGED] = None

    @model_validator(mode="before")
    @classmethod
    def _from_items(cls, value: Any) -> Any:
        if not isinstance(value, list | tuple):
            return value
        prompts: dict[str, Any] = {}
        for item in value:
            view = item.get("view") if isinstance(item, Mapping) else None
            if not isinstance(item, Mapping) or view not in VIEWS or "prompt" not in item:
                raise refusal("prompts", item, f"items {{view, prompt}} with a view of {', '.join(VIEWS)}")
            if view in prompts:
                raise RuleError(f"prompts names the {view} view twice; each view may have one prompt", field="prompts")
            prompts[str(view)] = item["prompt"]
        return prompts

    @model_serializer(mode="plain")
    def _as_items(self) -> list[dict[str, str]]:
        prompts = [(view, getattr(self, view)) for view in VIEWS]
        return [{"view": view, "prompt": prompt} for view, prompt in prompts if prompt is not None]
