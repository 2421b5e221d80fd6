from __future__ import annotations

from queue import SimpleQueue
from typing import Any

import pytest
from asset_generation.addon.core.jobs.job import Delivery, JobPlan, Source, SourceKind, Stage, StepPlan
from asset_generation.addon.core.jobs.records import JobRecord, StepRecord
from asset_generation.addon.core.status.job_board import JobBoard
from asset_generation.addon.core.status.job_view import LiveProgress, progress
from asset_generation.addon.core.status.messages import JobChanged, JobRemoved, Message


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


def test_whoever_sees_nothing_busy_has_been_sent_everything() -> None:
    seen: list[bool] = []

    class News(SimpleQueue[Message]):
        def put(self, *_: Any, **__: Any) -> None:
            seen.append(board.busy)

    board = JobBoard(News())
    board.changed(record())
    board.changed(record(stage=Stage.APPLIED, revision=2))
    assert not board.busy
    board.changed(record(revision=3))
    board.removed("j")
    assert seen == [True] * 4
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
