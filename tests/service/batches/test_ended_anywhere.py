"""A program of a batch ends at any moment, and others finish its row: nothing is lost, and nothing is paid twice."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
import support.ended_batch
from asset_generation.addon.core.batches.folder import SHORTEST_CLAIM, BatchFolder, read_result
from asset_generation.vendor.assetgen_local import LocalService
from support.ended_batch import ENDED, ended_before
from support.fork_server.program import ForkedProgram
from support.services.local_engine import KEY, ask, local_engine, tiny_glb

PROGRAM = Path(support.ended_batch.__file__)
AT_ONCE = 4
MOST_CHANGES = 200

Run = Callable[..., "subprocess.CompletedProcess[bytes]"]


@pytest.fixture
def service(tmp_path: Path) -> Iterator[LocalService]:
    with local_engine(tmp_path, workers=16) as running:
        yield running


@pytest.fixture
def run(service: LocalService, tmp_path: Path) -> Run:
    """Runs rows of the table on a computer, and ends at a change there; 0 is for none."""
    rows = [f"row-{number},decimate,in.glb,{1000 + number}" for number in range(1, MOST_CHANGES + 1)]
    (tmp_path / "in.glb").write_bytes(tiny_glb())
    (tmp_path / "table.csv").write_text("\n".join(["id,capability,input,face_limit", *rows]) + "\n")
    BatchFolder(tmp_path / "out", SHORTEST_CLAIM).close()  # so that the first programs change no more than the others
    environment = {"ASSETGEN_BASE_URL": service.base_url, "ASSETGEN_API_KEY": KEY}

    def start(computer: str, rows: str, last: int = 0) -> subprocess.CompletedProcess[bytes]:
        arguments = [str(last), "batch", str(tmp_path / "table.csv"), "--out", str(tmp_path / "out"), "--json"]
        with ForkedProgram[bytes](
            PROGRAM,
            *arguments,
            "--rows",
            rows,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            env=os.environ | environment | {"ASSETGEN_DATA_DIR": str(tmp_path / computer)},
        ) as process:
            try:
                output, _ = process.communicate()
            finally:
                process.kill()
        return subprocess.CompletedProcess(process.args, process.returncode, output)

    return start


def end_at_every_change(run: Run) -> list[str]:
    """Each computer begins a row of its own and ends one change later than the one before it; what each would have
    changed next, up to one that came to its own end.
    """
    kinds: list[str] = []
    with ThreadPoolExecutor(AT_ONCE) as programs:
        while "" not in kinds:
            numbers = range(len(kinds) + 1, len(kinds) + 1 + AT_ONCE)
            for ended in programs.map(lambda number: run(f"computer-{number}", str(number), number), numbers):
                assert ended.returncode in (0, ENDED), ended.stdout.decode()
                kinds.append(ended_before(ended.stdout.decode()) if ended.returncode else "")
    return kinds


def test_what_other_threads_print_beside_it_is_not_what_a_program_ended_before() -> None:
    assert ended_before('{"event": "row", "id\nended before: create\n": "row-7"}\n') == "create"


@pytest.mark.slow
@pytest.mark.parametrize("others_first", [True, False], ids=["another computer", "the same computer"])
def test_wherever_a_program_ends_its_row_is_paid_once(
    run: Run, service: LocalService, tmp_path: Path, others_first: bool
) -> None:
    kinds = end_at_every_change(run)
    assert {"claim", "commit", "create", "replace", "link", "unlink"} <= {*kinds}

    def go_on_elsewhere() -> None:
        done = run("another-computer", f"1-{len(kinds)}")
        assert done.returncode == 0, done.stdout.decode()

    def go_on_there() -> None:
        with ThreadPoolExecutor(AT_ONCE) as programs:
            numbers = range(1, len(kinds) + 1)
            for done in programs.map(lambda number: run(f"computer-{number}", str(number)), numbers):
                assert done.returncode == 0, done.stdout.decode()

    for go_on in (go_on_elsewhere, go_on_there) if others_first else (go_on_there, go_on_elsewhere):
        go_on()
        assert_each_once(service, tmp_path / "out", len(kinds))


def assert_each_once(service: LocalService, out: Path, rows: int) -> None:
    """Each row has its file and two tasks of its own, and the service has no others."""
    usage = ask(service, "GET", "/v3/account/usage?limit=200")
    owners: dict[str, list[int]] = {row["task_id"]: [] for row in usage["items"]}
    for number in range(1, rows + 1):
        folder = out / f"row-{number}"
        result = read_result(folder)
        assert result is not None and result.state == "done", (number, result)
        assert len(result.tasks) == 2, number
        for task in result.tasks:
            owners[task].append(number)
        left = {path.name for path in folder.iterdir() if not path.name.startswith(".claim")}
        assert left == {"row.json", f"row-{number}.glb"}, number
    assert {task: rows for task, rows in owners.items() if len(rows) != 1} == {}, "paid, and for no row or for two"
