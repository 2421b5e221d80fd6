from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from devtools.bench import registry, runner
from devtools.bench.page import machine_facts, page
from devtools.bench.registry import Benchmark, Measurement
from devtools.bench.whole_jobs import goals, run_that_counts
from devtools.terminal import Trouble


def _result(name: str, **more: Any) -> dict[str, Any]:
    values = {"name": name, "what": "a thing", "reference": "another", "budget": "< 50 ms", "kept": True, "broken": ""}
    return {**values, "milliseconds": 12.34, "reference_milliseconds": 100.0, "times_less": 8.1, **more}


def _job(longest: float = 41.25) -> dict[str, Any]:
    phase = {"longest": longest, "undisturbed": longest - 10, "own": 30.04, "p999": 12.0}
    return _result(
        "static_1m",
        kept=False,
        broken="arrival 31 of 30 ms",
        triangles=999_698,
        phases={"arrival": phase, "press": phase, "libraries.write": phase},
        calls={"press": {"longest": 27.6, "own": 19.2}},
        goals={"press": 50.0, "arrival": 30.0},
    )


def test_all_that_was_measured_is_on_the_page() -> None:
    text = page(
        {
            "benchmarks": [_result("enable"), _job()],
            "troubles": {"images": "it failed:\nno window"},
            "facts": {"Commit": "abc"},
        }
    )
    assert "- Commit: abc" in text
    assert "| `enable`: a thing |  | 12.3 | another | 100.0 | 8.1 | < 50 ms | yes |" in text
    rows = [line for line in text.splitlines() if line.startswith("| `static_1m` |")]
    assert rows == [
        "| `static_1m` | 999,698 | press |  | 41.2 | 31.2 | 50 | yes |  | 12.0 | 30.0 | 27.6 |",
        "| `static_1m` | 999,698 | libraries.write |  | 41.2 | 31.2 |  |  |  | 12.0 | 30.0 |  |",
        "| `static_1m` | 999,698 | arrival |  | 41.2 | 31.2 | 30 | no |  | 12.0 | 30.0 |  |",
    ]
    assert "| no: arrival 31 of 30 ms |" in text
    assert "- images could not be measured: no window\n" in text
    assert "Whole jobs" not in page({"benchmarks": [_result("enable")]})


def test_an_earlier_run_stands_beside_the_new_one() -> None:
    now = {"benchmarks": [_result("enable"), _job()], "facts": {"Commit": "new", "Machine": "this"}}
    before = {
        "benchmarks": [_result("enable", milliseconds=99.0), _job(957.0)],
        "facts": {"Commit": "old", "Machine": "this"},
    }
    text = page(now, before)
    assert "- Commit, before: old" in text and "- Machine, before" not in text
    assert "| `enable`: a thing | 99.0 | 12.3 |" in text
    assert "| `static_1m` | 999,698 | press | 957.0 | 41.2 | 31.2 | 50 | yes | 12.0 | 12.0 | 30.0 | 27.6 |" in text


def test_a_press_may_take_as_long_as_blenders_own_writing_takes() -> None:
    phases = {"press": {}, "work": {}, "libraries.write": {"undisturbed": 100.0}}
    assert goals("static", phases) == {"press": 120.0, "work": 50.0}
    painted = {"press": {}, "libraries.write": {"undisturbed": 60.0}, "Image.pixels": {"undisturbed": 80.0}}
    assert goals("textures", painted) == {"press": 96.0}, "they are done one after the other"
    painted["new memory"] = {"undisturbed": 900.0}
    assert goals("textures", painted) == {"press": 96.0}, "it is waited for while Blender goes on"
    assert goals("static", {"press": {}, "arrival": {}}) == {"press": 50.0, "arrival": 30.0}
    assert goals("rigged", {"arrival": {}}) == {"arrival": 50.0}
    append = {"arrival": {}, "wm.append": {"undisturbed": 500.0}}
    assert goals("rigged", append) == {"arrival": 600.0} and goals("static", append) == {"arrival": 30.0}
    assert goals("static", {"first press": {}, "libraries.write": {"undisturbed": 100.0}}) == {"first press": 120.0}


def test_the_stages_of_a_job_are_on_the_page() -> None:
    runs = [{"own": 1.0, "stages": [("to_glb", "Writing the model", 1.234, 0.5)]}]
    text = page({"benchmarks": [_result("job_decimate_1m", runs=runs), _result("enable", runs=[1.0, 2.0])]})
    assert "## Where `job_decimate_1m` spends its time" in text
    assert "| to_glb | Writing the model | 1.23 | 0.50 |" in text
    assert "## Where `enable`" not in text and "Before:" not in text
    slower = [{"own": 2.0, "stages": [("to_glb", "Writing the model", 5.678, 5.5)]}]
    now, before = ({"benchmarks": [_result("job_decimate_1m", runs=spent)]} for spent in (runs, slower))
    beside = page(now, before)
    assert beside.index("| 1.23 | 0.50 |") < beside.index("Before:") < beside.index("| 5.68 | 5.50 |")


