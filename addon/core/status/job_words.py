"""A job in a few words and a picture: what a row of the job list shows."""

from __future__ import annotations

from pathlib import PurePath

from ..jobs.job import RESTING, Action, JobView, Stage
from ..settings import LOCAL

PICTURE = "rendered_image"
"""The key of a picture of the result, by the service or drawn when the result was prepared; its file is ``preview``."""

_PICTURES = frozenset({".png", ".jpg", ".jpeg", ".webp", ".bmp", ".tif", ".tiff"})
_MOMENT = 2.0  # seconds; less is not counted down


def headline(job: JobView) -> str:
    """What tells a job from others: its words, else its name."""
    return job.title or job.name


def operation(job: JobView) -> str:
    """What a job does, without what it does it with."""
    return job.name.removesuffix(job.title).rstrip(": ") if job.title else job.name


def state_words(job: JobView, *, waits_for: str = "") -> tuple[str, ...]:
    """What there is to know of a job that rests, without a full stop: as much as there is to say, and then ever less,
    for places that have no room for it.

    Args:
        job: The job.
        waits_for: Why a result that is ready does not come in now.
    """
    match job.stage:
        case Stage.READY:
            return (waits_for.rstrip("."), "Ready") if waits_for else ("Ready",)
        case Stage.APPLIED:
            said = (job.answer or job.text).rstrip(".")
            credits = charged(job)
            price = (f"{said}, {credits} credits",) if credits else ()
            return (f"{said}, {effort(job)}", *price, said, "Done")
        case Stage.FAILED:
            return (f"Failed: {job.error.rstrip('.')}", "Failed") if job.error else ("Failed",)
        case Stage.STOPPED:
            return ("Stopped",)
        case Stage.UNCERTAIN:
            return ("Please decide",)
        case _:
            return (job.text.rstrip("."),)


def progress_words(job: JobView, now: float) -> tuple[str, ...]:
    """How far a running job is, for its bar: "43%, 12 s left", or what it waits for; as much as there is to say, and
    then less.

    Args:
        job: The job.
        now: Seconds since 1970.
    """
    percent = f"{job.progress:.0%}"
    if Action.LOOK_AGAIN in job.actions:
        return "Looking for the task", percent
    if job.stage is not Stage.WAIT:
        return job.text.rstrip("."), percent
    left = time_left(job, now)
    return (f"{percent}, {left}", percent) if left else (percent,)


def time_left(job: JobView, now: float) -> str:
    """How long a job still takes if it takes as long as earlier ones like it: "12 s left"; empty where that is not
    known, or was wrong. As exact as a guess can be.
    """
    seconds = job.ends_at - now
    if job.stage in RESTING or not job.ends_at or seconds < 0:
        return ""
    if seconds < _MOMENT:
        return "a moment left"
    return f"{seconds:.0f} s left" if seconds < 59.5 else f"{seconds / 60:.0f} min left"


def picture_of(job: JobView) -> str:
    """The picture file that shows what a job has made, or makes something of; empty where there is none."""
    files = dict(job.files)
    made = [path for key, path in job.files if PurePath(path).suffix.lower() in _PICTURES]
    if PICTURE in files:
        return files[PICTURE]
    if made:
        return made[0]
    given = [value for step in job.plan.steps[:1] for value in _texts(step.fields)] if job.plan is not None else []
    return next((value for value in given if PurePath(value).suffix.lower() in _PICTURES), "")


def effort(job: JobView) -> str:
    """How long a job took and what was charged for it: "12 s, 10 credits"."""
    parts = [duration(job.seconds)]
    if credits := charged(job):
        parts.append(f"{credits} credits")
    return ", ".join(parts)


def charged(job: JobView) -> str:
    """What a job was charged, in credits; empty for nothing, and for the local engine, whose count is no money."""
    return "" if job.service_id == LOCAL or job.credits == "0" else job.credits


def duration(seconds: float) -> str:
    """A time in words: "12 s", "3 min 5 s", "2 h 10 min"."""
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    minutes, rest = divmod(whole, 60)
    if minutes < 60:
        return f"{minutes} min {rest} s" if rest else f"{minutes} min"
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes} min" if minutes else f"{hours} h"


def _texts(fields: dict[str, object]) -> list[str]:
    """The texts among the values of fields, and in their lists."""
    values = [item for value in fields.values() for item in (value if isinstance(value, list | tuple) else [value])]
    return [value for value in values if isinstance(value, str)]
