"""A plan as text for the journal, and back."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Any

from .job import Delivery, JobPlan, Origin, Placement, Source, SourceKind, StepPlan


def to_text(plan: JobPlan) -> str:
    """JSON of a plan.

    Raises:
        TypeError: A field of the plan is not plain data.
    """
    return json.dumps(asdict(plan), ensure_ascii=False)


def from_text(text: str) -> JobPlan:
    """Reads what :func:`to_text` wrote."""
    raw = json.loads(text)
    return JobPlan(
        name=raw["name"],
        source=Source(**{**raw["source"], "kind": SourceKind(raw["source"]["kind"])}),
        steps=tuple(StepPlan(**step) for step in raw["steps"]),
        delivery=_delivery(raw["delivery"]),
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
