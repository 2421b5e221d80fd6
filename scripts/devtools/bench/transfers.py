"""What the safety of transfers costs on large files: pieces, progress, checked sizes, a whole file on the disk."""

from __future__ import annotations

from statistics import median
from typing import Any

from ..environments.environment import Environment
from .probe import run_probe
from .registry import Measurement, benchmark

_MOST_MEGABYTES = 32.0


@benchmark(
    "upload",
    what="200 MB to a presigned link over loopback",
    reference="requests, which streams the file from the disk",
    times_less=1 / 1.5,
)
def upload(environment: Environment) -> Measurement:
    """The way that files above 50 MB take."""
    return _measurement(run_probe(environment, "transfers", "up"))


@benchmark(
    "download",
    what="200 MB from a link over loopback, until the file is on the disk under its name",
    reference="requests in pieces of 1 MiB, and an fsync",
    times_less=1 / 1.5,
)
def download(environment: Environment) -> Measurement:
    """The way that every result takes."""
    return _measurement(run_probe(environment, "transfers", "down"))


def _measurement(answer: dict[str, Any]) -> Measurement:
    own, reference = answer["own"], answer["reference"]
    megabytes = max(run["megabytes"] for run in own)
    return Measurement(
        milliseconds=median(run["ms"] for run in own),
        reference_milliseconds=median(run["ms"] for run in reference),
        facts={"runs": own, "reference_runs": reference, "megabytes_above_idle": megabytes},
        broken=f"it took {megabytes:.0f} MB of memory" if megabytes > _MOST_MEGABYTES else "",
    )
