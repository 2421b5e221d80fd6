"""Rows that run a whole recipe each: once, within the limits, on one computer after the other."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from asset_generation.addon.cli.main import main
from asset_generation.addon.core.batches.check import rows_to_run
from asset_generation.addon.core.batches.folder import BatchFolder, RowResult, read_result, write_result
from asset_generation.addon.core.batches.recipe_rows import recipe_rows
from asset_generation.addon.core.batches.rows import Row
from asset_generation.addon.core.batches.step_claims import StepSubmission, step_delivery, step_folder
from asset_generation.addon.core.claims import begun, claim_file
from asset_generation.addon.core.claims.begun import Begun, BegunStep
from asset_generation.addon.core.errors import Refused
from asset_generation.addon.core.jobs.job import JobPlan, Source, SourceKind, Stage, StepPlan
from asset_generation.addon.core.recipes.fingerprints import Fingerprints
from asset_generation.addon.core.recipes.recipe_file import read_recipe
from asset_generation.addon.core.recipes.run_state import RunState
from asset_generation.addon.core.runtime.runtime import Runtime
from asset_generation.vendor.assetgen_local import LocalService
from asset_generation.vendor.assetgen_local.task_runner import InputRejected
from load_extension import ROOT
from support.core import runtime_on, settings_for, wait_until
from support.fork_server.program import ForkedProgram
from support.services.local_engine import KEY, add_fault, ask, instant_runner, local_engine, recorded, tiny_glb

VERSION = "v3.1-20260211"
SECONDS = 90.0
CLAIM_SECONDS = 4

RECIPE = f"""
[recipe]
name = "Levels"

[variables]
prompt = {{ type = "text" }}
faces = [900, 1800]

[[step]]
name = "look"
use = "text_to_image"
prompt = "{{prompt}}"

[[step]]
name = "base"
use = "image_to_model"
file = "look"
model_version = "{VERSION}"

