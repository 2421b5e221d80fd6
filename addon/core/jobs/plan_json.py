"""A plan as text for the journal, and back."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Any

from .job import Delivery, JobPlan, Origin, Placement, Snapshot, SnapshotObject, Source, SourceKind, StepPlan

_WORDS = ("title", "capability")
"""What is known of a source that is no selection."""


def to_text(plan: JobPlan) -> str:
    """JSON of a plan.

    Raises:
        TypeError: A field of the plan is not plain data.
    """
    return json.dumps({**asdict(plan), "source": _source_values(plan.source)}, ensure_ascii=False)


def from_text(text: str) -> JobPlan:
    """Reads what :func:`to_text` wrote."""
    raw = json.loads(text)
    return JobPlan(
        name=raw["name"],
        source=_source(raw["source"]),
        steps=tuple(StepPlan(**step) for step in raw["steps"]),
        delivery=_delivery(raw["delivery"]),
    )


def _source_values(source: Source) -> dict[str, Any]:
    """A source in its form from when all but the first three were loose ``details``."""
    if source.snapshot is not None:
        details = asdict(source.snapshot)
    else:
        details = {name: value for name in _WORDS if (value := getattr(source, name))}
    return {"kind": source.kind, "path": source.path, "task_id": source.task_id, "details": details}


def _source(raw: dict[str, Any]) -> Source:
    details = raw["details"]
    return Source(
        kind=SourceKind(raw["kind"]),
        path=raw["path"],
        task_id=raw["task_id"],
        snapshot=_snapshot(details) if "objects" in details else None,
        **{name: details[name] for name in _WORDS if name in details},
    )


def _snapshot(raw: dict[str, Any]) -> Snapshot:
    return Snapshot(
        objects=tuple(
            SnapshotObject(item["name"], item.get("title", ""), tuple(item.get("matrix", ())))
            for item in raw["objects"]
        ),
        frame=tuple(raw.get("frame", ())),
        scene_frame=raw.get("scene_frame", 1),
        images=raw.get("images", {}),
        fingerprints=tuple(raw.get("fingerprints", ())),
    )


def _delivery(raw: dict[str, Any]) -> Delivery:
    return Delivery(
        origin=Origin(**raw["origin"]) if raw["origin"] else None,
        placement=_placement(raw["placement"]) if raw["placement"] else None,
        folder=raw["folder"],
    )


def _placement(raw: dict[str, Any]) -> Placement:
    return Placement(
        **{
            **raw,
            "frame": tuple(raw["frame"]),
            "bounds": tuple(raw["bounds"]),
            "sources": tuple((name, uid) for name, uid in raw["sources"]),
        }
    )
