"""Batches on the command line, against a service on this machine."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from asset_generation.addon.cli.main import main
from asset_generation.addon.core.batches.folder import read_result
from asset_generation.addon.core.errors import Refused
from asset_generation.addon.core.runtime.runtime import Runtime
from asset_generation.vendor.assetgen_local import LocalService
from asset_generation.vendor.assetgen_local.task_runner import InputRejected
from support.services.local_engine import (
    KEY,
    add_fault,
    ask,
    clear_faults,
    instant_runner,
    local_engine,
    recorded,
    tiny_glb,
)

CREATE = "/v3/generation/text-to-model"
VERSION = "v3.1-20260211"
PRICE = 20


class PickyRunner:
    """Fails those whose prompt says so, and keeps what it was asked for."""

    def __init__(self) -> None:
        self.prompts: list[str] = []

    def __call__(self, request: Mapping[str, Any], *, on_progress: Any, stopped: Callable[[], bool]) -> dict[str, Any]:
        prompt = str(request["body"].get("prompt", ""))
        self.prompts.append(prompt)
        if "fail" in prompt:
            raise InputRejected("it cannot be made")
        return instant_runner(request, on_progress=on_progress, stopped=stopped)


@pytest.fixture
def runner() -> PickyRunner:
    return PickyRunner()


@pytest.fixture
def service(tmp_path: Path, runner: PickyRunner, monkeypatch: pytest.MonkeyPatch) -> Iterator[LocalService]:
    with local_engine(tmp_path, runner=runner) as running:
        monkeypatch.setenv("ASSETGEN_BASE_URL", running.base_url)
        monkeypatch.setenv("ASSETGEN_API_KEY", KEY)
        monkeypatch.setenv("ASSETGEN_DATA_DIR", str(tmp_path / "data"))
        yield running


@pytest.fixture
def batch(service: LocalService, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Callable[..., tuple[int, Any]]:
    """Runs a batch with --json: its exit code and its events."""

    def run(table: Path, *options: object) -> tuple[int, list[dict[str, Any]]]:
        code = main(["batch", str(table), "--out", str(tmp_path / "out"), "--json", *map(str, options)])
        return code, [json.loads(line) for line in capsys.readouterr().out.splitlines()]

    return run


def table_of(tmp_path: Path, *prompts: str) -> Path:
    table = tmp_path / "table.csv"
    rows = [f"row-{number},text_to_model,{prompt},{VERSION}" for number, prompt in enumerate(prompts, start=1)]
    table.write_text("\n".join(["id,capability,prompt,model_version", *rows]) + "\n", encoding="utf-8")
    return table


def created(service: LocalService, path: str = CREATE) -> int:
    return sum(1 for request in recorded(service, path, "POST") if request["status"] == 200)


def of_kind(events: list[dict[str, Any]], kind: str) -> list[dict[str, Any]]:
    return [event for event in events if event["event"] == kind]


def test_rows_are_done_once_however_often_the_batch_is_run(
    batch: Any, service: LocalService, tmp_path: Path, runner: PickyRunner
) -> None:
    (tmp_path / "in.glb").write_bytes(tiny_glb())
    table = tmp_path / "table.jsonl"
    rows: list[dict[str, Any]] = [
        {"id": "chair", "capability": "text_to_model", "prompt": "a chair", "model_version": VERSION},
        {"id": "bowl", "capability": "decimate", "input": "in.glb", "face_limit": 500},
        {"id": "check", "capability": "rig_check", "input": "in.glb"},
        {"id": "picture", "capability": "text_to_image", "prompt": "a lamp"},
    ]
    table.write_text("".join(json.dumps(row) + "\n" for row in rows))
    code, events = batch(table)
    assert code == 0, events
    out = tmp_path / "out"
    assert {event["row"]: event["state"] for event in of_kind(events, "row")} == dict.fromkeys(
        ("chair", "bowl", "check", "picture"), "done"
    )
    assert (out / "chair" / "chair.glb").read_bytes() == tiny_glb()
    assert (out / "picture" / "picture.png").is_file()
    check = read_result(out / "check")
    assert check is not None
    assert check.answer == "Riggable: biped"
    assert sorted(path.name for path in (out / "bowl").iterdir()) == ["bowl.glb", "row.json"]
    before = len(recorded(service))
    code, events = batch(table)
    assert code == 0
    assert of_kind(events, "row") == []
    assert len(recorded(service)) == before, "nothing is asked when nothing is missing"
    # A row that is added is the only one that runs, and one whose result was deleted runs again.
    with table.open("a") as file:
        file.write(json.dumps(rows[0] | {"id": "stool"}) + "\n")
    (out / "picture" / "row.json").unlink()
    code, events = batch(table)
    assert code == 0
    assert sorted(event["row"] for event in of_kind(events, "row")) == ["picture", "stool"]
    assert created(service) == 2


def test_what_is_left_over_of_a_row_that_is_done_is_cleared_away_by_the_next_run(
    batch: Any, service: LocalService, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    def journal_is_locked(*_: object) -> None:
        raise Refused("The journal is locked by another program")

    table = table_of(tmp_path, "a chair")
    with monkeypatch.context() as locked:
        locked.setattr(Runtime, "dismiss", journal_is_locked)  # which leaves what a kill at that moment leaves
        code, events = batch(table)
    assert (code, [event["state"] for event in of_kind(events, "row")]) == (0, ["done"])
    assert list((tmp_path / "out" / "row-1").glob(".begun-*"))
    assert batch(table)[0] == 0
    assert sorted(path.name for path in (tmp_path / "out" / "row-1").iterdir()) == ["row-1.glb", "row.json"]
    assert created(service) == 1
    assert main(["jobs", "list"]) == 0
    assert capsys.readouterr().out == ""


def test_a_table_with_a_mistake_costs_nothing(batch: Any, service: LocalService, tmp_path: Path) -> None:
    table = table_of(tmp_path, "a chair", "a bowl")
    table.write_text(table.read_text() + "row-2,text_to_model,x,\n")
    code, events = batch(table)
    assert code == 2
    assert "table.csv, line 4, row row-2, id: line 3 has the same id" in events[-1]["message"]
    assert recorded(service) == []
    assert not (tmp_path / "out").exists()


def test_a_row_that_fails_is_told_and_runs_again_when_the_batch_does(
    batch: Any, service: LocalService, tmp_path: Path, runner: PickyRunner
) -> None:
    code, events = batch(table_of(tmp_path, "a chair", "fail once", "a bowl"))
    assert code == 1
    failed = [event for event in of_kind(events, "row") if event["state"] == "failed"]
    assert [(event["row"], event["line"]) for event in failed] == [("row-2", 3)]
    assert failed[0]["error"]
    assert created(service) == 3
    assert batch(table_of(tmp_path, "a chair", "fail once", "a bowl"))[0] == 1
    assert created(service) == 4
    # What it asks for may be changed then: nothing of the failed task counts any more.
    assert batch(table_of(tmp_path, "a chair", "a stool", "a bowl"))[0] == 0
    assert created(service) == 5


@pytest.mark.parametrize("most", [1, 3])
def test_after_so_many_failures_not_one_more_row_is_paid(
    batch: Any, service: LocalService, tmp_path: Path, most: int
) -> None:
    table = table_of(tmp_path, *[f"fail {number}" for number in range(20)])
    code, events = batch(table, "--max-failures", most, "--at-once", 1)
    assert code == 1
    assert created(service) == most
    assert f"{most} rows have failed" in of_kind(events, "stopped")[0]["reason"]
    report = of_kind(events, "report")[0]
    assert report["states"] == {"done": 0, "failed": most, "uncertain": 0, "running": 0, "waiting": 20 - most}


def test_rows_that_stand_in_line_when_enough_have_failed_are_not_paid(
    batch: Any, service: LocalService, tmp_path: Path
) -> None:
    table = table_of(tmp_path, *["fail"] * 30)
    code, _ = batch(table, "--max-failures", 1)
    assert code == 1
    assert created(service) <= 10, "those that were created before the first failure was known: a pool full of them"
    assert sorted(path.name for path in (tmp_path / "out" / "row-30").glob("*")) == []
    assert batch(table, "--max-failures", 1)[0] == 1, "and it can be run again"


def test_the_limit_of_credits_stops_before_the_row_that_would_exceed_it(
    batch: Any, service: LocalService, tmp_path: Path
) -> None:
    table = table_of(tmp_path, *[f"chair {number}" for number in range(8)])
    code, events = batch(table, "--max-credits", 3 * PRICE + 5)
    assert code == 4
    assert created(service) == 3
    assert "would cost 20" in of_kind(events, "stopped")[0]["reason"]
    assert of_kind(events, "report")[0]["states"]["waiting"] == 5
    code, events = batch(table)
    assert code == 0
    assert created(service) == 8


def test_a_dry_run_tells_the_price_and_sends_nothing(batch: Any, service: LocalService, tmp_path: Path) -> None:
    table = tmp_path / "table.csv"
    priced = [f"row-{number},text_to_model,a chair,P2-20260801,false" for number in range(3)]
    lines = ["id,capability,prompt,model_version,texture", *priced, f"other,text_to_model,a chair,{VERSION},"]
    table.write_text("\n".join(lines))
    code, events = batch(table, "--dry-run")
    assert code == 0
    assert (events[-1]["event"], events[-1]["credits"], events[-1]["unknown"]) == ("price", "330", 1)
    assert recorded(service) == []


def test_a_wrong_key_ends_the_batch_instead_of_failing_every_row(
    batch: Any, service: LocalService, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ASSETGEN_API_KEY", "wrong")
    code, events = batch(table_of(tmp_path, *["a chair"] * 50), "--at-once", 2)
    assert code == 3
    assert len(of_kind(events, "row")) <= 4
    assert "Every further row would end like" in of_kind(events, "stopped")[0]["reason"]


def test_a_lost_answer_is_found_again_and_paid_once(batch: Any, service: LocalService, tmp_path: Path) -> None:
    add_fault(service, "drop_after", CREATE, times=2)
    code, events = batch(table_of(tmp_path, "a chair", "a bowl", "a lamp"))
    assert code == 0, events
    assert len(ask(service, "GET", "/v3/account/usage?limit=100")["items"]) == 3


def test_a_row_whose_paid_result_did_not_come_is_brought_in_by_the_next_run(
    batch: Any, service: LocalService, tmp_path: Path
) -> None:
    table = table_of(tmp_path, "a chair")
    add_fault(service, "expire_link", "/_files/*", times=None)
    code, events = batch(table)
    assert (code, [event["state"] for event in of_kind(events, "row") if event["state"] == "failed"]) == (1, ["failed"])
    clear_faults(service)
    code, events = batch(table)
    assert code == 0, events
    assert created(service) == 1
    assert (tmp_path / "out" / "row-1" / "row-1.glb").is_file()


def test_a_row_that_another_program_takes_and_ends_is_counted_once(
    batch: Any, service: LocalService, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from asset_generation.addon.core.batches import worker
    from asset_generation.addon.core.batches.folder import RowResult, RowState, write_result
    from asset_generation.addon.core.claims import claim_file
    from asset_generation.addon.core.claims.claim_file import Claim
    from asset_generation.addon.core.runtime.runtime import Runtime

    folder = tmp_path / "out" / "row-1"
    look_at_held = worker.BatchWorker._look_at_held
    looks = []

    def not_stopped(self: Runtime, *_: Any) -> None:
        """Its job was over before it could be stopped."""
        raise LookupError

    def taken(self: Any, run: Any) -> bool:
        if claim_file.latest(folder) == run.claim:
            (folder / f".claim-{run.claim.number + 1}").write_text('{"job": "theirs", "owner": "another"}')
            self._heartbeat._lost.append(folder)
            self._give_up_lost()
        return is_ours(self, run)

    def ended_there(self: Any) -> None:
        looks.append([row.id for row in self._held])
        last = claim_file.latest(folder)
        if last is not None and last.job_id == "theirs":
            write_result(folder, RowResult("row-1", RowState.DONE, self._held[0].asked, ""))
            claim_file.give_back(folder, Claim(last.number, "theirs"))
        look_at_held(self)

    is_ours = worker.BatchWorker._is_ours
    monkeypatch.setattr(Runtime, "act", not_stopped)
    monkeypatch.setattr(worker.BatchWorker, "_is_ours", taken)
    monkeypatch.setattr(worker.BatchWorker, "_look_at_held", ended_there)
    code, events = batch(table_of(tmp_path, "a chair"))
    assert code == 0, events
    assert looks and all(held == ["row-1"] for held in looks)


def test_interrupted_it_writes_its_report_and_goes_on_with_what_was_paid(
    service: LocalService, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from asset_generation.addon.core.batches import worker

    table = table_of(tmp_path, *[f"chair {number}" for number in range(5)])
    arguments = ["batch", str(table), "--out", str(tmp_path / "out")]
    begun = threading.Event()

    def interrupt(self: Any, *_: Any) -> None:
        if created(service) >= 2:
            begun.set()
            raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(worker.BatchWorker, "_give_up_lost", interrupt)
        assert main(arguments) == 130
    assert begun.is_set()
    told = capsys.readouterr()
    assert (tmp_path / "out" / "report.html").is_file()
    assert "Interrupted" in told.err
    assert main(arguments) == 0
    assert created(service) == 5
    assert list((tmp_path / "out").rglob(".claim*")) == []


def test_a_row_that_its_own_job_has_claimed_goes_on_as_that_job(
    service: LocalService, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from asset_generation.addon.core.batches import worker
    from asset_generation.addon.core.claims import begun, claim_file

    arguments = ["batch", str(table_of(tmp_path, "a chair", "a bowl")), "--out", str(tmp_path / "out")]

    def interrupt(self: Any, *_: Any) -> None:
        if created(service) == 2:
            raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(worker.BatchWorker, "_give_up_lost", interrupt)
        assert main(arguments) == 130
    taken_over = []
    claim_row = worker.claim_row

    def claimed_by_the_job_first(runtime: Any, folder: Any, row: Any) -> Any:
        known = begun.read(row.folder)
        if known is not None and claim_file.make(row.folder, 1, known.job_id, runtime.owner):
            taken_over.append(known.job_id)
        return claim_row(runtime, folder, row)

    def fail(self: Any) -> None:
        raise AssertionError("the claim of its own job keeps the row away")

    monkeypatch.setattr(worker, "claim_row", claimed_by_the_job_first)
    monkeypatch.setattr(worker.BatchWorker, "_look_at_held", fail)
    assert main(arguments) == 0
    assert taken_over and created(service) == 2
    assert len(list((tmp_path / "out").glob("*/row.json"))) == 2
    assert list((tmp_path / "out").rglob(".claim*")) == []


def test_polls_are_few_and_the_list_of_jobs_stays_as_it_was(
    batch: Any, service: LocalService, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    began = time.monotonic()
    code, _ = batch(table_of(tmp_path, *[f"chair {number}" for number in range(40)]))
    assert code == 0
    polls = recorded(service, "/v3/tasks/list")
    assert len(polls) <= 1 + (time.monotonic() - began)
    assert main(["jobs", "list", "--json"]) == 0
    assert capsys.readouterr().out == ""
