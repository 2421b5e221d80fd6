"""How long Blender stands still while a large mesh goes out and while a large result comes in."""

from __future__ import annotations

from statistics import median
from typing import Any

from ..environments.environment import Environment
from .probe import run_probe
from .registry import Measurement, benchmark

_RUNS = 3


@benchmark(
    "export_stall",
    what="main thread while 1M triangles with a 2048 texture go out: checks, fingerprint, snapshot, placement",
    reference="export_scene.gltf of the same mesh",
    most_milliseconds=250,
    times_less=5,
)
def export_stall(environment: Environment) -> Measurement:
    """Runs the part of the operator that is on the main thread; the GLB is made by a background Blender later."""
    return _measured(environment, "out")


@benchmark(
    "import_stall",
    what="main thread while 1M triangles with a 2048 texture come in: the longest of the pieces and of the placing",
    reference="import_scene.gltf of the same model",
    most_milliseconds=50,
    times_less=50,
)
def import_stall(environment: Environment) -> Measurement:
    """Brings in a result that a background Blender has prepared, as the pump does."""
    return _measured(environment, "in")


def _measured(environment: Environment, way: str) -> Measurement:
    answers: list[dict[str, Any]] = [run_probe(environment, "stalls", way) for _ in range(_RUNS)]
    return Measurement(
        milliseconds=median(answer["own"] for answer in answers),
        reference_milliseconds=median(answer["reference"] for answer in answers),
        facts={
            "runs": [answer["own"] for answer in answers],
            **{key: answers[-1][key] for key in ("triangles", "blender")},
        },
    )
