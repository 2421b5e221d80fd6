"""Is the same running already? Asked when Run is pressed, so that nothing is paid for twice by a slip of the hand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import bpy

from ..bridge.objects import image_files, provenance, source_poses, transforms
from ..bridge.objects.fingerprint import MaterialReader
from ..bridge.objects.selection import Selection, having_faces, usable_selection
from ..bridge.results.open_file import open_file
from ..bridge.state import state
from ..core.errors import CoreError
from ..core.jobs.job import ENDED, JobView, SourceKind, SourcePose
from ..core.settings import Settings
from ..props.field_info import CapabilityInfo


def running_twin(
    context: bpy.types.Context,
    info: CapabilityInfo,
    fields: Mapping[str, Any],
    settings: Settings,
    model: Selection | None = None,
) -> JobView | None:
    """The latest job of this file that has not ended and was asked for the same: operation, service, fields, what it
    works on. None when there is no such job. ``model`` is the part of the selection that is meant.

    A press without a seed may well be meant as another try; that is for whoever pressed to say.
    """
    for job in state.newest_first():
        if (
            job.stage not in ENDED
            and job.service_id == settings.service_id
            and job.plan is not None
            and job.plan.delivery.origin is not None
            and job.plan.delivery.origin.session == open_file.token
            and job.plan.steps[-1].capability == info.name
            and _has_source(job, info, fields)
            and _has_fields(job, info, fields)
            and _has_selection(job, context, model)
        ):
            return job
    return None


def _has_source(job: JobView, info: CapabilityInfo, fields: Mapping[str, Any]) -> bool:
    """Whether a source that is named among the fields is the job's."""
    named = [str(value) for field in info.fields if field.source and (value := fields.get(field.name)) is not None]
    if not named:
        return True
    assert job.plan is not None
    source = job.plan.source
    return named[0] in (source.task_id, source.path, *map(str, job.plan.steps[-1].fields.values()))


def _has_fields(job: JobView, info: CapabilityInfo, fields: Mapping[str, Any]) -> bool:
    assert job.plan is not None
    sources = {field.name for field in info.fields if field.source}
    before = {name: value for name, value in job.plan.steps[-1].fields.items() if name not in sources}
    now = {name: value for name, value in fields.items() if name not in sources}
    images = {field.name for field in info.fields if field.takes_image and field.name in now}
    if before.keys() != now.keys() or any(before[name] != now[name] for name in now.keys() - images):
        return False
    return not images or _are_same_files(job, [(before[name], now[name]) for name in sorted(images)])


def _are_same_files(job: JobView, pairs: list[tuple[Any, Any]]) -> bool:
    """Whether images are the files that a job was started with, not written since; Blender's own are compared by what
    they show.
    """
    try:
        return all(_are_same(job, _as_list(before), _as_list(now)) for before, now in pairs)
    except CoreError:  # the press itself will say so
        return False


def _are_same(job: JobView, before: list[Any], now: list[Any]) -> bool:
    if len(before) != len(now):
        return False
    return all(_is_same_file(job, str(old), str(new)) for old, new in zip(before, now, strict=True))


def _is_same_file(job: JobView, before: str, now: str) -> bool:
    if now.startswith(image_files.PREFIX):
        return image_files.is_in_file(now, before)
    return before == now and not _written_since(now, job.created_at)


def _as_list(value: Any) -> list[Any]:
    return list(value) if isinstance(value, list | tuple) else [value]


def _written_since(path: str, moment: float) -> bool:
    try:
        return Path(path).stat().st_mtime > moment
    except OSError:
        return False


def _has_selection(job: JobView, context: bpy.types.Context, model: Selection | None) -> bool:
    """Whether what is selected is what the job works on, and has not been edited since."""
    assert job.plan is not None
    placement, source = job.plan.delivery.placement, job.plan.source
    if placement is None or not placement.sources:
        return True
    try:
        selection = usable_selection(context) if model is None else having_faces(model, context)
        selected = {item.session_uid: item for item in selection.objects}
    except CoreError:
        return False
    if selected.keys() != {uid for _, uid in placement.sources}:
        return False
    objects = [selected[uid] for _, uid in placement.sources]
    if not _stand_as_before(objects, placement.poses, context.scene):
        return False
    if source.kind is not SourceKind.SELECTION or source.snapshot is None:
        return True
    # Until its upload is made, nothing more is known of the geometry than what was compared above.
    if known := source.snapshot.fingerprints:
        materials = MaterialReader()
        prints = (provenance.fingerprint_if_lasting(item, materials) for item in objects)
    else:
        known = source.snapshot.looks
        prints = (seen.text for seen in provenance.looks_if_lasting(objects))
    return all(not before or before == now for before, now in zip(known, prints, strict=False))


def _stand_as_before(objects: Sequence[bpy.types.Object], poses: Sequence[SourcePose], scene: bpy.types.Scene) -> bool:
    """Whether meshes lie around their origins as they did, and have gone one way all together, if any."""
    if len(objects) != len(poses):
        return False
    moves = []
    for item, pose in zip(objects, poses, strict=True):
        move = source_poses.moved_since(item, pose, scene)
        if move is None or source_poses.pose_of(item, scene).shape != pose.shape:
            return False
        moves.append(move)
    return all(transforms.nearly_equal(moves[0], move) for move in moves[1:])
