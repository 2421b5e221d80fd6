from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import Any

import pytest
from asset_generation.addon.core.jobs.records import StepRecord
from asset_generation.addon.core.jobs.task_table import TaskEntry
from asset_generation.addon.core.stages.echoes import Echoes
from asset_generation.addon.core.stages.proof import Proof
from asset_generation.addon.core.stages.reconcile import (
    KnownTasks,
    Reconciliation,
    Rivals,
    Verdict,
    decide,
    reconcile,
)
from asset_generation.vendor.assetgen import APIError, AssetGenError, NotFoundError, ServerError
from asset_generation.vendor.assetgen.contract import (
    CAPABILITIES,
    MARKER_FIELD,
    Decimate,
    MultiviewToModel,
    TaskDetail,
    TaskList,
    TaskRequest,
    TextToModel,
    UsageRow,
)

INTENT = 1_800_000_000.0
STEP = StepRecord(1, "decimate", request_id="r", intent_at=INTENT, sends=1)
DECLARED = {model.task_type: frozenset({name}) for name, model in CAPABILITIES.items()}


def row(task_id: str, at: float | None = 1.0, task_type: str = "retopology") -> UsageRow:
    """A row of usage, so many seconds after the intent by the service's clock."""
    created = None if at is None else datetime.fromtimestamp(INTENT + at, UTC)
    return UsageRow(task_id=task_id, type=task_type, created_at=created)


def known(tasks: Mapping[str, float] | None = None, *, learned: tuple[str, ...] = (), **types: str) -> KnownTasks:
    """What the journal knows: when, by our clock from the intent, it was told of tasks."""
    told = {task_id: INTENT + at for task_id, at in (tasks or {}).items()}
    named = {key.replace("_", "-"): frozenset(name.split()) for key, name in types.items()}
    return KnownTasks(told, {**DECLARED, **named}, frozenset(learned), frozenset(named))


def verdict(
    rows: list[UsageRow],
    knows: KnownTasks | None = None,
    same_source: Callable[[str], bool | None] = lambda _: None,
    rivals: int = 0,
    others: int = 0,
) -> Reconciliation:
    return decide(rows, knows or known(), STEP, same_source, rivals=Rivals(rivals, others))


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

    def __init__(
        self,
        rows: list[UsageRow],
        inputs: Mapping[str, dict[str, Any]] | None = None,
        failed: tuple[str, ...] = (),
    ) -> None:
        self.rows = rows
        self.inputs = inputs or {}
        self.failed = failed
        self.pages = 0
        self.listed: list[int] = []
        self.retrieved = 0
        self.trouble: AssetGenError | None = None
        self.lists_echoes = True
        self.account = self.tasks = self

    def usage(self, *, limit: int, offset: int) -> list[UsageRow]:
        self.pages += 1
        return self.rows[offset : offset + limit]

    def retrieve(self, task_id: str) -> TaskDetail:
        self.retrieved += 1
        return self._detail(task_id)

    def list(self, task_ids: list[str]) -> TaskList:
        self.listed.append(len(task_ids))
        if self.trouble is not None:
            raise self.trouble
        details = {task_id: self._detail(task_id) for task_id in task_ids}
        if not self.lists_echoes:
            details = {task_id: detail.model_copy(update={"input": {}}) for task_id, detail in details.items()}
        return TaskList(tasks=details)

    def _detail(self, task_id: str) -> TaskDetail:
        status = "failed" if task_id in self.failed else "running"
        return TaskDetail(task_id=task_id, status=status, input=self.inputs.get(task_id, {}))


def ask(
    client: Any,
    request: TaskRequest | None = None,
    proof: Proof | None = None,
    knows: KnownTasks | None = None,
    rivals: int = 0,
    *,
    is_patient: bool = False,
) -> Reconciliation:
    return reconcile(
        client,
        knows or known(),
        STEP,
        request or Decimate(original_model_task_id="src"),
        proof or Proof(),
        rivals=Rivals(rivals),
        echoes=Echoes(client, {}, is_patient=is_patient),
    )


