from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import Any

import pytest
from asset_generation.addon.core.jobs.records import StepRecord
from asset_generation.addon.core.stages.reconcile import KnownTasks, Reconciliation, Verdict, decide, reconcile
from asset_generation.vendor.assetgen import NotFoundError
from asset_generation.vendor.assetgen.contract import CAPABILITIES, TaskDetail, UsageRow

INTENT = 1_800_000_000.0
STEP = StepRecord(1, "decimate", request_id="r", intent_at=INTENT, sends=1)
DECLARED = {model.task_type: name for name, model in CAPABILITIES.items()}


def row(task_id: str, at: float | None = 1.0, task_type: str = "retopology") -> UsageRow:
    """A row of usage, so many seconds after the intent by the service's clock."""
    created = None if at is None else datetime.fromtimestamp(INTENT + at, UTC)
    return UsageRow(task_id=task_id, type=task_type, created_at=created)


def known(tasks: Mapping[str, float] | None = None, *, learned: tuple[str, ...] = (), **types: str) -> KnownTasks:
    """What the journal knows: when, by our clock from the intent, it was told of tasks."""
    told = {task_id: INTENT + at for task_id, at in (tasks or {}).items()}
    return KnownTasks(
        told, {**DECLARED, **{key.replace("_", "-"): name for key, name in types.items()}}, frozenset(learned)
    )


def verdict(
    rows: list[UsageRow],
    knows: KnownTasks | None = None,
    same_source: Callable[[str], bool | None] = lambda _: None,
    rivals: int = 0,
) -> Reconciliation:
    return decide(rows, knows or known(), STEP, same_source, rivals=rivals)


def test_exactly_one_is_adopted() -> None:
    finding = verdict([row("a")])
    assert (finding.verdict, finding.candidates) == (Verdict.ADOPT, ("a",))


def test_none_means_resend() -> None:
    assert verdict([]).verdict is Verdict.RESEND
    assert verdict([row("known")], known({"known": 1.1})).verdict is Verdict.RESEND
    assert verdict([row("a", task_type="texture")]).verdict is Verdict.RESEND


def test_several_are_for_the_user_with_the_likeliest_first() -> None:
    finding = verdict([row("a"), row("b"), row("c")], same_source={"a": False, "b": None, "c": True}.get)
    assert finding.verdict is Verdict.UNCERTAIN
    assert finding.candidates == ("c", "b", "a")


def test_a_task_on_something_else_is_not_adopted() -> None:
    assert verdict([row("a")], same_source=lambda _: False).verdict is Verdict.UNCERTAIN
    assert verdict([row("a")], same_source=lambda _: True).verdict is Verdict.ADOPT


def test_with_rivals_only_a_task_on_our_source_is_adopted() -> None:
    assert verdict([row("a")], rivals=1).verdict is Verdict.UNCERTAIN
    assert verdict([row("a")], rivals=1, same_source=lambda _: True).verdict is Verdict.ADOPT


def test_without_compared_clocks_a_task_of_the_last_day_may_be_ours() -> None:
    for late in (-3600.0, -60.0, 3600.0, 7 * 3600.0):
        assert verdict([row("a", late)]).verdict is Verdict.UNCERTAIN
    assert verdict([row("a", -2 * 86400.0)]).verdict is Verdict.RESEND
    assert verdict([row("a", 2 * 86400.0)]).verdict is Verdict.RESEND


def test_with_compared_clocks_only_a_task_of_the_requests_time_is_adopted() -> None:
    told = known({"known": -99.8})
    for late, expected in (
        (-3600.0, Verdict.RESEND),
        (-60.0, Verdict.UNCERTAIN),
        (-10.0, Verdict.UNCERTAIN),
        (0.0, Verdict.ADOPT),
        (250.0, Verdict.ADOPT),
        (310.0, Verdict.UNCERTAIN),
        (900.0, Verdict.UNCERTAIN),
    ):
        assert verdict([row("known", -100.0), row("a", late)], told).verdict is expected, late


@pytest.mark.parametrize("wrong_by", [-7200.0, 7200.0, 86400.0])
def test_a_wrong_clock_is_seen_through(wrong_by: float) -> None:
    told = known({"known": -99.8})
    assert verdict([row("known", -100.0 + wrong_by), row("a", 1.0 + wrong_by)], told).verdict is Verdict.ADOPT
    assert verdict([row("known", -100.0 + wrong_by), row("a", -110.0 + wrong_by)], told).verdict is Verdict.RESEND


@pytest.mark.parametrize("wrong_by", [-7200.0, -3600.0, 3600.0, 7200.0])
def test_an_old_task_that_was_noted_while_a_clock_was_wrong_does_not_blind(wrong_by: float) -> None:
    rows = [row("old", -50_000.0), row("near", -100.0)]
    told = known({"old": -50_000.0 + wrong_by, "near": -99.8})
    assert verdict([*rows, row("a", 1.0)], told).verdict is Verdict.ADOPT
    assert verdict(rows, told).verdict is Verdict.RESEND


@pytest.mark.parametrize("wrong_by", [-7200.0, -3600.0, 3600.0, 7200.0])
def test_where_only_a_wrong_clock_was_compared_the_lost_task_is_a_doubt(wrong_by: float) -> None:
    told = known({"old": -50_000.0 + wrong_by})
    finding = verdict([row("old", -50_000.0), row("a", 1.0)], told)
    assert (finding.verdict, finding.candidates) == (Verdict.UNCERTAIN, ("a",))


def test_where_the_nearest_tasks_do_not_agree_nothing_is_sure() -> None:
    told = known({"wrong": -600.0, "right": -99.8})
    rows = [row("wrong", -200.0), row("right", -100.0), row("a", 1.0)]
    assert verdict(rows, told).verdict is Verdict.UNCERTAIN


