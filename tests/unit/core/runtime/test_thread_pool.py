from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from queue import SimpleQueue
from typing import Any

import pytest
from asset_generation.addon.core.jobs.job import Delivery, JobPlan, Source, SourceKind, Stage, StepPlan
from asset_generation.addon.core.jobs.records import JobRecord, StepRecord
from asset_generation.addon.core.limits.backoff import Backoff
from asset_generation.addon.core.limits.creation_guard import SharedExclusiveGuard
from asset_generation.addon.core.limits.poll_interval import LONGEST, SHORTEST, PolledTask, poll_interval
from asset_generation.addon.core.runtime.task_poller import TaskPoller
from asset_generation.addon.core.runtime.thread_pool import ThreadPool
from asset_generation.addon.core.status.job_board import JobBoard
from asset_generation.addon.core.status.job_view import LiveProgress, progress
from asset_generation.addon.core.status.messages import JobChanged, JobRemoved, Message
from asset_generation.vendor.assetgen import AuthenticationError, ConnectionFailed, RateLimitError
from asset_generation.vendor.assetgen.contract import TaskDetail, TaskList

SECONDS = 10.0


def wait_until(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + SECONDS
    while not condition():
        assert time.monotonic() < deadline, "waited in vain"
        time.sleep(0.005)


# Workers


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


# Traffic


def test_creations_and_searches_keep_apart() -> None:
    traffic = SharedExclusiveGuard()
    with traffic.creation("a", "decimate") as sent:
        assert sent
        with traffic.search("decimate") as searching, traffic.search("texture") as other:
            assert (searching, other) == (False, True)
            with traffic.creation("b", "texture") as held:
                assert not held
    with traffic.search("decimate") as searching:
        assert searching
        with traffic.search("decimate") as second, traffic.creation("a", "decimate") as held:
            assert (second, held) == (False, False)
    with traffic.creation("a", "decimate") as sent:
        assert sent


# Pace


def watched(**changes: Any) -> PolledTask:
    return PolledTask(**({"job_id": "j", "task_id": "t", "service_id": "s", "since": 0.0} | changes))


@pytest.mark.parametrize("age", [0.0, 1.0, 10.0, 100.0, 10_000.0])
@pytest.mark.parametrize("progress", [0, 1, 50, 99, 100])
def test_a_remote_service_is_asked_every_one_to_five_seconds(age: float, progress: int) -> None:
    task = watched(progress=progress, moved_at=age / 2)
    assert SHORTEST <= poll_interval(task, age, watched=1, loopback=False) <= LONGEST


def test_a_task_near_its_end_is_looked_at_more_often_than_one_far_from_it() -> None:
    near = watched(progress=95, moved_at=100.0)
    far = watched(progress=10, moved_at=100.0)
    assert poll_interval(near, 101.0, watched=1, loopback=False) < poll_interval(far, 101.0, watched=1, loopback=False)


def test_a_few_young_tasks_of_this_machine_are_looked_at_at_once() -> None:
    assert poll_interval(watched(), 0.5, watched=1, loopback=True) < SHORTEST
    assert poll_interval(watched(), 0.5, watched=100, loopback=True) >= SHORTEST
    assert poll_interval(watched(), 60.0, watched=1, loopback=True) >= SHORTEST


def test_waits_grow_and_obey_the_service() -> None:
    backoff = Backoff()
    waits = [backoff.next() for _ in range(8)]
    assert 0.8 <= waits[0] <= 1.0
    assert 24.0 <= waits[-1] <= 30.0
    assert backoff.next(RateLimitError("slow", status=429, retry_after=99.0)) == 99.0
    backoff.reset()
    assert backoff.next() <= 1.0


# The poller


@dataclass
class Heard:
    """A listener that remembers."""

    note_answer: list[TaskDetail] = field(default_factory=list)
    unreadable: list[tuple[str, Exception]] = field(default_factory=list)
    silent: list[list[str]] = field(default_factory=list)

    def task_seen(self, job_id: str, detail: TaskDetail) -> None:
        self.note_answer.append(detail)

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
    wait_until(lambda: len(heard.note_answer) == 250)
    assert max(len(ids) for ids in service.requests) == 100
    assert len(service.requests) <= 5


def test_a_final_task_is_not_looked_at_again(polled: tuple[TaskPoller, FakeService], heard: Heard) -> None:
    poller, service = polled
    service.status = "success"
    poller.watch("j", "t", "s")
    wait_until(lambda: len(heard.note_answer) == 1)
    time.sleep(0.5)
    assert service.requests == [["t"]]


def test_a_forgotten_task_is_not_looked_at_again(polled: tuple[TaskPoller, FakeService], heard: Heard) -> None:
    poller, service = polled
    poller.watch("j", "t", "s")
    wait_until(lambda: bool(heard.note_answer))
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
    wait_until(lambda: bool(heard.note_answer))


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
    wait_until(lambda: bool(heard.note_answer))


# The board


def record(**changes: Any) -> JobRecord:
    plan = JobPlan("Bunny", Source(SourceKind.TASK, task_id="t"), (StepPlan("decimate"),), Delivery())
    fields: dict[str, Any] = {
        "id": "j",
        "plan": plan,
        "service_id": "s",
        "stage": Stage.WAIT,
        "resume": None,
        "position": 0,
        "created_at": 1.0,
        "changed_at": 2.0,
        "revision": 1,
        "steps": (StepRecord(0, "decimate", task_id="t1", answered_at=1.0),),
    }
    return JobRecord(**(fields | changes))


def messages(news: SimpleQueue[Message]) -> list[Message]:
    return [news.get_nowait() for _ in range(news.qsize())]


def test_progress_news_is_rare_and_changes_of_stage_are_not_held_back() -> None:
    news: SimpleQueue[Message] = SimpleQueue()
    board = JobBoard(news)
    board.changed(record())
    for percent in range(100):
        board.live("j", fraction=percent / 100)
    assert len(messages(news)) == 1
    board.changed(record(stage=Stage.DOWNLOAD, revision=2))
    (last,) = messages(news)
    assert isinstance(last, JobChanged)
    assert last.job.stage is Stage.DOWNLOAD


def test_progress_never_goes_back_until_a_retry_begins_anew() -> None:
    news: SimpleQueue[Message] = SimpleQueue()
    board = JobBoard(news)
    board.changed(record())
    board.task("j", "t1", "running", 80)
    high = board.view("j").progress
    board.task("j", "t1", "running", 10)
    assert board.view("j").progress == high
    board.changed(record(stage=Stage.FAILED, resume=Stage.CREATE, revision=2))
    assert board.view("j").progress == high
    board.changed(record(stage=Stage.CREATE, revision=3))
    assert board.view("j").progress < high


def of_steps(*names: str, **changes: Any) -> JobRecord:
    """A job that begins with nothing, in its last step."""
    plan = JobPlan("New", Source(SourceKind.NOTHING), tuple(StepPlan(name) for name in names), Delivery())
    steps = tuple(StepRecord(place, name, task_id=f"t{place}") for place, name in enumerate(names))
    return record(**({"plan": plan, "steps": steps, "position": len(names) - 1} | changes))


@pytest.mark.parametrize("names", [("text_to_image",), ("rig_check",), ("text_to_model", "rig", "retarget")])
def test_a_job_without_an_upload_begins_at_nothing_and_ends_whole(names: tuple[str, ...]) -> None:
    first = of_steps(*names, stage=Stage.CREATE, position=0)
    assert progress(first, LiveProgress()) == 0.0
    assert progress(of_steps(*names, stage=Stage.READY), LiveProgress()) == 1.0
    waiting = [progress(of_steps(*names), LiveProgress(fraction=share)) for share in (0.0, 0.5, 1.0)]
    assert waiting == sorted(set(waiting))
    assert waiting[-1] <= 1.0


def test_an_answer_needs_no_time_to_be_fetched_and_a_model_does() -> None:
    assert progress(of_steps("rig_check"), LiveProgress(fraction=1.0)) == 1.0
    assert progress(of_steps("text_to_model"), LiveProgress(fraction=1.0)) < 1.0


def test_an_older_record_does_not_overwrite_a_newer_one() -> None:
    board = JobBoard(SimpleQueue())
    board.changed(record(stage=Stage.READY, revision=5))
    board.changed(record(stage=Stage.WAIT, revision=4))
    assert board.view("j").stage is Stage.READY
    assert not board.busy


def test_busy_follows_the_stages_and_a_removed_job_is_told_once() -> None:
    news: SimpleQueue[Message] = SimpleQueue()
    board = JobBoard(news)
    board.changed(record())
    assert board.busy
    board.removed("j")
    board.removed("j")
    assert not board.busy
    assert messages(news)[1:] == [JobRemoved("j")]
