"""The one line that is said of jobs that have ended."""

from __future__ import annotations

from typing import Any

import pytest
from asset_generation.addon.core.jobs.job import JobView, Stage, StepView
from asset_generation.addon.core.status.end_report import end_report
from asset_generation.addon.core.status.job_words import duration, effort


def job(name: str = "Texture Knight", stage: Stage = Stage.APPLIED, **values: Any) -> JobView:
    return JobView(
        **{"id": name, "name": name, "stage": stage, "progress": 1.0, "text": "Done", "seconds": 12.4, **values}
    )


def test_a_job_that_went_well_says_time_and_charge() -> None:
    steps = (StepView("import_model", credits="0"), StepView("texture", credits="10"))
    assert end_report([job(steps=steps, service_id="api.service.example")]) == (
        "Texture Knight is done (12 s, 10 credits)",
        True,
    )


def test_what_the_local_engine_counts_is_no_money() -> None:
    assert effort(job(steps=(StepView("texture", credits="10"),), service_id="local")) == "12 s"


def test_what_a_job_says_at_its_end_is_said() -> None:
    assert end_report([job(text="Written to /tmp/a.stl.")])[0] == "Texture Knight: Written to /tmp/a.stl (12 s)"
    assert end_report([job("Rig Check Hero", answer="Riggable: biped.")])[0] == "Rig Check Hero: Riggable: biped (12 s)"


def test_what_was_understood_of_a_prompt_is_said() -> None:
    ended = job("Text to Model: table", text="Done, with a remark", understood="No lamp. Understood: table")
    assert end_report([ended])[0] == "Text to Model: table is done (12 s). No lamp. Understood: table"


@pytest.mark.parametrize(
    ("stage", "words", "is_fine"),
    [
        (Stage.FAILED, "Texture Knight failed: No credits. Top up", False),
        (Stage.UNCERTAIN, "Texture Knight waits for a decision of yours in the list of jobs", False),
        (Stage.STOPPED, "Texture Knight was stopped", True),
        (Stage.READY, "Texture Knight is ready; Bring In puts it into this file (12 s)", True),
    ],
)
def test_every_other_end_has_its_words(stage: Stage, words: str, is_fine: bool) -> None:
    assert end_report([job(stage=stage, error="No credits.", advice="Top up.")]) == (words, is_fine)


def test_what_was_charged_beside_is_said_as_a_warning() -> None:
    words, is_fine = end_report([job(note="The service has made the task 1 as well")])
    assert words.endswith(". The service has made the task 1 as well")
    assert not is_fine


def test_trouble_comes_first_and_many_are_counted() -> None:
    done = [job(f"Rig {number}") for number in range(5)]
    words, is_fine = end_report([*done, job(stage=Stage.FAILED, error="No credits")])
    assert words == "Texture Knight failed: No credits; Rig 0, Rig 1 and 3 more have ended"
    assert not is_fine


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(0.4, "0 s"), (59.4, "59 s"), (59.6, "1 min"), (185, "3 min 5 s"), (3600, "1 h"), (7800, "2 h 10 min")],
)
def test_times_are_read_at_a_glance(seconds: float, words: str) -> None:
    assert duration(seconds) == words
