"""Plans, jobs and steps as the journal keeps them in its rows, and back."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, fields
from typing import Any

from .job import (
    Delivery,
    JobPlan,
    ModelPart,
    Origin,
    Placement,
    ReplaceableFile,
    Snapshot,
    SnapshotObject,
    Source,
    SourceKind,
    SourcePose,
    Stage,
    StepPlan,
    TargetObject,
    plain,
)
from .place import Place
from .records import JobRecord, StepRecord

_JSON = frozenset({"tokens", "candidates", "files", "delivered"})
_FIRST = frozenset({"used_at"})

# By their names: a newer version of the extension in another Blender may have added columns to the open journal.
_STEP_NAMES = tuple(item.name for item in fields(StepRecord))
_JOB_NAMES = tuple(item.name for item in fields(JobRecord) if item.name not in ("plan", "steps"))

STEP_COLUMNS = ", ".join(_STEP_NAMES)
JOB_COLUMNS = ", ".join(_JOB_NAMES)
"""All but the plan, which is large and changes at most once."""


class UnreadableJob(LookupError):
    """A job that another version of the extension wrote, or whose row is damaged: it stays, and is not touched."""


_WORDS = ("title", "capability")
"""What is known of a source that is no selection."""

_PAINTED = "painted"
"""Among the details of a source that is no selection: the snapshot of what has its vertex groups and colours."""

_LATER_IN_SNAPSHOT = ("layered", "looks", "packed", "rigged")
"""Fields of a snapshot that its first form did not have."""

_LATER_IN_PLACEMENT = (
    *("poses", "parts", "takes_name", "collects_source"),
    *("place", "anchor", "anchors", "target", "placeholder", "rest_bounds"),
)
"""Fields of a placement that its first form did not have."""


_NEW_IN_DELIVERY = ("file_name", "replaceable", "brings_in", "row", "row_folder")
"""What plans did not have once: left out where it says nothing. Older versions pass over it."""


def assignments(columns: Mapping[str, Any]) -> tuple[str, list[Any]]:
    """What follows SET in an UPDATE, and its values. A moment of :data:`_FIRST` is not set again."""
    values = [json.dumps(value) if name in _JSON else value for name, value in columns.items()]
    parts = [
        f"{name} = CASE {name} WHEN 0 THEN ? ELSE {name} END" if name in _FIRST else f"{name} = ?" for name in columns
    ]
    return ", ".join(parts), values


def step_record(row: sqlite3.Row) -> StepRecord:
    """A step from the :data:`STEP_COLUMNS` of its row."""
    values = {name: row[name] for name in _STEP_NAMES}
    values |= {"candidates": tuple(json.loads(row["candidates"])), "unmarked": bool(row["unmarked"])}
    return StepRecord(**values)


def read_job(row: sqlite3.Row, plan: Callable[[sqlite3.Row], JobPlan], step_rows: Iterable[sqlite3.Row]) -> JobRecord:
    """A job from its rows.

    Args:
        row: The job's, with its :data:`JOB_COLUMNS`.
        plan: Reads the plan that belongs to it.
        step_rows: Those of its steps, with their :data:`STEP_COLUMNS`.

    Raises:
        UnreadableJob: They hold what this version of the extension does not know.
    """
    try:
        record = job_record(row, plan(row), tuple(map(step_record, step_rows)))
    except (ValueError, TypeError, LookupError, AttributeError, RecursionError) as error:
        raise UnreadableJob(f"the job {row['id']} cannot be read: {type(error).__name__}: {error}") from error
    if not 0 <= record.position < len(record.steps) == len(record.plan.steps):
        raise UnreadableJob(f"the job {record.id} cannot be read: its steps are not those of its plan")
    return record


def job_record(row: sqlite3.Row, plan: JobPlan, steps: tuple[StepRecord, ...]) -> JobRecord:
    """A job from the :data:`JOB_COLUMNS` of its row."""
    values = {name: row[name] for name in _JOB_NAMES}
    values |= {
        "stage": Stage(row["stage"]),
        "resume": Stage(row["resume"]) if row["resume"] else None,
        "asked_to_stop": bool(row["asked_to_stop"]),
        "tokens": json.loads(row["tokens"]),
        "files": tuple((key, path) for key, path in json.loads(row["files"])),
        "delivered": tuple((key, path) for key, path in json.loads(row["delivered"])),
    }
    return JobRecord(**values, plan=plan, steps=steps)


# The plan, as JSON


def plan_to_json(plan: JobPlan) -> str:
    """JSON of a plan.

    Raises:
        TypeError: A field of the plan is not plain data.
    """
    values: dict[str, Any] = {
        "name": plan.name,
        "source": _source_values(plan.source),
        "steps": [asdict(step) for step in plan.steps],
        "delivery": plain(plan.delivery),
    }
    for name in _NEW_IN_DELIVERY:
        if getattr(plan.delivery, name) == Delivery._field_defaults[name]:
            del values["delivery"][name]
    placement = values["delivery"]["placement"]
    for name in _LATER_IN_PLACEMENT if placement is not None else ():
        # Older versions pass over what they do not know in the source's details, and nowhere else.
        value = placement.pop(name)
        if value != plain(Placement._field_defaults[name]):
            values["source"]["details"][name] = value
    return json.dumps(values, ensure_ascii=False)


def plan_from_json(text: str) -> JobPlan:
    """Reads what :func:`plan_to_json` wrote."""
    raw = json.loads(text)
    return JobPlan(
        name=raw["name"],
        source=_source(raw["source"]),
        steps=tuple(StepPlan(**step) for step in raw["steps"]),
        delivery=_delivery(raw["delivery"], raw["source"]["details"]),
    )


def _source_values(source: Source) -> dict[str, Any]:
    """A source in its form from when all but the first three were loose ``details``."""
    details = {name: value for name in _WORDS if (value := getattr(source, name))}
    if source.snapshot is not None and source.kind is SourceKind.SELECTION:
        details = _snapshot_values(source.snapshot)
    elif source.snapshot is not None:  # apart, because to earlier versions a snapshot is an upload
        details[_PAINTED] = _snapshot_values(source.snapshot)
    return {"kind": source.kind, "path": source.path, "task_id": source.task_id, "details": details}


def _snapshot_values(snapshot: Snapshot) -> dict[str, Any]:
    values: dict[str, Any] = plain(snapshot)
    for name in _LATER_IN_SNAPSHOT:
        if not values[name]:  # as ever
            del values[name]
    return values


def _source(raw: dict[str, Any]) -> Source:
    details = raw["details"]
    snapshot = details.get(_PAINTED, details)
    return Source(
        kind=SourceKind(raw["kind"]),
        path=raw["path"],
        task_id=raw["task_id"],
        snapshot=_snapshot(snapshot) if "objects" in snapshot else None,
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
        layered=bool(raw.get("layered", False)),
        looks=tuple(raw.get("looks", ())),
        packed=tuple(map(tuple, raw.get("packed", ()))),
        rigged=bool(raw.get("rigged", False)),
    )


def _delivery(raw: dict[str, Any], details: dict[str, Any]) -> Delivery:
    return Delivery(
        origin=Origin(**raw["origin"]) if raw["origin"] else None,
        placement=_placement(raw["placement"], details) if raw["placement"] else None,
        folder=raw["folder"],
        file_name=raw.get("file_name", ""),
        replaceable=tuple(ReplaceableFile(**item) for item in raw.get("replaceable", ())),
        brings_in=raw.get("brings_in", True),
        row=raw.get("row", ""),
        row_folder=raw.get("row_folder", ""),
    )


def _placement(raw: dict[str, Any], details: dict[str, Any]) -> Placement:
    poses, parts = details.get("poses", []), details.get("parts", [])
    return Placement(
        **{
            **raw,
            "frame": tuple(raw["frame"]),
            "bounds": tuple(raw["bounds"]),
            "sources": tuple((name, uid) for name, uid in raw["sources"]),
            "poses": tuple(SourcePose(tuple(pose["matrix"]), pose["shape"], pose["scene_frame"]) for pose in poses),
            "parts": tuple(ModelPart(part["name"], tuple(part["bounds"])) for part in parts),
            "takes_name": bool(details.get("takes_name", False)),
            "collects_source": bool(details.get("collects_source", False)),
            "place": Place(details.get("place", Place.SOURCE)),
            "anchor": tuple(details.get("anchor", ())),
            "anchors": tuple((name, uid) for name, uid in details.get("anchors", ())),
            "target": _target(details.get("target")),
            "placeholder": bool(details.get("placeholder", False)),
            "rest_bounds": tuple(details.get("rest_bounds", ())),
        }
    )


def _target(raw: dict[str, Any] | None) -> TargetObject | None:
    if raw is None:
        return None
    return TargetObject(**{**raw, "matrix": tuple(raw["matrix"]), "bounds": tuple(raw["bounds"])})
