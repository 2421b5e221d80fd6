from __future__ import annotations

import time
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path

import pytest
from asset_generation.addon.core.jobs.history_table import TaskCharge
from asset_generation.addon.core.jobs.job import Delivery, JobPlan, Source, SourceKind, Stage, StepPlan
from asset_generation.addon.core.jobs.journal import Journal
from asset_generation.addon.core.status.history import costs_of, month_start

SERVICE = "api.service.example"


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    """Five jobs, one each second, the last but one off the list."""
    now = [1000.0]
    journal = Journal(tmp_path / "journal.sqlite3", "me", clock=lambda: now[0])
    for number, words in enumerate(("a red chair", "a blue chair", "the tower", "Stühle 100%", "a red door")):
        now[0] = 1000.0 + number
        step = StepPlan("text_to_model", {"prompt": words, "model_seed": number})
        plan = JobPlan(f"Text to Model: {words}", Source(SourceKind.NOTHING), (step,), Delivery())
        journal.add(f"j{number}", plan, SERVICE, Stage.CREATE)
        journal.record_task(f"j{number}", f"t{number}", "x")
        step_values = {"status": "success", "credits": f"{number}.5", "finished_at": now[0]}
        journal.change(f"j{number}", step=step_values, stage=Stage.APPLIED)
    assert journal.remove("j3")
    yield journal
    journal.close()


def test_the_history_has_what_is_off_the_list(journal: Journal) -> None:
    assert [job.id for job in journal.jobs()] == ["j0", "j1", "j2", "j4"]
    total, entries = journal.history.page("", 0, 3)
    assert (total, [entry.job_id for entry in entries]) == (5, ["j4", "j3", "j2"])
    assert [bool(entry.removed_at) for entry in entries] == [False, True, False]
    assert [entry.job_id for entry in journal.history.page("", 3, 3)[1]] == ["j1", "j0"]
    assert journal.results.put_back("j3")
    assert not any(entry.removed_at for entry in journal.history.page("", 0, 9)[1])


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ("chair", ["j1", "j0"]),
        ("CHAIR red", ["j0"]),
        ("100%", ["j3"]),
        ("Stühle", ["j3"]),
        ("' OR 1 --", []),
        ("text_to_model tower", ["j2"]),
    ],
)
def test_the_history_is_searched_by_words(journal: Journal, words: str, found: list[str]) -> None:
    total, entries = journal.history.page(words, 0, 9)
    assert [entry.job_id for entry in entries] == found
    assert total == len(found)


def test_a_job_of_another_version_does_not_break_it(journal: Journal) -> None:
    journal._database._connection.execute("UPDATE jobs SET plan = 'nothing of ours' WHERE id = 'j1'")
    journal._database._connection.execute("UPDATE jobs SET plan = '[1]' WHERE id = 'j2'")
    assert journal.history.page("chair", 0, 9)[0] == 1
    assert journal.history.page("", 0, 9)[0] == 5
    assert [fields["prompt"] for fields in journal.history.asked_fields(9)] == [
        "a red door",
        "Stühle 100%",
        "a red chair",
    ]


def test_what_was_asked_comes_latest_first(journal: Journal) -> None:
    assert [fields["model_seed"] for fields in journal.history.asked_fields(2)] == [4, 3]


def test_costs_are_summed_by_operation_and_the_local_engine_is_free(journal: Journal) -> None:
    assert costs_of(journal.history.charges(1003.0), SERVICE, 1003.0).total == Decimal("8.0")
    charges = [
        TaskCharge(SERVICE, "rig", Decimal(25), 10.0),
        TaskCharge(SERVICE, "texture", Decimal("12.5"), 11.0),
        TaskCharge(SERVICE, "rig", Decimal(1), 12.0),
        TaskCharge("local", "rig", Decimal(99), 12.0),
        TaskCharge("other.example", "rig", Decimal(99), 12.0),
    ]
    costs = costs_of(charges, SERVICE, 11.0)
    assert costs.total == Decimal("13.5")
    assert costs.by_capability == (("texture", Decimal("12.5")), ("rig", Decimal(1)))
    assert costs_of([replace_service(charges[0], "local")], "local", 0.0).total == 0


def replace_service(charge: TaskCharge, service_id: str) -> TaskCharge:
    return charge._replace(service_id=service_id)


def test_a_month_begins_at_midnight_of_its_first_day() -> None:
    now = time.mktime((2026, 11, 22, 10, 15, 3, 0, 0, -1))
    assert time.localtime(month_start(now))[:6] == (2026, 11, 1, 0, 0, 0)
