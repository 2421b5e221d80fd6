"""What the main thread asks for returns at once, whatever the journal and its drive are doing; the work follows."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any

import pytest
from asset_generation.addon.core.errors import Refused
from asset_generation.addon.core.jobs import database
from asset_generation.addon.core.jobs.job import RESTING, Action, JobView, Stage
from asset_generation.addon.core.jobs.journal import Journal
from asset_generation.addon.core.paths import Locations
from asset_generation.addon.core.runtime.journal_thread import HELD
from asset_generation.addon.core.runtime.runtime_proxy import RuntimeProxy
from asset_generation.addon.core.status.messages import JobChanged, JobRemoved, Message
from asset_generation.vendor.assetgen_local import LocalService
from support.core import QUICK, SECONDS, InstantConverter, selection_plan, settings_for, task_plan, wait_until
from support.services.local_engine import recorded

pytest_plugins = ("support.core_fixtures",)

HELD_SECONDS = 60.0
"""After this what is held lets go by itself: longer than any call here takes."""

_HOLD = """
import select, sqlite3, sys
connection = sqlite3.connect(sys.argv[1], isolation_level=None, timeout=10)
connection.execute("BEGIN IMMEDIATE")
print("held", flush=True)
select.select([sys.stdin], [], [], float(sys.argv[2]))
connection.execute("ROLLBACK")
"""


class Desk:
    """A proxy, and what its messages have told so far: what the main thread has."""

    def __init__(self, proxy: RuntimeProxy, news: SimpleQueue[Message]) -> None:
        self.proxy = proxy
        self.jobs: dict[str, JobView] = {}
        self.texts: list[str] = []
        self._news = news

    def look(self) -> None:
        self.proxy.show_waiting()
        while True:
            try:
                message = self._news.get_nowait()
            except Empty:
                return
            if isinstance(message, JobChanged):
                self.jobs[message.job.id] = message.job
                self.texts.append(message.job.text)
            elif isinstance(message, JobRemoved):
                self.jobs.pop(message.job_id, None)

    def until(self, condition: Callable[[], bool], seconds: float = SECONDS) -> None:
        def met() -> bool:
            self.look()
            return condition()

        wait_until(met, seconds)

    def rested(self, job_id: str) -> JobView:
        self.until(lambda: job_id in self.jobs and self.jobs[job_id].stage in RESTING)
        return self.jobs[job_id]


@contextmanager
def desk_on(service: LocalService, data: Path) -> Iterator[Desk]:
    news: SimpleQueue[Message] = SimpleQueue()
    proxy = RuntimeProxy(settings_for(service, data), news, converter=InstantConverter(), timing=QUICK)
    proxy.start()
    proxy.wait_for_imports()
    try:
        yield Desk(proxy, news)
    finally:
        proxy.close()
        proxy.join(SECONDS)


@pytest.fixture
def desk(service: LocalService, tmp_path: Path) -> Iterator[Desk]:
    with desk_on(service, tmp_path / "data") as opened:
        opened.until(lambda: not opened.proxy.connecting)
        yield opened


class Held:
    """What others would wait for, and whether it is still held."""

    def __init__(self, is_held: Callable[[], bool]) -> None:
        self._is_held = is_held

    def during(self, call: Callable[[], Any]) -> Any:
        """What a call returns, which must return while this is held: it did not wait, however busy the machine is."""
        result = call()
        assert self._is_held()
        return result


@contextmanager
def write_lock(path: Path) -> Iterator[Held]:
    """Another process that holds the journal's write lock until the end of the block."""
    command = [sys.executable, "-c", _HOLD, str(path), str(HELD_SECONDS)]
    holder = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert holder.stdout is not None and holder.stdout.readline().strip() == "held"
    try:
        yield Held(lambda: holder.poll() is None)
    finally:
        holder.communicate(timeout=SECONDS)


@contextmanager
def hung_folder(monkeypatch: pytest.MonkeyPatch) -> Iterator[Held]:
    """A data folder whose drive does not answer before the end of the block."""
    connect, answers, returned = database._connect, threading.Event(), threading.Event()

    def connect_when_it_answers(path: Path) -> sqlite3.Connection:
        answers.wait(HELD_SECONDS)
        returned.set()
        return connect(path)

    monkeypatch.setattr(database, "_connect", connect_when_it_answers)
    try:
        yield Held(lambda: not returned.is_set())
    finally:
        answers.set()


