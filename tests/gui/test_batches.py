"""``blender --command assetgen batch`` as it is installed: four of them on one table, two of which are killed."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import time
from collections import Counter
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from support.core import wait_until
from support.services.local_engine import KEY, ask, instant_runner, local_engine

BLENDER = os.environ.get("BLENDER", "")
VERSION = "v3.1-20260211"
ROWS = 40
CLAIM_SECONDS = 8
SECONDS = 240.0


def _slow(request: Mapping[str, Any], *, on_progress: Any, stopped: Callable[[], bool]) -> dict[str, Any]:
    time.sleep(1.5)
    return instant_runner(request, on_progress=on_progress, stopped=stopped)


@pytest.mark.slow
def test_blenders_finish_what_killed_ones_have_begun_and_pay_for_nothing_twice(home: Path, tmp_path: Path) -> None:
    table, out = tmp_path / "table.csv", tmp_path / "out"
    rows = [f"row-{number},text_to_model,chair {number},{VERSION}" for number in range(ROWS)]
    table.write_text("\n".join(["id,capability,prompt,model_version", *rows]) + "\n")
    with local_engine(tmp_path, runner=_slow, workers=32) as service:
        processes = [_started(home, tmp_path, service.base_url, table, number) for number in range(4)]
        try:
            wait_until(lambda: _is_begun(out) or processes[0].poll() is not None, SECONDS)
            assert all(process.poll() is None for process in processes), (tmp_path / "log-0").read_text()
            for process in processes[:2]:
                process.send_signal(signal.SIGKILL)
            codes = [process.wait(SECONDS) for process in processes[2:]]
        finally:
            for process in processes:
                process.kill()
                process.wait(20)
        logs = [(tmp_path / f"log-{number}").read_text(errors="replace") for number in (2, 3)]
        assert codes == [0, 0], logs
        ids = [row["task_id"] for row in ask(service, "GET", "/v3/account/usage?limit=200")["items"]]
        tasks = ask(service, "POST", "/v3/tasks/list", {"task_ids": ids})["tasks"].values()
        assert Counter(task["input"]["prompt"] for task in tasks) == {f"chair {number}": 1 for number in range(ROWS)}
    assert sum(1 for _ in out.glob("*/row-*.glb")) == ROWS
    events = [json.loads(line) for line in logs[1].splitlines() if line.startswith("{")]
    assert events[-1]["states"]["done"] == ROWS
    assert (out / "report.html").stat().st_size > ROWS * 200


def _is_begun(out: Path) -> bool:
    return sum(1 for _ in out.glob("*/row.json")) >= ROWS // 8


def _started(home: Path, folder: Path, address: str, table: Path, number: int) -> subprocess.Popen[bytes]:
    environment = os.environ | {
        "BLENDER_USER_RESOURCES": str(home / "blender"),
        "ASSETGEN_BASE_URL": address,
        "ASSETGEN_API_KEY": KEY,
        "ASSETGEN_DATA_DIR": str(folder / f"data-{number}"),
    }
    batch = ["batch", str(table), "--out", str(folder / "out"), "--at-once", "8", "--claim-seconds", str(CLAIM_SECONDS)]
    command = [BLENDER, "--online-mode", "--command", "assetgen", *batch, "--json"]
    with (folder / f"log-{number}").open("wb") as log:
        return subprocess.Popen(
            command, env=environment, stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT
        )
