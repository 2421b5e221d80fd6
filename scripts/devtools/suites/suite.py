"""One run of pytest, and how it ended."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from ..environments.environment import Environment
from ..paths import BUILD
from .junit import Counts

RESULTS = BUILD / "test"
"""Where the suites' logs and result files go."""


@dataclass(frozen=True, slots=True)
class Suite:
    """One run of pytest: a folder of tests in one environment, or the reason why it is not run.

    ``extra`` is added to the environment's variables, ``arguments`` to pytest's. ``files`` are the tests of a part of
    the folder, relative to it; without any it is the whole folder. ``seconds`` is about what it takes.
    """

    name: str
    kind: str
    environment: Environment | None
    extra: tuple[tuple[str, str], ...] = ()
    reason: str = ""
    arguments: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    seconds: float = 0.0

    @property
    def paths(self) -> tuple[str, ...]:
        """What pytest is asked to run, from the root."""
        folder = f"tests/{self.kind}"
        return tuple(f"{folder}/{name}" for name in self.files) or (folder,)

    @property
    def log(self) -> Path:
        """Where the run's output goes."""
        return RESULTS / f"{self.name.replace(' ', '-')}.log"

    @property
    def results(self) -> Path:
        """Where pytest leaves its result file."""
        return self.log.with_suffix(".xml")


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a suite ended. ``trouble`` says what else went wrong than a test: a crash, a time-out."""

    suite: Suite
    counts: Counts = field(default_factory=Counts)
    seconds: float = 0.0
    trouble: str = ""

    @property
    def failed(self) -> bool:
        """Whether anything is wrong."""
        return bool(self.trouble) or self.counts.failed > 0
