"""Runs benchmarks, prints them as a table, stores them as JSON and as a page."""

from __future__ import annotations

import fnmatch
import importlib
import json
import os
import time
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
    environment: Environment,
    only: Sequence[str],
    json_file: Path | None = None,
    page_file: Path | None = None,
    before_file: Path | None = None,
) -> int:
    """Runs all benchmarks or those named (``job_*`` names several); returns 0 when every budget was kept.

    One that cannot be measured does not keep the others from it. What is known so far is written after each.

    Args:
        environment: What runs them.
        only: Their names; all when there is none.
        json_file: Where the figures go.
        page_file: Where the page goes.
        before_file: Figures of an earlier run, which the page has beside the new ones.

    Raises:
        Trouble: There is no benchmark of a name, some could not be measured, or there are no figures in that file.
    """
    before = _read_figures(before_file) if before_file is not None else None
    for module in _MODULES:
        importlib.import_module(f".{module}", __package__)
    unknown = [name for name in only if not fnmatch.filter(BENCHMARKS, name)]
    if unknown:
        raise Trouble(f"There is no benchmark {', '.join(unknown)}; there are: {', '.join(BENCHMARKS)}")
    results: list[tuple[Benchmark, Measurement]] = []
    troubles: dict[str, str] = {}
    facts = machine_facts(environment.blender.bpy)  # before they make the machine busy
    for name in [name for name in BENCHMARKS if not only or any(fnmatch.fnmatch(name, wanted) for wanted in only)]:
        if BENCHMARKS[name].in_window and not os.environ.get("BLENDER"):
            if only:
                raise Trouble(f"{name} is measured in a window: set BLENDER to a Blender that can open one")
            say(f"Left out: {name} is measured in a window, and BLENDER names no Blender")
            continue
        say(f"Measuring {name} ...")
        began = time.monotonic()
        try:
            results.append((BENCHMARKS[name], BENCHMARKS[name].measure(environment)))
        except Exception as error:  # also what is wrong with a benchmark itself: the others go on
            words = str(error) if isinstance(error, Trouble) else f"{type(error).__name__}: {error}"
            say(f"{name} could not be measured: {words}")
            troubles[name] = words
        say(f"  in {time.monotonic() - began:.0f} s")
        values = {**_as_json(environment, results), "facts": facts, "troubles": troubles}
        if json_file is not None:
            json_file.write_text(json.dumps(values, indent=2) + "\n", encoding="utf-8")
        if page_file is not None:
            page_file.write_text(page(values, before), encoding="utf-8")
    _show_table(results)
    if troubles:
        raise Trouble(f"These could not be measured: {', '.join(troubles)}")
    return 0 if all(entry.is_kept(measurement) for entry, measurement in results) else 1


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
