"""Whatever the account's usage lists, in whatever order: no other's task is taken, and none of ours is overlooked."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from asset_generation.addon.core.jobs.records import StepRecord
from asset_generation.addon.core.jobs.task_table import TaskEntry
from asset_generation.addon.core.stages.echoes import Echoes
from asset_generation.addon.core.stages.proof import Proof
from asset_generation.addon.core.stages.reconcile import KnownTasks, Reconciliation, Rivals, Verdict, reconcile
from asset_generation.vendor.assetgen import AssetGenError, Client
from asset_generation.vendor.assetgen.contract import MARKER_FIELD, Decimate, TaskDetail, TaskList, UsageRow
from hypothesis import given
from hypothesis import strategies as st
from support.fuzz.answers import SCALARS
from support.services.scripted_service import KEY, RawServer

INTENT = 1_800_000_000.0
MARKER = "ours-and-nobody-elses"
STEP = StepRecord(0, "decimate", request_id="r", intent_at=INTENT, sends=1, marker=MARKER)
REQUEST = Decimate(original_model_task_id="src")


def iso(seconds: float) -> str:
    return (datetime.fromtimestamp(INTENT, UTC) + timedelta(seconds=seconds)).isoformat()


NEAR = st.floats(-3600, 3600).map(iso)
ODD_DATES = st.one_of(
    NEAR,
    NEAR.map(lambda text: text[:19]),
    st.floats(-3600, 3600).map(lambda seconds: INTENT + seconds),
    st.sampled_from(
        [None, "", "soon", "0001-01-01T00:00:00Z", "1970-01-01T00:00:00Z", "9999-12-31T23:59:59-23:59", 1e300]
    ),
    SCALARS,
)
OURS_AT = st.one_of(
    st.floats(0, 200).map(iso),
    st.floats(0, 200).map(lambda seconds: iso(seconds)[:19]),
    st.floats(0, 200).map(lambda seconds: INTENT + seconds),
    st.sampled_from([None, "soon", "0001-01-01T00:00:00Z", "1970-01-01T00:00:00Z"]),
)
TYPES = st.sampled_from(["decimate-model", "decimate_model", "texture-model", "mesh_lowpoly", "recharge", "", None, 7])
ROWS = st.lists(
    st.fixed_dictionaries(
        {},
        optional={
            "task_id": st.sampled_from(["a", "b", "known", "theirs", "", None, 5]),
            "type": TYPES,
            "created_at": ODD_DATES,
        },
    ),
    max_size=8,
)
INPUTS = st.fixed_dictionaries(
    {},
    optional={
        name: st.sampled_from([{}, {"original_model_task_id": "src"}, {"original_model_task_id": "other"}])
        for name in "ab"
    },
)


class Service:
    """An account with these rows, of which it gives so many at once, each page so far over the one before."""

    def __init__(self, rows: list[Any], inputs: dict[str, Any], page: int, overlap: int = 0) -> None:
        self.rows = [UsageRow.model_validate(row) for row in rows]
        self.inputs = inputs
        self.page = page
        self.overlap = overlap
        self.account = self.tasks = self

    def usage(self, *, limit: int, offset: int) -> list[UsageRow]:
        begin = max(0, offset - self.overlap)
        return self.rows[begin : begin + min(limit, self.page)]

    def list(self, task_ids: list[str]) -> TaskList:
        return TaskList(tasks={task_id: self.retrieve(task_id) for task_id in task_ids})

    def retrieve(self, task_id: str) -> TaskDetail:
        assert task_id, "a task without an id was asked for"
        return TaskDetail(task_id=task_id, status="running", input=self.inputs.get(task_id, {}))


def judged(service: Any, proof: Proof) -> Reconciliation:
    known = KnownTasks.from_entries([TaskEntry("known", "s", "decimate", "decimate-model", INTENT - 50)])
    echoes = Echoes(service, {}, is_patient=True)
    return reconcile(service, known, STEP, REQUEST, proof, rivals=Rivals(), echoes=echoes)


@given(
    rows=ROWS,
    inputs=INPUTS,
    page=st.integers(2, 9),
    overlap=st.integers(0, 1),
    at=OURS_AT,
    place=st.integers(0, 8),
    shown=st.sampled_from([{MARKER_FIELD: MARKER}, {"original_model_task_id": "src"}, {}]),
    proof=st.sampled_from(
        [Proof(), Proof(MARKER, is_expected=True), Proof(MARKER, is_complete=True, is_expected=True)]
    ),
)
def test_our_task_is_never_overlooked_and_no_other_is_taken(
    rows: list[Any], inputs: dict[str, Any], page: int, overlap: int, at: Any, place: int, shown: Any, proof: Proof
) -> None:
    ours = {"task_id": "ours", "type": "decimate-model", "created_at": at}
    # A time that contradicts what we know proves that another one is older.
    rows = [{**row, "created_at": iso(-50.5)} if row.get("task_id") == "known" else row for row in rows]
    inputs = {**inputs, "ours": shown, "theirs": {MARKER_FIELD: "of-another-job", "original_model_task_id": "src"}}
    finding = judged(Service([*rows[:place], ours, *rows[place:]], inputs, page, overlap), proof)
    if finding.verdict is Verdict.ADOPT:
        assert not {"known", "theirs", ""} & set(finding.candidates)
    # Who sent a marker shows it, where that is known to be so; who sent none shows none.
    is_unmarked = "original_model_task_id" in shown
    if not (is_unmarked and proof.is_complete) and not (MARKER_FIELD in shown and not proof.marker):
        assert finding.verdict is not Verdict.RESEND
    if MARKER_FIELD in shown and proof.marker:
        assert (finding.verdict, finding.candidates) == (Verdict.ADOPT, ("ours",))


@pytest.mark.parametrize("key", ["items", "rows", "usage", "tasks", "list", "records", "data", "bills", None])
def test_the_rows_are_found_under_any_key(key: str | None) -> None:
    row = {"task_id": "a", "type": "t"}
    data: Any = [row] if key is None else {key: [row], "total": 1, "items" if key != "items" else "rows": []}
    assert [found.task_id for found in usage_of(data)] == ["a"]


def test_which_of_two_lists_has_the_rows_is_not_guessed() -> None:
    with pytest.raises(AssetGenError, match="no rows"):
        usage_of({"bills": [{"task_id": "a"}], "notes": [{"text": "b"}]})


def test_rows_that_are_about_no_task_do_not_hide_the_others() -> None:
    rows = [{"type": "recharge"}, {"task_id": None, "type": {"a": 1}}, "total", {"task_id": 5}, {"task_id": "a"}]
    assert [row.task_id for row in usage_of({"items": rows})] == ["", "", "", "5", "a"]


def test_a_service_that_gives_fewer_rows_than_asked_for_is_asked_on() -> None:
    rows = [{"task_id": f"other{number}", "type": "texture-model", "created_at": iso(number)} for number in range(100)]
    ours = {"task_id": "ours", "type": "decimate-model", "created_at": iso(1)}
    assert judged(Service([*rows, ours], {}, page=100), Proof()).candidates == ("ours",)


def test_a_service_that_does_not_look_at_the_offset_is_not_asked_for_ever() -> None:
    class Whole(Service):
        def usage(self, *, limit: int, offset: int) -> list[UsageRow]:
            return super().usage(limit=limit, offset=0)

    rows = [{"task_id": f"t{number}", "type": "texture-model", "created_at": iso(1)} for number in range(300)]
    assert judged(Whole(rows[:5], {}, page=200), Proof()).verdict is Verdict.RESEND
    assert judged(Whole(rows, {}, page=200), Proof()).verdict is Verdict.UNCERTAIN


def test_a_page_that_only_looks_newest_first_tells_nothing_of_the_next() -> None:
    old = [-200_000.0, -100.0, -300_000.0]
    rows = [{"task_id": f"o{at}", "type": "texture-model", "created_at": iso(at)} for at in old]
    ours = {"task_id": "ours", "type": "decimate-model", "created_at": iso(1)}
    assert judged(Service([*rows, ours], {}, page=3), Proof()).candidates == ("ours",)
    same = [{**rows[0], "task_id": f"s{number}"} for number in range(3)]
    assert judged(Service([*same, ours], {}, page=3), Proof()).candidates == ("ours",)


@pytest.mark.parametrize("at", ["0001-01-01T00:00:00Z", "1970-01-01T00:00:00Z", "9999-12-31T23:59:59Z"])
def test_a_time_that_means_none_is_a_doubt(at: str) -> None:
    ours = {"task_id": "ours", "type": "decimate-model", "created_at": at}
    assert judged(Service([ours], {}, page=200), Proof()).verdict is Verdict.UNCERTAIN


def test_a_task_of_our_kind_without_an_id_is_a_doubt() -> None:
    row = {"type": "decimate-model", "created_at": iso(1)}
    assert judged(Service([row], {}, page=200), Proof()).verdict is Verdict.UNCERTAIN
    assert judged(Service([{**row, "type": "recharge"}], {}, page=200), Proof()).verdict is Verdict.RESEND


def usage_of(data: Any) -> list[UsageRow]:
    body = json.dumps({"code": 0, "status": "success", "data": data}).encode()
    head = f"HTTP/1.1 200 OK\r\nContent-Length: {len(body)}\r\nConnection: close\r\n\r\n".encode()
    with RawServer(head + body) as server, Client(KEY, server.base_url, max_retries=0) as client:
        return client.account.usage()