def test_pages_are_read_until_they_are_old() -> None:
    old = [row(f"old{number}", -200_000.0 - number, "texture") for number in range(900)]
    client = FakeClient([row("a"), *old])
    assert ask(client).verdict is Verdict.ADOPT
    assert client.pages == 1
    # Oldest first: the first page says nothing about what follows.
    client = FakeClient([*reversed(old), row("a")])
    assert ask(client).verdict is Verdict.ADOPT
    assert client.pages == 6, "only an empty page is surely the last"


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
        ({"prompt": "a chair"}, Verdict.UNCERTAIN),
        ({}, Verdict.ADOPT),
    ],
)
def test_the_echo_of_the_input_tells_whose_it_is(told: dict[str, Any], expected: Verdict) -> None:
    assert ask(FakeClient([row("a")], {"a": told})).verdict is expected


CHAIR = {"prompt": "a chair", "model_version": "v3.1-20260211"}
VIEWS = {"files": [{"type": "png", "file_token": "file_1"}, {}, {"type": "png", "file_token": "file_2"}, {}]}


@pytest.mark.parametrize(
    ("fields", "told", "rivals", "expected"),
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
    fields: dict[str, Any], told: dict[str, Any], rivals: int, expected: Verdict
) -> None:
    client: Any = FakeClient([row("a")], {"a": told})
    request = (TextToModel if "prompt" in fields else MultiviewToModel).model_validate(
        {"model_version": CHAIR["model_version"], **fields}
    )
    assert ask(client, request, rivals=rivals).verdict is expected


# Proof: what shows for certain whose a task is

OURS = Proof("m-1")
MARKED = {MARKER_FIELD: "m-1"}
OTHERS = {MARKER_FIELD: "m-2"}


@pytest.mark.parametrize("at", [1.0, -3600.0, -90_000.0, 90_000.0, 40_000_000.0, None])
@pytest.mark.parametrize("task_type", ["decimate-model", "mesh_lowpoly", "rig-model", ""])
def test_a_task_with_our_marker_is_ours_whatever_its_type_and_time(at: float | None, task_type: str) -> None:
    told = known({"known": -99.8}, learned=("decimate",))
    rows = [row("known", -100.0), row("other", 1.0), row("a", at, task_type)]
    finding = ask(FakeClient(rows, {"a": MARKED, "other": {"original_model_task_id": "src"}}), proof=OURS, knows=told)
    assert (finding.verdict, finding.candidates, finding.is_proven) == (Verdict.ADOPT, ("a",), True)


def test_a_task_with_another_marker_is_not_ours_although_all_else_fits() -> None:
    theirs = {**OTHERS, "original_model_task_id": "src"}
    for proof in (OURS, Proof()):
        assert ask(FakeClient([row("a")], {"a": theirs}), proof=proof).verdict is Verdict.RESEND


def test_a_task_without_a_marker_is_not_ours_only_where_markers_are_known_to_be_echoed() -> None:
    client = FakeClient([row("a")], {"a": {"original_model_task_id": "src"}})
    assert ask(client, proof=OURS).verdict is Verdict.ADOPT
    assert ask(client, proof=Proof("m-1", is_complete=True)).verdict is Verdict.RESEND
    # What it says of its request is not known.
    assert ask(FakeClient([row("a")]), proof=Proof("m-1", is_complete=True)).verdict is Verdict.ADOPT


def test_a_marker_is_found_in_a_map_of_its_own() -> None:
    client = FakeClient([row("a", task_type="new")], {"a": {"parameters": None, "extra": MARKED}})
    assert ask(client, proof=OURS).candidates == ("a",)


def test_an_upload_that_only_we_used_is_proof_where_no_marker_is_shown() -> None:
    told = {"file": {"type": "glb", "file_token": "file_1"}}
    for complete in (False, True):
        proof = Proof("m-1", frozenset({"file_1"}), is_complete=complete)
        finding = ask(FakeClient([row("a", 7000.0, "new")], {"a": told}), proof=proof)
        assert (finding.verdict, finding.is_proven) == (Verdict.ADOPT, True)
        assert ask(FakeClient([row("a")], {"a": {**told, **OTHERS}}), proof=proof).verdict is Verdict.RESEND


