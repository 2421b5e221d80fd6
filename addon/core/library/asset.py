"""What a result is filed under as an asset: its name, its words, its catalog and its picture."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from ....vendor.assetgen.contract import CAPABILITIES, TaskRequest, describe
from ....vendor.assetgen.contract.field_specs import FieldKind
from ..jobs.job import JobView, StepPlan
from ..settings import LOCAL
from ..status.job_words import PICTURE, headline
from .catalogs import Catalog, catalog_of

_LONGEST_TAG = 63
"""Bytes that Blender has for a tag, and for a name."""


class Asset(NamedTuple):
    """A result as it stands in an asset library.

    Attributes:
        name: Of an asset that is several objects, and of the file; one object keeps its own.
        description: The words that it was made with.
        tags: Those words, the operations, and the versions of the models that they were done with.
        catalog: That of the last operation.
        picture: The service's picture of it, or the one that was drawn when it arrived; None where there is none.
    """

    name: str
    description: str
    tags: tuple[str, ...]
    catalog: Catalog
    picture: Path | None


def asset_of(job: JobView, name: str = "") -> Asset:
    """The result of a job as an asset.

    Args:
        job: A job that has made a model.
        name: What its object is called in the scene, where it is one there.
    """
    steps = [step for step in job.plan.steps if step.capability in CAPABILITIES] if job.plan is not None else []
    words = list(dict.fromkeys(word for step in steps for word in _words(step)))
    labels = [CAPABILITIES[step.capability].label for step in steps]
    versions = ["Local Engine"] if job.service_id == LOCAL else [_version(step) for step in steps]
    tags = dict.fromkeys(cut(tag) for tag in (*words, *labels, *versions) if tag)
    last = steps[-1].capability if steps else ""
    picture = dict(job.files).get(PICTURE, "")
    return Asset(
        name=cut(name or headline(job)),
        description="\n".join(words),
        tags=tuple(tags),
        catalog=catalog_of(last, labels[-1] if labels else "Others"),
        picture=Path(picture) if picture else None,
    )


def cut(words: str) -> str:
    """Words as one line that Blender has room for, cut between two of them where there is a place for that."""
    line = " ".join(words.split())
    if len(line.encode()) <= _LONGEST_TAG:
        return line
    short = line.encode()[: _LONGEST_TAG + 1].decode(errors="ignore")
    whole = short.rpartition(" ")[0] or short[:-1]
    return whole.rstrip(" ,.;:")


def _words(step: StepPlan) -> Iterator[str]:
    """What a step was told in words."""
    request = CAPABILITIES[step.capability]
    named = (*request.content_fields, *request.title_fields)
    for spec in describe(request):
        value = step.fields.get(spec.name)
        if spec.name in named and spec.kind is FieldKind.TEXT and isinstance(value, str) and value.strip():
            yield value.strip()


def _version(step: StepPlan) -> str:
    """The version of the service's model that a step was done with; empty where the operation has none."""
    request: type[TaskRequest] = CAPABILITIES[step.capability]
    if request.version_field is None:
        return ""
    default = next(spec.default for spec in describe(request) if spec.name == request.version_field)
    return str(step.fields.get(request.version_field) or default or "")
