"""Whether one step can run with the values that it has: its fields, what it works on, and the files it ends in."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import PurePath, PureWindowsPath
from typing import Any

from ....vendor.assetgen.contract import (
    CAPABILITIES,
    Convert,
    FieldKind,
    FieldSpec,
    Gives,
    Takes,
    TaskRequest,
    allowed_values,
    describe,
    value_text,
)
from ..errors import BadRequest
from ..jobs.job import EXTRA
from ..requests.build import PLACEHOLDER_TOKEN, check
from ..requests.plan_checks import feeds, works_on
from .recipe import Step, Trouble
from .recipe_file import near

BLEND, PICTURE = ".blend", ".png"
"""Made on this machine from any model."""

CONVERTED: Mapping[str, str] = {
    ending: value for value, ending in (Convert.result_kinds.endings if Convert.result_kinds else ())
}
"""The endings that Convert makes of a model, each with the value of its field."""

_TYPES: Mapping[FieldKind, tuple[type, ...]] = {
    FieldKind.TEXT: (str,),
    FieldKind.CHOICE: (str,),
    FieldKind.INTEGER: (int,),
    FieldKind.NUMBER: (int, float),
    FieldKind.SWITCH: (bool,),
    FieldKind.FILE: (str,),
    FieldKind.FILES: (list, str),
    FieldKind.NAMES: (list,),
    FieldKind.MAP: (dict,),
    FieldKind.LIST: (list,),
}


def step_fields(model: type[TaskRequest]) -> dict[str, FieldSpec]:
    """The fields that a step can set, the other names under which they are read included."""
    return {name: spec for spec in describe(model) if not spec.source for name in (spec.name, *spec.aliases)}


def check_use(step: Step) -> Iterator[Trouble]:
    """Whether there is such a capability, with such fields."""
    model = CAPABILITIES.get(step.use)
    if model is None:
        words = f"There is no capability {step.use}{near(step.use, CAPABILITIES)}; there are {', '.join(CAPABILITIES)}"
        yield Trouble(step.line_of("use"), words)
        return
    fields = step_fields(model)
    own = {spec.name: spec for spec in fields.values()}
    sources = {spec.name for spec in describe(model) if spec.source}
    for name in step.fields:
        if name in sources:
            yield Trouble(step.line_of(name), f"What {model.label} works on is given as from, not as {name}")
        elif name not in fields and name != EXTRA:
            words = f"{model.label} has no field {name}{near(name, own)}; it has {', '.join(own)}"
            yield Trouble(step.line_of(name), words)


def check_fields(
    step: Step, model: type[TaskRequest], fields: Mapping[str, Any], *, fed: bool, region: str, images: frozenset[str]
) -> Iterator[Trouble]:
    """Whether a request can be built from the fields of one run of a step.

    Args:
        step: The step.
        model: Its capability.
        fields: With the variables' values in them.
        fed: Whether it works on an earlier task.
        region: Where the service is, as in the settings.
        images: The fields that get images of other steps.
    """
    specs = step_fields(model)

    def line_of(name: str) -> int:
        return step.line_of("each" if name not in step.fields and name in step.each_names else name)

    is_typed = True
    for name, value in fields.items():
        spec = specs.get(name)
        if spec is not None and not _is_of_kind(spec.kind, value):
            is_typed = False
            words = f"{spec.label} is {value_text(value)}; allowed: {_allowed(spec)}"
            yield Trouble(line_of(name), f"{step.name}: {words}")
    if not is_typed:
        return
    token = {name: _with_token(fields.get(name)) for name in images}
    try:
        check(model.name, {**fields, **token}, fed=fed, region=region)
    except BadRequest as error:
        yield Trouble(line_of(error.field), f"{step.name}: {error}")


def check_source(step: Step, model: type[TaskRequest], before: str, *, is_model: bool) -> str:
    """Whether a step can work on what it is given; a sentence when it cannot, else empty.

    Args:
        step: The step.
        model: Its capability.
        before: The capability whose result it is; empty where that is not known, or it is no task.
        is_model: Whether it is a model to upload.
    """
    if not step.source:
        if model.takes in (Takes.NOTHING, Takes.IMAGES):
            return ""
        return f"{model.label} {_wants(model)}; name it as from"
    if model.takes is Takes.NOTHING or (model.takes is Takes.IMAGES and model.task_field is None):
        return f"{model.label} works on nothing; leave from out"
    if model.takes is Takes.MODEL_FILE:
        return "" if is_model else f"{model.label} takes a model file; {step.source} is none"
    if is_model:
        return "" if model.takes is Takes.MODEL_TASK else f"{model.label} {_wants(model)}, not on a model file"
    if before and not feeds(before, model):
        return f"{model.label} {_wants(model)}; {step.source} is {CAPABILITIES[before].label}"
    return ""


def endings_of(model: type[TaskRequest]) -> tuple[str, ...]:
    """The endings of all files that a step can end in."""
    match model.gives:
        case Gives.MODEL:
            return (*CONVERTED, *((BLEND, PICTURE) if model.takes is not Takes.MODEL_FILE else ()))
        case Gives.IMAGES:
            return (PICTURE,)
        case Gives.SPLAT:
            return (model.result_ending({}),)
        case Gives.ANSWER:
            return ()


def check_output(step: Step, model: type[TaskRequest], name: str) -> str:
    """Whether a result can be written under a name; a sentence when it cannot, else empty."""
    endings = endings_of(model)
    if not endings:
        return f"{model.label} gives an answer and no file; leave out out"
    path = PurePath(name)
    if path.is_absolute() or PureWindowsPath(name).drive or ".." in path.parts:
        return f"{name} leads out of the folder of the results; allowed: a name, or one with folders in there"
    if path.suffix.lower() not in endings:
        kind = f"a {path.suffix} file" if path.suffix else "a name without an ending"
        return f"{name} is {kind}; {model.label} ends in {', '.join(endings)}"
    return "" if path.stem.strip(" .") else f"{name} has no name before its ending"


def _wants(model: type[TaskRequest]) -> str:
    if model.takes is Takes.MODEL_FILE:
        return "takes a model file"
    if model.takes is Takes.MODEL_TASK and not model.source_takes:
        return "works on a model: a step that gives one, a model file, or the id of a task"
    return works_on(model)


def _is_of_kind(kind: FieldKind, value: Any) -> bool:
    if isinstance(value, bool) and kind is not FieldKind.SWITCH:
        return False
    if kind is FieldKind.NAMES:
        return isinstance(value, list) and all(isinstance(item, str) for item in value)
    return isinstance(value, _TYPES[kind])


def _allowed(spec: FieldSpec) -> str:
    if spec.kind is FieldKind.FILE:
        return f"the path of a file ({', '.join(spec.formats)}), a token, an https address, or a step"
    return allowed_values(spec)


def _with_token(value: Any) -> Any:
    """What stands for images that are not there yet."""
    return [PLACEHOLDER_TOKEN] * len(value) if isinstance(value, list) else PLACEHOLDER_TOKEN
