"""The local engine as a process: how it starts, who shares it, what ends it, and what it survives."""

from __future__ import annotations

import json
import shutil
import signal
import socket
import stat
import subprocess
import sys
import time
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import pytest
from asset_generation.vendor.assetgen.webhooks import verify
from asset_generation.vendor.assetgen_local import DataDirInUse
from support.engine.engine_process import MAIN, SITE_PACKAGES, Engine, command_line, engine_arguments, engine_process
from support.fork_server.program import run_program
from support.processes import is_running
from support.services.local_engine import local_engine, tiny_glb
from support.services.plain_http import plain
from support.services.scripted_service import Reply, ScriptedServer
from support.waits import looks

POSIX = pytest.mark.skipif(sys.platform == "win32", reason="signals and file modes are POSIX's")
LINUX = pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="looks into /proc")


def call(engine: Engine, method: str, path: str, **more: Any) -> dict[str, Any]:
    headers = {"Authorization": f"Bearer {engine.key}"}
    answer = plain.request(method, engine.base_url + path, headers=headers, timeout=30, **more)
    data: dict[str, Any] = answer.json()["data"]
    return data


def create(engine: Engine, behave: str = "work", about: str = "") -> str:
    token = call(engine, "POST", "/v3/files", files={"file": ("a.glb", tiny_glb())})["file_token"]
    body = {"input": token, "parameters": {"behave": behave, "about": about}}
    task_id: str = call(engine, "POST", "/v3/models/import", json=body)["task_id"]
    return task_id


def until(condition: Callable[[], bool], seconds: float = 60.0) -> None:
    for _ in looks(seconds):
        if condition():
            return
    raise AssertionError("it never came to that")


def status(engine: Engine, task_id: str) -> str:
    return str(call(engine, "GET", f"/v3/tasks/{task_id}")["status"])


def ended(engine: Engine, task_id: str) -> dict[str, Any]:
    until(lambda: status(engine, task_id) not in ("queued", "running"))
    return call(engine, "GET", f"/v3/tasks/{task_id}")


def child_pid(data: Path, task_id: str) -> int:
    note = data / "tasks" / task_id / "pid"
    until(lambda: note.exists() and note.read_text() != "")
    return int(note.read_text())


# --- start


def test_it_starts_by_path_isolated_and_prints_one_line(tmp_path: Path) -> None:
    with engine_process(tmp_path / "data", "--port", "0", alone=True) as engine:
        assert set(engine.connection) == {"port", "key", "base_url", "pid"}
        assert engine.connection["pid"] == engine.process.pid
        assert engine.base_url == f"http://127.0.0.1:{engine.connection['port']}"
        task = ended(engine, create(engine))
        assert (task["status"], task["progress"]) == ("success", 100)
        assert plain.get(task["output"]["model_url"]).content == tiny_glb()
        engine.stdin.close()
        assert engine.process.wait(20) == 0
        assert engine.rest_of_output() == ""
    log = (tmp_path / "data" / "engine.log").read_text(encoding="utf-8")
    assert "ready at" in log and engine.key not in log


def test_it_works_without_what_the_zip_leaves_out(tmp_path: Path) -> None:
    root = MAIN.parents[2]
    manifest = tomllib.loads((root / "blender_manifest.toml").read_text(encoding="utf-8"))
    patterns = manifest["build"]["paths_exclude_pattern"]
    left_out = [root / pattern.strip("/") for pattern in patterns if pattern.startswith("/vendor/")]
    assert [path for path in left_out if path.is_dir()] == left_out != []
    vendor = tmp_path / "vendor"
    shutil.copytree(
        MAIN.parents[1],
        vendor,
        ignore=lambda folder, names: {name for name in names if name == "wheels" or Path(folder, name) in left_out},
    )
    assert not (vendor / "assetgen_local" / "api" / "faults").exists()
    with engine_process(tmp_path / "data", main=vendor / "assetgen_local" / "__main__.py") as engine:
        task = ended(engine, create(engine))
        assert plain.get(task["output"]["model_url"]).content == tiny_glb()
        assert plain.get(f"{engine.base_url}/openapi.json").status_code == 200
        assert plain.get(f"{engine.base_url}/_local/requests").status_code == 404


