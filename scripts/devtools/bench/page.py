"""docs/performance.md: everything that was measured, with the machine and the commit, beside an earlier run."""

from __future__ import annotations

import os
import platform
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from ..checkout import commit_name

_HEAD = """# Performance

Made by `python3 scripts/dev.py bench --page docs/performance.md`; not to be edited by hand. Every figure has its
reference from the same run on the same machine. *Before* is what the same command measured earlier, on the commit that
is named."""

_JOBS = """## Whole jobs in a window

A timer of 1 ms runs through a whole job, from the press until the result is in the scene, its step of undo included.
*Longest* is the longest time between two of its calls, *99.9 %* the percentile of all calls, and *own* what the main
thread worked in the busiest of them, without waiting for a processor, each in ms. Where this machine is one of several
on a host, that takes its processors away for some 10 ms now and then, which a process of real-time priority on each
notes; *undisturbed* is the longest time without these moments, and it is what has to be within the goal. Blender itself
takes some ms between two calls when nothing happens (*idle*), and as long as under *redraw* when its window is drawn
anew, which every press and every result has it do. There is no graphics card: the processor draws, so the window is
small (640 x 480, with the sidebar beside a strip of a 3D View) and shows no meshes.

A *first press* is the first one of a session, without a look at the panel before; where it says *press*, other kinds of
things came before in the same Blender. A *later press* is on the same meshes, edited meanwhile; *file* is one on a
model that came from a file, since what is uploaded of a selection has no bones and no shape keys. `libraries.write` is
Blender's own call that writes the selection to a file, without which there is no press, and `Image.pixels` the one that
gives out pixels that were painted and are in no file, all at once, here into memory that is there: a press is to take
at most 1.2 times as long as one of these, or 50 ms. *New memory* is the first touch of as much memory as the pixels
take, after a rest, since a virtual machine may have lent it elsewhere; a press waits for that while Blender goes on, so
*the call itself* of a press is the time until its job has started. What is uploaded is made in the background.
`wm.append` is Blender's own operator for the file that a result is prepared as: other results than single meshes may
take 1.2 times as long, or 50 ms. *Script* is what no arrival goes without, by Blender's own calls alone: copies of the
same objects, ready beforehand, are linked, shown instead of their sources and selected, with one step of undo. What is
over its goal is played twice more, and the middle one of the three counts."""

_STAGES = """The background Blenders of the first job of a session, one after another. *s* are seconds of the clock,
*processor* those of computing, on all cores."""

_TESTS = """One run of `.ci/run`, on a clean clone of {commit}. Suites run side by side."""

_PHASES = (
    *("idle", "redraw", "first press", "press", "later press", "file", "libraries.write", "Image.pixels", "new memory"),
    *("export_scene.gltf", "work", "arrival", "script", "wm.append", "import_scene.gltf"),
)

Figures = Mapping[str, Any]
"""What a run has measured, as it is stored as JSON."""


def page(figures: Figures, before: Figures | None = None) -> str:
    """The page as text.

    Args:
        figures: Of this run: ``benchmarks``, ``facts`` of machine and commit, and ``troubles``: by name, why others
            could not be measured, and ``tests``, what a whole run of them took, where there was one.
        before: Of an earlier run.
    """
    results: Sequence[Mapping[str, Any]] = figures["benchmarks"]
    earlier = {result["name"]: result for result in before["benchmarks"]} if before is not None else {}
    parts = [_HEAD, _facts(figures.get("facts", {}), before.get("facts", {}) if before is not None else {})]
    parts += ["## Budgets", "\n".join(_budgets(results, earlier))]
    troubles: Mapping[str, str] = figures.get("troubles", {})
    if troubles:
        # The last line of a failure is what went wrong; those before it are where.
        lasts = {name: (words.strip().splitlines() or [""])[-1] for name, words in troubles.items()}
        parts.append("\n".join(f"- {name} could not be measured: {words}" for name, words in lasts.items()))
    for result in results:
        if stages := _stages_of(result):
            parts += [f"## Where `{result['name']}` spends its time", _STAGES, "\n".join(_stages(stages))]
            if were := _stages_of(earlier.get(result["name"], {})):
                parts += ["Before:", "\n".join(_stages(were))]
    jobs = [result for result in results if "phases" in result]
    if jobs:
        parts += [_JOBS, "\n".join(_jobs(jobs, earlier))]
    if tests := figures.get("tests"):
        parts += ["## The tests", _TESTS.format(commit=tests["commit"]), "\n".join(_tests(tests))]
    return "\n\n".join(part for part in parts if part) + "\n"


