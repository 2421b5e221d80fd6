"""What is found out about a selection after the press, from its snapshot: how its geometry is told, and its boxes.

A press only writes the snapshot; the background Blender that makes the upload of it goes through the meshes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, NamedTuple

from .job import JobPlan, SourceKind

Box = tuple[float, ...]


class UploadFacts(NamedTuple):
    """Of each object of a snapshot, in its order.

    Attributes:
        fingerprints: Of what is uploaded; empty for one whose looks depend on more than itself.
        boxes: In the frame of the snapshot: min x y z, max x y z; empty for one without points.
        rest_box: Of all of them at rest, where they were uploaded with their rigs; else empty.
    """

    fingerprints: tuple[str, ...]
    boxes: tuple[Box, ...]
    rest_box: Box = ()

    @classmethod
    def of_answer(cls, answer: Mapping[str, Any]) -> UploadFacts:
        """What ``headless/to_glb.py`` answered."""
        boxes = tuple(map(tuple, answer.get("boxes", ())))
        return cls(tuple(answer.get("fingerprints", ())), boxes, tuple(answer.get("rest_box", ())))


def awaits_facts(plan: JobPlan) -> bool:
    """Whether a plan is to get the facts of its upload."""
    snapshot = plan.source.snapshot
    is_upload = plan.source.kind is SourceKind.SELECTION and snapshot is not None
    return is_upload and snapshot is not None and bool(snapshot.looks) and not snapshot.fingerprints


def with_facts(plan: JobPlan, facts: UploadFacts) -> JobPlan:
    """The plan with the facts of its upload in place of what the press could tell."""
    snapshot, placement = plan.source.snapshot, plan.delivery.placement
    if snapshot is None or len(facts.fingerprints) != len(snapshot.objects):
        return plan
    plan = replace(plan, source=replace(plan.source, snapshot=snapshot._replace(fingerprints=facts.fingerprints)))
    if placement is None or len(placement.parts) != len(facts.boxes):
        return plan
    parts = tuple(part._replace(bounds=box) for part, box in zip(placement.parts, facts.boxes, strict=True))
    placement = placement._replace(parts=parts, bounds=tuple(_union(facts.boxes)), rest_bounds=facts.rest_box)
    return replace(plan, delivery=plan.delivery._replace(placement=placement))


def _union(boxes: tuple[Box, ...]) -> Iterator[float]:
    solid = [box for box in boxes if box]
    for side in range(6) if solid else ():
        yield (min if side < 3 else max)(box[side] for box in solid)
