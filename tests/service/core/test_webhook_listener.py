"""`assetgen webhooks listen`: the local engine's own deliveries wake jobs, and nobody else's does any harm."""

from __future__ import annotations

import http.client
import json
import signal
import socket
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest
from asset_generation.addon.cli.webhook_listening import listen_until_interrupted
from asset_generation.addon.cli.webhook_server import WebhookServer, listen, webhook_app
from asset_generation.addon.core.jobs.job import JobView, Stage
from asset_generation.addon.core.runtime.runtime import Runtime
from asset_generation.addon.core.settings import Settings
from asset_generation.vendor.assetgen.webhooks import MAX_EVENT_BYTES, sign
from asset_generation.vendor.assetgen_local import LocalService
from asset_generation.vendor.assetgen_local.webhook_endpoint import WebhookEndpoint
from load_extension import ROOT
from support.core import GatedRunner, imported_task, rested, runtime_on, settings_for, task_plan, until, wait_until
from support.services.local_engine import add_fault, local_engine, recorded
from support.services.scripted_service import unused_port

SECRET = "whsec_test"
SCRIPT = (sys.executable, str(ROOT / "scripts" / "assetgen.py"))
LIST = "/v3/tasks/list"


class Told:
    """A reporter that remembers."""

    def __init__(self) -> None:
        self.events: list[dict[str, Any]] = []

    def job(self, view: JobView) -> None:
        raise AssertionError("a listener has no jobs")

    def event(self, kind: str, words: str, /, **facts: Any) -> None:
        self.events.append({"event": kind, "message": words, **facts})

    def result(self, kind: str, words: str, lines: Sequence[str], /, **facts: Any) -> None:
        self.event(kind, words, **facts)

    def close(self) -> None:
        pass

    def of(self, kind: str) -> list[dict[str, Any]]:
        return [event for event in self.events if event["event"] == kind]


@contextmanager
def listening(settings: Settings, port: int = 0, tolerance: float = 300.0) -> Iterator[tuple[int, Told]]:
    """A listener on a thread; gives its port, and what it says."""
    told = Told()
    servers: list[WebhookServer] = []
    thread = threading.Thread(
        target=listen_until_interrupted,
        args=(settings, SECRET, told),
        kwargs={"host": "127.0.0.1", "port": port, "tolerance": tolerance, "on_start": servers.append},
    )
    thread.start()
    wait_until(lambda: bool(told.of("listening")) and servers[0].started)
    try:
        yield told.of("listening")[0]["port"], told
    finally:
        servers[0].should_exit = True
        thread.join(20)
        assert not thread.is_alive()
        assert told.events[-1]["event"] == "ended"


def post(port: int, body: bytes, headers: dict[str, str], path: str = "/hook") -> int:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
    try:
        connection.request("POST", path, body, headers)
        return connection.getresponse().status
    finally:
        connection.close()


def body_of(task_id: str, kind: str = "task.completed", status: str = "success") -> bytes:
    data = {"task_id": task_id, "type": "decimate", "status": status}
    return json.dumps({"id": f"{task_id}:{kind}", "type": kind, "data": data}).encode()


def signed(
    body: bytes, *, at: float | None = None, delivery: str = "d1", kind: str = "task.completed"
) -> dict[str, str]:
    return {
        "Service-Webhook-Event": kind,
        "Service-Webhook-Delivery": delivery,
        "Service-Webhook-Signature": sign(body, SECRET, int(time.time() if at is None else at)),
    }


@pytest.fixture
def gated() -> GatedRunner:
    return GatedRunner()


@pytest.fixture
def port() -> int:
    return unused_port()


@pytest.fixture
def service(tmp_path: Path, gated: GatedRunner, port: int) -> Iterator[LocalService]:
    hook = WebhookEndpoint(f"http://127.0.0.1:{port}/hook", SECRET)
    with local_engine(tmp_path, runner=gated, webhooks=(hook,), webhook_retry_seconds=(0.1,) * 100) as running:
        yield running
        gated.gate.set()


@pytest.fixture
def settings(service: LocalService, tmp_path: Path) -> Settings:
    return settings_for(service, tmp_path / "data")


def polls(service: LocalService) -> int:
    return len(recorded(service, LIST))


def until_polled_rarely(service: LocalService) -> None:
    """Waits until there was no poll for longer than there ever is between two at the normal pace."""
    deadline, last, since = time.monotonic() + 20, polls(service), time.monotonic()
    while time.monotonic() - since < 6.0:
        assert time.monotonic() < deadline, "it is polled as if there were no webhooks"
        if (now := polls(service)) != last:
            last, since = now, time.monotonic()
        time.sleep(0.1)


def run_gated(runtime: Runtime, task_id: str, gated: GatedRunner) -> str:
    """A job whose task runs until the gate is opened."""
    gated.gate.clear()
    job_id = runtime.submit(task_plan(task_id))
    until(runtime, job_id, lambda job: job.stage is Stage.WAIT)
    return job_id


