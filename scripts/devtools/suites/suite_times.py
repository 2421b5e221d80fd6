"""What a run of all tests took, suite by suite, kept for docs/performance.md."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from ..checkout import commit_name
from .suite import RESULTS, Outcome

_FILE = RESULTS / "suites.json"

Times = Mapping[str, Any]
"""``commit``, ``seconds`` of all and ``suites``: of each ``name``, ``seconds``, ``passed``, ``failed``, ``skipped``."""


def keep(outcomes: Sequence[Outcome], seconds: float) -> None:
    """Writes down what a whole run took; what was not run is left out."""
    suites = [
        {
            "name": outcome.suite.name,
            "seconds": outcome.seconds,
            "passed": outcome.counts.passed,
            "failed": outcome.counts.failed,
            "skipped": outcome.counts.skipped,
        }
        for outcome in outcomes
        if outcome.suite.environment is not None
    ]
    times = {"commit": commit_name(), "seconds": seconds, "suites": suites}
    _FILE.write_text(json.dumps(times, indent=2) + "\n", encoding="utf-8")


def kept() -> Times | None:
    """What the last whole run took; None where there was none here."""
    try:
        times: Times = json.loads(_FILE.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    return times
