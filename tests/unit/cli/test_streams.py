"""Streams for programs: a prompt on the standard input, a log with ids and without the key, colours, exit codes."""

from __future__ import annotations

import io
import json
import os
import pty
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest
from asset_generation.addon.cli.main import main
from asset_generation.addon.cli.parsing import EXIT_CODES, EXIT_MEANINGS
from asset_generation.addon.core.status.error_messages import ExitCode
from asset_generation.vendor.assetgen_local import LocalService
from load_extension import ROOT
from support.fork_server.program import run_program
from support.services.local_engine import KEY, add_fault, ask, local_engine, tiny_glb

SCRIPT = ROOT / "scripts" / "assetgen.py"
VERSION = ["--model-version", "v3.1-20260211"]


@pytest.fixture
def service(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[LocalService]:
    with local_engine(tmp_path) as running:
        monkeypatch.setenv("ASSETGEN_BASE_URL", running.base_url)
        monkeypatch.setenv("ASSETGEN_API_KEY", KEY)
        monkeypatch.setenv("ASSETGEN_DATA_DIR", str(tmp_path / "data"))
        yield running


def type_in(monkeypatch: pytest.MonkeyPatch, content: bytes) -> None:
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(content)))


def test_a_prompt_comes_from_the_standard_input(
    service: LocalService, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    type_in(monkeypatch, "ein roter Stuhl – mit Armlehnen 椅子\n".encode())
    assert main(["text-to-model", "--prompt", "-", *VERSION, "--out", str(tmp_path), "--json"]) == 0
    (task_id,) = json.loads(capsys.readouterr().out.splitlines()[-1])["tasks"]
    made = ask(service, "GET", f"/v3/tasks/{task_id}")
    assert made["input"]["prompt"] == "ein roter Stuhl – mit Armlehnen 椅子"


@pytest.mark.parametrize(
    ("content", "arguments", "words"),
    [
        (b"", ["--prompt", "-"], "nothing on the standard input"),
        (b"a chair", ["--prompt", "-", "--negative-prompt", "-"], "--negative-prompt.*can be read once"),
        (b"\xff\xfe", ["--prompt", "-"], "no text in UTF-8"),
        (b"x" * 5000, ["--prompt", "-"], "1024"),
    ],
)
def test_what_cannot_be_a_prompt_is_refused(
    service: LocalService,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    content: bytes,
    arguments: list[str],
    words: str,
) -> None:
    type_in(monkeypatch, content)
    assert main(["text-to-model", *arguments, *VERSION]) == 2
    assert re.search(words, capsys.readouterr().err)


@pytest.mark.parametrize("by", ["option", "variable"])
def test_a_log_has_the_ids_and_never_the_key(
    service: LocalService, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, by: str
) -> None:
    log = tmp_path / "what happened.log"
    log.write_text("before\n", encoding="utf-8")
    arguments = ["--log", str(log)] if by == "option" else []
    if by == "variable":
        monkeypatch.setenv("ASSETGEN_LOG", str(log))
    model = tmp_path / "chair.glb"
    model.write_bytes(tiny_glb())
    message = f"the key {KEY} is wrong"  # a service that repeats it
    add_fault(service, "status", "/v3/mesh/decimate", status=400, code=1004, message=message)
    assert main(["decimate", str(model), "--out", str(tmp_path), "--json", *arguments]) == 2
    assert main(["decimate", str(model), "--out", str(tmp_path), "--json", *arguments]) == 0
    text = log.read_text(encoding="utf-8")
    lines = text.splitlines()
    assert lines[0] == "before"
    assert KEY not in text
    stamp = r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z (DEBUG|INFO|WARNING|ERROR) [\w.]+: "
    assert all(
        re.match(stamp, line) for line in lines[1:] if not line.startswith((" ", "Traceback", "asset_generation"))
    )
    created = re.search(r"job (\S+): created the task (\S+) \(decimate\) by request (\S+)", text)
    assert created is not None
    job, task, request = created.groups()
    assert re.search(rf"POST /v3/mesh/decimate \[{request}\] try 1: 200", text), "what was sent, under its id"
    assert re.search(rf"done job={job} tasks=\S*{task} ", text)
    assert re.search(r"error job=\S+ tasks=\S+ request_id=\S+ ", text)


def test_a_log_that_cannot_be_written_is_said_before_anything_is_sent(
    service: LocalService, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    assert main(["account", "balance", "--log", str(tmp_path / "nowhere" / "log")]) == 2
    assert "--log" in capsys.readouterr().err


@pytest.mark.parametrize(("variables", "colored"), [({}, True), ({"NO_COLOR": "1"}, False), ({"TERM": "dumb"}, False)])
def test_a_terminal_shows_colours_unless_they_are_not_wanted(
    service: LocalService, tmp_path: Path, variables: dict[str, str], colored: bool
) -> None:
    environment = {**os.environ, "TERM": "xterm", **variables}
    if "NO_COLOR" not in variables:
        environment.pop("NO_COLOR", None)
    ours, theirs = pty.openpty()
    done = run_program(SCRIPT, "jobs", "again", "no-such-job", stderr=theirs, env=environment)
    os.close(theirs)
    shown = os.read(ours, 65536).decode()
    os.close(ours)
    assert (done.returncode, done.stdout) == (2, "")
    assert "no-such-job" in shown
    assert ("\x1b[31m" in shown) is colored
    assert ("\x1b" in shown) is colored


def test_every_exit_code_has_its_meaning_in_the_help_and_in_the_guide() -> None:
    assert set(EXIT_MEANINGS) == set(ExitCode)
    page = (ROOT / "docs" / "command_line.md").read_text(encoding="utf-8")
    for code in ExitCode:
        assert f"{int(code)} {EXIT_MEANINGS[code]}" in EXIT_CODES.replace("\n", " ")
        assert f"\n| {int(code)} |" in page
