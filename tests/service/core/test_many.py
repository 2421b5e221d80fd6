"""Many jobs at once, and the local engine as a process of its own."""

from __future__ import annotations

import json
import os
import signal
import sys
import threading
import time
from collections.abc import Mapping
from pathlib import Path
from queue import SimpleQueue
from types import SimpleNamespace
from typing import Any

import pytest
from asset_generation.addon.core.errors import EngineTrouble
from asset_generation.addon.core.jobs.job import Delivery, Stage
from asset_generation.addon.core.limits import concurrency
from asset_generation.addon.core.runtime.runtime import Runtime
from asset_generation.addon.core.service import engine_process
from asset_generation.addon.core.service.connection import Connection
from asset_generation.addon.core.service.engine_process import EngineProcess
from asset_generation.addon.core.settings import Settings
from asset_generation.addon.core.status.messages import Message, ServiceChecked
from asset_generation.vendor.assetgen.contract import Category
from asset_generation.vendor.background_blender import BlenderCommand
from support.core import (
    QUICK,
    SECONDS,
    GatedRunner,
    InstantConverter,
    imported_task,
    rested,
    runtime_on,
    settings_for,
    task_plan,
    until,
    wait_until,
)
from support.services.local_engine import ask, instant_runner, local_engine, recorded

JOBS = 100


