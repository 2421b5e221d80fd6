"""Any order of what processes do with the journal: a job has one owner, and every paid task is known to somebody."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import pytest
from asset_generation.addon.core.jobs.job import Delivery, JobPlan, Source, SourceKind, Stage, StepPlan
from asset_generation.addon.core.jobs.journal import Journal, LeaseLost
from asset_generation.addon.core.jobs.task_table import TaskTaken
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, consumes, invariant, multiple, rule

PLAN = JobPlan("Bunny", Source(SourceKind.TASK, task_id="t0"), (StepPlan("decimate"),), Delivery())
SERVICE = "host.example"
WHO = st.integers(0, 1)


class Leases(RuleBasedStateMachine):
    """Two processes on one journal, each of which can die, and the tasks that the service charged for."""

    jobs = Bundle("jobs")

    def __init__(self) -> None:
        super().__init__()
        self.folder = tempfile.TemporaryDirectory()
        self.path = Path(self.folder.name) / "journal.sqlite3"
        self.names = ["p0", "p1"]
        self.journals = [Journal(self.path, name) for name in self.names]
        self.owner: dict[str, str] = {}
        self.intents: dict[str, str] = {}
        self.paid: dict[str, str] = {}
        self.count = 0

    def teardown(self) -> None:
        for journal in self.journals:
            journal.close()
        self.folder.cleanup()

    def number(self) -> int:
        self.count += 1
        return self.count

    def changes(self, who: int, job: str, **values: Any) -> bool:
        """Changes a job as a process would; whether it was allowed to, which only its owner is."""
        try:
            self.journals[who].change(job, **values)
        except LeaseLost:
            assert self.owner.get(job) != self.names[who], "the owner was refused"
            return False
        assert self.owner.get(job) == self.names[who], "somebody else than the owner changed the job"
        return True

    @rule(target=jobs, who=WHO)
    def add(self, who: int) -> str:
        job = f"j{self.number()}"
        self.journals[who].add(job, PLAN, SERVICE, Stage.CREATE)
        self.owner[job] = self.names[who]
        return job

    @rule(who=WHO, job=jobs)
    def send(self, who: int, job: str) -> None:
        """The intent first; then the service may make the task, whose answer is not there yet."""
        if job in self.intents or job in self.paid.values():
            return
        request = f"r{self.number()}"
        if self.changes(who, job, step={"request_id": request, "intent_at": 1.0, "sends": 1, "marker": request}):
            self.intents[job] = request
            self.paid[f"t{request}"] = job

    @rule(who=WHO, job=jobs)
    def answer(self, who: int, job: str) -> None:
        if job not in self.intents:
            return
        try:
            self.journals[who].record_task(job, f"t{self.intents[job]}", "decimate-model")
        except LeaseLost:
            assert self.owner.get(job) != self.names[who]
            return
        assert self.owner.get(job) == self.names[who]
        del self.intents[job]

    @rule(who=WHO, job=jobs, other=jobs)
    def take_anothers_task(self, who: int, job: str, other: str) -> None:
        tasks = [task for task, owner in self.paid.items() if owner == other and other not in self.intents]
        if job == other or not tasks or job not in self.intents:
            return
        with pytest.raises((TaskTaken, LeaseLost)):
            self.journals[who].record_task(job, tasks[0], "decimate-model")

    @rule(who=WHO, job=jobs, stage=st.sampled_from([Stage.FAILED, Stage.UNCERTAIN, Stage.STOPPED, Stage.READY]))
    def rest(self, who: int, job: str, stage: Stage) -> None:
        if self.changes(who, job, stage=stage, resume=Stage.CREATE):
            self.owner[job] = ""

    @rule(who=WHO, job=jobs, stage=st.sampled_from([Stage.FAILED, Stage.UNCERTAIN, Stage.STOPPED]))
    def restart(self, who: int, job: str, stage: Stage) -> None:
        if self.journals[who].restart(job, stage, stage=Stage.CREATE):
            assert self.owner.get(job) == "", "a job that somebody runs was started again"
            self.owner[job] = self.names[who]

    @rule(who=WHO, job=jobs, holder=st.sampled_from(["", "p0", "p1", "nobody"]))
    def take_over(self, who: int, job: str, holder: str) -> None:
        # Nobody takes over from the living.
        if holder in self.names:
            return
        if self.journals[who].take_over(job, holder):
            assert self.owner.get(job) == holder
            self.owner[job] = self.names[who]

    @rule(who=WHO)
    def die(self, who: int) -> None:
        """The process ends without a word; another one comes in its place and takes over what it had."""
        dead = self.names[who]
        self.journals[who].close()
        self.names[who] = f"p{self.number()}"
        self.journals[who] = Journal(self.path, self.names[who])
        for job, owner in self.owner.items():
            if owner == dead:
                assert self.journals[who].take_over(job, dead)
                assert not self.journals[1 - who].take_over(job, dead), "two took it over"
                self.owner[job] = self.names[who]

    @rule(who=WHO)
    def release(self, who: int) -> None:
        self.journals[who].release()
        self.owner = {job: "" if owner == self.names[who] else owner for job, owner in self.owner.items()}

    @rule(target=jobs, who=WHO, job=consumes(jobs))
    def remove(self, who: int, job: str) -> Any:
        if not self.journals[who].remove(job):
            return job
        assert self.owner.pop(job, "") == "", "a job that somebody runs was removed"
        return multiple()

    @invariant()
    def every_paid_task_is_known(self) -> None:
        journal = self.journals[0]
        known = {task.task_id for task in journal.tasks.all(SERVICE)}
        open_intents = set(journal.open_intents(SERVICE))
        lost = {task: job for task, job in self.paid.items() if task not in known and job not in open_intents}
        assert not lost, f"nobody knows of {lost}"

    @invariant()
    def both_see_the_same_owners(self) -> None:
        for journal in self.journals:
            seen = {job.id: job.owner for job in journal.jobs()}
            assert {job: seen[job] for job in self.owner} == self.owner


TestLeases = Leases.TestCase
TestLeases.settings = settings(settings(), max_examples=max(10, settings().max_examples // 4), stateful_step_count=25)
