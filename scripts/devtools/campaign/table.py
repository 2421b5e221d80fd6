"""What a campaign found, as a table for people and as JSON."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from typing import Any

from .faults import Scenario
from .run import Outcome


@dataclass(slots=True)
class Tally:
    """The sum of some runs."""

    runs: int = 0
    jobs: int = 0
    paid: int = 0
    duplicates: int = 0
    losses: int = 0
    troubles: int = 0
    asked: int = 0
    asked_runs: int = 0
    retries: int = 0
    stalled: int = 0

    def add(self, scenario: Scenario, outcome: Outcome) -> None:
        """Adds a run."""
        verdict = outcome.verdict
        self.runs += 1
        if verdict.stalled:
            self.stalled += 1
            return
        self.jobs += sum(job.copies for job in scenario.jobs)
        self.paid += verdict.paid
        self.duplicates += len(verdict.duplicates)
        self.losses += len(verdict.losses)
        self.troubles += len(verdict.troubles)
        self.asked += verdict.asked
        self.asked_runs += verdict.asked > 0
        self.retries += verdict.retries.total()


@dataclass(slots=True)
class Table:
    """All runs of a campaign."""

    total: Tally = field(default_factory=Tally)
    by_kind: dict[str, Tally] = field(default_factory=lambda: defaultdict(Tally))
    by_marker: dict[str, Tally] = field(default_factory=lambda: defaultdict(Tally))
    happened: Counter[str] = field(default_factory=Counter)
    happened_runs: Counter[str] = field(default_factory=Counter)
    stages: Counter[str] = field(default_factory=Counter)
    retries: Counter[str] = field(default_factory=Counter)
    questions: Counter[str] = field(default_factory=Counter)
    answers: Counter[str] = field(default_factory=Counter)
    failed: dict[int, list[str]] = field(default_factory=dict)
    crashed: dict[int, str] = field(default_factory=dict)

    def add(self, scenario: Scenario, outcome: Outcome) -> None:
        """Adds a run."""
        verdict = outcome.verdict
        self.total.add(scenario, outcome)
        for kind in scenario.kinds:
            self.by_kind[kind].add(scenario, outcome)
        marker = scenario.service.marker
        if marker in ("echoed", "dropped") and not verdict.has_markers:
            marker = "none sent"
        self.by_marker[marker].add(scenario, outcome)
        if verdict.stalled:
            return
        self.happened += outcome.happened
        self.happened_runs.update(outcome.happened.keys())
        self.stages += outcome.stages
        for words, count in verdict.retries.items():
            self.retries[_without_numbers(words)] += count
        self.questions.update(_without_numbers(question) for question in verdict.questions)
        self.answers += verdict.answers
        if verdict.failed:
            self.failed[scenario.number] = verdict.sentences

    @property
    def passed(self) -> bool:
        """Whether nothing was paid twice and nothing was lost."""
        return not self.failed and not self.crashed

    def lines(self, seconds: float, heading: str) -> list[str]:
        """The table."""
        head = f"{'':<34}{'runs':>6}{'jobs':>7}{'paid':>7}{'twice':>7}{'lost':>6}{'other':>7}{'asked':>7}{'retries':>9}"
        lines = [heading, "", head]
        lines += [_row(kind, tally) for kind, tally in sorted(self.by_kind.items())]
        lines += ["", *(_row(f"marker: {name}", tally) for name, tally in sorted(self.by_marker.items()))]
        lines += ["", _row("all", self.total), ""]
        lines += _block("What went wrong on purpose, in how many runs (how often)", self.happened_runs, self.happened)
        lines += _block("Where jobs stood when their process was killed", self.stages)
        lines += _block("What the user was asked", self.questions)
        lines += _block("What the user answered", self.answers)
        lines += _block("Why the user pressed Retry", self.retries)
        for number, sentences in sorted(self.failed.items()):
            lines += [f"Run {number} failed:", *(f"    {sentence}" for sentence in sentences)]
        for number, trace in sorted(self.crashed.items()):
            lines += [f"Run {number} could not be played:", *(f"    {line}" for line in trace.splitlines()[-3:])]
        total = self.total
        share = f"{100 * total.asked / max(1, total.jobs):.1f}"
        lines += [
            "",
            f"{total.runs} runs, {total.jobs} jobs, {total.paid} tasks paid, {total.duplicates} twice, "
            f"{total.losses} lost, {total.troubles} other troubles; {seconds:.0f} s.",
            f"The user was asked {total.asked} times ({share} in 100 jobs), in {total.asked_runs} runs.",
            f"{total.stalled} runs said nothing, because this machine stood still.",
        ]
        return lines

    def as_json(self) -> dict[str, Any]:
        """The same for programs."""
        return {
            "total": _plain(self.total),
            "by_kind": {name: _plain(tally) for name, tally in sorted(self.by_kind.items())},
            "by_marker": {name: _plain(tally) for name, tally in sorted(self.by_marker.items())},
            "happened": dict(self.happened),
            "happened_runs": dict(self.happened_runs),
            "stages": dict(self.stages),
            "questions": dict(self.questions),
            "answers": dict(self.answers),
            "retries": dict(self.retries),
            "failed": self.failed,
            "crashed": self.crashed,
        }


def _row(name: str, tally: Tally) -> str:
    figures = f"{tally.runs:>6}{tally.jobs:>7}{tally.paid:>7}{tally.duplicates:>7}{tally.losses:>6}"
    return f"{name:<34}{figures}{tally.troubles:>7}{tally.asked:>7}{tally.retries:>9}"


def _block(heading: str, counts: Counter[str], more: Counter[str] | None = None) -> list[str]:
    if not counts:
        return []
    often = [
        f"    {count:>6}{f' ({more[name]})' if more is not None else '':>9}  {name}"
        for name, count in sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    ]
    return [f"{heading}:", *often, ""]


def _plain(tally: Tally) -> dict[str, int]:
    return {name: getattr(tally, name) for name in Tally.__slots__}


def _without_numbers(sentence: str) -> str:
    sentence = re.sub("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", "#", sentence)
    return "".join("#" if letter.isdigit() else letter for letter in sentence)[:160]
