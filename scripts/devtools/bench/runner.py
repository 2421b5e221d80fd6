"""Runs benchmarks, prints them as a table, stores them as JSON."""

from __future__ import annotations

import importlib
import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ..environments.environment import Environment
from ..terminal import Trouble, say, show
from .registry import BENCHMARKS, Benchmark, Measurement

_MODULES = ("enabling", "stalls", "engine", "presses", "noticing", "transfers", "jobs")
"""The modules with benchmarks; they are imported here and nowhere else."""


def run_benchmarks(environment: Environment, only: Sequence[str], json_file: Path | None) -> int:
    """Runs all benchmarks or those named; returns 0 when every budget was kept.

    Raises:
        Trouble: There is no benchmark of a name, or one could not be measured.
    """
    for module in _MODULES:
        importlib.import_module(f".{module}", __package__)
    unknown = [name for name in only if not _named(name)]
    if unknown:
        raise Trouble(f"There is no benchmark {', '.join(unknown)}; there are: {', '.join(BENCHMARKS)}")
    results = []
    for name in [found for word in only for found in _named(word)] or BENCHMARKS:
        if BENCHMARKS[name].in_window and not os.environ.get("BLENDER"):
            if only:
                raise Trouble(f"{name} is measured in a window: set BLENDER to a Blender that can open one")
            say(f"Left out: {name} is measured in a window, and BLENDER names no Blender")
            continue
        say(f"Measuring {name} ...")
        results.append((BENCHMARKS[name], BENCHMARKS[name].measure(environment)))
    _show_table(results)
    if json_file is not None:
        json_file.write_text(json.dumps(_as_json(environment, results), indent=2) + "\n", encoding="utf-8")
    return 0 if all(entry.is_kept(measurement) for entry, measurement in results) else 1


def _named(name: str) -> list[str]:
    """The benchmarks of a name, or all whose names begin with that word."""
    return [name] if name in BENCHMARKS else [found for found in BENCHMARKS if found.startswith(f"{name}_")]


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
