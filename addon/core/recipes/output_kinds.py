"""Which files a step's own task gives, and for which of them a task has to follow that converts its model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from ....vendor.assetgen.contract import Takes, TaskRequest
from .step_checks import CONVERTED, step_fields


def set_kind(model: type[TaskRequest], fields: dict[str, Any], outputs: Sequence[Path]) -> None:
    """Has a step give the kind of file that is wanted of it, where one of its fields can say that and was not set."""
    kinds = model.result_kinds
    suffixes = _wanted(outputs)
    if kinds is None or not suffixes or kinds.field in fields:
        return
    offered = [value for value, ending in kinds.endings if ending in suffixes]
    # A field that must be set is set in any case; where one of the files is what comes anyway, that will do.
    if offered and (step_fields(model)[kinds.field].required or model.result_ending(fields) not in suffixes):
        fields[kinds.field] = offered[0]


def divided(
    model: type[TaskRequest], fields: Mapping[str, Any], outputs: Sequence[Path]
) -> tuple[tuple[Path, ...], dict[str, tuple[Path, ...]]]:
    """The files that are made of a task's own result, and by their endings those for which it has to be converted."""
    # What an import gives is there already, and is not fetched.
    own = "" if model.takes is Takes.MODEL_FILE else model.result_ending(fields)
    endings = [ending for ending in _wanted(outputs) if ending != own]
    others = {ending: tuple(path for path in outputs if path.suffix.lower() == ending) for ending in endings}
    return tuple(path for path in outputs if path.suffix.lower() not in others), others


def _wanted(outputs: Sequence[Path]) -> list[str]:
    """The endings of the files of models, each once."""
    return list(dict.fromkeys(path.suffix.lower() for path in outputs if path.suffix.lower() in CONVERTED))