def test_what_few_ask_for_is_not_imported_before_they_do(tmp_path: Path) -> None:
    script = (
        "import sys\n"
        "from pathlib import Path\n"
        f"sys.path[:0] = [{str(MAIN.parents[2] / 'scripts')!r}, {str(SITE_PACKAGES)!r}]\n"
        "from load_extension import load_package\n"
        "load_package()\n"
        "from asset_generation.vendor.assetgen_local import LocalService, Options\n"
        f"with LocalService(Path({str(tmp_path)!r}), Options(faults='--faults' in sys.argv)):\n"
        "    print([name for name in sys.modules if '.api.faults.' in name or '.openapi' in name])\n"
    )
    imported = {
        argument: subprocess.run(
            [sys.executable, "-c", script, argument], capture_output=True, text=True, timeout=60, check=True
        ).stdout
        for argument in ("", "--faults")
    }
    assert imported[""] == "[]\n"
    assert "faults.injection" in imported["--faults"] and "openapi" not in imported["--faults"]


def test_key_port_credits_and_prices_can_be_given(tmp_path: Path) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    options = ["--port", str(port), "--api-key", "mine", "--credits", "12.5", "--price", "import_model=0.75"]
    with engine_process(tmp_path / "data", *options) as engine:
        assert (engine.connection["port"], engine.key) == (port, "mine")
        assert ended(engine, create(engine))["credits_consumed"] == 0.75
        assert call(engine, "GET", "/v3/account/balance") == {"balance": 11.75, "frozen": 0}


def test_rules_and_webhooks_can_be_given(tmp_path: Path) -> None:
    options = ["--region", "china", "--deny", "rotten", "--queue-seconds", "60", "--keep-days", "30"]
    options += ["--deny-output", "stale", "--spare-seconds", "0"]
    with (
        ScriptedServer() as server,
        server.script() as receiver,
        engine_process(tmp_path / "data", *options, "--webhook", f"{server.base_url}/hook=whsec_x") as engine,
    ):
        receiver.reply("POST", "/hook", Reply(204))
        task_id = create(engine)
        ended(engine, task_id)
        until(lambda: len(receiver.requests) == 1)
        (seen,) = receiver.requests
        event = verify(seen.body, seen.headers, "whsec_x")
        assert event.id == f"{task_id}:task.completed"
        headers = {"Authorization": f"Bearer {engine.key}"}
        url = f"{engine.base_url}/v3/generation/text-to-model"
        body = {"prompt": "a rotten egg", "model_version": "P1-20260311", "quad": False}
        answer = plain.post(url, json=body, headers=headers)
        assert (answer.status_code, answer.json()["code"]) == (400, 2008)
        refused = plain.post(url, json={**body, "prompt": "an egg", "quad": True}, headers=headers)
        assert refused.json()["code"] == 1004 and "quad" in refused.json()["message"]
        receiver.reply("POST", "/hook", Reply(204))
        assert ended(engine, create(engine, about="a stale egg"))["error_code"] == 2008
        until(lambda: len(receiver.requests) == 2)