def test_a_delivery_wakes_jobs_of_every_process_and_polling_is_rare_meanwhile(
    service: LocalService, settings: Settings, gated: GatedRunner, port: int, tmp_path: Path
) -> None:
    command = [*SCRIPT, "webhooks", "listen", "--port", str(port), "--secret", SECRET, "--json"]
    environment = {
        "ASSETGEN_BASE_URL": settings.base_url,
        "ASSETGEN_DATA_DIR": str(settings.data_dir),
        "PATH": "/usr/bin:/bin",
    }
    with (
        subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment
        ) as process,
        runtime_on(settings) as runtime,
        runtime_on(settings) as other,
    ):
        assert process.stdout is not None
        assert json.loads(process.stdout.readline())["event"] == "listening"
        task_id = imported_task(runtime, tmp_path)
        first = json.loads(process.stdout.readline())
        assert (first["event"], first["task"], first["repeated"]) == ("webhook", task_id, False)
        jobs = [(runtime, run_gated(runtime, task_id, gated)), (other, run_gated(other, task_id, gated))]
        until_polled_rarely(service)
        before = polls(service)
        gated.gate.set()
        begun = time.monotonic()
        for waiting, job_id in jobs:
            assert rested(waiting, job_id).stage is Stage.READY
        assert time.monotonic() - begun < 10.0, "the next look of the slow pace is thirty seconds away"
        assert polls(service) - before <= 4
        assert {json.loads(process.stdout.readline())["task"] for _ in jobs} == {
            waiting.job(job_id).steps[0].task_id for waiting, job_id in jobs
        }
        # Whoever listened is gone: as before.
        last = run_gated(runtime, task_id, gated)
        process.send_signal(signal.SIGINT)
        out, errors = process.communicate(timeout=20)
        assert (process.returncode, errors) == (130, "")
        assert json.loads(out.splitlines()[-1])["event"] == "ended"
        before = polls(service)
        wait_until(lambda: polls(service) >= before + 2, seconds=10.0)
        gated.gate.set()
        assert rested(runtime, last).stage is Stage.READY


def test_a_task_whose_creation_was_never_answered_is_finished_all_the_same(
    service: LocalService, settings: Settings, gated: GatedRunner, port: int, tmp_path: Path
) -> None:
    gated.gate.set()
    with listening(settings, port) as (_, told), runtime_on(settings) as runtime:
        task_id = imported_task(runtime, tmp_path)
        wait_until(lambda: bool(told.of("webhook")))
        add_fault(service, "drop_after", "/v3/mesh/decimate")
        job = rested(runtime, runtime.submit(task_plan(task_id)))
        assert job.stage is Stage.READY, job
        wait_until(lambda: len(told.of("webhook")) == 2)
        assert told.of("webhook")[1]["task"] == job.steps[0].task_id


def test_deliveries_that_nobody_took_are_taken_when_the_service_tries_again(
    service: LocalService, settings: Settings, gated: GatedRunner, port: int, tmp_path: Path
) -> None:
    with runtime_on(settings) as runtime:
        task_id = imported_task(runtime, tmp_path)
        with listening(settings, port) as (_, told):
            wait_until(lambda: bool(told.of("webhook")))
            assert [event["task"] for event in told.of("webhook")] == [task_id]


def test_a_repeated_or_replayed_delivery_is_taken_and_does_nothing_also_after_a_restart(
    settings: Settings, gated: GatedRunner
) -> None:
    body = body_of("t1")
    with listening(settings) as (port, told):
        assert post(port, body, signed(body)) == 200
        assert post(port, body, signed(body, delivery="under another name"), path="/elsewhere") == 200
        wait_until(lambda: len(told.of("webhook")) == 2)
    with listening(settings) as (port, again):
        assert post(port, body, signed(body)) == 200
        wait_until(lambda: len(again.of("webhook")) == 1)
    assert [event["repeated"] for event in told.of("webhook") + again.of("webhook")] == [False, True, True]


def test_a_delivery_is_answered_at_once_while_another_program_holds_the_file(settings: Settings) -> None:
    body = body_of("t1")
    with listening(settings) as (port, told):
        with closing(sqlite3.connect(settings.data_dir / "webhooks.sqlite3", isolation_level=None)) as other:
            other.execute("BEGIN EXCLUSIVE")
            begun = time.monotonic()
            assert post(port, body, signed(body)) == 200
            assert time.monotonic() - begun < 5.0, "the service gives up after five seconds"
            assert told.of("webhook") == []
            other.execute("COMMIT")
        wait_until(lambda: len(told.of("webhook")) == 1)


def test_forgeries_and_nonsense_are_refused_and_change_nothing(settings: Settings, service: LocalService) -> None:
    body = body_of("t1")
    wrong: dict[str, tuple[bytes, dict[str, str]]] = {
        "MissingHeader": (body, {}),
        "MalformedSignature": (body, signed(body) | {"Service-Webhook-Signature": "v1=abc"}),
        "SignatureMismatch": (body.replace(b"t1", b"t2"), signed(body)),
        "TimestampOutsideWindow": (body, signed(body, at=time.time() - 3600)),
        "NotAnEvent": (b"[]", signed(b"[]")),
        "EventMismatch": (body, signed(body, kind="task.failed")),
    }
    for refusal, (content, headers) in wrong.items():
        with listening(settings) as (port, told):
            assert post(port, content, headers) == 400, refusal
            (event,) = told.of("refused")
            assert event["refusal"] == refusal
            assert SECRET not in json.dumps(told.events)
            assert ("clock is wrong" in event["message"]) == (refusal == "TimestampOutsideWindow")
    with listening(settings) as (port, told):
        assert post(port, body, signed(body)) == 200
        wait_until(lambda: bool(told.of("webhook")))
        assert told.of("webhook")[0]["repeated"] is False, "none of the refused ones was kept"


