"""The empties that stand for results of running jobs: made and removed when Blender is idle, and followed in between.

Whoever presses Run may be in any mode, and a job ends at any moment; so none of this is done there and then.
"""

from __future__ import annotations

import time

import bpy

from ..core.jobs.job import RESTING, JobView, Placement, Stage
from . import idle
from .callbacks import callbacks
from .objects.places import PLACEHOLDER
from .results.open_file import open_file
from .session import session
from .state import state

FOLLOW_SECONDS = 0.25
"""How often it is noted where they are: what is deleted by hand is remembered where it was."""

MISSED_SECONDS = 2.0
"""How often one that was deleted is looked for: Undo may have brought it back."""

_OVER = frozenset({Stage.FAILED, Stage.STOPPED})


class Placeholders:
    """The empties of the open file. For the main thread only."""

    def __init__(self) -> None:
        self._objects: dict[str, bpy.types.Object] = {}
        self._seen: set[str] = set()
        self._asked = -1
        self._is_due = False
        self._is_new_file = True
        self._news: object = None
        self._follow_at = 0.0

    @property
    def waits(self) -> bool:
        """Whether something is to be made or removed as soon as Blender is idle."""
        return self._is_due

    def step(self) -> None:
        """Goes on as far as that is possible now."""
        if self._news is not session.news:  # the jobs of another data folder
            self._news = session.news
            self._seen.clear()
        if self._is_new_file:
            self._take_over()
        self._follow()
        if self._asked == state.revision and not self._is_due:
            return
        self._asked = state.revision
        for job_id in [job_id for job_id in self._objects if _is_applied(job_id)]:
            self._objects.pop(job_id)  # what Undo brings back of it is left alone
        self._seen.update(job_id for job_id in self._objects if job_id in state.jobs)
        self._is_due = bool(self._missing() or self._over())
        if self._is_due and callbacks.change_placeholders is not None and not idle.busy_reason():
            self._is_due = False
            callbacks.change_placeholders()

    def update(self) -> str:
        """Makes and removes what there is to make and remove.

        Returns:
            What was done, as the name of a step of undo; empty for nothing.
        """
        from .results import placeholder  # here as below: most jobs need none, and enabling must not wait for it

        done = []
        for job_id in self._over():
            item = self._item(job_id)
            if item is not None:
                done.append(f"Remove {item.name}")
                placeholder.remove(item)
            self._objects.pop(job_id)
            self._seen.discard(job_id)
        for number, (job, placement, scene) in enumerate(self._missing()):
            if number:  # where the one before stands is known to Blender only then
                scene.view_layers[0].update()
            item = placeholder.make(job, placement, scene)
            self._objects[job.id] = item
            self._seen.add(job.id)
            done.append(f"Placeholder {item.name}")
        state.revision += bool(done)  # what is drawn there follows
        return done[0] if len(done) == 1 else f"{len(done)} Placeholders" if done else ""

    def item_of(self, job_id: str) -> bpy.types.Object | None:
        """The empty that stands for the result of a job; None where there is none."""
        return self._item(job_id) if job_id in self._objects else None

    def new_file(self) -> None:
        """Another file is open: what stands in it is taken over with the next step."""
        self.clear()
        self._is_new_file = True

    def clear(self) -> None:
        """Forgets what it knows; the empties stay."""
        self._objects.clear()
        self._seen.clear()
        self._is_due, self._asked = False, -1

    def _take_over(self) -> None:
        """Follows what stood in the file when it was opened."""
        self._is_new_file = False
        if any(PLACEHOLDER in item for item in bpy.data.objects):
            from .results import placeholder

            self._objects = {placeholder.job_of(item): item for item in placeholder.all_of(bpy.data.objects)}

    def _missing(self) -> list[tuple[JobView, Placement, bpy.types.Scene]]:
        """The jobs that are to have an empty and never had one, and the scenes that they were started from."""
        found: list[tuple[JobView, Placement, bpy.types.Scene]] = []
        for job in state.jobs.values():
            if job.stage in RESTING or job.id in self._objects or not open_file.has_started(job):
                continue
            delivery = job.plan.delivery if job.plan is not None else None
            if delivery is None or delivery.placement is None or delivery.origin is None:
                continue
            scene = bpy.data.scenes.get(delivery.origin.scene)
            if scene is not None and delivery.placement.needs_empty:
                found.append((job, delivery.placement, scene))
        return found

    def _over(self) -> list[str]:
        """The jobs that have an empty and will have no result."""
        return [
            job_id
            for job_id in self._objects
            if (job.stage in _OVER if (job := state.jobs.get(job_id)) is not None else job_id in self._seen)
        ]

    def _follow(self) -> None:
        if not self._objects or time.monotonic() < self._follow_at:
            return
        from .results import placeholder

        items = [(job_id, self._item(job_id)) for job_id in self._objects]
        open_file.standings.update((job_id, placeholder.standing(item)) for job_id, item in items if item is not None)
        whole = all(item is not None for _, item in items)
        self._follow_at = time.monotonic() + (FOLLOW_SECONDS if whole else MISSED_SECONDS)

    def _item(self, job_id: str) -> bpy.types.Object | None:
        """The empty of a job, if it is in a scene. After an undo Blender knows objects by other addresses."""
        from .results import placeholder

        try:
            item = self._objects[job_id]
            if placeholder.job_of(item) == job_id:
                return item if item.users_scene else None
        except ReferenceError:
            pass
        item = next((item for item in placeholder.all_of(bpy.data.objects) if placeholder.job_of(item) == job_id), None)
        if item is None:
            return None
        self._objects[job_id] = item
        return item if item.users_scene else None


def _is_applied(job_id: str) -> bool:
    job = state.jobs.get(job_id)
    return job is not None and job.stage is Stage.APPLIED


placeholders = Placeholders()