def test_of_two_tasks_with_our_marker_the_oldest_that_did_not_fail_is_taken_and_the_other_named() -> None:
    rows = [row("late", 90.0), row("early", 2.0), row("failed", 1.0)]
    echoes = {"late": MARKED, "early": MARKED, "failed": MARKED}
    finding = ask(FakeClient(rows, echoes, failed=("failed",)), proof=OURS)
    assert (finding.verdict, finding.candidates) == (Verdict.ADOPT, ("early", "late", "failed"))


def test_many_unknown_tasks_do_not_hide_ours() -> None:
    crowd = [row(f"t{number}", 1.0 + number) for number in range(250)]
    client = FakeClient([*crowd, row("a", 3.0)], {"a": MARKED, **{one.task_id: OTHERS for one in crowd}})
    assert ask(client, proof=OURS).candidates == ("a",)
    assert client.listed == [251]
    assert client.retrieved == 0


def test_what_is_not_read_in_one_look_is_read_in_the_next() -> None:
    crowd = [row(f"t{number}", float(number)) for number in range(500)]
    client: Any = FakeClient(crowd, {**{one.task_id: OTHERS for one in crowd}, "t250": MARKED})
    kept: dict[str, Any] = {}
    for _ in range(2):
        finding = reconcile(
            client,
            known(),
            STEP,
            Decimate(original_model_task_id="src"),
            OURS,
            rivals=Rivals(),
            echoes=Echoes(client, kept, is_patient=True),
        )
    assert finding.candidates == ("t250",)
    assert client.listed == [300, 200]


def test_echoes_are_read_singly_where_many_show_none() -> None:
    client = FakeClient([row("a", task_type="new")], {"a": MARKED})
    client.lists_echoes = False
    assert ask(client, proof=OURS).candidates == ("a",)
    without_list = FakeClient([row("a", task_type="new")], {"a": MARKED})
    without_list.trouble = NotFoundError("no such route", code=4001, status=404)
    assert ask(without_list, proof=OURS, is_patient=True).candidates == ("a",)


def test_trouble_with_echoes_is_waited_out() -> None:
    client = FakeClient([row("a")])
    client.trouble = ServerError("overloaded", code=1000, status=503)
    for patient in (True, False):
        with pytest.raises(APIError):
            ask(client, proof=OURS, is_patient=patient)


def test_a_single_task_that_cannot_be_read_is_waited_for_as_long_as_there_is_another_look() -> None:
    class Sealed(FakeClient):
        def retrieve(self, task_id: str) -> TaskDetail:
            raise ServerError("overloaded", code=1000, status=503)

    with pytest.raises(APIError):
        ask(Sealed([row("a")]), proof=OURS, is_patient=True)
    assert ask(Sealed([row("a")]), proof=OURS).verdict is Verdict.ADOPT


def test_a_doubt_is_no_reason_to_ask_while_a_task_with_our_marker_can_still_come() -> None:
    rows = [row("a"), row("b")]
    for expected in (False, True):
        finding = ask(FakeClient(rows), proof=Proof("m-1", is_expected=expected))
        assert (finding.verdict, finding.may_change) == (Verdict.UNCERTAIN, expected)


# Types and pages


@pytest.mark.parametrize(
    ("capability", "called"),
    [
        ("rig", "rig"),
        ("rig", "animate_rig"),
        ("rig_check", "animate_prerigcheck"),
        ("import_model", "import"),
        ("import_model", "import_model"),
        ("decimate", "highpoly_to_lowpoly"),
        ("decimate", "retopology"),
        ("segment", "mesh_segmentation"),
        ("smart_segment", "smartsegment"),
        ("texture", "texture"),
    ],
)
def test_a_type_is_recognised_by_the_names_that_it_may_have(capability: str, called: str) -> None:
    step = StepRecord(1, capability, request_id="r", intent_at=INTENT, sends=1)
    knows = KnownTasks.from_entries([TaskEntry("known", "s", "convert", "convert-model", INTENT - 99.8)])
    rows = [row("known", -100.0), row("a", task_type=called)]
    assert decide(rows, knows, step, lambda _: None).verdict is Verdict.ADOPT


