from __future__ import annotations

from typing import Any

from devtools.bench.page import machine_facts, page


def _result(name: str, **more: Any) -> dict[str, Any]:
    values = {"name": name, "what": "a thing", "reference": "another", "budget": "< 50 ms", "kept": True, "broken": ""}
    return {**values, "milliseconds": 12.34, "reference_milliseconds": 100.0, "times_less": 8.1, **more}


def test_all_that_was_measured_is_on_the_page() -> None:
    phase = {"longest": 41.25, "own": 30.04, "p999": 12.0}
    job = _result(
        "static_1m",
        kept=False,
        triangles=999_698,
        phases={"file work": phase, "arrival": phase, "press": phase},
        calls={"press": {"longest": 27.6, "own": 19.2}},
    )
    text = page([_result("enable"), job], {"images": "no window"}, {"Commit": "abc of today"})
    assert "- Commit: abc of today" in text
    assert "| `enable`: a thing | 12.3 | another | 100.0 | 8.1 | < 50 ms | yes |" in text
    rows = [line for line in text.splitlines() if line.startswith("| `static_1m` |")]
    assert rows == [
        "| `static_1m` | 999,698 | press | 41.2 | 30.0 | 12.0 | 27.6 | 19.2 |",
        "| `static_1m` | 999,698 | arrival | 41.2 | 30.0 | 12.0 |  |  |",
        "| `static_1m` | 999,698 | file work | 41.2 | 30.0 | 12.0 |  |  |",
    ]
    assert "- images could not be measured: no window" in text
    assert "Whole jobs" not in page([_result("enable")], {}, {})


def test_the_stages_of_a_job_are_on_the_page() -> None:
    runs = [{"own": 1.0, "stages": [("to_glb", "Writing the model", 1.234, 0.5)]}]
    text = page([_result("job_decimate_1m", runs=runs), _result("enable", runs=[1.0, 2.0])], {}, {})
    assert "## Where `job_decimate_1m` spends its time" in text
    assert "| to_glb | Writing the model | 1.23 | 0.50 |" in text
    assert "## Where `enable`" not in text


def test_figures_name_the_commit_and_the_machine() -> None:
    facts = machine_facts("4.5.1")
    assert "processors" in facts["Machine"] and facts["Blender's module"] == "4.5.1"
