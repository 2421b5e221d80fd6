"""The user of a campaign: acts only where the product asks, and then waits until the truth can be seen."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from .runtime_face import Client
from .scripted.forms import FORMS
from .truth import ask_truth

if TYPE_CHECKING:
    from asset_generation.addon.core.jobs.job import JobView

_MOST_RETRIES = 40
_MOST_LOOKS = 4
_RETRY_PAUSE = 5.0
_CONSIDERS = 30.0
_TRUTH_PAUSE = 5.0
_ALL_IS_SEEN = 120.0
"""Seconds, the last for a service that cannot say what is still on its way."""

LOOK_AGAIN = "look_again"
"""The action that looks once more, where the product has it."""


class User:
    """Decides what to press.

    Args:
        client: What is used.
        base_url: The service, which tells this user the truth.
        key: Of the service.
        report: Takes what is worth counting.
    """

    def __init__(self, client: Client, base_url: str, key: str, report: Callable[..., None]) -> None:
        self._client = client
        self._base_url = base_url
        self._key = key
        self._report = report
        self._retries: Counter[str] = Counter()
        self._looks: Counter[str] = Counter()
        self._asked: dict[str, float] = {}
        self._next: dict[str, float] = {}

    def looks_at(self, job: JobView) -> bool:
        """Deals with one job; whether there is anything left for the user to do with it."""
        stage = str(job.stage)
        actions = {str(action) for action in job.actions}
        if stage == "uncertain":
            self._answer(job, actions)
            return True
        if stage in ("failed", "stopped") and "retry" in actions and self._retries[job.id] < _MOST_RETRIES:
            if self._is_time(job, _RETRY_PAUSE):
                self._retries[job.id] += 1
                self._report(retried=job.id, stage=stage, error=job.error)
                self._press(job, "retry")
            return True
        return False

    def truth(self) -> dict[str, Any] | None:
        """What is so at the service; None while it cannot be asked."""
        return ask_truth(self._base_url, self._key)

    def _answer(self, job: JobView, actions: set[str]) -> None:
        question = f"{job.id} {job.request_id}"
        if question not in self._asked:
            self._asked[question] = time.monotonic()
            self._report(asked=question, error=job.error, advice=job.advice)
        if time.monotonic() < self._asked[question] + _CONSIDERS or not self._is_time(job, _TRUTH_PAUSE):
            return
        truth = self.truth()
        if truth is None or truth["coming"]:
            return
        if truth["coming"] is None and time.monotonic() < self._asked[question] + _ALL_IS_SEEN:
            return
        task = self._lost_task(job, truth)
        if task is None:
            self._report(answered="resend", job=job.id)
            self._press(job, "resend")
            return
        is_offered = "adopt" in actions and task["id"] in job.advice
        patience = _MOST_LOOKS if self._is_free(job) else _MOST_RETRIES
        # Of those who are offered the right one, every other looks again first.
        most = int(question[-1], 16) % 2 if is_offered else patience
        looks_first = LOOK_AGAIN in actions and self._looks[question] < most
        if looks_first:
            self._looks[question] += 1
            self._report(answered=LOOK_AGAIN, job=job.id)
            self._press(job, LOOK_AGAIN)
        elif is_offered:
            self._report(answered="adopt", job=job.id)
            self._press(job, "adopt")
        else:
            self._report(answered="forget", job=job.id, task=task["id"])
            self._press(job, "forget")

    def _is_free(self, job: JobView) -> bool:
        """Whether nobody else has taken the task that is offered: then another look offers another one."""
        return not any(
            one.task_id and one.task_id in job.advice for other in self._client.jobs() for one in other.steps
        )

    def _lost_task(self, job: JobView, truth: Mapping[str, Any]) -> Mapping[str, Any] | None:
        """The task that the job's current step has lost, which nobody has."""
        from asset_generation.vendor.assetgen.contract import capability

        step = next(step for step in job.steps if not step.task_id)
        kind = FORMS[capability(step.capability).endpoint].kind
        taken = {one.task_id for other in self._client.jobs() for one in other.steps}
        fitting = [
            task
            for task in truth["tasks"]
            if task["ours"]
            and (task["words"], task["kind"]) == (job.name, kind)
            and task["id"] not in taken
            and task["status"] != "failed"
        ]
        return next((task for task in fitting if task["id"] in job.advice), fitting[0] if fitting else None)

    def _is_time(self, job: JobView, pause: float) -> bool:
        key = f"{job.id} {job.stage}"
        now = time.monotonic()
        if key not in self._next:
            self._next[key] = now + pause
            return False
        if now < self._next[key]:
            return False
        self._next[key] = now + pause
        return True

    def _press(self, job: JobView, action: str) -> None:
        try:
            self._client.press(job.id, action)
        except Exception as error:  # the button says why it cannot be, and is pressed again later
            self._report(refused=action, error=f"{type(error).__name__}: {error}")
