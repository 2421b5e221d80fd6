from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest
from asset_generation.addon.core.runtime.task_poller import TaskPoller
from asset_generation.vendor.assetgen import AuthenticationError, ConnectionFailed
from asset_generation.vendor.assetgen.contract import TaskDetail, TaskList
from support.core import wait_until

SECONDS = 10.0


@dataclass
class Heard:
    """A listener that remembers."""

    record_answer: list[TaskDetail] = field(default_factory=list)
    unreadable: list[tuple[str, Exception]] = field(default_factory=list)
    silent: list[list[str]] = field(default_factory=list)

    def task_seen(self, job_id: str, detail: TaskDetail) -> None:
        self.record_answer.append(detail)

    def task_unreadable(self, job_id: str, error: Exception) -> None:
        self.unreadable.append((job_id, error))

    def service_silent(self, job_ids: Iterable[str], error: Exception, retry_in: float) -> None:
        self.silent.append(sorted(job_ids))


class FakeService:
    """Answers reads of tasks; ``errors`` come first."""

    base_url = "http://127.0.0.1:1"

    def __init__(self) -> None:
        self.tasks = self
        self.requests: list[list[str]] = []
        self.errors: list[Exception] = []
        self.status = "running"
        self.missing: set[str] = set()

    def list(self, ids: Iterable[str]) -> TaskList:
        wanted = [*ids]
        self.requests.append(wanted)
        if self.errors:
            raise self.errors.pop(0)
        found = {task_id: TaskDetail(task_id=task_id, status=self.status) for task_id in wanted}
        return TaskList(
            tasks={task_id: detail for task_id, detail in found.items() if task_id not in self.missing},
            missed=sorted(self.missing & set(wanted)),
        )


@pytest.fixture
def heard() -> Heard:
    return Heard()


@pytest.fixture
def polled(heard: Heard) -> Iterator[tuple[TaskPoller, FakeService]]:
    service = FakeService()
    poller = TaskPoller(lambda service_id: service, heard)  # type: ignore[arg-type, return-value]
    poller.start()
    yield poller, service
    assert poller.stop(SECONDS)


def test_a_request_holds_a_hundred_ids_at_most(polled: tuple[TaskPoller, FakeService], heard: Heard) -> None:
    poller, service = polled
    service.status = "success"
    with poller._changed:  # so that all are there at the first look
        for number in range(250):
            poller.watch(f"j{number}", f"t{number}", "s")
    wait_until(lambda: len(heard.record_answer) == 250)
    assert max(len(ids) for ids in service.requests) == 100
    assert len(service.requests) <= 5


def test_a_final_task_is_not_looked_at_again(polled: tuple[TaskPoller, FakeService], heard: Heard) -> None:
    poller, service = polled
    service.status = "success"
    poller.watch("j", "t", "s")
    wait_until(lambda: len(heard.record_answer) == 1)
    time.sleep(0.5)
    assert service.requests == [["t"]]


def test_a_forgotten_task_is_not_looked_at_again(polled: tuple[TaskPoller, FakeService], heard: Heard) -> None:
    poller, service = polled
    poller.watch("j", "t", "s")
    wait_until(lambda: bool(heard.record_answer))
    poller.forget("j")
    time.sleep(0.1)
    count = len(service.requests)
    time.sleep(0.5)
    assert len(service.requests) == count


def test_silence_is_told_and_does_not_end_anything(polled: tuple[TaskPoller, FakeService], heard: Heard) -> None:
    poller, service = polled
    service.errors.append(ConnectionFailed("cut"))
    poller.watch("j", "t", "s")
    wait_until(lambda: bool(heard.silent))
    assert heard.silent == [["j"]]
    poller.poll_now()
    wait_until(lambda: bool(heard.record_answer))


def test_what_waiting_does_not_mend_is_given_up(polled: tuple[TaskPoller, FakeService], heard: Heard) -> None:
    poller, service = polled
    service.errors.append(AuthenticationError("no", status=401))
    poller.watch("j", "t", "s")
    wait_until(lambda: bool(heard.unreadable))
    assert isinstance(heard.unreadable[0][1], AuthenticationError)


def test_a_task_that_the_service_does_not_know_yet_gets_time(
    polled: tuple[TaskPoller, FakeService], heard: Heard, monkeypatch: pytest.MonkeyPatch
) -> None:
    poller, service = polled
    service.missing.add("t")
    poller.watch("j", "t", "s")
    wait_until(lambda: len(service.requests) >= 2)
    assert heard.unreadable == []
    monkeypatch.setattr("asset_generation.addon.core.runtime.task_poller._MISSED_SECONDS", 0.0)
    wait_until(lambda: bool(heard.unreadable))
    assert "does not know the task t" in str(heard.unreadable[0][1])


def test_a_listener_that_raises_does_not_end_the_poller(
    polled: tuple[TaskPoller, FakeService], heard: Heard, monkeypatch: pytest.MonkeyPatch
) -> None:
    poller, _ = polled

    def fail(*_: Any) -> None:
        monkeypatch.undo()
        raise ValueError("on purpose")

    monkeypatch.setattr(heard, "task_seen", fail)
    poller.watch("j", "t", "s")
    time.sleep(0.1)
    poller.watch("k", "u", "s")
    wait_until(lambda: bool(heard.record_answer))