def test_a_data_folder_is_all_that_must_be_given(tmp_path: Path) -> None:
    argv = [sys.executable, str(MAIN), "--data", str(tmp_path / "data")]
    process = subprocess.Popen(argv, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        with process.stdout as output:
            connection = json.loads(output.readline())
        headers = {"Authorization": f"Bearer {connection['key']}"}
        assert plain.get(f"{connection['base_url']}/v3/account/balance", headers=headers).status_code == 200
        assert process.poll() is None  # standard input is closed, and it was not asked to mind that
    finally:
        process.kill()
        process.wait()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--price", "nothing=5"], "no price is called nothing"),
        (["--price", "decimate"], "expected NAME=VALUE"),
        (["--webhook", "http://example.invalid/=whsec_x"], "https address"),
        (["--webhook", "https://example.invalid/"], "expected URL=whsec_"),
        (["--credit-alert", "x"], "not a number"),
        (["--region", "mars"], "invalid choice"),
        (["--price", "decimate=0.001"], "at most two decimals"),
        (["--credits", "many"], "not a number"),
        (["--rate", "none=5"], "none"),
        (["--workers", "0"], "workers is 0"),
        (["--cores", "-1"], "cores is -1"),
        (["--blender", "no json"], "--blender"),
        (["--port", "70000"], "70000"),
    ],
)
def test_arguments_that_make_no_sense_are_a_sentence(tmp_path: Path, arguments: list[str], words: str) -> None:
    ran = run_program(MAIN, *engine_arguments(tmp_path, *arguments))
    assert (ran.returncode, ran.stdout) == (2, "")
    assert words in ran.stderr and "Traceback" not in ran.stderr


