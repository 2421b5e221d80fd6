"""`dev.py soak`: many jobs in two processes with faults, and what grew meanwhile."""

from __future__ import annotations

import argparse
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from . import fast_time

_FACTOR = 15.0
_MOST_OPEN = 12
_LONGEST = 3600.0
_EVERY = 0.5

BOUNDS: Mapping[str, float] = {
    "memory, MB": 30.0,
    "threads": 2.0,
    "file handles": 10.0,
    "sockets": 8.0,
    "write-ahead log, MB": 8.0,
    "part files": 0.0,
    "snapshots": 0.0,
    "owner files": 0.0,
    "data blocks": 4.0,
    "timers": 0.0,
}
"""By how much a figure may have grown from the first to the last sample; the last is taken when nothing goes on."""

_JOURNAL_MB_PER_JOB = 0.02

_GONE_AT_THE_END = ("part files", "snapshots")

Sample = dict[str, float]


def main(argv: Sequence[str]) -> int:
    """Runs the soak; returns 0 when nothing grew beyond its bound and nothing was paid twice or lost."""
    if sys.platform == "win32":
        print("The soak forks its processes, which Windows cannot do.")
        return 1
    fast_time.install()
    from load_extension import load_package

    load_package()
    from .runtime_face import warm_up

    parser = argparse.ArgumentParser(prog="dev.py soak", description="Runs many jobs and looks at what grows.")
    parser.add_argument("--jobs", type=int, default=500, metavar="N", help="in two processes without Blender (500)")
    parser.add_argument("--bpy-jobs", type=int, default=60, metavar="N", help="in a background Blender (60; 0: none)")
    parser.add_argument("--seed", type=int, default=1, metavar="S", help="what the faults are drawn from (1)")
    parser.add_argument("--factor", type=float, default=_FACTOR, help=f"how fast time passes ({_FACTOR:.0f})")
    parser.add_argument("--json", type=Path, metavar="FILE", help="store the figures")
    options = parser.parse_args(argv)
    warm_up()
    began = time.monotonic()
    troubles, tables = _soak(options.jobs, options.seed, options.factor) if options.jobs else ([], {})
    if options.bpy_jobs:
        samples = _soak_in_blender(options.bpy_jobs, options.seed)
        tables["background Blender"] = samples
    for name, samples in tables.items():
        jobs = options.bpy_jobs if name == "background Blender" else options.jobs
        _show(name, samples, jobs)
        troubles += grown(name, samples, jobs)
    print("\n".join(troubles) or "Nothing grew beyond its bound; nothing was paid twice, and nothing was lost.")
    print(f"{time.monotonic() - began:.0f} s")
    if options.json is not None:
        content = {"troubles": troubles, "samples": tables, "bounds": dict(BOUNDS)}
        options.json.write_text(json.dumps(content, indent=2) + "\n", encoding="utf-8")
    return 1 if troubles else 0


def grown(name: str, samples: Sequence[Sample], jobs: int) -> list[str]:
    """What grew beyond its bound in one process, in sentences."""
    growth = ((figure, _growth(figure, samples), _bound(figure, jobs)) for figure in samples[0])
    return [
        f"{name}: {figure} grew by {grew:.1f}, and {bound:.1f} are allowed."
        for figure, grew, bound in growth
        if grew > bound
    ]


def _growth(figure: str, samples: Sequence[Sample]) -> float:
    """From the first sample to the last; of what must be gone at the end, all that is there."""
    return samples[-1][figure] - (0.0 if figure in _GONE_AT_THE_END else samples[0][figure])


def _bound(figure: str, jobs: int) -> float:
    return _JOURNAL_MB_PER_JOB * jobs if figure == "journal, MB" else BOUNDS[figure]


def _show(name: str, samples: Sequence[Sample], jobs: int) -> None:
    """Prints the table of one process."""
    print(f"\n{name:<24}" + "".join(f"{head:>10}" for head in ("start", "middle", "end", "grew", "bound")))
    for figure in samples[0]:
        values = [*(one[figure] for one in samples), _growth(figure, samples), _bound(figure, jobs)]
        print(f"{figure:<24}" + "".join(f"{value:>10.1f}" for value in values))


