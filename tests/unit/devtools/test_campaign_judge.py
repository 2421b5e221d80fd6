"""The judge of the campaign on truths and journals that are made up: it must see what is wrong with them."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from devtools.campaign.faults import JobScript, Scenario
from devtools.campaign.judge import Verdict, judge
from devtools.campaign.scenario import KINDS, MARKERS, draw
from devtools.campaign.scripted.results import digest, glb, png, words_of
from devtools.campaign.soak import grown

LABEL = "job 0"
SCENARIO = Scenario(1, 0, (JobScript(LABEL, "words"),))


def task(task_id: str = "a", **changes: Any) -> dict[str, Any]:
    found: dict[str, Any] = {
        "id": task_id,
        "kind": "text-to-model",
        "gives": "model",
        "words": LABEL,
        "ours": True,
        "request_id": "r",
        "marker": "",
        "alive_at": 100.0,
        "status": "success",
        "digest": digest(glb(task_id)),
    }
    return found | changes


def truth(*tasks: dict[str, Any], **changes: Any) -> dict[str, Any]:
    return {"tasks": list(tasks), "broken_rules": []} | changes


def journal(
    data: Path, stage: str = "applied", task_id: str = "a", result: bytes = glb("a"), name: str = LABEL
) -> None:
    (data / "model.glb").write_bytes(result)
    with closing(sqlite3.connect(data / "journal.sqlite3")) as database:
        database.execute(
            "CREATE TABLE jobs (id, plan, stage, error, text, result, blend, delivered, answer, created_at)"
        )
        database.execute("CREATE TABLE steps (job_id, position, task_id)")
        values = ("1", json.dumps({"name": name}), stage, "", "", str(data / "model.glb"), "", "[]", "", 0)
        database.execute("INSERT INTO jobs VALUES (?,?,?,?,?,?,?,?,?,?)", values)
        database.execute("INSERT INTO steps VALUES (?,?,?)", ("1", 0, task_id))
        database.commit()


def verdict_on(data: Path, made: dict[str, Any] | None, events: list[dict[str, Any]] | None = None) -> Verdict:
    return judge(SCENARIO, made, events or [], data, ended=True)


def test_a_good_run_passes(tmp_path: Path) -> None:
    journal(tmp_path)
    verdict = verdict_on(tmp_path, truth(task()))
    assert (verdict.paid, verdict.sentences, verdict.failed) == (1, [], False)


def test_a_refunded_task_and_those_of_other_people_are_not_counted(tmp_path: Path) -> None:
    journal(tmp_path)
    verdict = verdict_on(tmp_path, truth(task(), task("b", status="failed"), task("c", ours=False)))
    assert not verdict.failed


@pytest.mark.parametrize(
    ("make", "made", "words"),
    [
        (journal, truth(task(), task("b")), "paid twice: text-to-model of job 0"),
        (journal, truth(task(), task("b", words="")), "paid twice: text-to-model of nothing"),
        (lambda data: journal(data, "failed"), truth(task()), "job 0 (words) is failed"),
        (lambda data: journal(data, "wait"), truth(task()), "job 0 (words) is wait"),
        (lambda data: journal(data, result=glb("a")[:-1]), truth(task()), "is not what the service made"),
        (lambda data: (journal(data), (data / "model.glb").unlink()), truth(task()), "is not there"),
        (lambda data: journal(data, task_id="b"), truth(task(), task("b", ours=False)), "as its text-to-model"),
        (lambda data: journal(data, name="another"), truth(task()), "0 rows of job 0"),
        (lambda data: (data / "journal.sqlite3").write_bytes(b"no database at all"), truth(task()), "cannot be read"),
        (journal, truth(task(), broken_rules=["no key"]), "does not allow: no key"),
        (journal, None, "the service died"),
    ],
)
def test_what_is_wrong_is_said(
    make: Callable[[Path], Any], made: dict[str, Any] | None, words: str, tmp_path: Path
) -> None:
    make(tmp_path)
    verdict = verdict_on(tmp_path, made)
    assert verdict.failed
    assert any(words in sentence for sentence in verdict.sentences), verdict.sentences


def test_a_run_in_which_the_machine_stood_still_says_nothing(tmp_path: Path) -> None:
    journal(tmp_path)
    verdict = verdict_on(tmp_path, truth(task(), task("b", alive_at=216.0)), [{"sent": "r", "at": 100.0}])
    assert verdict.stalled and not verdict.failed


def test_questions_are_counted_once_each(tmp_path: Path) -> None:
    journal(tmp_path)
    asked = {"asked": "job request", "error": "lost"}
    assert verdict_on(tmp_path, truth(task()), [asked, asked]).asked == 1


@pytest.mark.parametrize("kind", KINDS)
def test_the_same_number_gives_the_same_run(kind: str) -> None:
    assert draw(5, 7, only=kind) == draw(5, 7, only=kind)
    assert draw(5, 7, only=kind).kinds == (kind,)


def test_runs_differ_and_all_kinds_and_markers_are_drawn() -> None:
    scenarios = [draw(1, number) for number in range(300)]
    assert {kind for scenario in scenarios for kind in scenario.kinds} == {*KINDS}
    assert {scenario.service.marker for scenario in scenarios} == {*MARKERS}
    assert len({scenario.jobs for scenario in scenarios}) == len(scenarios)


@pytest.mark.parametrize("make", [glb, png])
def test_files_say_whose_they_are(make: Callable[[str], bytes]) -> None:
    assert words_of(make("job 1|rig|x")) == "job 1|rig|x"


def test_what_grows_beyond_its_bound_is_said() -> None:
    samples = [
        {"threads": 7.0, "part files": 0.0},
        {"threads": 8.0, "part files": 3.0},
        {"threads": 8.0, "part files": 0.0},
    ]
    assert grown("one", samples, jobs=10) == []
    assert grown("one", [*samples, {"threads": 30.0, "part files": 1.0}], jobs=10) == [
        "one: threads grew by 23.0, and 2.0 are allowed.",
        "one: part files grew by 1.0, and 0.0 are allowed.",
    ]
