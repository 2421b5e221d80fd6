"""The pictograms of jobs: by what they do, and by how they are."""

from __future__ import annotations

from functools import cache

import bpy

from ..bridge import previews
from ..core.jobs.job import JobView, Stage
from ..core.status.job_words import picture_of
from ..props.task_properties import CAPABILITIES

STATES = {
    Stage.READY: "IMPORT",
    Stage.APPLIED: "CHECKMARK",
    Stage.FAILED: "ERROR",
    Stage.STOPPED: "PAUSE",
    Stage.UNCERTAIN: "QUESTION",
}
"""By the stage of a job; all others are under way."""

RUNNING = "SORTTIME"

_UNKNOWN = "FILE_3D"


def of_operation(job: JobView) -> str:
    """The pictogram of what a job does."""
    info = CAPABILITIES.get(job.steps[-1].capability) if job.steps else None
    return info.icon if info is not None and info.icon != "NONE" else _UNKNOWN


def picture(job: JobView) -> int:
    """The number of the icon that shows a job: its picture, else its pictogram. Reads no file."""
    path = picture_of(job)
    return (previews.icon_of(path) if path else 0) or number_of(of_operation(job))


@cache
def number_of(icon: str) -> int:
    """The number of one of Blender's own icons."""
    items = bpy.types.UILayout.bl_rna.functions["label"].parameters["icon"].enum_items
    return int(items[icon].value)