def test_what_the_tests_took_is_on_the_page() -> None:
    suites = [
        {"name": "unit", "seconds": 99.6, "passed": 2500, "failed": 0, "skipped": 1},
        {"name": "engine 4.5", "seconds": 300.0, "passed": 400, "failed": 1, "skipped": 0},
    ]
    text = page({"benchmarks": [], "tests": {"commit": "abc of today", "seconds": 1100.2, "suites": suites}})
    assert "abc of today" in text
    assert "| unit | 2,500 | 0 | 1 | 100 |" in text and "| all | 2,900 | 1 | 1 | 1100 |" in text
    assert "## The tests" not in page({"benchmarks": [], "tests": None})


def test_figures_name_the_commit_and_the_machine() -> None:
    facts = machine_facts("4.5.1")
    assert "processors" in facts["Machine"] and facts["Blender's module"] == "4.5.1"


class _Blender:
    bpy, python = "4.5.1", "3.11"


class _Environment:
    blender = _Blender()


def _play(*gaps: float) -> tuple[float, int]:
    """The work of the run that counts, of as many as were played."""
    left = list(gaps)
    run = run_that_counts("static", lambda: {"phases": {"idle": {}, "work": {"undisturbed": left.pop(0)}}})
    assert run["plays"] == len(gaps) - len(left)
    return run["phases"]["work"]["undisturbed"], run["plays"]


def test_what_is_over_its_goal_is_played_again_and_the_middle_run_counts() -> None:
    assert _play(49.0, 500.0) == (49.0, 1)
    assert _play(300.0, 20.0, 40.0) == (40.0, 3)
    assert _play(60.0, 20.0, 55.0) == (55.0, 3), "what is over as a rule stays over"


def test_one_that_fails_is_named_and_the_others_go_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(_environment: object) -> Measurement:
        raise KeyError("press")

    def works(_environment: object) -> Measurement:
        return Measurement(1.0, 2.0, facts={"reference": 2.0, "rows": 7})

    entries = [Benchmark(name, "a thing", "another", call, 50.0) for name, call in (("bad", fails), ("good", works))]
    monkeypatch.setattr(runner, "_MODULES", ())
    monkeypatch.setattr(runner, "BENCHMARKS", {entry.name: entry for entry in entries})
    figures, written = tmp_path / "figures.json", tmp_path / "page.md"
    environment: Any = _Environment()
    with pytest.raises(Trouble, match="bad"):
        runner.run_benchmarks(environment, (), figures, written)
    (good,) = json.loads(figures.read_text())["benchmarks"]
    assert (good["name"], good["rows"], good["reference"]) == ("good", 7, "another"), "in words, whatever was measured"
    assert "- bad could not be measured: KeyError: 'press'" in written.read_text()
    assert runner.run_benchmarks(environment, ["good"], None, written, figures) == 0
    assert "| `good`: a thing | 1.0 | 1.0 |" in written.read_text()
    with pytest.raises(Trouble, match="no figures"):
        runner.run_benchmarks(environment, ["good"], None, written, written)


def test_a_page_is_put_together_from_several_runs_of_a_commit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    measured: list[str] = []

    def measures(name: str, milliseconds: float) -> Benchmark:
        def measure(_environment: object) -> Measurement:
            measured.append(name)
            return Measurement(milliseconds, 2.0)

        return Benchmark(name, "a thing", "another", measure, 50.0)

    environment: Any = _Environment()
    monkeypatch.setattr(runner, "_MODULES", ())
    monkeypatch.setattr(runner, "machine_facts", lambda _bpy: {"Commit": "abc"})
    first, second, both, written = (tmp_path / name for name in ("1.json", "2.json", "both.json", "page.md"))
    monkeypatch.setattr(
        runner, "BENCHMARKS", {entry.name: entry for entry in (measures("a", 1.0), measures("b", 99.0))}
    )
    assert runner.run_benchmarks(environment, ["a"], first) == 0
    assert runner.run_benchmarks(environment, ["b"], second) == 1
    assert runner.run_benchmarks(environment, (), both, written, None, [second, first]) == 1, "b keeps no promise"
    assert measured == ["a", "b"]
    assert "| `a`: a thing |  | 1.0 |" in written.read_text() and "| `b`: a thing |  | 99.0 |" in written.read_text()
    assert [row["name"] for row in json.loads(both.read_text())["benchmarks"]] == ["a", "b"]
    runner.run_benchmarks(environment, (), None, written, None, [first])
    assert measured == ["a", "b", "b"], "what a file lacks is measured"
    monkeypatch.setattr(runner, "machine_facts", lambda _bpy: {"Commit": "def"})
    with pytest.raises(Trouble, match="commit abc"):
        runner.run_benchmarks(environment, (), None, written, None, [first])


def test_a_benchmark_promises_something() -> None:
    with pytest.raises(ValueError, match="promises nothing"):
        registry.benchmark("empty", what="a thing", reference="another")