[[step]]
name = "low"
use = "decimate"
from = "base"
each = {{ face_limit = "{{faces}}" }}
out = "low_{{face_limit}}.glb"
"""
STEPS = 4


class PacedRunner:
    """Every task takes as long as the test says, and those fail whose prompt says so."""

    def __init__(self) -> None:
        self.seconds = 0.0

    def __call__(self, request: Mapping[str, Any], *, on_progress: Any, stopped: Callable[[], bool]) -> dict[str, Any]:
        deadline = time.monotonic() + self.seconds
        while (left := deadline - time.monotonic()) > 0 and not stopped():
            time.sleep(min(left, 0.1))
        if "fail" in str(request["body"].get("prompt", "")):
            raise InputRejected("it cannot be made")
        return instant_runner(request, on_progress=on_progress, stopped=stopped)


@pytest.fixture
def runner() -> PacedRunner:
    return PacedRunner()


@pytest.fixture
def service(tmp_path: Path, runner: PacedRunner, monkeypatch: pytest.MonkeyPatch) -> Iterator[LocalService]:
    with local_engine(tmp_path, runner=runner, workers=64) as running:
        monkeypatch.setenv("ASSETGEN_BASE_URL", running.base_url)
        monkeypatch.setenv("ASSETGEN_API_KEY", KEY)
        monkeypatch.setenv("ASSETGEN_DATA_DIR", str(tmp_path / "data-0"))
        yield running


@pytest.fixture
def batch(service: LocalService, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Callable[..., tuple[int, Any]]:
    """Runs a batch with --json: its exit code and its events."""

    def run(table: Path, *options: object) -> tuple[int, list[dict[str, Any]]]:
        code = main([*arguments_of(table, tmp_path), "--json", *map(str, options)])
        return code, [json.loads(line) for line in capsys.readouterr().out.splitlines()]

    return run


@pytest.fixture
def started(service: LocalService, tmp_path: Path) -> Iterator[Callable[..., subprocess.Popen[bytes]]]:
    """Starts a batch as a program of its own, on a computer with the data folder ``data-<number>``."""
    processes: list[subprocess.Popen[bytes]] = []

    def start(table: Path, computer: int) -> subprocess.Popen[bytes]:
        claims = ["--claim-seconds", str(CLAIM_SECONDS)]
        with (tmp_path / f"log-{len(processes)}").open("wb") as log:
            process = ForkedProgram[bytes](
                ROOT / "scripts" / "assetgen.py",
                *arguments_of(table, tmp_path),
                *claims,
                stdout=log,
                stderr=subprocess.STDOUT,
                stdin=subprocess.DEVNULL,
                env=os.environ | {"ASSETGEN_DATA_DIR": str(tmp_path / f"data-{computer}")},
            )
        processes.append(process)
        return process

    yield start
    for process in processes:
        if process.poll() is None:
            process.kill()
        process.wait(10)


def arguments_of(table: Path, tmp_path: Path) -> list[str]:
    recipe = tmp_path / "levels.toml"
    if not recipe.exists():
        recipe.write_text(RECIPE)
    return ["batch", str(table), "--recipe", str(recipe), "--out", str(tmp_path / "out")]


def table_of(tmp_path: Path, *prompts: str) -> Path:
    table = tmp_path / "table.csv"
    rows = [f"row-{number},{prompt}" for number, prompt in enumerate(prompts)]
    table.write_text("\n".join(["id,prompt", *rows]) + "\n", encoding="utf-8")
    return table


def paid(service: LocalService) -> list[str]:
    """The ids of all tasks that the service has."""
    return [row["task_id"] for row in ask(service, "GET", "/v3/account/usage?limit=200")["items"]]


def tasks(service: LocalService) -> Counter[str]:
    """How many tasks the service has of each kind, and of each prompt: what is paid."""
    found: Counter[str] = Counter()
    ids = paid(service)
    for first in range(0, len(ids), 100):
        answer = ask(service, "POST", "/v3/tasks/list", {"task_ids": ids[first : first + 100]})
        for task in answer["tasks"].values():
            found[task["type"]] += 1
            if "prompt" in task["input"]:
                found[task["input"]["prompt"]] += 1
    return found


def assert_each_once(service: LocalService, tmp_path: Path, count: int) -> None:
    found = tasks(service)
    assert {found[f"chair {number}"] for number in range(count)} == {1}, found
    assert sorted(number for name, number in found.items() if "chair" not in name) == [count, count, 2 * count], found
    for number in range(count):
        folder = tmp_path / "out" / f"row-{number}"
        result = read_result(folder)
        assert result is not None, folder
        assert (result.state, len(result.tasks)) == ("done", STEPS)
        assert sorted(path.name for path in folder.iterdir() if path.name[0] != ".") == [
            *("low_1800.glb", "low_900.glb", "row.json")
        ]
        assert not (folder / ".steps").exists()


def kill_after(process: subprocess.Popen[bytes], service: LocalService, count: int) -> None:
    """Kills a program once the service has answered so many requests.

    After one that never reached the service the next program waits until it surely will not any more, for minutes.
    """
    wait_until(lambda: len(paid(service)) >= count, SECONDS)
    time.sleep(0.5)
    process.send_signal(signal.SIGKILL)
    assert process.wait(10) == -signal.SIGKILL, "it had ended before"


def journal_is_locked(*_: object) -> None:
    raise Refused("The journal is locked by another program")


def of_kind(events: list[dict[str, Any]], kind: str) -> list[dict[str, Any]]:
    return [event for event in events if event["event"] == kind]


def test_each_row_runs_the_whole_recipe_once_into_its_own_folder(
    batch: Any, service: LocalService, tmp_path: Path
) -> None:
    table = table_of(tmp_path, "chair 0", "chair 1", "chair 2")
    code, events = batch(table)
    assert code == 0, events
    assert {event["row"]: event["state"] for event in of_kind(events, "row")} == dict.fromkeys(
        ("row-0", "row-1", "row-2"), "done"
    )
    assert_each_once(service, tmp_path, 3)
    charged = sum(float(row["credits_consumed"]) for row in ask(service, "GET", "/v3/account/usage?limit=200")["items"])
    report = of_kind(events, "report")[0]
    assert float(report["credits"]) == charged > 0
    assert "row-1/low_900.glb" in (tmp_path / "out" / "report.html").read_text()
    before = len(recorded(service))
    code, events = batch(table)
    assert (code, of_kind(events, "row")) == (0, [])
    assert len(recorded(service)) == before, "nothing is asked when nothing is missing"
    # What became of a row may be lost: the state of its recipe knows that nothing is missing.
    (tmp_path / "out" / "row-1" / "row.json").unlink()
    assert batch(table)[0] == 0
    assert_each_once(service, tmp_path, 3)


def test_a_dry_run_tells_requests_and_price_and_sends_nothing(
    batch: Any, service: LocalService, tmp_path: Path
) -> None:
    code, events = batch(table_of(tmp_path, "chair 0", "chair 1"), "--dry-run")
    assert code == 0
    price = of_kind(events, "price")[0]
    assert (price["rows"], price["requests"]) == (2, 2 * STEPS)
    assert recorded(service) == []
    assert not (tmp_path / "out").exists()


def test_a_table_with_a_mistake_costs_nothing(batch: Any, service: LocalService, tmp_path: Path) -> None:
    table = tmp_path / "table.csv"
    table.write_text("id,prompt,colour\na,chair 0,red\n")
    code, events = batch(table)
    assert code == 2
    assert (
        "table.csv, line 1: there is no variable of the recipe 'colour'; allowed: faces, id, prompt"
        in (events[-1]["message"])
    )
    table.write_text("id,prompt\na,\n")
    assert "table.csv, line 2, row a, prompt: it has no value; allowed: a text" in batch(table)[1][-1]["message"]
    assert recorded(service) == []


def test_what_is_left_over_of_rows_that_are_done_is_cleared_away_by_the_next_run(
    batch: Any, service: LocalService, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    table = table_of(tmp_path, "chair 0", "chair 1")
    with monkeypatch.context() as locked:
        locked.setattr(Runtime, "dismiss", journal_is_locked)  # which leaves what a kill at that moment leaves
        code, events = batch(table)
    assert (code, [event["state"] for event in of_kind(events, "row")]) == (0, ["done", "done"])
    assert (tmp_path / "out" / "row-0" / ".steps").exists()
    before = len(recorded(service))
    assert batch(table)[0] == 0
    assert len(recorded(service)) == before, "nothing is asked when nothing is missing"
    assert_each_once(service, tmp_path, 2)
    assert main(["jobs", "list"]) == 0
    assert capsys.readouterr().out == ""


@pytest.mark.slow
def test_a_killed_program_goes_on_at_once_when_it_is_started_again(
    started: Any, service: LocalService, runner: PacedRunner, tmp_path: Path
) -> None:
    table = table_of(tmp_path, *[f"chair {number}" for number in range(4)])
    runner.seconds = 2.0
    for after in (4, 8, 16):  # at the first step; at the second one; at the third one
        kill_after(started(table, 0), service, after)
    runner.seconds = 0.0
    process = started(table, 0)
    assert process.wait(SECONDS) == 0, (tmp_path / "log-3").read_text()
    assert_each_once(service, tmp_path, 4)


@pytest.mark.parametrize(
    "after",  # at the first step; at the second one; at the third one
    [pytest.param(4, marks=pytest.mark.slow), 8, pytest.param(16, marks=pytest.mark.slow)],
)
def test_what_a_dead_computer_had_begun_of_a_recipe_is_not_paid_again_by_another_one(
    started: Any, service: LocalService, runner: PacedRunner, tmp_path: Path, after: int
) -> None:
    table = table_of(tmp_path, *[f"chair {number}" for number in range(4)])
    runner.seconds = 2.0
    kill_after(started(table, 0), service, after)
    assert any(claim_file.latest(path) for path in (tmp_path / "out").glob("row-*")), "nobody had a row"
    (tmp_path / "data-0").rename(tmp_path / "gone")  # its files are its own: nobody else reaches them
    runner.seconds = 0.0
    process = started(table, 1)
    assert process.wait(SECONDS) == 0, (tmp_path / "log-1").read_text()
    assert_each_once(service, tmp_path, 4)


def test_a_lost_answer_within_a_recipe_is_found_again_and_paid_once(
    batch: Any, service: LocalService, tmp_path: Path
) -> None:
    add_fault(service, "drop_after", "/v3/mesh/decimate", times=2)
    code, events = batch(table_of(tmp_path, "chair 0", "chair 1"))
    assert code == 0, events
    assert_each_once(service, tmp_path, 2)


def test_a_step_that_fails_fails_its_row_and_alone_is_done_again(
    batch: Any, service: LocalService, tmp_path: Path
) -> None:
    add_fault(service, "task", "/v3/mesh/decimate")
    table = table_of(tmp_path, "chair 0", "chair 1")
    code, events = batch(table)
    assert code == 1
    states = sorted(event["state"] for event in of_kind(events, "row"))
    assert states == ["done", "failed"]
    assert tasks(service)["chair 0"] == 1
    assert batch(table)[0] == 0
    found = tasks(service)
    assert (found["chair 0"], found["chair 1"]) == (1, 1)
    assert len(paid(service)) == 2 * STEPS + 1, "one task of a step was made anew, and nothing else"


def test_the_limit_of_credits_counts_whole_recipes(batch: Any, service: LocalService, tmp_path: Path) -> None:
    table = table_of(tmp_path, *[f"chair {number}" for number in range(4)])
    assert batch(table, "--rows", "1")[0] == 0  # from now on prices are known
    row = read_result(tmp_path / "out" / "row-0")
    assert row is not None
    price = float(row.credits)
    code, events = batch(table, "--max-credits", 2 * price + 1)
    assert code == 4
    assert "would cost" in of_kind(events, "stopped")[0]["reason"]
    assert of_kind(events, "report")[0]["states"]["done"] == 3
    assert batch(table)[0] == 0
    assert_each_once(service, tmp_path, 4)


def test_after_so_many_failures_not_one_more_row_is_paid(batch: Any, service: LocalService, tmp_path: Path) -> None:
    table = table_of(tmp_path, *[f"fail {number}" for number in range(8)])
    code, events = batch(table, "--max-failures", 2, "--at-once", 1)
    assert code == 1
    assert (len(paid(service)), set(tasks(service)) >= {"fail 0", "fail 1"}) == (2, True)
    assert "2 rows have failed" in of_kind(events, "stopped")[0]["reason"]
    assert of_kind(events, "report")[0]["states"]["waiting"] == 6


def test_a_step_whose_task_was_never_written_down_is_found_by_its_marker(
    started: Any, service: LocalService, tmp_path: Path
) -> None:
    """As a computer leaves it that loses its power between the request and the answer."""
    table = table_of(tmp_path, "chair 0")
    row, folder = first_step(table, service, tmp_path)
    marker = "0123456789abcdef0123456789abcdef"
    ask(service, "POST", "/v3/generation/text-to-image", {"prompt": "chair 0", "client_request_id": marker})
    service_id = service.base_url.removeprefix("http://")
    step = BegunStep("text_to_image", "request", marker)
    asked = step_delivery(row, "look", folder[1]).row
    begun.write(folder[0], Begun("dead-job", service_id, asked, (step,)), safely=True)
    for place in (row.folder, folder[0]):
        claim = claim_file.make(place, 1, "dead-job", "dead-owner@elsewhere")
        assert claim is not None
        past = time.time() - 10 * CLAIM_SECONDS
        os.utime(claim.path(place), (past, past))
    assert started(table, 1).wait(SECONDS) == 0, (tmp_path / "log-0").read_text()
    assert_each_once(service, tmp_path, 1)


def test_who_has_lost_a_row_enters_no_step_of_it(service: LocalService, tmp_path: Path) -> None:
    table = table_of(tmp_path, "chair 0")
    row, (step, print_) = first_step(table, service, tmp_path)
    with runtime_on(settings_for(service, tmp_path / "data")) as runtime:
        ours = claim_file.make(row.folder, 1, "our-job", runtime.owner)
        assert ours is not None
        assert claim_file.make(row.folder, 2, "their-job", "somebody@elsewhere") is not None
        folder = BatchFolder(tmp_path / "out")
        plan = JobPlan(
            "look",
            Source(SourceKind.NOTHING),
            (StepPlan("text_to_image", {"prompt": "chair 0"}),),
            step_delivery(row, "look", print_),
        )
        with pytest.raises(Refused, match="another program"):
            StepSubmission(runtime, folder, row, ours, lambda job_id: None).submit(plan, job_id="our-job")
        assert claim_file.latest(step) is None, "the step is left to the others"
        # A job that was entered when the row was still ours, and that wakes up when the row has its result.
        write_result(row.folder, RowResult("row-0", "done", row.asked))
        job_id = runtime.submit(plan)
        wait_until(lambda: runtime.job(job_id).stage is Stage.FAILED, SECONDS)
        assert "worked off by another program" in runtime.job(job_id).error
    assert paid(service) == []


def first_step(table: Path, service: LocalService, tmp_path: Path) -> tuple[Row, tuple[Path, str]]:
    """The first row of a table, with the folder and the fingerprint of its recipe's first step."""
    arguments_of(table, tmp_path)
    recipe = read_recipe(tmp_path / "levels.toml")
    row = next(iter(rows_to_run(table, recipe_rows(recipe, table, tmp_path / "out", "custom"))))
    assert row.recipe is not None
    print_ = Fingerprints(service.base_url.removeprefix("http://")).of(row.recipe.jobs[0])
    assert print_ is not None
    return row, (step_folder(row, "look", print_), print_)


