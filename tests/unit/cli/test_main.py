"""The command line against a running engine: what it says, what it writes, and how it ends."""

from __future__ import annotations

import io
import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from asset_generation.addon.cli import follow_jobs, progress
from asset_generation.addon.cli.environment import find_blender
from asset_generation.addon.cli.main import main
from asset_generation.addon.cli.options import command_name
from asset_generation.addon.core.jobs.job import JobView, Stage
from asset_generation.vendor.assetgen.contract import CAPABILITIES, Gives
from asset_generation.vendor.assetgen.contract.webhook_signatures import sign
from asset_generation.vendor.assetgen_local import LocalService
from load_extension import ROOT
from support.core import GatedRunner
from support.events import check_events
from support.fork_server.program import ForkedProgram
from support.services.local_engine import KEY, add_fault, clear_faults, local_engine, recorded, tiny_glb, tiny_png

PROGRAM = ROOT / "scripts" / "assetgen.py"
SCRIPT = (sys.executable, str(PROGRAM))
UNKNOWN = "00000000-0000-0000-0000-000000000000"


@pytest.fixture
def model(tmp_path: Path) -> Path:
    path = tmp_path / "chair.glb"
    path.write_bytes(tiny_glb())
    return path


@pytest.fixture
def service(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> Iterator[LocalService]:
    """A running engine that the environment names; an indirect parameter changes its options."""
    with local_engine(tmp_path, **getattr(request, "param", {})) as running:
        monkeypatch.setenv("ASSETGEN_BASE_URL", running.base_url)
        monkeypatch.setenv("ASSETGEN_API_KEY", KEY)
        monkeypatch.setenv("ASSETGEN_DATA_DIR", str(tmp_path / "data"))
        yield running


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Callable[..., tuple[int, list[dict[str, Any]]]]:
    """Runs a command with --json; gives its exit code and its events."""

    def call(*arguments: object) -> tuple[int, list[dict[str, Any]]]:
        code = main([*map(str, arguments), "--json"])
        told = capsys.readouterr()
        assert told.err == ""
        events = [json.loads(line) for line in told.out.splitlines()]
        check_events(events)
        return code, events

    return call


def ends(events: list[dict[str, Any]], kind: str) -> list[dict[str, Any]]:
    return [event for event in events if event["event"] == kind]


def test_a_model_file_is_decimated_into_a_folder(service: LocalService, run: Any, model: Path, tmp_path: Path) -> None:
    code, events = run("decimate", model, "--face-limit", 5000, "--out", tmp_path / "new" / "folder")
    assert code == 0, events
    (done,) = ends(events, "done")
    assert events[-1] == done
    assert (done["stage"], done["credits"], len(done["tasks"])) == ("applied", "5", 2)
    (saved,) = (tmp_path / "new" / "folder").iterdir()
    assert saved.read_bytes() == tiny_glb()
    assert done["files"] == {"model": str(saved)}
    assert {event["job"] for event in ends(events, "progress")} == {done["job"]}
    (sent,) = recorded(service, path="/v3/mesh/decimate", method="POST")
    assert sent["status"] == 200


VERSION = ["--model-version", "v3.1-20260211"]
COMMANDS: dict[str, list[str]] = {
    "text_to_model": ["--prompt", "a chair", *VERSION],
    "image_to_model": ["--file", "{image}", *VERSION],
    "multiview_to_model": ["--front", "{image}", "--left", "{image}", *VERSION],
    "image_to_splat": ["--file", "{image}"],
    "texture": ["{model}", "--text", "rust"],
    "refine": ["--task", "{text_to_model}"],
    "stylize": ["{model}", "--style", "lego"],
    "convert": ["{model}", "--format", "fbx"],
    "import_model": ["{model}"],
    "rig_check": ["{model}"],
    "rig": ["{model}"],
    "retarget": ["--task", "{rig}", "--animation", "preset:walk"],
    "decimate": ["--task", "{import_model}"],
    "segment": ["{model}", "--ref-image", "{image}"],
    "complete": ["--task", "{segment}", "--part-names", "arm,leg"],
    "smart_segment": ["{model}", "--parameters", '{{"parts": 3}}'],
    "text_to_image": ["--prompt", "a chair"],
    "image_to_image": ["--files", "{image}", "{image}", "--prompt", "both"],
    "image_to_multiview": ["--file", "{image}"],
    "edit_multiview": ["--task", "{image_to_multiview}", "--back", "red"],
}
VIEW_KEYS = {"front_view", "left_view", "back_view", "right_view"}


def test_every_capability_goes_all_the_way(service: LocalService, run: Any, model: Path, tmp_path: Path) -> None:
    image = tmp_path / "chair.png"
    image.write_bytes(tiny_png())
    places = {"model": str(model), "image": str(image)}
    for name, request in CAPABILITIES.items():
        out = tmp_path / "out" / name
        target = [] if request.gives is Gives.ANSWER or name == "import_model" else ["--out", out]
        arguments = [argument.format(**places) for argument in COMMANDS[name]]
        code, events = run(command_name(request), *arguments, *target)
        assert code == 0, f"{name}: {events[-1]}"
        done = events[-1]
        places[name] = done["tasks"][-1]
        keys = {Gives.IMAGES: {"generated_image"}, Gives.ANSWER: set()}.get(request.gives, {"model"})
        keys = VIEW_KEYS if request.gives is Gives.IMAGES and "multiview" in name else keys
        keys = set() if name == "import_model" else keys
        assert set(done["files"]) == keys, name
        assert {str(path) for path in out.glob("*")} == set(done["files"].values()), name
        assert done["answer"] == ("Riggable: biped" if request.gives is Gives.ANSWER else "")


def test_an_answer_is_printed(service: LocalService, model: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rig-check", str(model)]) == 0
    assert capsys.readouterr().out == "Riggable: biped\n"


def test_people_see_lines_and_scripts_read_paths(
    service: LocalService, model: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["decimate", str(model), "--face-limit", "5000", "--out", str(tmp_path / "new")]) == 0
    told = capsys.readouterr()
    assert "Decimate chair: Fetching the result" in told.err
    assert "5 credits" in told.err
    assert told.out == f"{tmp_path / 'new' / 'Decimate chair.glb'}\n"
    assert main(["decimate", str(model), "--face-limit", "5000", "--out", str(tmp_path / "new")]) == 0
    assert capsys.readouterr().out in (f"{path}\n" for path in (tmp_path / "new").iterdir())


def test_a_finished_task_is_worked_on_without_another_upload(
    service: LocalService, run: Any, model: Path, tmp_path: Path
) -> None:
    code, events = run("import-model", model)
    assert code == 0, events
    (task,) = ends(events, "done")[0]["tasks"]
    code, events = run("convert", "--task", task, "--format", "stl", "--out", tmp_path / "new")
    assert code == 0, events
    assert len(ends(events, "done")[0]["tasks"]) == 1
    assert len(recorded(service, path="/v3/files", method="POST")) == 1


def test_an_imported_model_is_shown_by_its_task(
    service: LocalService, model: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["import-model", str(model)]) == 0
    (task,) = capsys.readouterr().out.splitlines()
    assert main(["tasks", "show", task]) == 0
    lines = capsys.readouterr().out
    assert f"task: {task}" in lines
    assert "type: import-model" in lines
    assert "status: success" in lines
    assert "model: http://127.0.0.1" in lines


def test_an_unknown_task_is_told(service: LocalService, run: Any, model: Path) -> None:
    task = ends(run("import-model", model)[1], "done")[0]["tasks"][0]
    code, events = run("tasks", "show", task, UNKNOWN)
    assert code == 1
    assert ends(events, "task")[0]["task"]["status"] == "success"
    assert UNKNOWN in ends(events, "error")[0]["message"]


def test_bad_input_is_refused_before_anything_is_sent(
    service: LocalService, model: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = len(recorded(service))
    assert main(["decimate", str(model), "--face-limit", "100"]) == 2
    told = capsys.readouterr()
    assert told.err.startswith("--face-limit: Face Limit is 100; allowed: 500 to 20000")
    assert told.out == ""
    assert recorded(service)[before:] == []


def test_a_wrong_key_is_exit_code_3(
    service: LocalService, run: Any, model: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ASSETGEN_API_KEY", "of-another-region")
    for arguments in (("decimate", model), ("account", "balance")):
        code, events = run(*arguments)
        assert code == 3, events
        assert events[-1]["exit_code"] == 3
        assert "of-another-region" not in json.dumps(events)


@pytest.mark.parametrize("service", [{"credits": Decimal(1)}], indirect=True)
def test_an_empty_account_is_exit_code_4(service: LocalService, run: Any, model: Path, tmp_path: Path) -> None:
    code, events = run("decimate", model, "--out", tmp_path)
    assert code == 4, events
    assert "credits" in events[-1]["message"]


def test_no_service_is_exit_code_5(run: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("ASSETGEN_BASE_URL", "http://127.0.0.1:9")
    monkeypatch.setenv("ASSETGEN_API_KEY", KEY)
    monkeypatch.setenv("ASSETGEN_DATA_DIR", str(tmp_path))
    code, events = run("account", "balance")
    assert code == 5, events


def test_a_service_without_a_key_is_exit_code_3(run: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("ASSETGEN_BASE_URL", "http://127.0.0.1:9")
    monkeypatch.setenv("ASSETGEN_DATA_DIR", str(tmp_path))
    code, events = run("account", "balance")
    assert code == 3, events


def test_without_a_blender_the_local_engine_is_not_begun_with(
    run: Any, model: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("ASSETGEN_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.setattr("asset_generation.addon.cli.environment.find_blender", lambda environment: None)
    monkeypatch.delitem(sys.modules, "bpy", raising=False)
    code, events = run("decimate", model)
    assert code == 2, events
    assert "BLENDER" in events[-1]["message"]
    assert not (tmp_path / "data").exists()


def test_a_failed_job_says_how_to_go_on_and_does(service: LocalService, run: Any, model: Path, tmp_path: Path) -> None:
    add_fault(service, "task", path="/v3/mesh/decimate", status="failed", error_code=2008)
    code, events = run("decimate", model, "--out", tmp_path / "new")
    assert code == 1, events
    failed = events[-1]
    assert "moderation" in failed["message"]
    assert f"assetgen jobs retry {failed['job']}" in failed["message"]
    code, events = run("jobs", "list")
    assert (code, [event["stage"] for event in events]) == (0, ["failed"])
    assert events[0]["actions"] == ["dismiss", "retry"]
    code, events = run("jobs", "retry", failed["job"])
    assert code == 0, events
    assert len(list((tmp_path / "new").iterdir())) == 1
    code, events = run("jobs", "dismiss", failed["job"])
    assert (code, events[-1]["event"]) == (0, "dismissed")
    assert run("jobs", "list") == (0, [])
    assert len(list((tmp_path / "new").iterdir())) == 1


def test_a_lost_answer_that_cannot_be_settled_is_exit_code_6(
    service: LocalService, run: Any, model: Path, tmp_path: Path
) -> None:
    task = ends(run("import-model", model)[1], "done")[0]["tasks"][0]
    add_fault(service, "drop_after", path="/v3/mesh/decimate", method="POST")
    add_fault(service, "status", path="/v3/account/usage", method="GET", status=404, code=4001, times=None)
    code, events = run("decimate", "--task", task, "--out", tmp_path)
    assert code == 6, events
    uncertain = events[-1]
    for action in ("look-again", "resend", "forget"):
        assert f"assetgen jobs {action} {uncertain['job']}" in uncertain["message"]
    # It is looked for again, and still cannot be found out.
    assert run("jobs", "look-again", uncertain["job"])[0] == 6
    assert len(recorded(service, "/v3/mesh/decimate", "POST")) == 1
    code, events = run("jobs", "forget", uncertain["job"])
    assert (code, events[-1]["stage"]) == (0, "stopped")


@contextmanager
def another_program(arguments: list[str]) -> Iterator[subprocess.Popen[str]]:
    """The command line in a process of its own, which ends with the test also when that fails."""
    with ForkedProgram[str](PROGRAM, *arguments, stdout=subprocess.PIPE, text=True) as other:
        try:
            yield other
        finally:
            other.kill()


@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGINT to send to a process")
@pytest.mark.parametrize(("action", "fault", "sent"), [("look-again", "drop_after", 1), ("resend", "drop_before", 2)])
def test_a_search_that_was_interrupted_can_be_asked_to_look_or_to_send(
    service: LocalService, run: Any, model: Path, tmp_path: Path, action: str, fault: str, sent: int
) -> None:
    task = ends(run("import-model", model)[1], "done")[0]["tasks"][0]
    add_fault(service, fault, path="/v3/mesh/decimate", method="POST")
    add_fault(service, "status", path="/v3/account/usage", method="GET", status=503, times=None)
    arguments = ["decimate", "--task", task, "--out", str(tmp_path), "--json"]
    with another_program(arguments) as other:
        assert other.stdout is not None
        for line in other.stdout:
            event = json.loads(line)
            if "An answer was lost" in line:
                break
        # While another program looks, it is that one's to do.
        code, events = run("jobs", action, event["job"])
        assert (code, "another" in events[-1]["message"]) == (2, True), events
        other.send_signal(signal.SIGINT)
        other.communicate(timeout=30)
    clear_faults(service)
    code, events = run("jobs", action, event["job"])
    assert code == 0, events
    assert len(recorded(service, path="/v3/mesh/decimate", method="POST")) == sent


def test_a_job_can_be_stopped_from_elsewhere(service: LocalService, run: Any, model: Path, tmp_path: Path) -> None:
    add_fault(service, "task", path="/v3/mesh/decimate", status="running")
    arguments = ["decimate", str(model), "--out", str(tmp_path), "--json"]
    with another_program(arguments) as other:
        assert other.stdout is not None
        for line in other.stdout:
            event = json.loads(line)
            if len(event["tasks"]) == 2:
                break
        code, events = run("jobs", "stop", event["job"])
        assert (code, events[-1]["stage"]) == (0, "stopped")
        assert other.wait(30) != 0


def test_actions_on_jobs_that_are_not_there(service: LocalService, run: Any) -> None:
    code, events = run("jobs", "retry", "20260101-000000-00000000")
    assert code == 2
    assert "There is no job" in events[-1]["message"]


def test_an_action_that_does_not_fit_is_refused(service: LocalService, run: Any, model: Path) -> None:
    job = ends(run("import-model", model)[1], "done")[0]["job"]
    for action in ("retry", "stop", "resend"):
        code, events = run("jobs", action, job)
        assert code == 2, events


def test_files_are_uploaded(service: LocalService, run: Any, model: Path, tmp_path: Path) -> None:
    code, events = run("files", "upload", model, model)
    assert code == 0
    tokens = [event["file_token"] for event in ends(events, "uploaded")]
    assert len(set(tokens)) == 2
    code, events = run("import-model", tokens[0])
    assert code == 0, events
    code, events = run("files", "upload", tmp_path / "missing.glb")
    assert code == 2
    assert "There is no file" in events[-1]["message"]


def test_the_account_is_shown(service: LocalService, run: Any, model: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for _ in range(3):
        run("import-model", model)
    assert run("account", "balance")[1] == [{"event": "balance", "message": "", "balance": "1000000", "frozen": "0"}]
    assert len(run("account", "usage")[1]) == 3
    assert len(run("account", "usage", "--limit", 2)[1]) == 2
    assert len(run("account", "usage", "--limit", 0)[1]) == 3
    assert main(["account", "usage"]) == 0
    told = capsys.readouterr()
    assert (told.out.count("import-model"), told.err) == (3, "")


BODY = b'{"id": "t:balance.low", "type": "balance.low", "data": {"balance": 1.5, "threshold": 50}}'


def webhook(tmp_path: Path, *, at: float, secret: str = "whsec_a") -> list[object]:
    body = tmp_path / "body.json"
    body.write_bytes(BODY)
    headers = [f"Service-Webhook-Signature: {sign(BODY, secret, int(at))}", "service-webhook-event: balance.low"]
    return ["webhooks", "verify", body, *(word for header in headers for word in ("--header", header))]


def test_a_delivery_is_checked(run: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    code, events = run(*webhook(tmp_path, at=time.time()), "--secret", "whsec_a")
    assert code == 0, events
    assert events[0]["webhook"]["data"] == {"balance": "1.5", "threshold": "50"}
    monkeypatch.setenv("ASSETGEN_WEBHOOK_SECRET", "whsec_a")
    assert run(*webhook(tmp_path, at=time.time()))[0] == 0
    assert run(*webhook(tmp_path, at=1e9), "--any-time")[0] == 0
    code, events = run(*webhook(tmp_path, at=1e9))
    assert (code, events[-1]["refusal"]) == (1, "TimestampOutsideWindow")
    code, events = run(*webhook(tmp_path, at=time.time(), secret="whsec_b"))
    assert (code, events[-1]["refusal"]) == (1, "SignatureMismatch")


def test_a_check_that_cannot_be_made(run: Any, tmp_path: Path) -> None:
    assert run(*webhook(tmp_path, at=0))[0] == 2
    assert run("webhooks", "verify", tmp_path / "missing", "--secret", "whsec_a")[0] == 2
    assert run("webhooks", "verify", tmp_path / "missing", "--header", "nonsense")[0] == 2


def test_an_interrupted_command_leaves_its_job_to_the_next_one(
    model: Path, tmp_path: Path, run: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    gated = GatedRunner()
    with local_engine(tmp_path, runner=gated) as service:
        monkeypatch.setenv("ASSETGEN_BASE_URL", service.base_url)
        monkeypatch.setenv("ASSETGEN_API_KEY", KEY)
        monkeypatch.setenv("ASSETGEN_DATA_DIR", str(tmp_path / "data"))
        arguments = ["decimate", str(model), "--out", str(tmp_path / "new"), "--json"]
        with ForkedProgram[str](
            PROGRAM, *arguments, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        ) as other:
            assert other.stdout is not None
            for line in other.stdout:
                if len(json.loads(line)["tasks"]) == 2:
                    break
            other.send_signal(signal.SIGINT)
            rest, errors = other.communicate(timeout=30)
        assert other.returncode == 130, errors
        assert errors == ""
        assert "assetgen jobs wait" in json.loads(rest.splitlines()[-1])["message"]
        assert [event["stage"] for event in run("jobs", "list")[1]] == ["wait"]
        gated.gate.set()
        code, events = run("jobs", "wait")
        assert code == 0, events
        assert len(list((tmp_path / "new").iterdir())) == 1
        assert len(recorded(service, path="/v3/mesh/decimate", method="POST")) == 1, "nothing is paid twice"
        assert run("jobs", "wait") == (0, [])
        assert run("jobs", "wait", events[-1]["job"])[0] == 0


def test_a_reader_who_has_seen_enough_is_no_error(service: LocalService, run: Any, model: Path) -> None:
    run("import-model", model)
    with subprocess.Popen([*SCRIPT, "account", "usage"], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as other:
        assert other.stdout is not None
        assert other.stderr is not None
        other.stdout.close()
        assert other.stderr.read() == b""
        other.wait(30)


def test_the_script_is_the_same_program(service: LocalService, model: Path, tmp_path: Path) -> None:
    arguments = ["decimate", str(model), "--face-limit", "5000", "--out", "new", "--json"]
    done = subprocess.run([*SCRIPT, *arguments], cwd=tmp_path, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout.splitlines()[-1])["event"] == "done"
    assert len(list((tmp_path / "new").iterdir())) == 1


def test_no_command_needs_bpy() -> None:
    code = (
        f"import sys; sys.path.insert(0, {str(ROOT / 'scripts')!r})\n"
        "sys.modules['bpy'] = None\n"
        "import runpy; sys.argv[1:] = ['--help']\n"
        f"runpy.run_path({str(ROOT / 'scripts' / 'assetgen.py')!r}, run_name='__main__')\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr


def test_where_a_blender_is_looked_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert find_blender({"BLENDER": "/somewhere/blender"}).prefix[0] == "/somewhere/blender"  # type: ignore[union-attr]
    program = tmp_path / "blender"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    assert find_blender({"PATH": str(tmp_path)}).prefix[0] == str(program)  # type: ignore[union-attr]
    assert find_blender({"PATH": os.devnull}) is None


def test_a_bar_stands_on_a_terminal_and_results_beside_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")

    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    stream, output = Terminal(), io.StringIO()
    show = progress.reporter(as_json=False, stream=stream, output=output)
    show.job(JobView("job", "Chair", Stage.WAIT, 0.4, "Decimate: 40%"))
    show.result("done", "Chair: Done", ["/tmp/chair.glb"])
    show.close()
    assert "Chair: Decimate: 40%" in stream.getvalue()
    assert "40% |" in stream.getvalue()
    assert stream.getvalue().endswith("Chair: Done\n")
    assert output.getvalue() == "/tmp/chair.glb\n"


@pytest.mark.parametrize("as_json", [True, False])
def test_the_end_of_a_job_says_which_words_were_understood(as_json: bool) -> None:
    words = "Understood: table; not understood: lamp"
    job = JobView("job", "Table", Stage.APPLIED, 1.0, "Done", result="/tmp/table.glb", understood=words)
    stream, output = io.StringIO(), io.StringIO()
    assert follow_jobs.report(job, progress.reporter(as_json=as_json, stream=stream, output=output)) == 0
    if as_json:
        assert json.loads(stream.getvalue())["understood"] == words
    else:
        assert stream.getvalue().rstrip(".\n").endswith(words)
        assert output.getvalue() == "/tmp/table.glb\n", "for scripts, as before"


def test_characters_that_a_terminal_does_not_know_are_written_otherwise() -> None:
    raw = io.BytesIO()
    output = io.TextIOWrapper(raw, encoding="ascii")
    progress.reporter(as_json=False, stream=io.StringIO(), output=output).result("done", "", ["/tmp/B\u00e4r.glb"])
    assert raw.getvalue() == b"/tmp/B\\xe4r.glb\n"


# Storage


@pytest.fixture
def old_job(service: LocalService, run: Any, model: Path, tmp_path: Path) -> str:
    """A job of forty days ago, whose result was copied into a folder."""
    code, events = run("decimate", model, "--out", tmp_path / "out")
    assert code == 0, events
    job_id = str(events[-1]["job"])
    with closing(sqlite3.connect(tmp_path / "data" / "journal.sqlite3", isolation_level=None)) as connection:
        connection.execute("UPDATE jobs SET created_at = created_at - 40 * 86400")
    return job_id


def bytes_of(tmp_path: Path, job_id: str) -> int:
    """What the files of a job take."""
    return sum(path.stat().st_size for path in (tmp_path / "data" / "results" / job_id).rglob("*") if path.is_file())


def test_storage_lists_what_results_take(
    run: Any, old_job: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, events = run("storage", "list")
    assert code == 0
    (stored,) = ends(events, "stored")
    assert (stored["job"], stored["never_used"], stored["stays"]) == (old_job, False, "")
    assert stored["bytes"] == bytes_of(tmp_path, old_job) > len(tiny_glb())
    (whole,) = ends(events, "storage")
    assert [group["number"] for group in whole["groups"]] == [0, 0, 0, 1, 1]
    assert main(["storage", "list"]) == 0
    told = capsys.readouterr().out.splitlines()
    assert told[0].startswith(old_job) and told[0].endswith(": used")
    assert told[4].split()[:2] == ["Older:", "1"]


def test_storage_deletes_only_what_was_confirmed(run: Any, old_job: str, tmp_path: Path) -> None:
    folder, size = tmp_path / "data" / "results" / old_job, bytes_of(tmp_path, old_job)
    code, (asked,) = run("storage", "delete", "--older-than", 30)
    assert (code, asked["event"], [item["job"] for item in asked["results"]]) == (0, "question", [old_job])
    assert folder.is_dir()
    code, (done,) = run("storage", "delete", "--older-than", 60, "--yes")
    assert (code, done["jobs"]) == (0, [])
    code, (done,) = run("storage", "delete", "--older-than", 30, "--yes")
    assert (code, done["jobs"], done["bytes"]) == (0, [old_job], size)
    assert not folder.exists()
    assert list((tmp_path / "out").iterdir()), "what is in the user's own folder stays"
    assert [event["text"] for event in ends(run("jobs", "list")[1], "job")] == ["Its files were deleted"]


def test_storage_deletes_one_unused_result_when_it_is_named(run: Any, old_job: str, tmp_path: Path) -> None:
    job_id = old_job
    with closing(sqlite3.connect(tmp_path / "data" / "journal.sqlite3", isolation_level=None)) as connection:
        connection.execute("UPDATE jobs SET used_at = 0")
    assert run("storage", "delete", "--older-than", 30, "--yes")[1][0]["jobs"] == []
    code, (done,) = run("storage", "delete", job_id)
    assert (code, done["event"]) == (0, "question")
    assert run("storage", "delete", "no-such-job", "--yes")[0] == 2
    code, (done,) = run("storage", "delete", job_id, "--yes")
    assert (code, done["jobs"]) == (0, [job_id])
    assert not (tmp_path / "data" / "results" / job_id).exists()


@pytest.mark.parametrize("arguments", [[], ["x", "--older-than", "3"], ["--older-than", "0"], ["--older-than", "old"]])
def test_storage_needs_to_know_what_to_delete(run: Any, arguments: list[str]) -> None:
    assert run("storage", "delete", *arguments)[0] == 2


def test_storage_puts_a_dismissed_job_back_on_the_list(run: Any, old_job: str) -> None:
    assert run("jobs", "dismiss", old_job)[0] == 0
    assert old_job not in [event["job"] for event in run("jobs", "list")[1]]
    assert run("storage", "restore", old_job)[0] == 0
    assert old_job in [event["job"] for event in run("jobs", "list")[1]]
    assert run("storage", "restore", old_job)[0] == 2