def machine_facts(bpy: str) -> dict[str, str]:
    """What figures depend on."""
    return {
        "Commit": commit_name(),
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


def _facts(facts: Mapping[str, str], before: Mapping[str, str]) -> str:
    lines = [f"- {name}: {value}" for name, value in facts.items()]
    lines += [f"- {name}, before: {value}" for name, value in before.items() if facts.get(name) != value]
    return "\n".join(lines)


def _budgets(results: Sequence[Mapping[str, Any]], earlier: Mapping[str, Mapping[str, Any]]) -> Iterator[str]:
    yield "| | Before, ms | ms | Reference | ms | Times less | Budget | Kept |"
    yield "|---|--:|--:|---|--:|--:|---|---|"
    for result in results:
        kept = "yes" if result["kept"] else f"no{': ' if result['broken'] else ''}{result['broken']}"
        yield (
            f"| `{result['name']}`: {result['what']} | {_number(earlier.get(result['name'], {}).get('milliseconds'))} |"
            f" {result['milliseconds']:.1f} | {result['reference']} | {result['reference_milliseconds']:.1f} |"
            f" {result['times_less']:.1f} | {result['budget']} | {kept} |"
        )


def _stages_of(result: Mapping[str, Any]) -> Sequence[tuple[str, str, float, float]]:
    """The stages of the last run that has any."""
    runs = [run["stages"] for run in result.get("runs", ()) if isinstance(run, Mapping) and "stages" in run]
    return runs[-1] if runs else ()


def _stages(stages: Sequence[tuple[str, str, float, float]]) -> Iterator[str]:
    yield "| Script | Stage | s | Processor |"
    yield "|---|---|--:|--:|"
    for script, stage, seconds, processor in stages:
        yield f"| {script} | {stage} | {seconds:.2f} | {processor:.2f} |"


def _jobs(results: Sequence[Mapping[str, Any]], earlier: Mapping[str, Mapping[str, Any]]) -> Iterator[str]:
    titles = ("", "Triangles", "Phase", "Longest before", "Longest", "Undisturbed", "Goal", "Met")
    yield f"| {' | '.join(titles)} | 99.9 % before | 99.9 % | Own | The call itself |"
    yield "|---|--:|---|--:|--:|--:|--:|---|--:|--:|--:|--:|"
    for result in results:
        phases: Mapping[str, Mapping[str, float]] = result["phases"]
        goals: Mapping[str, float] = result.get("goals", {})
        phases_before: Mapping[str, Mapping[str, float]] = earlier.get(result["name"], {}).get("phases", {})
        known = [name for name in _PHASES if name in phases]
        for name in [*known, *(name for name in phases if name not in known)]:
            phase, call, was = phases[name], result["calls"].get(name, {}), phases_before.get(name, {})
            goal, undisturbed = goals.get(name), phase.get("undisturbed")
            met = "" if goal is None or undisturbed is None else "yes" if undisturbed <= goal else "no"
            cells = [
                *(_number(was.get("longest")), _number(phase.get("longest")), _number(undisturbed)),
                *("" if goal is None else f"{goal:.0f}", met),
                *(_number(was.get("p999")), _number(phase.get("p999")), _number(phase.get("own"))),
                _number(call.get("longest")),
            ]
            yield f"| `{result['name']}` | {result['triangles']:,} | {name} | {' | '.join(cells)} |"


def _tests(times: Mapping[str, Any]) -> Iterator[str]:
    yield "| Suite | Passed | Failed | Skipped | s |"
    yield "|---|--:|--:|--:|--:|"
    for suite in times["suites"]:
        counts = " | ".join(f"{suite[how]:,}" for how in ("passed", "failed", "skipped"))
        yield f"| {suite['name']} | {counts} | {suite['seconds']:.0f} |"
    totals = " | ".join(f"{sum(suite[how] for suite in times['suites']):,}" for how in ("passed", "failed", "skipped"))
    yield f"| all | {totals} | {times['seconds']:.0f} |"


def _number(figure: float | None) -> str:
    return "" if figure is None else f"{figure:.1f}"
