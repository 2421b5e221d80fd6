"""docs/performance.md: everything that was measured, with the machine and the commit."""

from __future__ import annotations

import os
import platform
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from ..terminal import run

_HEAD = """# Performance

Made by `python3 scripts/dev.py bench --page docs/performance.md`; not to be edited by hand. Every figure has its
reference from the same run on the same machine."""

_JOBS = """## Whole jobs in a window

A timer of 1 ms runs through a whole job: from the first press of a session, without a look at the panel before,
until the result is in the scene, its step of undo included. *Longest* is the longest time between two of its calls,
*own* what the main thread worked in the busiest of them, without waiting for a processor, and *99.9 %* the
percentile of all calls, each in ms. Blender itself takes some ms between two calls when nothing happens (*idle*).
Meshes are not drawn meanwhile: that takes as long as the graphics card is slow. `libraries.write` is Blender's own
call that writes the selection to a file, without which there is no press; what is uploaded is made of that file in
the background."""

_STAGES = """The background Blenders of the first job of a session, one after another. *s* are seconds of the clock,
*processor* those of computing, on all cores."""

_PHASES = ("start", "idle", "press", "later press", "libraries.write", "export_scene.gltf", "work", "arrival")
_LAST = "import_scene.gltf"


def page(results: Sequence[Mapping[str, Any]], troubles: Mapping[str, str], facts: Mapping[str, str]) -> str:
    """The page as text.

    Args:
        results: Benchmarks as they are stored as JSON.
        troubles: Why others could not be measured, by name.
        facts: What is known of machine and commit.
    """
    parts = [_HEAD, "\n".join(f"- {name}: {value}" for name, value in facts.items()), "## Budgets"]
    parts.append("\n".join(_budgets(results)))
    if troubles:
        parts.append("\n".join(f"- {name} could not be measured: {words}" for name, words in troubles.items()))
    for result in results:
        if stages := [run["stages"] for run in result.get("runs", ()) if isinstance(run, Mapping) and "stages" in run]:
            parts += [f"## Where `{result['name']}` spends its time", _STAGES, "\n".join(_stages(stages[-1]))]
    jobs = [result for result in results if "phases" in result]
    if jobs:
        parts += [_JOBS, "\n".join(_jobs(jobs))]
    return "\n\n".join(parts) + "\n"


def machine_facts(bpy: str) -> dict[str, str]:
    """What figures depend on."""
    commit = run(["git", "log", "-1", "--format=%h of %cs"]).stdout.strip()
    changed = run(["git", "status", "--porcelain", "--untracked-files=no"]).stdout.strip()
    return {
        "Commit": f"{commit or 'unknown'}{', with changes' if changed else ''}",
        "Machine": f"{_processor()}, {os.cpu_count()} processors, {platform.system()} {platform.release()}",
        "Busy with other work (load average)": " ".join(f"{value:.1f}" for value in os.getloadavg())
        if hasattr(os, "getloadavg")
        else "unknown",
        "Blender's module": bpy,
    }


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.processor() or platform.machine()
    return next((line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")), platform.machine())


def _budgets(results: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    yield "| | ms | Reference | ms | Times less | Budget | Kept |"
    yield "|---|--:|---|--:|--:|---|---|"
    for result in results:
        kept = "yes" if result["kept"] else f"no{': ' if result['broken'] else ''}{result['broken']}"
        yield (
            f"| `{result['name']}`: {result['what']} | {result['milliseconds']:.1f} | {result['reference']} |"
            f" {result['reference_milliseconds']:.1f} | {result['times_less']:.1f} | {result['budget']} | {kept} |"
        )


def _stages(stages: Sequence[tuple[str, str, float, float]]) -> Iterator[str]:
    yield "| Script | Stage | s | Processor |"
    yield "|---|---|--:|--:|"
    for script, stage, seconds, processor in stages:
        yield f"| {script} | {stage} | {seconds:.2f} | {processor:.2f} |"


def _jobs(results: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    yield "| | Triangles | Phase | Longest | Own | 99.9 % | The call itself | Own |"
    yield "|---|--:|---|--:|--:|--:|--:|--:|"
    for result in results:
        found: Mapping[str, Mapping[str, float]] = result["phases"]
        known = [name for name in (*_PHASES, _LAST) if name in found]
        for name in [*known, *(name for name in found if name not in known)]:
            phase, call = found[name], result["calls"].get(name, {})
            figures = [phase.get("longest"), phase.get("own"), phase.get("p999"), call.get("longest"), call.get("own")]
            cells = " | ".join("" if figure is None else f"{figure:.1f}" for figure in figures)
            yield f"| `{result['name']}` | {result['triangles']:,} | {name} | {cells} |"
