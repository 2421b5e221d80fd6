"""What is wrong with fields while they are still being filled in: all of it, each with the field that it is about."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from ....vendor.assetgen.contract import FieldKind, FieldSpec, capability, describe
from ..errors import BadRequest
from ..settings import Region
from .build import PLACEHOLDER_TOKEN, check

_MOST = 8
_IMAGES = frozenset({FieldKind.FILE, FieldKind.FILES})


class FieldTrouble(NamedTuple):
    """What is wrong with one field, as a sentence without its full stop.

    Attributes:
        field: Its name; empty where no single field is meant.
        sentence: Names the field and what is allowed.
        is_missing: It has not been filled in yet.
        is_advice: It is allowed and probably not meant; the request would be sent.
    """

    field: str
    sentence: str
    is_missing: bool = False
    is_advice: bool = False


def field_troubles(
    name: str, fields: Mapping[str, Any], *, region: str = "", skip_folder: Path | None = None
) -> tuple[FieldTrouble, ...]:
    """All that keeps a request from being built from ``fields``, files included; else what is probably not meant.

    What is wrong hides what is checked after it. So each field that is refused or missing gets something else in its
    place, or is left out, until nothing else is found.

    Args:
        name: The capability.
        fields: As for :func:`.build.check`.
        region: As for :func:`.build.check`.
        skip_folder: As for :func:`.build.check`.
    """
    specs = {spec.name: spec for spec in describe(capability(name))}
    left = dict(fields)
    found: dict[str, FieldTrouble] = {}
    replaced: set[str] = set()
    is_changed = False
    for _ in range(_MOST):
        try:
            request = check(name, left, region=region, skip_folder=skip_folder)
        except BadRequest as error:
            field = error.field
            if field in found or field in replaced:
                break
            is_missing = field not in left
            if not (is_missing and is_changed):  # or it is missing because what was refused has been left out
                found[field] = FieldTrouble(field, str(error), is_missing)
            if field not in specs:
                break
            left.pop(field, None)
            replaced.add(field)
            is_changed |= not is_missing
            if (stand_in := _stand_in(specs[field])) is not None:
                left[field] = stand_in
        else:
            if not found and region != Region.LOCAL and (doubt := request.doubt()) is not None:
                return (FieldTrouble(doubt.field, str(doubt), is_advice=True),)
            break
    return tuple(found.values())


def _stand_in(spec: FieldSpec) -> Any:
    """A value that a field takes, in place of one that is missing; None where there is no such."""
    if spec.examples:
        return spec.examples[0]
    if spec.kind is FieldKind.TEXT:
        return "x" * max(1, spec.length[0] or 1)
    if spec.kind in _IMAGES:
        return [PLACEHOLDER_TOKEN] if spec.kind is FieldKind.FILES else PLACEHOLDER_TOKEN
    return spec.choices[0] if spec.choices else None