def test_a_hundred_running_tasks_are_looked_at_with_few_requests(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # A hundred at once are more than the documented pools allow, and what the budget is stated for.
    monkeypatch.setattr(concurrency.ConcurrencyLimiter.__init__, "__defaults__", (dict.fromkeys(Category, JOBS),))
    runner = GatedRunner()
    with (
        local_engine(tmp_path, runner=runner, workers=JOBS) as service,
        runtime_on(settings_for(service, tmp_path / "data")) as runtime,
    ):
        source = imported_task(runtime, tmp_path)
        ids = [runtime.submit(task_plan(source, delivery=Delivery())) for _ in range(JOBS)]
        for job_id in ids:
            until(runtime, job_id, lambda job: job.stage is Stage.WAIT)
        began, before = time.monotonic(), len(recorded(service, "/v3/tasks/list"))
        time.sleep(4.0)
        requests = len(recorded(service, "/v3/tasks/list")) - before
        one_poll_per_task = JOBS * (time.monotonic() - began) / 2
        assert 1 <= requests <= one_poll_per_task / 40
        runner.gate.set()
        wait_until(lambda: ask(service, "GET", "/v3/account/balance")["frozen"] == 0)  # all have ended there
        before = len(recorded(service, "/v3/tasks/list"))
        for job_id in ids:
            assert rested(runtime, job_id).stage is Stage.APPLIED
        looks = len(recorded(service, "/v3/tasks/list")) - before
        assert looks <= 2, "one that was on its way, and one that sees that all have ended"
        assert recorded(service, method="GET") == [
            one for one in recorded(service, method="GET") if "/v3/tasks/" not in one["path"]
        ], "no task is read by itself"


def test_a_pool_is_a_line_on_our_side(tmp_path: Path) -> None:
    running, most = 0, 0
    lock, gate = threading.Lock(), threading.Event()

    def runner(request: Mapping[str, Any], **named: Any) -> dict[str, Any]:
        nonlocal running, most
        with lock:
            running += 1
            most = max(most, running)
        if request["type"] != "import_model":
            gate.wait(SECONDS)
        with lock:
            running -= 1
        return instant_runner(request, **named)

    # The engine has the documented pool of ten, and none of our requests is turned away.
    with (
        local_engine(tmp_path, runner=runner, workers=30, pools={}) as service,
        runtime_on(settings_for(service, tmp_path / "data")) as runtime,
    ):
        source = imported_task(runtime, tmp_path)
        ids = [runtime.submit(task_plan(source, delivery=Delivery())) for _ in range(25)]
        until(runtime, ids[-1], lambda job: "in line" in job.text)  # it has to wait
        gate.set()
        for job_id in ids:
            assert rested(runtime, job_id, seconds=60).stage is Stage.APPLIED
        answers = {one["status"] for one in recorded(service, "/v3/mesh/decimate")}
        assert answers == {200}
        assert 1 < most <= 10


def engine_pid(process: EngineProcess) -> int:
    assert process._process is not None
    return process._process.pid


def local_settings(tmp_path: Path) -> Settings:
    return Settings(blender=BlenderCommand.of_python(), data_dir=tmp_path / "data")


@pytest.mark.skipif(sys.platform == "win32", reason="signal 0 is not harmless there")
def test_the_local_engine_starts_when_needed_and_ends_with_us(tmp_path: Path) -> None:
    news: SimpleQueue[Message] = SimpleQueue()
    settings = local_settings(tmp_path)._replace(online=False)  # this machine is exempt
    runtime = Runtime(settings, news=news, converter=InstantConverter(), timing=QUICK)
    runtime.start()
    try:
        runtime.check_service()
        answer = news.get(timeout=60)
        assert isinstance(answer, ServiceChecked)
        assert answer.ok, answer.sentence
        assert runtime._started is not None
        pid = engine_pid(runtime._started.context.connection._local)
        os.kill(pid, 0)
    finally:
        runtime.shutdown()
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL")
def test_a_local_engine_that_died_is_started_again(tmp_path: Path) -> None:
    engine = EngineProcess(tmp_path / "engine", BlenderCommand.of_python())
    try:
        first = engine.ensure()
        os.kill(engine_pid(engine), signal.SIGKILL)
        deadline = time.monotonic() + SECONDS
        while engine._process is not None and engine._process.poll() is None and time.monotonic() < deadline:
            time.sleep(0.01)
        second = engine.ensure()
        assert second != first
        assert engine.ensure() == second
    finally:
        engine.stop()


@pytest.mark.skipif(not hasattr(os, "getpriority"), reason="asks for the niceness of POSIX")
def test_the_local_engine_stays_behind_where_its_cores_are_limited(tmp_path: Path) -> None:
    engine = EngineProcess(tmp_path / "engine", BlenderCommand.of_python().limited(1))
    try:
        engine.ensure()
        assert os.getpriority(os.PRIO_PROCESS, engine_pid(engine)) == max(15, os.getpriority(os.PRIO_PROCESS, 0))
        assert engine._process is not None
        assert "--cores 1" in " ".join(map(str, engine._process.args))
    finally:
        engine.stop()


def test_two_processes_share_one_local_engine_and_the_second_takes_over(tmp_path: Path) -> None:
    first = EngineProcess(tmp_path / "engine", BlenderCommand.of_python())
    second = EngineProcess(tmp_path / "engine", BlenderCommand.of_python())
    try:
        address = first.ensure()
        assert second.ensure() == address
        first.stop()
        second.suspect(address)
        taken_over = second.ensure()
        assert taken_over.base_url
        assert engine_pid(second)
    finally:
        first.stop()
        second.stop()


def test_an_engine_that_gets_little_of_a_busy_machine_is_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    late = tmp_path / "engine.py"
    announced = json.dumps({"base_url": "http://127.0.0.1:9", "key": "k", "shared": True})
    late.write_text(f"import time\ntime.sleep(2)\nprint({announced!r}, flush=True)\n", encoding="utf-8")
    began = time.monotonic()
    # Forty seconds of its clock for each of ours.
    hurried = SimpleNamespace(monotonic=lambda: began + 40 * (time.monotonic() - began))
    monkeypatch.setattr(engine_process, "time", hurried)
    engine = EngineProcess(tmp_path / "engine", BlenderCommand.of_python(), program=late)
    assert engine.ensure().base_url == "http://127.0.0.1:9"


def test_an_engine_that_does_not_start_is_a_sentence_on_the_job(tmp_path: Path) -> None:
    broken = tmp_path / "engine.py"
    broken.write_text("import sys\nsys.exit('no room for an engine')\n", encoding="utf-8")
    engine = EngineProcess(tmp_path / "engine", BlenderCommand.of_python(), program=broken)
    with pytest.raises(EngineTrouble, match="no room for an engine"):
        engine.ensure()


def test_the_local_engine_starts_while_something_else_is_done(tmp_path: Path) -> None:
    settings = Settings(blender=BlenderCommand.of_python(), data_dir=tmp_path / "data")
    connection = Connection(settings)
    try:
        connection.warm_up()
        deadline = time.monotonic() + SECONDS
        while connection._local._address is None and time.monotonic() < deadline:
            time.sleep(0.02)
        warm = connection._local._address
        assert warm is not None
        assert connection.client(settings.service_id).base_url == warm.base_url
    finally:
        connection.close()
        connection.end_engine()
