"""Runs benchmarks, prints them as a table, stores them as JSON and as a page."""

from __future__ import annotations

import fnmatch
import importlib
import json
import os
import time
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Any

from ..environments.environment import Environment
from ..suites import suite_times
from ..terminal import Trouble, say, show
from .page import machine_facts, page
from .registry import BENCHMARKS, Benchmark, Measurement
from .windows import session

_MODULES = ("enabling", "stalls", "engine", "noticing", "transfers", "jobs", "batches", "presses", "whole_jobs")
"""The modules with benchmarks; they are imported here and nowhere else."""


def run_benchmarks(
    environment: Environment,
    only: Sequence[str],
    json_file: Path | None = None,
    page_file: Path | None = None,
    before_file: Path | None = None,
    merged_files: Sequence[Path] = (),
) -> int:
    """Runs all benchmarks or those named (``job_*`` names several); returns 0 when every budget was kept.

    One that cannot be measured does not keep the others from it. What is known so far is written after each.

    Args:
        environment: What runs them.
        only: Their names; all when there is none.
        json_file: Where the figures go.
        page_file: Where the page goes.
        before_file: Figures of an earlier run, which the page has beside the new ones.
        merged_files: Figures of other runs of this commit: what these have is not measured again, unless it is named.

    Raises:
        Trouble: There is no benchmark of a name, some could not be measured, there are no figures in one of the files,
            or those to be merged are of another commit.
    """
    before = _read_figures(before_file) if before_file is not None else None
    for module in _MODULES:
        importlib.import_module(f".{module}", __package__)
    facts = machine_facts(environment.blender.bpy)  # before they make the machine busy
    merged, merged_facts = _read_merged(merged_files, facts["Commit"])
    names = _chosen(only, merged)
    rows: dict[str, dict[str, Any]] = {name: row for name, row in merged.items() if name not in names}
    results: list[tuple[Benchmark, Measurement]] = []
    troubles: dict[str, str] = {}

    def write() -> None:
        values = _as_json(environment, [rows[name] for name in BENCHMARKS if name in rows])
        values |= {"facts": facts if names else merged_facts or facts, "troubles": troubles}
        values["tests"] = suite_times.kept()
        if json_file is not None:
            json_file.write_text(json.dumps(values, indent=2) + "\n", encoding="utf-8")
        if page_file is not None:
            page_file.write_text(page(values, before), encoding="utf-8")

    write()
    try:
        for name in names:
            say(f"Measuring {name} ...")
            began = time.monotonic()
            try:
                results.append((BENCHMARKS[name], BENCHMARKS[name].measure(environment)))
                rows[name] = _row(*results[-1])
            except Exception as error:  # also what is wrong with a benchmark itself: the others go on
                words = str(error) if isinstance(error, Trouble) else f"{type(error).__name__}: {error}"
                say(f"{name} could not be measured: {words}")
                troubles[name] = words
            say(f"  in {time.monotonic() - began:.0f} s")
            write()
    finally:
        session.close()
    _show_table(results)
    if troubles:
        raise Trouble(f"These could not be measured: {', '.join(troubles)}")
    return 0 if all(row["kept"] for row in rows.values()) else 1


def _chosen(only: Sequence[str], merged: Collection[str]) -> list[str]:
    """The names of what is to be measured, in its order."""
    unknown = [name for name in only if not fnmatch.filter(BENCHMARKS, name)]
    if unknown:
        raise Trouble(f"There is no benchmark {', '.join(unknown)}; there are: {', '.join(BENCHMARKS)}")
    if only:
        names = [name for name in BENCHMARKS if any(fnmatch.fnmatch(name, wanted) for wanted in only)]
    else:
        names = [name for name in BENCHMARKS if name not in merged]
    windowed = [name for name in names if BENCHMARKS[name].in_window]
    if not windowed or os.environ.get("BLENDER"):
        return names
    if only:
        raise Trouble(f"{', '.join(windowed)}: measured in a window; set BLENDER to a Blender that can open one")
    say(f"Left out, because they are measured in a window and BLENDER names no Blender: {', '.join(windowed)}")
    return [name for name in names if name not in windowed]


def _read_merged(files: Sequence[Path], commit: str) -> tuple[dict[str, dict[str, Any]], dict[str, str]]:
    """What other runs have measured, by name, and the facts of the first one."""
    runs = [_read_figures(file) for file in files]
    for file, run in zip(files, runs, strict=True):
        other = run.get("facts", {}).get("Commit")
        if other != commit:
            raise Trouble(f"{file} was measured on commit {other}, and this is {commit}: measure it again")
    return {row["name"]: row for run in runs for row in run["benchmarks"]}, runs[0]["facts"] if runs else {}


def _read_figures(file: Path) -> dict[str, Any]:
    try:
        figures: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
        if not isinstance(figures["benchmarks"], list):
            raise TypeError("no list of benchmarks")
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise Trouble(f"{file} has no figures of an earlier run (--json writes them): {error}") from error
    return figures


def _show_table(results: Sequence[tuple[Benchmark, Measurement]]) -> None:
    show(f"{'benchmark':<16}{'ms':>10}{'reference ms':>14}{'times less':>12}  {'budget':<32}verdict")
    for entry, measurement in results:
        figures = f"{measurement.milliseconds:>10.1f}{measurement.reference_milliseconds:>14.1f}"
        verdict = "kept" if entry.is_kept(measurement) else "BROKEN"
        show(f"{entry.name:<16}{figures}{measurement.times_less:>12.1f}  {entry.budget():<32}{verdict}")
        show(f"{'':<16}{entry.what}; reference: {entry.reference}")
        if measurement.broken:
            show(f"{'':<16}{measurement.broken}")


def _as_json(environment: Environment, rows: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    return {
        "bpy": environment.blender.bpy,
        "python": environment.blender.python,
        "processors": os.cpu_count(),
        "benchmarks": rows,
    }


def _row(entry: Benchmark, measurement: Measurement) -> dict[str, Any]:
    return {
        **measurement.facts,  # first: of what has the same name, such as "reference", the words below count
        "name": entry.name,
        "what": entry.what,
        "reference": entry.reference,
        "milliseconds": measurement.milliseconds,
        "reference_milliseconds": measurement.reference_milliseconds,
        "times_less": measurement.times_less,
        "budget": entry.budget(),
        "kept": entry.is_kept(measurement),
        "broken": measurement.broken,
    }
