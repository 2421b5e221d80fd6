"""The judge: what was paid against what was asked for, and every result against what the service made."""

from __future__ import annotations

import contextlib
import json
import sqlite3
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from .faults import Scenario
from .plans import kinds_of
from .scripted.results import digest

_LATEST = 115.0
"""Seconds after it was sent within which a request comes to life in every script: what the product may rely on, less
a little. When this machine stood still for longer, the run says nothing.
"""


@dataclass(slots=True)
class Verdict:
    """What became of the money and of the results of one run.

    Attributes:
        paid: Tasks that were charged.
        duplicates: Those that nobody asked for, in sentences.
        losses: What was paid and is not there, and jobs that did not end, in sentences.
        troubles: What else should not be: rows that are gone, requests that the API does not allow, processes that
            died by themselves.
        asked: Questions that the user had to answer.
        retries: How often the user pressed Retry, by the error.
        answers: What the user pressed where it was asked.
        stalled: This machine stood still, so that the run says nothing.
        has_markers: Whether creation requests carried a marker.
    """

    paid: int = 0
    duplicates: list[str] = field(default_factory=list)
    losses: list[str] = field(default_factory=list)
    troubles: list[str] = field(default_factory=list)
    asked: int = 0
    retries: Counter[str] = field(default_factory=Counter)
    answers: Counter[str] = field(default_factory=Counter)
    questions: list[str] = field(default_factory=list)
    stalled: str = ""
    has_markers: bool = False

    @property
    def failed(self) -> bool:
        """Whether the product broke its promise."""
        return bool(self.duplicates or self.losses or self.troubles) and not self.stalled

    @property
    def sentences(self) -> list[str]:
        """All that went wrong."""
        return [
            *(f"paid twice: {words}" for words in self.duplicates),
            *(f"lost: {words}" for words in self.losses),
            *self.troubles,
        ]


def judge(
    scenario: Scenario,
    truth: Mapping[str, Any] | None,
    events: Iterable[Mapping[str, Any]],
    data: Path,
    *,
    ended: bool,
) -> Verdict:
    """The verdict on a run.

    Args:
        scenario: What was asked for.
        truth: What the service says at the end.
        events: What the processes reported.
        data: The data folder.
        ended: Whether all jobs came to an end in time.
    """
    verdict = Verdict()
    events = list(events)
    _count(verdict, events)
    if truth is None:
        verdict.troubles.append("the service died")
        return verdict
    charged = [task for task in truth["tasks"] if task["ours"] and task["status"] != "failed"]
    verdict.paid = len(charged)
    verdict.has_markers = any(task["marker"] for task in charged)
    verdict.troubles += [f"a request that the API does not allow: {words}" for words in truth["broken_rules"]]
    verdict.stalled = _stall(truth["tasks"], events)
    rows = _jobs(data / "journal.sqlite3")
    if rows is None:
        verdict.troubles.append("the journal cannot be read")
        return verdict
    _check_jobs(verdict, scenario, rows, {task["id"]: task for task in truth["tasks"]}, ended)
    _check_tasks(verdict, scenario, charged)
    return verdict


def _count(verdict: Verdict, events: Iterable[Mapping[str, Any]]) -> None:
    asked: set[str] = set()
    for event in events:
        if "asked" in event and event["asked"] not in asked:
            asked.add(event["asked"])
            verdict.questions.append(event["error"])
        elif "retried" in event:
            verdict.retries[event["error"] or event["stage"]] += 1
        elif "answered" in event:
            verdict.answers[event["answered"]] += 1
        elif "twice" in event:
            verdict.troubles.append(f"job {event['twice']} was brought into one scene twice")
    verdict.asked = len(asked)


def _stall(tasks: Iterable[Mapping[str, Any]], events: Iterable[Mapping[str, Any]]) -> str:
    sent: dict[str, float] = {}
    for event in events:
        if "sent" in event:
            sent.setdefault(event["sent"], event["at"])
    for task in tasks:
        late = task["alive_at"] - sent.get(task["request_id"], task["alive_at"])
        if late > _LATEST:
            return f"a request came to life {late:.0f} s after it was sent"
    return ""


