"""What the local engine adds to the work itself: per task of geometry, and per task that does next to nothing."""

from __future__ import annotations

from statistics import median

from ..environments.environment import Environment
from .probe import run_probe
from .registry import Measurement, benchmark

_RUNS = 3


@benchmark(
    "engine_task",
    what="a decimation of 63k triangles through the local engine, once its Blender is warm",
    reference="the same steps in one script of plain Blender, without its start",
    times_less=1 / 1.3,
)
def engine_task(environment: Environment) -> Measurement:
    """From the creation request to the success that a client sees."""
    answers = [run_probe(environment, "engine_task") for _ in range(_RUNS)]
    return Measurement(
        milliseconds=median(answer["own"] for answer in answers),
        reference_milliseconds=median(answer["reference"] for answer in answers),
        facts={"runs": [answer["own"] for answer in answers], "cold": [answer["cold"] for answer in answers]},
    )


@benchmark(
    "engine_service",
    what="processor time of the local engine's service per task, over 1,000 queued tasks of the instant kind",
    reference="a bare web service that answers the same requests with constants",
    most_milliseconds=5,
)
def engine_service(environment: Environment) -> Measurement:
    """Creation, work, settlement and the reads of many tasks at once; the client runs in another process."""
    answer = run_probe(environment, "engine_service")
    return Measurement(
        milliseconds=answer["own"], reference_milliseconds=answer["reference"], facts={"tasks": answer["tasks"]}
    )
