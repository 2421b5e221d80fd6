from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field

import pytest
from asset_generation.addon.core.runtime.thread_pool import ThreadPool
from support.core import wait_until

SECONDS = 10.0


@dataclass
class Runs:
    """Counts what runs, and how much of it at the same time."""

    seconds: float = 0.01
    done: list[str] = field(default_factory=list)
    now: dict[str, int] = field(default_factory=dict)
    overlaps: list[str] = field(default_factory=list)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def __call__(self, job_id: str) -> None:
        with self.lock:
            self.now[job_id] = self.now.get(job_id, 0) + 1
            if self.now[job_id] > 1:
                self.overlaps.append(job_id)
        time.sleep(self.seconds)
        with self.lock:
            self.now[job_id] -= 1
            self.done.append(job_id)
        if job_id == "raises":
            raise ValueError("on purpose")


@pytest.fixture
def runs() -> Runs:
    return Runs()


@pytest.fixture
def threads(runs: Runs) -> Iterator[ThreadPool]:
    pool = ThreadPool(runs, count=3)
    pool.start()
    yield pool
    assert pool.stop(SECONDS)


def test_a_job_is_never_run_twice_at_the_same_time(threads: ThreadPool, runs: Runs) -> None:
    for _ in range(50):
        threads.run_soon("a")
        threads.run_soon("b")
        time.sleep(0.001)
    wait_until(lambda: not any(runs.now.values()) and len(runs.done) >= 2)
    assert runs.overlaps == []


def test_what_is_asked_for_during_a_run_is_run_afterwards(threads: ThreadPool, runs: Runs) -> None:
    runs.seconds = 0.1
    threads.run_soon("a")
    wait_until(lambda: runs.now.get("a") == 1)
    threads.run_soon("a")
    threads.run_soon("a")
    wait_until(lambda: len(runs.done) == 2)
    time.sleep(0.15)
    assert runs.done == ["a", "a"]


def test_the_earliest_of_several_wishes_counts(threads: ThreadPool, runs: Runs) -> None:
    threads.run_soon("a", 60.0)
    threads.run_soon("a", 0.02)
    wait_until(lambda: runs.done == ["a"])
    time.sleep(0.05)
    assert runs.done == ["a"]


def test_an_error_ends_no_thread(threads: ThreadPool, runs: Runs, caplog: pytest.LogCaptureFixture) -> None:
    for _ in range(5):
        before = len(runs.done)
        threads.run_soon("raises")
        wait_until(lambda before=before: len(runs.done) == before + 1)  # type: ignore[misc]
    threads.run_soon("a")
    wait_until(lambda: "a" in runs.done)


def test_the_oldest_of_the_jobs_that_are_due_runs_first(runs: Runs) -> None:
    runs.seconds = 0.05
    pool = ThreadPool(runs, count=1, order=str)
    pool.run_soon("z")
    pool.start()
    wait_until(lambda: bool(runs.now))
    for job_id in "dcb":
        pool.run_soon(job_id)
    pool.run_soon("a", delay=0.2)  # not due before the others have run
    wait_until(lambda: len(runs.done) == len("zbcda"))
    assert pool.stop(SECONDS)
    assert runs.done == ["z", "b", "c", "d", "a"]
