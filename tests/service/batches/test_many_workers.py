"""Several programs on one table, as on several computers: they share the table, the folder and nothing else."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from asset_generation.addon.core.batches.folder import read_result
from asset_generation.addon.core.claims import begun, claim_file
from asset_generation.addon.core.claims.begun import Begun, BegunStep
from asset_generation.addon.core.limits.timeouts import Timing
from asset_generation.vendor.assetgen_local import LocalService
from load_extension import ROOT
from support.core import wait_until
from support.services.local_engine import KEY, ask, instant_runner, local_engine, recorded, tiny_glb

CREATE = "/v3/generation/text-to-model"
VERSION = "v3.1-20260211"
CLAIM_SECONDS = 6
SECONDS = 90.0
SILENT_SECONDS = SECONDS + Timing().lost_request
"""After so long without another row that has ended nothing more will come. A program that is killed between the note of
its request and its sending leaves a row of which the next one sends nothing until no request can be under way any more.
"""

_WRONG_CLOCK = """
import sys, time
true_time = time.time
time.time = lambda: true_time() + {days} * 86400.0
sys.path.insert(0, {scripts!r})
sys.argv[0] = "assetgen"
import runpy
runpy.run_path({script!r}, run_name="__main__")
"""


class SlowRunner:
    """Every task takes as long as the test says, and its prompt is counted."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self.prompts: Counter[str] = Counter()

    def __call__(self, request: Mapping[str, Any], *, on_progress: Any, stopped: Callable[[], bool]) -> dict[str, Any]:
        self.prompts[str(request["body"].get("prompt", request["type"]))] += 1
        deadline = time.monotonic() + self.seconds
        while (left := deadline - time.monotonic()) > 0 and not stopped():
            time.sleep(min(left, 0.1))
        return instant_runner(request, on_progress=on_progress, stopped=stopped)


class Workers:
    """Programs that work on one table, each with a data folder of its own."""

    def __init__(self, service: LocalService, tmp_path: Path) -> None:
        self.service = service
        self.tmp_path = tmp_path
        self.processes: list[subprocess.Popen[bytes]] = []

    def start(self, table: Path, *options: object, days: float = 0.0, data: str = "") -> subprocess.Popen[bytes]:
        """Starts one more; ``days`` is by how much its clock is wrong."""
        number = len(self.processes)
        script = str(ROOT / "scripts" / "assetgen.py")
        code = _WRONG_CLOCK.format(days=days, scripts=str(ROOT / "scripts"), script=script)
        environment = os.environ | {
            "ASSETGEN_BASE_URL": self.service.base_url,
            "ASSETGEN_API_KEY": KEY,
            "ASSETGEN_DATA_DIR": str(self.tmp_path / (data or f"data-{number}")),
        }
        arguments = ["batch", str(table), "--out", str(self.tmp_path / "out"), "--claim-seconds", str(CLAIM_SECONDS)]
        with (self.tmp_path / f"log-{number}").open("wb") as log:
            process = subprocess.Popen(
                [sys.executable, "-c", code, *arguments, "--json", *map(str, options)],
                stdout=log,
                stderr=subprocess.STDOUT,
                env=environment,
                stdin=subprocess.DEVNULL,
            )
        self.processes.append(process)
        return process

    def log(self, number: int) -> str:
        """What a program has written."""
        return (self.tmp_path / f"log-{number}").read_text(errors="replace")

    def wait(self, number: int) -> int:
        """The exit code of a program, which goes on for as long as rows end."""
        ended = -1
        while (now_ended := self.ended()) > ended:
            ended = now_ended
            with contextlib.suppress(subprocess.TimeoutExpired):
                return self.processes[number].wait(SILENT_SECONDS)
        raise AssertionError(f"no row has ended for {SILENT_SECONDS} s:\n{self.log(number)[-3000:]}")

    def ended(self) -> int:
        """How many rows have ended."""
        return len(list((self.tmp_path / "out").glob("*/row.json")))

    def end(self) -> None:
        """Ends those that are left."""
        for process in self.processes:
            if process.poll() is None:
                process.kill()
            process.wait(10)


@pytest.fixture
def runner() -> SlowRunner:
    return SlowRunner(1.5)


@pytest.fixture
def workers(tmp_path: Path, runner: SlowRunner) -> Iterator[Workers]:
    with local_engine(tmp_path, runner=runner, workers=64) as service:
        found = Workers(service, tmp_path)
        try:
            yield found
        finally:
            found.end()


def table_of(tmp_path: Path, count: int) -> Path:
    table = tmp_path / "table.csv"
    rows = [f"row-{number},text_to_model,chair {number},{VERSION}" for number in range(count)]
    table.write_text("\n".join(["id,capability,prompt,model_version", *rows]) + "\n")
    return table


def tasks_by_prompt(service: LocalService) -> Counter[str]:
    """How many tasks the service has for each prompt: what is paid."""
    ids = [row["task_id"] for row in ask(service, "GET", "/v3/account/usage?limit=200")["items"]]
    found: Counter[str] = Counter()
    for first in range(0, len(ids), 100):
        answer = ask(service, "POST", "/v3/tasks/list", {"task_ids": ids[first : first + 100]})
        found.update(str(task["input"].get("prompt")) for task in answer["tasks"].values())
    return found


def assert_each_once(workers: Workers, count: int) -> None:
    assert tasks_by_prompt(workers.service) == {f"chair {number}": 1 for number in range(count)}
    for number in range(count):
        result = read_result(workers.tmp_path / "out" / f"row-{number}")
        assert result is not None, f"row-{number}"
        assert result.state == "done"
        folder = workers.tmp_path / "out" / f"row-{number}"
        # A program that was killed right after the end of a row may have left its claim and its notes.
        assert {path.name for path in folder.iterdir() if path.name[0] != "."} == {"row.json", f"row-{number}.glb"}