def _jobs(path: Path) -> list[dict[str, Any]] | None:
    try:
        with contextlib.closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True, timeout=10.0)) as journal:
            journal.row_factory = sqlite3.Row
            if journal.execute("PRAGMA integrity_check").fetchone()[0] != "ok":
                return None
            jobs = [dict(row) for row in journal.execute("SELECT * FROM jobs ORDER BY created_at, id")]
            for job in jobs:
                steps = journal.execute("SELECT * FROM steps WHERE job_id = ? ORDER BY position", (job["id"],))
                job["steps"] = [dict(row) for row in steps]
                job["name"] = json.loads(job["plan"])["name"]
    except sqlite3.Error:
        return None
    return jobs


def _check_jobs(
    verdict: Verdict,
    scenario: Scenario,
    rows: list[dict[str, Any]],
    tasks: Mapping[str, Mapping[str, Any]],
    ended: bool,
) -> None:
    """Every job is there, at its end, with a task of its own for each step, and with its result."""
    by_name: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for row in rows:
        by_name[row["name"]].append(row)
    owners: Counter[str] = Counter(step["task_id"] for row in rows for step in row["steps"] if step["task_id"])
    verdict.troubles += [f"the task {task_id} is in {count} jobs" for task_id, count in owners.items() if count > 1]
    for job in scenario.jobs:
        found = by_name.pop(job.label, [])
        if len(found) != job.copies:
            verdict.troubles.append(f"{len(found)} rows of {job.label}, which was asked for {job.copies} times")
        for row in found:
            kinds = kinds_of(job.plan)
            if row["stage"] != "applied":
                how = f"{row['stage']} ({row['error'] or row['text']})" if ended else f"still in {row['stage']}"
                verdict.losses.append(f"{job.label} ({job.plan}) is {how}")
                continue
            for step, kind in zip(row["steps"], kinds, strict=True):
                task = tasks.get(step["task_id"])
                if task is None or task["kind"] != kind or not task["ours"] or task["words"] != job.label:
                    verdict.losses.append(f"{job.label} has {task or 'no task'} as its {kind}")
                elif task["status"] != "success":
                    verdict.losses.append(f"{job.label}: its {kind} is {task['status']}")
            _check_result(verdict, job.label, row, tasks.get(row["steps"][-1]["task_id"]))
    verdict.troubles += [f"a job that nobody asked for: {name}" for name in by_name]


def _check_result(verdict: Verdict, label: str, row: Mapping[str, Any], task: Mapping[str, Any] | None) -> None:
    if task is None:
        return
    if task["gives"] == "answer":
        if not row["answer"]:
            verdict.losses.append(f"{label} has no answer")
        return
    result = Path(row["result"] or "nowhere")
    if not result.is_file():
        verdict.losses.append(f"the result of {label} is not there")
        return
    content = result.read_bytes()
    if digest(content) != task["digest"]:
        verdict.losses.append(f"the result of {label} is not what the service made")
    if row["blend"] and Path(row["blend"]).read_bytes() != b"BLENDER of " + content:
        verdict.losses.append(f"what {label} brought into the scene is not its result")
    delivered = json.loads(row["delivered"])
    for _, path in delivered:
        if not Path(path).is_file() or digest(Path(path).read_bytes()) != task["digest"]:
            verdict.losses.append(f"the copy of {label} in the folder is not whole")


def _check_tasks(verdict: Verdict, scenario: Scenario, charged: Iterable[Mapping[str, Any]]) -> None:
    """As many tasks were paid as there are steps."""
    wanted: Counter[tuple[str, str]] = Counter()
    for job in scenario.jobs:
        for kind in kinds_of(job.plan):
            wanted[job.label, kind] += job.copies
    paid = Counter((task["words"], task["kind"]) for task in charged)
    for (words, kind), count in paid.items():
        more = count - wanted[words, kind]
        verdict.duplicates += [f"{kind} of {words or 'nothing'}"] * max(0, more)
