from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from asset_generation.addon.core.jobs.job import Delivery, JobPlan, Source, SourceKind, Stage, StepPlan
from asset_generation.addon.core.jobs.journal import Journal

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
