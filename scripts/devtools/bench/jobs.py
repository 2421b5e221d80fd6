"""The whole of a job on this machine: from the press to the object in the scene, beside a plain script for Blender."""

from __future__ import annotations

from statistics import median
from typing import Any

from ..environments.environment import Environment
from ..terminal import show
from .probe import run_probe
from .registry import Measurement, benchmark

_TIMES_LESS = 1 / 1.3

_DECIMATE = "one script that opens the file, decimates, unwraps, bakes colour and normals, and saves"
_TEXTURE = "one script that opens the file, unwraps, bakes the maps of the same material one by one, and saves"


@benchmark(
    "job_decimate_63k",
    what="Decimate of 63k triangles with a 2048 texture, the first job of a session, from press to object",
    reference=_DECIMATE,
    times_less=_TIMES_LESS,
)
def decimate_63k(environment: Environment) -> Measurement:
    """Starts the local engine as well, as the first job does; the second job is among the facts."""
    return _measured(environment, "decimate", 3, runs=3)


@benchmark("job_decimate_250k", what="the same with 250k triangles", reference=_DECIMATE, times_less=_TIMES_LESS)
def decimate_250k(environment: Environment) -> Measurement:
    """See :func:`decimate_63k`."""
    return _measured(environment, "decimate", 4, runs=3)


@benchmark("job_decimate_1m", what="the same with 1M triangles", reference=_DECIMATE, times_less=_TIMES_LESS)
def decimate_1m(environment: Environment) -> Measurement:
    """See :func:`decimate_63k`."""
    return _measured(environment, "decimate", 5, runs=1)


@benchmark(
    "job_texture_63k",
    what="Texture of 63k triangles by words, the first job of a session, from press to object",
    reference=_TEXTURE,
    times_less=_TIMES_LESS,
)
def texture_63k(environment: Environment) -> Measurement:
    """See :func:`decimate_63k`."""
    return _measured(environment, "texture", 3, runs=3)


@benchmark("job_texture_250k", what="the same with 250k triangles", reference=_TEXTURE, times_less=_TIMES_LESS)
def texture_250k(environment: Environment) -> Measurement:
    """See :func:`decimate_63k`."""
    return _measured(environment, "texture", 4, runs=3)


@benchmark("job_texture_1m", what="the same with 1M triangles", reference=_TEXTURE, times_less=_TIMES_LESS)
def texture_1m(environment: Environment) -> Measurement:
    """See :func:`decimate_63k`."""
    return _measured(environment, "texture", 5, runs=1)


def _measured(environment: Environment, work: str, levels: int, *, runs: int) -> Measurement:
    """The figures of one kind of job.

    Args:
        environment: What runs it.
        work: What the job does.
        levels: How often a monkey's head is subdivided.
        runs: How often it is measured.
    """
    answers: list[dict[str, Any]] = [run_probe(environment, "job", work, str(levels)) for _ in range(runs)]
    _show(answers[-1])
    return Measurement(
        milliseconds=median(answer["own"] for answer in answers),
        reference_milliseconds=median(answer["reference"] for answer in answers),
        facts={"runs": answers},
    )


def _show(answer: dict[str, Any]) -> None:
    """Where the time of the first job went, in its background Blenders, and what all of it computed."""
    show(f"{'script':<16}{'stage':<32}{'s':>8}{'processor s':>13}")
    for script, stage, seconds, processor in answer["stages"]:
        show(f"{script:<16}{stage:<32}{seconds:>8.2f}{processor:>13.2f}")
    own, reference = answer["own_cpu_of_both"] / 2000, answer["reference_cpu"] / 1000
    show(f"processor seconds of a job, the mean of two: {own:.1f}; of the plain script: {reference:.1f}")
