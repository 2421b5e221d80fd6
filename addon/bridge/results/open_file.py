"""The file that is open: which jobs were started from it, and what their results became in it."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, TypeVar

import bpy

if TYPE_CHECKING:
    from ...core.jobs.job import JobView
    from .placeholder import Standing

_Block = TypeVar("_Block", bpy.types.Object, bpy.types.Image, bpy.types.Action)


def _new_token() -> str:
    return os.urandom(16).hex()  # what a UUID would be, whose module takes a millisecond to load


class OpenFile:
    """What is known of the open file; all of it ends when another one is opened.

    Attributes:
        token: New with every file that is opened; a job remembers it as the ``session`` of its origin.
        objects: Session ids of the objects that each job's result consists of, by job.
        images: The same for images.
        actions: The same for actions.
        standings: How the empties that stand for results stood when they were seen last, by job.
    """

    def __init__(self) -> None:
        self.token = _new_token()
        self.objects: dict[str, list[int]] = {}
        self.images: dict[str, list[int]] = {}
        self.actions: dict[str, list[int]] = {}
        self.standings: dict[str, Standing] = {}

    def replaced(self) -> None:
        """Another file is open: what was started before belongs to a scene that may be gone."""
        self.token = _new_token()
        self.objects.clear()
        self.images.clear()
        self.actions.clear()
        self.standings.clear()

    def has_started(self, job: JobView) -> bool:
        """Whether the job was started from this file since it was opened."""
        origin = job.plan.delivery.origin if job.plan else None
        return origin is not None and origin.session == self.token

    def is_origin_of(self, job: JobView) -> bool:
        """Whether the job was started from this file, perhaps before it was opened again."""
        origin = job.plan.delivery.origin if job.plan else None
        if origin is None:
            return False
        return self.has_started(job) or bool(origin.blend_path and origin.blend_path == bpy.data.filepath)

    def sources_of(self, job: JobView) -> list[bpy.types.Object]:
        """The objects that the job was started on, as far as they are still there: by session id, in a file that was
        opened again by name.
        """
        placement = job.plan.delivery.placement if job.plan else None
        return self.named_by(job, placement.sources) if placement is not None else []

    def named_by(self, job: JobView, names: Sequence[tuple[str, int]]) -> list[bpy.types.Object]:
        """The objects that a job remembers by name and session id, as far as they are still there."""
        if self.has_started(job):
            return _existing([uid for _, uid in names], bpy.data.objects) if names else []
        return [bpy.data.objects[name] for name, _ in names if name in bpy.data.objects]

    def objects_of(self, job_id: str) -> list[bpy.types.Object]:
        """The objects of a job's result that still exist."""
        return _existing(self.objects.get(job_id, []), bpy.data.objects)

    def images_of(self, job_id: str) -> list[bpy.types.Image]:
        """The images of a job's result that still exist."""
        return _existing(self.images.get(job_id, []), bpy.data.images)

    def actions_of(self, job_id: str) -> list[bpy.types.Action]:
        """The actions of a job's result that still exist."""
        return _existing(self.actions.get(job_id, []), bpy.data.actions)


def _existing(session_ids: Sequence[int], blocks: Iterable[_Block]) -> list[_Block]:
    by_id = {block.session_uid: block for block in blocks}
    return [by_id[uid] for uid in session_ids if uid in by_id]


open_file = OpenFile()
