"""Jobs and steps as rows of the journal, and back."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from .job import JobPlan, Stage
from .records import JobRecord, StepRecord

_JSON = frozenset({"tokens", "candidates", "files", "delivered"})

# By their names: a newer version of the extension in another Blender may have added columns to the open journal.
_STEP_NAMES = tuple(item.name for item in fields(StepRecord))
_JOB_NAMES = tuple(item.name for item in fields(JobRecord) if item.name not in ("plan", "steps"))

STEP_COLUMNS = ", ".join(_STEP_NAMES)
JOB_COLUMNS = ", ".join(_JOB_NAMES)
"""All but the plan, which is large and never changes."""


def assignments(columns: Mapping[str, Any]) -> tuple[str, list[Any]]:
    """What follows SET in an UPDATE, and its values."""
    values = [json.dumps(value) if name in _JSON else value for name, value in columns.items()]
    return ", ".join(f"{name} = ?" for name in columns), values


def step_record(row: sqlite3.Row) -> StepRecord:
    """A step from the :data:`STEP_COLUMNS` of its row."""
    values = {name: row[name] for name in _STEP_NAMES}
    return StepRecord(**{**values, "candidates": tuple(json.loads(row["candidates"]))})


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