def test_a_row_that_assetgen_run_has_waits_for_it(
    started: Any, service: LocalService, runner: PacedRunner, tmp_path: Path
) -> None:
    table = table_of(tmp_path, "chair 0")
    state = RunState(tmp_path / "out" / "row-0" / ".levels.run.json")
    state.lock()
    process = started(table, 0)
    wait_until(lambda: (tmp_path / "out" / "batch.json").exists(), SECONDS)
    time.sleep(3.0)
    assert process.poll() is None
    assert paid(service) == []
    state.close()
    assert process.wait(SECONDS) == 0, (tmp_path / "log-0").read_text()
    assert_each_once(service, tmp_path, 1)


def test_paths_are_seen_from_the_table_and_a_model_is_what_the_recipe_works_on(
    batch: Any, service: LocalService, tmp_path: Path
) -> None:
    (tmp_path / "levels.toml").write_text(
        '[variables]\nmodel = { type = "model" }\nid = { type = "text" }\n\n[[step]]\nname = "low"\n'
        'use = "decimate"\nfrom = "{model}"\nface_limit = 900\nout = "{id}_{source}.glb"\n'
    )
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "bowl.glb").write_bytes(tiny_glb())
    table = tmp_path / "table.jsonl"
    table.write_text('{"id": "a", "model": "in/bowl.glb"}\n{"id": "b", "model": "in/bowl.glb"}\n')
    code, events = batch(table)
    assert code == 0, events
    assert (tmp_path / "out" / "a" / "a_bowl.glb").is_file()
    assert (tmp_path / "out" / "b" / "b_bowl.glb").is_file()
    assert len(recorded(service, "/v3/mesh/decimate", "POST")) == 2