def test_events_out_of_order_and_of_others_tasks_do_no_harm(
    service: LocalService, settings: Settings, gated: GatedRunner, port: int, tmp_path: Path
) -> None:
    gated.gate.set()
    low = json.dumps({"id": "x:balance.low", "type": "balance.low", "data": {"balance": 1, "threshold": 2}}).encode()
    new = json.dumps({"id": "x:task.dreamt", "type": "task.dreamt", "data": {"task_id": 7}}).encode()
    with listening(settings, port) as (_, told), runtime_on(settings) as runtime:
        task_id = imported_task(runtime, tmp_path)
        job_id = run_gated(runtime, task_id, gated)
        mine = until(runtime, job_id, lambda job: bool(job.steps[0].task_id)).steps[0].task_id
        early = body_of(mine, "task.failed", "failed")  # of an attempt of the service's own, say; the task is running
        others = body_of("00000000-0000-0000-0000-000000000000")
        assert post(port, others, signed(others)) == 200
        assert post(port, early, signed(early, kind="task.failed")) == 200
        assert post(port, low, signed(low, kind="balance.low")) == 200
        assert post(port, new, signed(new, kind="task.dreamt")) == 200
        wait_until(lambda: len(told.of("webhook")) == 5)
        assert runtime.job(job_id).stage is Stage.WAIT, "the service says what a task is, and no event"
        gated.gate.set()
        assert rested(runtime, job_id).stage is Stage.READY


@contextmanager
def serving(receive: Callable[[bytes, Any], int], seconds: float) -> Iterator[int]:
    with listen("127.0.0.1", 0) as sock:
        server = WebhookServer(webhook_app(receive), request_seconds=seconds)
        thread = threading.Thread(target=server.run, kwargs={"sockets": [sock]})
        thread.start()
        wait_until(lambda: server.started)
        yield sock.getsockname()[1]
        server.should_exit = True
        thread.join(20)
        assert not thread.is_alive()


def test_a_handler_of_blenders_that_python_does_not_know_is_no_trouble(monkeypatch: pytest.MonkeyPatch) -> None:
    installed: list[Any] = []

    def install(_: int, handler: Any) -> None:
        """As in Blender: what was there before was set by C, which is None here and cannot be set again."""
        assert callable(handler), "signal handler must be signal.SIG_IGN, signal.SIG_DFL, or a callable object"
        installed.append(handler)

    monkeypatch.setattr(signal, "signal", install)
    server = WebhookServer(webhook_app(lambda *_: 200))
    with server.capture_signals():
        installed[0](signal.SIGINT, None)
    assert server.was_interrupted and server.should_exit


def test_a_huge_body_is_refused_before_it_is_read() -> None:
    received: list[int] = []

    def receive(body: bytes, _: Any) -> int:
        received.append(len(body))
        return 200

    with serving(receive, 20.0) as port:
        assert post(port, b"x" * MAX_EVENT_BYTES, {}) == 200
        with socket.create_connection(("127.0.0.1", port), timeout=20) as sender:
            sender.sendall(b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10000000000\r\n\r\n")
            sent = 0
            try:
                while sent < 64 * MAX_EVENT_BYTES:
                    sent += sender.send(b"x" * 65536)
            except OSError:
                pass  # it has closed the door
            assert sent < 64 * MAX_EVENT_BYTES
    assert received == [MAX_EVENT_BYTES]


@pytest.mark.parametrize(
    "start", [b"", b"POST / HTTP/1.1\r\nX", b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 50\r\n\r\n"]
)
def test_who_trickles_is_cut_off_and_keeps_nobody_else(start: bytes) -> None:
    with serving(lambda *_: 200, 0.6) as port, socket.create_connection(("127.0.0.1", port), timeout=20) as slow:
        slow.sendall(start)
        begun = time.monotonic()
        assert post(port, b"x", {}) == 200
        try:
            while time.monotonic() - begun < 10.0:
                time.sleep(0.1)
                slow.sendall(b"x")
        except OSError:
            pass
        assert time.monotonic() - begun < 5.0


def test_another_method_is_refused_and_a_port_that_is_taken_is_said(
    settings: Settings, capsys: pytest.CaptureFixture[str]
) -> None:
    with listening(settings) as (port, _):
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
        connection.request("GET", "/")
        assert connection.getresponse().status == 405
        connection.close()
        from asset_generation.addon.cli.main import main

        assert main(["webhooks", "listen", "--port", str(port), "--secret", SECRET]) == 2
        assert "cannot be listened on" in capsys.readouterr().err
        assert main(["webhooks", "listen", "--port", "99999"]) == 2
