"""Runs benchmarks, prints them as a table, stores them as JSON and as a page."""

from __future__ import annotations

import fnmatch
import importlib
import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ..environments.environment import Environment
from ..terminal import Trouble, say, show
from .page import machine_facts, page
from .registry import BENCHMARKS, Benchmark, Measurement

_MODULES = ("enabling", "stalls", "engine", "presses", "noticing", "transfers", "jobs", "whole_jobs", "batches")
"""The modules with benchmarks; they are imported here and nowhere else."""


def run_benchmarks(
    environment: Environment, only: Sequence[str], json_file: Path | None = None, page_file: Path | None = None
) -> int:
    """Runs all benchmarks or those named (``job_*`` names several); returns 0 when every budget was kept.

    One that cannot be measured does not keep the others from it.

    Raises:
        Trouble: There is no benchmark of a name, or some could not be measured.
    """
    for module in _MODULES:
        importlib.import_module(f".{module}", __package__)
    unknown = [name for name in only if not fnmatch.filter(BENCHMARKS, name)]
    if unknown:
        raise Trouble(f"There is no benchmark {', '.join(unknown)}; there are: {', '.join(BENCHMARKS)}")
    results, troubles = [], {}
    for name in [name for name in BENCHMARKS if not only or any(fnmatch.fnmatch(name, wanted) for wanted in only)]:
        if BENCHMARKS[name].in_window and not os.environ.get("BLENDER"):
            if only:
                raise Trouble(f"{name} is measured in a window: set BLENDER to a Blender that can open one")
            say(f"Left out: {name} is measured in a window, and BLENDER names no Blender")
            continue
        say(f"Measuring {name} ...")
        try:
            results.append((BENCHMARKS[name], BENCHMARKS[name].measure(environment)))
        except Trouble as trouble:
            say(f"{name} could not be measured: {trouble}")
            troubles[name] = str(trouble)
    _show_table(results)
    values = _as_json(environment, results)
    if json_file is not None:
        json_file.write_text(json.dumps(values, indent=2) + "\n", encoding="utf-8")
    if page_file is not None:
        firsts = {name: words.splitlines()[0] for name, words in troubles.items()}
        page_file.write_text(
            page(values["benchmarks"], firsts, machine_facts(environment.blender.bpy)), encoding="utf-8"
        )
    if troubles:
        raise Trouble(f"These could not be measured: {', '.join(troubles)}")
    return 0 if all(entry.is_kept(measurement) for entry, measurement in results) else 1


def _show_table(results: Sequence[tuple[Benchmark, Measurement]]) -> None:
    show(f"{'benchmark':<16}{'ms':>10}{'reference ms':>14}{'times less':>12}  {'budget':<32}verdict")
    for entry, measurement in results:
        figures = f"{measurement.milliseconds:>10.1f}{measurement.reference_milliseconds:>14.1f}"
        verdict = "kept" if entry.is_kept(measurement) else "BROKEN"
        show(f"{entry.name:<16}{figures}{measurement.times_less:>12.1f}  {entry.budget():<32}{verdict}")
        show(f"{'':<16}{entry.what}; reference: {entry.reference}")
        if measurement.broken:
            show(f"{'':<16}{measurement.broken}")


def _as_json(environment: Environment, results: Sequence[tuple[Benchmark, Measurement]]) -> dict[str, Any]:
    return {
        "bpy": environment.blender.bpy,
        "python": environment.blender.python,
        "processors": os.cpu_count(),
        "benchmarks": [
            {
                "name": entry.name,
                "what": entry.what,
                "reference": entry.reference,
                "milliseconds": measurement.milliseconds,
                "reference_milliseconds": measurement.reference_milliseconds,
                "times_less": measurement.times_less,
                "budget": entry.budget(),
                "kept": entry.is_kept(measurement),
                "broken": measurement.broken,
                **measurement.facts,
            }
            for entry, measurement in results
        ],
    }