def _faults(seed: int, jobs: int) -> Iterator[Any]:
    """Every kind of network fault on every call, over and over."""
    from .faults import CALLS, NETWORK, OWN, NetworkFault

    pick = random.Random(seed)
    often = {"create": 2 * jobs, "upload": jobs // 2, "poll": 3 * jobs, "read": 20, "usage": 40, "fetch": jobs}
    for call in CALLS:
        for number in range(10, often[call], 25):
            kind = pick.choice(NETWORK)
            alive = pick.choice((None, 0.0, 5.0, 20.0))
            if call != "create" or kind in (*OWN, "reset_before", "drip"):
                alive = None
            if call == "create" and kind in ("reset_after", "cut"):
                alive = alive or 0.0
            yield NetworkFault(call, kind, number, 1, 0.0, alive)


def _soak(jobs: int, seed: int, factor: float) -> tuple[list[str], dict[str, list[Sample]]]:
    """Two processes on one journal, from their first jobs to their last."""
    from .faults import JobScript, Life, Scenario, ServiceScript
    from .judge import judge
    from .plans import PLANS
    from .stage import Stage

    pick = random.Random(seed)
    scripts = tuple(JobScript(f"soak {number}", pick.choice(PLANS), number % 2) for number in range(jobs))
    service = ServiceScript(network=tuple(_faults(seed, jobs)), seconds=(2.0, 8.0))
    scenario = Scenario(seed, 0, scripts, service, (Life(),), (Life(),))
    folder = Path(tempfile.mkdtemp(prefix="assetgen-soak-"))
    began = fast_time.real_monotonic()
    stage = Stage(scenario, folder, (factor, began, fast_time.now()), most_open=_MOST_OPEN)
    samples: dict[str, list[Sample]] = {}
    try:
        stage.begin()
        applied = 0
        marks = [jobs // 20, jobs // 2, jobs]
        ended = False
        while stage.now() < _LONGEST and marks:
            stage.tick()
            applied = len({e["job"] for slot in stage.slots for e in slot.events if e.get("stage") in ("applied",)})
            ended = stage.all_done()
            if applied >= marks[0] or ended:
                if len(marks) == 1:
                    time.sleep(fast_time.real(0.0) + 60.0 / factor)  # kept connections end, and nothing goes on
                marks.pop(0)
                print(f"{applied} jobs in {fast_time.real_monotonic() - began:.0f} s", flush=True)
                for slot in stage.slots:
                    slot.tell("sample")
            time.sleep(_EVERY / factor)
        deadline = time.monotonic() + 10.0
        while time.monotonic() < deadline and not all(_count(slot) == 3 for slot in stage.slots):
            stage.tick()
            time.sleep(0.01)
        events, truth = stage.end()
        verdict = judge(scenario, truth, events, folder / "data", ended=ended)
        for number, slot in enumerate(stage.slots):
            samples[f"process {number + 1}"] = [event["sample"] for event in slot.events if "sample" in event]
        happened = sum((truth or {}).get("fired", {}).values())
        print(
            f"{jobs} jobs, {verdict.paid} tasks paid, {happened} faults, {len(verdict.duplicates)} paid twice, "
            f"{len(verdict.losses)} lost, the user was asked {verdict.asked} times"
        )
        return verdict.sentences, samples
    finally:
        stage.clear()
        shutil.rmtree(folder, ignore_errors=True)


def _count(slot: Any) -> int:
    return sum(1 for event in slot.events if "sample" in event)


def _soak_in_blender(jobs: int, seed: int) -> list[Sample]:
    """Jobs in a background Blender with the extension enabled, its pump called by hand, at the world's own pace."""
    from .faults import Life, Scenario, ServiceScript
    from .stage import Stage

    service = ServiceScript(seconds=(0.5, 1.5))
    folder = Path(tempfile.mkdtemp(prefix="assetgen-soak-"))
    stage = Stage(Scenario(seed, 0, (), service, (Life(),)), folder, (1.0, fast_time.real_monotonic(), time.time()))
    try:
        base_url = stage.start_service()
        environment = {
            **os.environ,
            "ASSETGEN_BASE_URL": base_url,
            "ASSETGEN_API_KEY": stage.key,
            "ASSETGEN_DATA_DIR": str(folder / "data"),
        }
        script = Path(__file__).with_name("soak_in_blender.py")
        command = [sys.executable, str(script), str(jobs), str(folder)]
        done = subprocess.run(command, capture_output=True, text=True, timeout=900, env=environment, check=False)
        found = [line for line in done.stdout.splitlines() if line.startswith("SAMPLES ")]
        if done.returncode or not found:
            raise RuntimeError(f"the background Blender ended with {done.returncode}:\n{done.stdout}\n{done.stderr}")
        samples: list[Sample] = json.loads(found[-1].removeprefix("SAMPLES "))
        return samples
    finally:
        stage.clear()
        shutil.rmtree(folder, ignore_errors=True)
