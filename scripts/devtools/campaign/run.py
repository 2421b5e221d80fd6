"""One run, from its scenario to its verdict."""

from __future__ import annotations

import select
import shutil
import tempfile
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from . import fast_time
from .faults import Scenario
from .judge import Verdict, judge
from .stage import Stage

_LONGEST = 3000.0
_LOOK = 0.5
"""Seconds of the run's clock: how long a run may take, and how often it is looked at."""


@dataclass(slots=True)
class Outcome:
    """What became of a run.

    Attributes:
        verdict: Of the judge.
        happened: What went wrong on purpose, and how often.
        stages: The stages in which jobs were when their process died.
        events: What the processes reported.
        seconds: How long it took, outside.
    """

    verdict: Verdict
    happened: Counter[str] = field(default_factory=Counter)
    stages: Counter[str] = field(default_factory=Counter)
    events: list[dict[str, Any]] = field(default_factory=list)
    seconds: float = 0.0


def run(
    scenario: Scenario, factor: float, *, trace: Path | None = None, impatient: bool = False, local: bool = False
) -> Outcome:
    """Plays a scenario.

    Args:
        scenario: What is done and what goes wrong.
        factor: How many times as fast as outside its time passes.
        trace: A folder in which everything is kept; a temporary one that is removed when left out.
        impatient: Whether the product is broken on purpose, to see that the judge notices.
        local: Whether the service is the extension's local engine.
    """
    memory = Path("/dev/shm")
    folder = trace or Path(tempfile.mkdtemp(prefix="assetgen-campaign-", dir=memory if memory.is_dir() else None))
    folder.mkdir(parents=True, exist_ok=True)
    began = fast_time.real_monotonic()
    stage = Stage(
        scenario, folder, (factor, began, fast_time.now()), trace=trace is not None, impatient=impatient, local=local
    )
    try:
        stage.begin()
        ended = _watch(stage, factor)
        events, truth = stage.end()
        verdict = judge(scenario, truth, events, stage.data, ended=ended)
        verdict.troubles += stage.deaths()
    finally:
        stage.clear()
        if trace is None:
            shutil.rmtree(folder, ignore_errors=True)
    return Outcome(verdict, stage.happened, stage.stages, events, fast_time.real_monotonic() - began)


def _watch(stage: Stage, factor: float) -> bool:
    """Lets a run go on until all its jobs have ended; whether they did."""
    while stage.now() < _LONGEST:
        stage.tick()
        if stage.all_done():
            return True
        select.select([slot.handle for slot in stage.slots if slot.is_alive], [], [], _LOOK / factor)
    return False