def test_reading_does_not_wait_behind_a_write_that_waits(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite3"
    journal = Journal(path, "me")
    with write_lock(path):
        writer = threading.Thread(target=journal.record_owner, args=("here", 1))
        writer.start()
        time.sleep(0.2)
        assert journal.jobs() == [] and journal.summaries() == {} and journal.charges.all() == {}
        journal.data_version()
        assert writer.is_alive(), "it still waits"
    writer.join()
    journal.close()


def test_what_this_process_writes_is_no_news_of_another(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite3"
    mine, other = Journal(path, "me"), Journal(path, "other")
    before = mine.data_version()
    mine.record_owner("here", 1)
    assert mine.data_version() == before
    other.record_owner("there", 2)
    assert mine.data_version() != before
    mine.close()
    other.close()


def test_several_changes_are_one_transaction(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "journal.sqlite3", "me")
    with pytest.raises(ZeroDivisionError), journal.transaction():
        journal.charges.add("service", "decimate", "", "1")
        assert journal.charges.all() != {}, "what is read inside sees what was changed"
        raise ZeroDivisionError
    assert journal.charges.all() == {}
    journal.close()


def test_nothing_waits_while_another_process_holds_the_journal(
    desk: Desk, service: LocalService, tmp_path: Path
) -> None:
    done = desk.rested(desk.proxy.submit(selection_plan(tmp_path)))
    with write_lock(Locations(tmp_path / "data").journal) as lock:
        posts = len(recorded(service, method="POST"))
        job_id = lock.during(
            lambda: desk.proxy.submit(task_plan(done.steps[0].task_id), views=list(desk.jobs.values()))
        )
        desk.look()
        assert desk.jobs[job_id].stage is Stage.CREATE, "it can be seen at once"
        failed_claim = lock.during(lambda: desk.proxy.claim_apply(done.id, [done.blend]))
        dismissed = lock.during(lambda: desk.proxy.dismiss([done.id]))
        lock.during(lambda: desk.proxy.price_of("decimate", {}))
        lock.during(lambda: desk.proxy.reconfigure(settings_for(service, tmp_path / "data")))
        desk.until(lambda: desk.jobs[job_id].text == "Waiting for the list of jobs")
        assert not failed_claim.done()
        assert len(recorded(service, method="POST")) == posts, "nothing is sent before it is in the journal"
    assert desk.rested(job_id).stage is Stage.READY
    assert failed_claim.result(SECONDS) is True
    dismissed.result(SECONDS)
    desk.until(lambda: done.id not in desk.jobs)


def test_a_lock_is_waited_out_for_as_long_as_it_takes(
    desk: Desk, service: LocalService, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert desk.proxy._runtime is not None and desk.proxy._runtime._started is not None
    connection = desk.proxy._runtime._started.context.journal._database._connection
    connection.execute("PRAGMA busy_timeout = 100")  # SQLite gives up ten times before the lock is free
    with write_lock(Locations(tmp_path / "data").journal) as lock:
        job_id = lock.during(lambda: desk.proxy.submit(selection_plan(tmp_path)))
        desk.until(lambda: desk.jobs[job_id].text == HELD)
        stopped = lock.during(lambda: desk.proxy.submit(selection_plan(tmp_path)))
        lock.during(lambda: desk.proxy.act(stopped, Action.STOP))
        desk.look()
        assert desk.jobs[stopped].stage is Stage.STOPPED
    assert desk.rested(job_id).stage is Stage.READY
    desk.proxy.act(stopped, Action.RETRY)
    assert desk.rested(stopped).stage is Stage.READY


def test_a_full_disk_fails_the_job_before_anything_is_sent(desk: Desk, service: LocalService, tmp_path: Path) -> None:
    assert desk.proxy._runtime is not None and desk.proxy._runtime._started is not None
    connection = desk.proxy._runtime._started.context.journal._database._connection
    (pages,) = connection.execute("PRAGMA page_count").fetchone()
    connection.execute(f"PRAGMA max_page_count = {pages}")
    job_id = desk.proxy.submit(selection_plan(tmp_path, name="x" * 100_000))
    with pytest.raises(Refused, match="The disk is full"):
        desk.proxy.entry(job_id).result(SECONDS)
    job = desk.rested(job_id)
    assert job.stage is Stage.FAILED and "The disk is full" in job.error
    assert "nothing is charged" in job.advice and job.actions == {Action.RETRY, Action.DISMISS}
    assert recorded(service, method="POST") == []
    connection.execute("PRAGMA max_page_count = 1000000")
    desk.proxy.act(job_id, Action.RETRY)
    assert desk.rested(job_id).stage is Stage.READY


def test_a_job_that_could_not_be_entered_can_be_removed(desk: Desk, tmp_path: Path) -> None:
    staged = tmp_path / "staged"
    plan = selection_plan(tmp_path)
    blend = staged / "snapshots" / "one.blend"
    blend.parent.mkdir(parents=True)
    Path(plan.source.path).replace(blend)
    blocked = tmp_path / "data" / "snapshots"
    blocked.rmdir()
    blocked.write_text("a file where the folder should be")
    job_id = desk.proxy.submit(replace(plan, source=replace(plan.source, path=str(blend))), staged=staged)
    job = desk.rested(job_id)
    assert job.stage is Stage.FAILED and "could not be written" in job.error
    desk.proxy.dismiss([job_id]).result(SECONDS)
    desk.look()
    assert job_id not in desk.jobs and not staged.exists()


def test_a_data_folder_that_hangs_holds_up_nobody(
    service: LocalService, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with ExitStack() as ends:
        with hung_folder(monkeypatch) as drive:
            desk = ends.enter_context(desk_on(service, tmp_path / "data"))
            job_id = drive.during(lambda: desk.proxy.submit(selection_plan(tmp_path)))
            given_up = drive.during(lambda: desk.proxy.submit(selection_plan(tmp_path)))
            assert desk.proxy.connecting and not desk.proxy.is_open
            desk.until(lambda: desk.jobs[job_id].text == "Waiting for the data folder")
            drive.during(lambda: desk.proxy.act(given_up, Action.STOP))
            drive.during(lambda: desk.proxy.act("an-older-job", Action.RETRY))
            drive.during(lambda: desk.proxy.price_of("decimate", {}))
            drive.during(desk.proxy.check_service)
            desk.look()
            assert desk.jobs[given_up].stage is Stage.STOPPED
            assert recorded(service, method="POST") == []
        assert desk.rested(job_id).stage is Stage.READY
        assert desk.jobs[given_up].stage is Stage.STOPPED


def test_a_data_folder_that_hangs_is_not_waited_for_at_the_end(
    service: LocalService, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with ExitStack() as ends, hung_folder(monkeypatch) as drive:
        desk = ends.enter_context(desk_on(service, tmp_path / "data"))
        wait_until(lambda: desk.proxy._thread.stuck_for > 2.1)
        drive.during(desk.proxy.close)
        assert not drive.during(lambda: desk.proxy.join(2 * HELD_SECONDS))


def test_a_data_folder_that_cannot_be_used_is_tried_again_with_the_next_job(
    service: LocalService, tmp_path: Path
) -> None:
    data = tmp_path / "data"
    data.write_text("a file where the folder should be")
    plan_folder = tmp_path / "elsewhere"
    with desk_on(service, data) as desk:
        desk.until(lambda: not desk.proxy.connecting)
        assert desk.proxy.failure is not None
        job_id = desk.proxy.submit(selection_plan(plan_folder))
        assert desk.rested(job_id).stage is Stage.FAILED
        assert "data folder" in desk.jobs[job_id].error
        data.unlink()
        desk.proxy.act(job_id, Action.RETRY)
        assert desk.rested(job_id).stage is Stage.READY
        assert desk.proxy.failure is None


def test_an_action_that_does_not_fit_is_told_by_its_future(desk: Desk, tmp_path: Path) -> None:
    job_id = desk.proxy.submit(selection_plan(tmp_path))
    desk.rested(job_id)
    with pytest.raises(Refused, match="moved on"):
        desk.proxy.act(job_id, Action.RETRY).result(SECONDS)
    with pytest.raises(LookupError):
        desk.proxy.act("nobody", Action.RETRY).result(SECONDS)
    assert desk.proxy.claim_apply(job_id, []).result(SECONDS)
    assert not desk.proxy.claim_apply(job_id, []).result(SECONDS)
    desk.proxy.applied(job_id).result(SECONDS)
    desk.until(lambda: desk.jobs[job_id].stage is Stage.APPLIED)


def test_the_files_of_a_press_are_in_the_data_folder_before_the_job_is(desk: Desk, tmp_path: Path) -> None:
    staged = tmp_path / "staged"
    plan = selection_plan(tmp_path)
    blend = staged / "snapshots" / "one.blend"
    blend.parent.mkdir(parents=True)
    Path(plan.source.path).replace(blend)
    plan = replace(plan, source=replace(plan.source, path=str(blend)))
    job_id = desk.proxy.submit(plan, staged=staged)
    job = desk.rested(job_id)
    assert job.stage is Stage.READY and job.plan is not None
    assert Path(job.plan.source.path) == tmp_path / "data" / "snapshots" / "one.blend"
    assert Path(job.plan.source.path).is_file() and not staged.exists()