def test_a_type_that_nobody_knows_is_ours_when_it_works_on_the_same_and_nobody_else_waits() -> None:
    rows = [row("a", task_type="mesh_lowpoly")]
    assert verdict(rows, same_source=lambda _: True).verdict is Verdict.ADOPT
    assert verdict(rows, same_source=lambda _: True, others=1).verdict is Verdict.UNCERTAIN
    assert verdict(rows, same_source=lambda _: False).verdict is Verdict.RESEND
    told = known(learned=("decimate",))
    assert verdict(rows, told, same_source=lambda _: True).verdict is Verdict.UNCERTAIN


def test_a_type_that_several_capabilities_share_tells_nothing_and_what_the_task_works_on_decides() -> None:
    rows = [row("a", task_type="mesh_op")]
    shared = known(learned=("decimate", "segment"), mesh_op="decimate segment")
    assert verdict(rows, shared, same_source=lambda _: True).verdict is Verdict.ADOPT
    assert verdict(rows, shared, same_source=lambda _: True, others=1).verdict is Verdict.UNCERTAIN
    assert verdict(rows, shared, same_source=lambda _: None).verdict is Verdict.UNCERTAIN
    assert verdict(rows, shared, same_source=lambda _: False).verdict is Verdict.RESEND


def test_a_task_on_the_same_under_the_name_of_another_kind_is_asked_about_before_a_second_is_paid() -> None:
    rows = [row("a", task_type="mesh_op")]
    told = known(learned=("segment",), mesh_op="segment")
    finding = verdict(rows, told, same_source=lambda _: True)
    assert (finding.verdict, finding.candidates, finding.may_change) == (Verdict.UNCERTAIN, ("a",), False)
    # It may be that of a job whose answer is still on its way.
    assert verdict(rows, told, same_source=lambda _: True, others=1).may_change
    for same in (None, False):
        assert verdict(rows, told, same_source=lambda _, same=same: same).verdict is Verdict.RESEND
    assert verdict([*rows, row("b")], told, same_source=lambda _: True).candidates == ("b",)


def test_a_task_that_shows_neither_proof_nor_what_it_works_on_is_asked_about() -> None:
    client = FakeClient([row("a")], {"a": {"words": "a stranger's"}})
    expected = Proof("m-1", frozenset({"file_1"}), is_expected=True)
    assert ask(client, proof=expected).verdict is Verdict.UNCERTAIN
    assert ask(FakeClient([row("a")]), proof=expected).verdict is Verdict.ADOPT
    assert ask(FakeClient([row("a")]), proof=Proof(shows_input=True)).verdict is Verdict.UNCERTAIN


@pytest.mark.parametrize(
    ("same", "expected"), [(True, Verdict.UNCERTAIN), (None, Verdict.RESEND), (False, Verdict.RESEND)]
)
def test_a_name_that_the_service_has_for_several_kinds_does_not_hide_a_task_on_the_same(
    same: bool | None, expected: Verdict
) -> None:
    entry = TaskEntry("texture", "service", "texture", "process", INTENT - 10.0)
    knows = KnownTasks.from_entries([entry])
    rows = [row("texture", -10.0, "process"), row("a", task_type="process")]
    finding = verdict(rows, knows, same_source=lambda _: same)
    assert finding.verdict is expected
    assert finding.candidates == (("a",) if same else ())


def test_a_task_on_two_pages_is_one_candidate() -> None:
    twice = row("a")
    assert verdict([twice, twice]).verdict is Verdict.ADOPT

    class Shifting(FakeClient):
        """A new task comes between two pages, and pushes the last row of the first onto the second."""

        def usage(self, *, limit: int, offset: int) -> list[UsageRow]:
            page = super().usage(limit=limit, offset=max(0, offset - 1))
            return page

    crowd = [row(f"t{number}", 100.0 - number, "texture") for number in range(199)]
    assert ask(Shifting([*crowd, row("a"), *crowd[:3]])).verdict is Verdict.ADOPT


def test_a_service_that_always_gives_the_same_page_is_no_evidence() -> None:
    class Same(FakeClient):
        def usage(self, *, limit: int, offset: int) -> list[UsageRow]:
            return super().usage(limit=limit, offset=0)

    client = Same([row(f"t{number}", 1.0, "texture") for number in range(300)])
    assert ask(client).verdict is Verdict.UNCERTAIN
    assert client.pages == 3