def test_a_younger_task_that_was_noted_by_a_wrong_clock_does_not_hide_the_lost_one() -> None:
    told = known({"wrong": -100.0, "right": -99.8})
    rows = [row("wrong", 3500.0), row("right", -100.0), row("a", 1.0)]
    assert verdict(rows, told).candidates == ("a",)


def test_what_is_far_from_the_request_is_no_doubt_when_it_works_on_something_else() -> None:
    told = known({"known": -99.8})
    rows = [row("known", -100.0), row("a", 900.0)]
    assert verdict(rows, told, lambda _: False).verdict is Verdict.RESEND
    finding = verdict([*rows, row("b", 2000.0)], told, {"a": False, "b": None}.get)
    assert (finding.verdict, finding.candidates, finding.may_change) == (Verdict.UNCERTAIN, ("b",), True)


def test_what_is_older_than_a_task_we_knew_cannot_be_ours() -> None:
    told = known({"known": -0.5})
    assert verdict([row("known", -1.0), row("a", -1.5)], told).verdict is Verdict.RESEND
    assert verdict([row("known", -1.0), row("a", -0.5)], told).verdict is Verdict.ADOPT


def test_a_row_without_a_time_is_a_doubt() -> None:
    assert verdict([row("a", None)]).verdict is Verdict.UNCERTAIN


def test_a_type_that_nobody_declared_is_a_doubt_until_the_service_has_told_its_own() -> None:
    assert verdict([row("a", task_type="mesh_lowpoly")]).verdict is Verdict.UNCERTAIN
    told = known(learned=("decimate",), mesh_lowpoly="decimate")
    assert verdict([row("a", task_type="mesh_lowpoly")], told).verdict is Verdict.ADOPT
    assert verdict([row("a", task_type="something_new")], told).verdict is Verdict.RESEND
    assert verdict([row("a", task_type="RETOPOLOGY")]).verdict is Verdict.ADOPT


class FakeClient:
    """Pages of usage, and tasks with their input."""

    def __init__(self, rows: list[UsageRow], inputs: Mapping[str, dict[str, Any]] | None = None) -> None:
        self.rows = rows
        self.inputs = inputs or {}
        self.pages = 0
        self.account = self.tasks = self

    def usage(self, *, limit: int, offset: int) -> list[UsageRow]:
        self.pages += 1
        return self.rows[offset : offset + limit]

    def retrieve(self, task_id: str) -> TaskDetail:
        return TaskDetail(task_id=task_id, status="running", input=self.inputs.get(task_id, {}))


def ask(client: Any, body: dict[str, Any] | None = None) -> Reconciliation:
    return reconcile(client, known(), STEP, body or {}, "original_model_task_id", rivals=0)


def test_pages_are_read_until_they_are_old() -> None:
    old = [row(f"old{number}", -200_000.0 - number, "texture") for number in range(900)]
    client = FakeClient([row("a"), *old])
    assert ask(client).verdict is Verdict.ADOPT
    assert client.pages == 1
    # Oldest first: the first page says nothing about what follows.
    client = FakeClient([*reversed(old), row("a")])
    assert ask(client).verdict is Verdict.ADOPT
    assert client.pages == 5


def test_an_account_that_is_too_long_is_no_evidence() -> None:
    client = FakeClient([row(f"t{number}", 1.0, "texture") for number in range(6000)])
    assert ask(client).verdict is Verdict.UNCERTAIN


def test_a_service_without_usage_is_no_evidence() -> None:
    class Without(FakeClient):
        def usage(self, *, limit: int, offset: int) -> list[UsageRow]:
            raise NotFoundError("no such route", code=4001, status=404)

    assert ask(Without([])).verdict is Verdict.UNCERTAIN


@pytest.mark.parametrize(
    ("told", "expected"),
    [
        ({"original_model_task_id": "src"}, Verdict.ADOPT),
        ({"original_model_task_id": "other"}, Verdict.UNCERTAIN),
        ({"input": "src"}, Verdict.ADOPT),
        ({}, Verdict.ADOPT),
    ],
)
def test_the_echo_of_the_input_tells_whose_it_is(told: dict[str, Any], expected: Verdict) -> None:
    assert ask(FakeClient([row("a")], {"a": told}), {"original_model_task_id": "src"}).verdict is expected


CHAIR = {"prompt": "a chair", "model_version": "v3.1-20260211"}
VIEWS = {"files": [{"type": "png", "file_token": "file_1"}, {}, {"type": "png", "file_token": "file_2"}, {}]}


@pytest.mark.parametrize(
    ("body", "told", "rivals", "expected"),
    [
        (CHAIR, CHAIR, 1, Verdict.ADOPT),
        (CHAIR, {**CHAIR, "prompt": "a table"}, 0, Verdict.UNCERTAIN),
        (CHAIR, {}, 0, Verdict.ADOPT),
        (CHAIR, {}, 1, Verdict.UNCERTAIN),
        (VIEWS, {"files": [{"file_token": "file_1"}, {}, {"file_token": "file_2"}, {}]}, 1, Verdict.ADOPT),
        (VIEWS, {"files": [{"file_token": "file_1"}, {"file_token": "file_3"}, {}, {}]}, 0, Verdict.UNCERTAIN),
    ],
)
def test_words_and_images_tell_tasks_apart_that_have_no_source(
    body: dict[str, Any], told: dict[str, Any], rivals: int, expected: Verdict
) -> None:
    client: Any = FakeClient([row("a")], {"a": told})
    assert reconcile(client, known(), STEP, body, None, rivals=rivals).verdict is expected
