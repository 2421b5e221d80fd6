"""Batches by the command line, in processes of their own, against a service that takes no time of its own.

Argument: what to measure. ``rows``: what a row costs, with 2,000 of them; ``start``: from the start of the program to
the first request, with 10,000 rows; ``workers``: how long one and four programs take for a batch of tasks of 2 s.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from load_extension import ROOT

_SERVICE = Path(__file__).with_name("batch_service.py")
_PROGRAM = ROOT / "scripts" / "assetgen.py"
_MIB = 1024 * 1024


@contextmanager
def _service(seconds: float) -> Iterator[str]:
    process = subprocess.Popen(
        [sys.executable, str(_SERVICE), str(seconds)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert process.stdin is not None and process.stdout is not None
    try:
        yield process.stdout.readline().strip()
    finally:
        process.stdin.close()
        process.wait(10)


def _table(folder: Path, rows: int) -> Path:
    table = folder / "table.csv"
    lines = [f"row-{number},text_to_model,a chair {number},v3.1-20260211" for number in range(rows)]
    table.write_text("\n".join(["id,capability,prompt,model_version", *lines]) + "\n")
    return table


def _start(address: str, folder: Path, table: Path, number: int = 0, *options: str) -> subprocess.Popen[bytes]:
    environment = os.environ | {
        "ASSETGEN_BASE_URL": address,
        "ASSETGEN_API_KEY": "key",
        "ASSETGEN_DATA_DIR": str(folder / f"data-{number}"),
    }
    command = [sys.executable, str(_PROGRAM), "batch", str(table), "--out", str(folder / "out"), *options]
    return subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def _seen(address: str) -> dict[str, Any]:
    with urllib.request.urlopen(f"{address}/_seen", timeout=10) as answer:
        data: dict[str, Any] = json.loads(answer.read())["data"]
    return data


def _rows(folder: Path) -> dict[str, Any]:
    rows = 2000
    with _service(0.0) as address:
        began = time.monotonic()
        before = os.times()
        process = _start(address, folder, _table(folder, rows))
        memory: list[tuple[int, float]] = []
        while process.poll() is None:
            time.sleep(0.5)
            if (mib := _memory(process.pid)) is not None:
                memory.append((_seen(address).get("download", 0), mib))
        after = os.times()
        seconds = time.monotonic() - began
        seen = _seen(address)
        reference = _reference(address, 200)
    assert process.returncode == 0, process.returncode
    assert (seen["create"], seen["download"]) == (rows, rows), seen
    own = after.children_user + after.children_system - before.children_user - before.children_system
    return {
        "milliseconds": 1000 * own / rows,
        "reference": reference,
        "seconds": seconds,
        "polls_a_second": seen["poll"] / seconds,
        "mib_per_1000_rows": _growth(memory),
    }


def _growth(memory: list[tuple[int, float]]) -> float | None:
    """MiB for 1,000 rows, once Python has the memory that it keeps; None where the system does not tell."""
    most = max((mib for _, mib in memory), default=0.0)
    later = [(rows, mib) for rows, mib in memory if rows >= 800 and mib > most / 2]  # not of a program that ends
    if len(later) < 2:
        return None
    (first_rows, first), (last_rows, last) = later[0], later[-1]
    return 1000 * (last - first) / max(1, last_rows - first_rows)


def _memory(pid: int) -> float | None:
    try:
        pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE") / _MIB
    except (OSError, IndexError, ValueError):
        return None


def _reference(address: str, rows: int) -> float:
    """The same requests by a plain client: one that creates, one that looks, one that fetches. In ms of computing."""
    import httpx  # here: as the batch does it, and not before its own time is taken

    with httpx.Client() as client:
        began = time.process_time()
        for number in range(rows):
            body = {"prompt": f"a chair {number}", "model_version": "v3.1-20260211"}
            task = client.post(f"{address}/v3/generation/text-to-model", json=body).json()["data"]["task_id"]
            detail = client.post(f"{address}/v3/tasks/list", json={"task_ids": [task]}).json()["data"]["tasks"][task]
            client.get(detail["output"]["model_url"]).raise_for_status()
        return 1000 * (time.process_time() - began) / rows


def _first_request(folder: Path) -> dict[str, Any]:
    with _service(60.0) as address:
        table = _table(folder, 10_000)
        began = time.monotonic()
        process = _start(address, folder, table)
        while not (first := _seen(address)["first"]):
            time.sleep(0.02)
            assert process.poll() is None
        process.kill()
        process.wait(10)
        alone = _table(folder, 1)
        before = time.monotonic()
        subprocess.run([sys.executable, str(_PROGRAM), "--help"], stdout=subprocess.DEVNULL, check=True)
        reference = time.monotonic() - before
    assert alone.is_file()
    return {"milliseconds": 1000 * (first - began), "reference": 1000 * reference}


def _workers(folder: Path) -> dict[str, Any]:
    seconds: dict[int, float] = {}
    for count in (1, 4):
        place = folder / str(count)
        place.mkdir()
        table = _table(place, 160)
        with _service(2.0) as address:
            began = time.monotonic()
            processes = [_start(address, place, table, number, "--at-once", "10") for number in range(count)]
            codes = [process.wait(600) for process in processes]
            seconds[count] = time.monotonic() - began
            created = _seen(address)["create"]
        assert codes == [0] * count, codes
        assert created == 160, created
    return {"milliseconds": 1000 * seconds[4], "reference": 1000 * seconds[1]}


def main() -> None:
    """Prints what was measured as JSON."""
    with tempfile.TemporaryDirectory(prefix="assetgen-batch-") as folder:
        measure = {"rows": _rows, "start": _first_request, "workers": _workers}[sys.argv[1]]
        print(json.dumps(measure(Path(folder))))


if __name__ == "__main__":
    main()
