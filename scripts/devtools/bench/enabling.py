"""How long enabling the extension holds Blender up."""

from __future__ import annotations

from statistics import median

from ..environments.environment import Environment
from .probe import run_probe
from .registry import Measurement, benchmark

_RUNS = 7


@benchmark(
    "enable",
    what="enabling the extension in a fresh Blender, without Blender's own start",
    reference="enabling Blender's Node Wrangler",
    most_milliseconds=30,
)
def enable(environment: Environment) -> Measurement:
    """Takes the median of several fresh processes; the first, which may have to compile the files, is left out."""
    run_probe(environment, "enable")
    answers = [run_probe(environment, "enable") for _ in range(_RUNS)]
    heavy = sorted({name for answer in answers for name in answer["heavy"]})
    return Measurement(
        milliseconds=median(answer["own"] for answer in answers),
        reference_milliseconds=median(answer["reference"] for answer in answers),
        facts={
            "runs": [answer["own"] for answer in answers],
            "modules": answers[-1]["modules"],
            "blender": answers[-1]["blender"],
        },
        broken=f"enabling imports {', '.join(heavy)}" if heavy else "",
    )
