"""Reads the result files that pytest writes, and adds them up."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Counts:
    """How many tests ended how. An error in a fixture counts as a failure; an expected failure as a skip."""

    passed: int = 0
    failed: int = 0
    skipped: int = 0
    reasons: Counter[str] = field(default_factory=Counter)

    def __add__(self, other: Counts) -> Counts:
        return Counts(
            self.passed + other.passed,
            self.failed + other.failed,
            self.skipped + other.skipped,
            self.reasons + other.reasons,
        )

    @property
    def total(self) -> int:
        """All tests that were found."""
        return self.passed + self.failed + self.skipped

    def sentence(self) -> str:
        """The closing line of a test run."""
        return f"{self.passed} passed, {self.failed} failed, {self.skipped} skipped"


def read_counts(path: Path) -> Counts | None:
    """Counts the tests of one result file, or None when there is no complete file: pytest did not get to its end."""
    try:
        root = ElementTree.parse(path).getroot()
    except (OSError, ElementTree.ParseError):
        return None
    # A test whose teardown fails too has two entries of the same name; it is one failed test.
    worst: dict[tuple[str, str], tuple[int, str]] = {}
    for case in root.iter("testcase"):
        key = (case.get("classname", ""), case.get("name", ""))
        worst[key] = max(worst.get(key, (0, "")), _judge(case))
    judged = list(worst.values())
    return Counts(
        passed=sum(rank == 0 for rank, _ in judged),
        failed=sum(rank == 2 for rank, _ in judged),
        skipped=sum(rank == 1 for rank, _ in judged),
        reasons=Counter(reason for rank, reason in judged if rank == 1),
    )


def _judge(case: ElementTree.Element) -> tuple[int, str]:
    """0 passed, 1 skipped (with why), 2 failed."""
    if case.find("failure") is not None or case.find("error") is not None:
        return 2, ""
    skipped = case.find("skipped")
    if skipped is not None:
        return 1, skipped.get("message", "") or "no reason given"
    return 0, ""