@pytest.mark.slow
def test_two_of_four_are_killed_and_the_others_finish_without_paying_twice(workers: Workers, tmp_path: Path) -> None:
    count = 60
    table = table_of(tmp_path, count)
    for days in (0.0, 3.0, -3.0, 0.0):  # two of them with a clock that is days off
        workers.start(table, "--at-once", 8, days=days)
    wait_until(lambda: all('"stage": "wait"' in workers.log(number) for number in range(4)), SECONDS)
    wait_until(lambda: workers.ended() >= count // 6, SECONDS)
    for number in (0, 1):
        workers.processes[number].send_signal(signal.SIGKILL)
    left = [claim for path in (tmp_path / "out").glob("row-*") if (claim := claim_file.latest(path))]
    assert left, "nobody had a row when the two were killed"
    assert [workers.wait(number) for number in (2, 3)] == [0, 0], workers.log(2)[-2000:] + workers.log(3)[-2000:]
    assert_each_once(workers, count)
    report = [json.loads(line) for line in workers.log(3).splitlines()][-1]
    assert report["states"]["done"] == count
    assert len((tmp_path / "out" / "report.csv").read_text("utf-8-sig").splitlines()) == count + 1


def test_a_task_whose_id_was_never_written_is_found_by_its_marker(
    workers: Workers, runner: SlowRunner, tmp_path: Path
) -> None:
    """As a computer leaves it that loses its power between the request and the answer."""
    runner.seconds = 0.1
    table = table_of(tmp_path, 2)
    out = tmp_path / "out"
    service = workers.service
    marker = "0123456789abcdef0123456789abcdef"
    body = {"prompt": "chair 0", "model_version": VERSION, "client_request_id": marker}
    ask(service, "POST", CREATE, body)
    asked = _asked(table, out)
    step = BegunStep("text_to_model", "request", marker)
    begun.write(out / "row-0", Begun("dead-job", service.base_url.removeprefix("http://"), asked, (step,)), safely=True)
    claim = claim_file.make(out / "row-0", 1, "dead-job", "dead-owner@elsewhere")
    assert claim is not None
    # What it had saved by then of another row, without being able to say so, is no reason for a second copy.
    (out / "row-1").mkdir()
    (out / "row-1" / "row-1.glb").write_bytes(tiny_glb())
    past = time.time() - 10 * CLAIM_SECONDS
    os.utime(claim.path(out / "row-0"), (past, past))
    workers.start(table, days=1.0)
    assert workers.wait(0) == 0, workers.log(0)
    assert_each_once(workers, 2)


def test_what_was_begun_goes_on_at_the_step_that_it_had_reached(
    workers: Workers, runner: SlowRunner, tmp_path: Path
) -> None:
    runner.seconds = 0.1
    (tmp_path / "in.glb").write_bytes(tiny_glb())
    table = tmp_path / "table.csv"
    table.write_text("id,capability,input,face_limit\nbowl,decimate,in.glb,500\n")
    service, out = workers.service, tmp_path / "out"
    first = workers.start(table)
    assert workers.wait(0) == 0, workers.log(0)
    result = read_result(out / "bowl")
    assert result is not None
    # As another computer would have left it after the first of the two steps.
    imported, _ = result.tasks
    (out / "bowl" / "row.json").unlink()
    steps = (BegunStep("import_model", task_id=imported, task_type="import_model"),)
    known = Begun("dead-job", service.base_url.removeprefix("http://"), result.asked, steps)
    begun.write(out / "bowl", known, safely=True)
    workers.start(table)
    assert workers.wait(1) == 0, workers.log(1)
    assert len(recorded(service, "/v3/models/import")) == 1, "it was not imported again"
    assert len(recorded(service, "/v3/mesh/decimate")) == 2
    assert first.returncode == 0


def test_a_killed_program_goes_on_at_once_when_it_is_started_again(
    workers: Workers, runner: SlowRunner, tmp_path: Path
) -> None:
    """On the same computer nobody waits until a claim is old: that its owner is dead is known there."""
    table = table_of(tmp_path, 6)
    workers.start(table, "--claim-seconds", 3600, data="same")
    wait_until(lambda: len(recorded(workers.service, CREATE)) >= 6, SECONDS)
    workers.processes[0].send_signal(signal.SIGKILL)
    workers.processes[0].wait(10)
    runner.seconds = 0.1
    workers.start(table, data="same")
    assert workers.wait(1) == 0, workers.log(1)
    assert_each_once(workers, 6)


def test_a_row_that_another_program_has_is_left_alone_while_that_one_lives(
    workers: Workers, runner: SlowRunner, tmp_path: Path
) -> None:
    runner.seconds = 0.1
    table = table_of(tmp_path, 3)
    folder = tmp_path / "out" / "row-1"
    claim = claim_file.make(folder, 1, "their-job", "somebody@elsewhere")
    assert claim is not None
    workers.start(table)
    # It lives from the start: on a busy machine the other rows take longer than a claim may be old.
    wait_until(lambda: claim_file.touch(folder, claim) and workers.ended() == 2, SECONDS)
    for _ in range(2 * CLAIM_SECONDS):
        assert claim_file.touch(folder, claim)
        time.sleep(0.5)
    assert tasks_by_prompt(workers.service).keys() == {"chair 0", "chair 2"}
    claim_file.give_back(folder, claim)
    assert workers.wait(0) == 0, workers.log(0)
    assert_each_once(workers, 3)


def _asked(table: Path, out: Path) -> str:
    from asset_generation.addon.core.batches.check import rows_to_run
    from asset_generation.addon.core.batches.rows import capability_rows

    return next(iter(rows_to_run(table, capability_rows(table, out)))).asked
