"""What a job says of the words of its prompts."""

from __future__ import annotations

from typing import Any

import pytest
from asset_generation.addon.core.jobs.job import Delivery, JobPlan, Source, SourceKind, Stage, StepPlan
from asset_generation.addon.core.jobs.records import JobRecord, StepRecord
from asset_generation.addon.core.status import prompt_words
from asset_generation.addon.core.status.job_view import LiveProgress, make_view
from asset_generation.vendor.assetgen.contract import TaskOutput


def output(**told: Any) -> TaskOutput:
    return TaskOutput.model_validate({"local_engine": told})


@pytest.mark.parametrize(
    ("told", "expected"),
    [
        (output(understood=["table", "red"], not_understood=["lamp"]), "Understood: table, red; not understood: lamp"),
        (output(understood=["table"]), "Understood: table"),
        (output(not_understood=["lamp"], note="No lamp."), "No lamp. Understood: nothing; not understood: lamp"),
        (output(note="Only a\nremark"), "Only a remark"),
        (output(), ""),
        (TaskOutput(), ""),
        (None, ""),
    ],
)
def test_words_become_a_sentence_and_nothing_is_said_of_nothing(told: TaskOutput | None, expected: str) -> None:
    assert prompt_words.understood(prompt_words.noted("", told)) == expected


def test_a_chain_keeps_what_every_task_said() -> None:
    kept = ""
    for told in (output(understood=["chair"], note="A"), TaskOutput(), output(understood=["gold"]), output(note="A")):
        kept = prompt_words.noted(kept, told)
    assert prompt_words.remark(kept) == "A"
    assert prompt_words.understood(kept) == "A. Understood: chair. Understood: gold"


def test_what_a_service_says_at_great_length_is_cut() -> None:
    kept = prompt_words.noted("", output(understood=[f"w{n}" for n in range(5000)], note="x" * 100_000))
    assert len(kept) < 2000


@pytest.mark.parametrize(
    ("capability", "answer", "understood"),
    [("rig_check", "Riggable: biped", ""), ("texture", "", "Understood: gold"), ("of_another_version", "Words", "")],
)
def test_a_rig_checks_answer_and_the_words_of_a_prompt_are_told_apart(
    capability: str, answer: str, understood: str
) -> None:
    plan = JobPlan("Bunny", Source(SourceKind.TASK, task_id="t0"), (StepPlan(capability),), Delivery())
    kept = answer or prompt_words.noted("", output(understood=["gold"]))
    steps = (StepRecord(0, capability),)
    record = JobRecord("j1", plan, "local", Stage.READY, None, 0, 0.0, 0.0, 1, answer=kept, steps=steps)
    view = make_view(record, LiveProgress(), now=1.0)
    assert (view.answer, view.understood) == (answer, understood)