def test_a_port_that_is_taken_is_a_sentence(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        ran = subprocess.run(
            command_line(tmp_path, "--port", str(taken.getsockname()[1])),
            stdin=subprocess.PIPE,
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
    assert (ran.returncode, ran.stdout) == (1, "")
    assert "Traceback" not in ran.stderr and "cannot be taken" in ran.stderr


def test_help_needs_no_packages(tmp_path: Path) -> None:
    argv = [sys.executable, "-I", "-S", str(MAIN), "--help"]
    ran = subprocess.run(argv, capture_output=True, text=True, timeout=60, check=False)
    assert ran.returncode == 0 and "--end-with-stdin" in ran.stdout


# --- one engine for a data folder


def test_a_second_engine_points_at_the_first(tmp_path: Path) -> None:
    with engine_process(tmp_path / "data") as first:
        with engine_process(tmp_path / "data", "--api-key", "another") as second:
            assert second.process.wait(20) == 0
            assert second.connection == {**first.connection, "shared": True}
        assert call(first, "GET", "/v3/account/balance")["frozen"] == 0


def test_two_that_start_at_once_become_one(tmp_path: Path) -> None:
    with engine_process(tmp_path / "data") as one, engine_process(tmp_path / "data") as two:
        assert one.connection["port"] == two.connection["port"]


def test_a_service_in_this_process_keeps_others_out_too(tmp_path: Path) -> None:
    with local_engine(tmp_path), pytest.raises(DataDirInUse), local_engine(tmp_path):
        pass
    with local_engine(tmp_path):
        pass


@POSIX
def test_the_note_with_the_key_is_the_users_own_and_goes_at_the_end(tmp_path: Path) -> None:
    note = tmp_path / "data" / "engine.json"
    with engine_process(tmp_path / "data") as engine:
        assert json.loads(note.read_text()) == engine.connection
        assert stat.S_IMODE(note.stat().st_mode) == 0o600
    assert not note.exists()


@POSIX
def test_a_dead_engines_folder_is_taken_over(tmp_path: Path) -> None:
    with engine_process(tmp_path / "data") as first:
        first.process.kill()
        first.process.wait()
        assert (tmp_path / "data" / "engine.json").exists()
        with engine_process(tmp_path / "data") as second:
            assert "shared" not in second.connection
            assert second.key != first.key
            assert call(second, "GET", "/v3/account/balance")["frozen"] == 0


# --- the end


@POSIX
def test_it_ends_with_its_parent_and_so_do_its_engines(tmp_path: Path) -> None:
    with engine_process(tmp_path / "data", "--workers", "1") as engine:
        task_id = create(engine, "hang")
        pid = child_pid(tmp_path / "data", task_id)
        with httpx.Client(verify=False, base_url=engine.base_url) as idle:
            idle.get("/")  # an open connection does not keep it
            engine.stdin.close()
            assert engine.process.wait(20) == 0
        until(lambda: not is_running(pid))


@POSIX
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_it_in_order(tmp_path: Path, number: int) -> None:
    with engine_process(tmp_path / "data") as engine:
        engine.process.send_signal(number)
        assert engine.process.wait(20) == 0
        assert not (tmp_path / "data" / "engine.json").exists()


@POSIX
@pytest.mark.parametrize("killed", [False, True])
def test_a_restart_takes_up_what_was_cut_off(tmp_path: Path, killed: bool) -> None:
    data = tmp_path / "data"
    with engine_process(data, "--workers", "1", "--price", "import_model=3") as first:
        running, queued = create(first, "hang"), create(first)
        pid = child_pid(data, running)
        if killed:
            first.process.kill()
        else:
            first.stdin.close()
        first.process.wait(20)
        until(lambda: not is_running(pid))
    (data / "tasks" / running / "pid").unlink()
    with engine_process(data, "--workers", "1", "--task-timeout", "1") as second:
        assert call(second, "GET", "/v3/account/balance")["frozen"] == 6
        assert ended(second, running)["error_code"] == 1001
        assert ended(second, queued)["status"] == "success"
        assert call(second, "GET", "/v3/account/balance") == {"balance": 999_997, "frozen": 0}


# --- engines that misbehave


def test_engines_that_crash_hang_or_refuse_fail_their_task_only(tmp_path: Path) -> None:
    data = tmp_path / "data"
    with engine_process(data, "--task-timeout", "1.5", "--price", "import_model=3") as engine:
        tasks = {behave: create(engine, behave) for behave in ("crash", "hang", "reject", "work")}
        details = {behave: ended(engine, task_id) for behave, task_id in tasks.items()}
        codes = {behave: task.get("error_code") for behave, task in details.items()}
        assert codes == {"crash": 1000, "hang": 1001, "reject": 2002, "work": None}
        assert "exit code 11" in details["crash"]["error_message"]
        assert details["reject"]["error_message"] == "The model has no faces."
        assert call(engine, "GET", "/v3/account/balance") == {"balance": 999_997, "frozen": 0}
        if sys.platform != "win32":
            assert not is_running(child_pid(data, tasks["hang"]))


@POSIX
def test_a_task_that_ends_the_engine_again_and_again_is_given_up(tmp_path: Path) -> None:
    data = tmp_path / "data"
    task_id = ""
    for _ in range(3):
        with engine_process(data, "--workers", "1", "--price", "import_model=3") as engine:
            task_id = task_id or create(engine, "hang")
            pid = child_pid(data, task_id)
            engine.process.kill()
            engine.process.wait()
            until(lambda pid=pid: not is_running(pid))  # type: ignore[misc]
        (data / "tasks" / task_id / "pid").unlink()
    with engine_process(data, "--workers", "1") as engine:
        given_up = call(engine, "GET", f"/v3/tasks/{task_id}")
        assert (given_up["status"], given_up["error_code"]) == ("failed", 1000)
        assert "ended 3 times" in given_up["error_message"]
        assert call(engine, "GET", "/v3/account/balance")["frozen"] == 0


# --- idle


@LINUX
def test_it_does_nothing_while_idle(tmp_path: Path) -> None:
    with engine_process(tmp_path / "data") as engine:
        ended(engine, create(engine))
        time.sleep(0.3)
        before = wake_ups(engine.process.pid)
        time.sleep(1.0)
        assert wake_ups(engine.process.pid) - before <= 2


def wake_ups(pid: int) -> int:
    """How often any thread of a process has gone back to sleep."""
    total = 0
    for thread in Path(f"/proc/{pid}/task").iterdir():
        lines = (thread / "status").read_text().splitlines()
        total += next(int(line.split()[1]) for line in lines if line.startswith("voluntary_ctxt_switches"))
    return total
