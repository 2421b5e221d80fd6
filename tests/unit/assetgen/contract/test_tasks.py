"""What the service tells about tasks: every documented key is read, what is not documented is kept."""

from __future__ import annotations

from decimal import Decimal

import pytest
from asset_generation.vendor.assetgen.contract import (
    FINAL_STATUSES,
    Balance,
    PromptReading,
    TaskDetail,
    TaskOutput,
    TaskStatus,
    UsageRow,
)

LINK = "https://files.invalid/{}?signature=1"
REMOVED = (
    *("queue_position", "estimated_running_time", "running_left_time", "queuing_num", "thumbnail", "previews"),
    *("result", "prompt", "create_time", "consumed_credit"),
)


def detail(**fields: object) -> TaskDetail:
    return TaskDetail.model_validate({"task_id": "t", "status": "success", **fields})


def test_every_documented_field_of_a_task_is_read() -> None:
    task = detail(
        type="rig-model",
        progress=100,
        input={"original_model_task_id": "x"},
        output={"model_url": LINK},
        created_at="2026-08-01T10:00:00Z",
        completed_at="2026-08-01T10:01:30.5Z",
        credits_consumed=12.35,
        error_code=2018,
        error_message="expired",
    )
    assert task.created_at is not None and task.completed_at is not None
    assert (task.completed_at - task.created_at).total_seconds() == 90.5
    assert task.credits_consumed == Decimal("12.35")
    assert (task.progress, task.error_code, task.error_message) == (100, 2018, "expired")


@pytest.mark.parametrize("name", REMOVED)
def test_fields_of_the_earlier_version_are_not_relied_on(name: str) -> None:
    assert name not in TaskDetail.model_fields
    assert detail(**{name: object()}).status == "success"


def test_a_status_that_the_contract_does_not_name_counts_as_failed_and_is_kept() -> None:
    task = detail(status="paused")
    assert (task.status, task.outcome, task.is_final) == ("paused", TaskStatus.FAILED, True)


def test_three_statuses_are_final() -> None:
    assert {status for status in TaskStatus if detail(status=status).is_final} == FINAL_STATUSES
    assert not detail(status="queued").is_final


@pytest.mark.parametrize(
    "key",
    [
        *("model", "rendered_image", "generated_image", "rendered_video", "rendered_sequence"),
        *("multiview_basecolor", "front_view", "left_view", "back_view", "right_view"),
    ],
)
def test_every_documented_link_is_found(key: str) -> None:
    link = LINK.format(key)
    assert TaskOutput.model_validate({f"{key}_url": link}).links() == {key: link}


def test_the_generated_image_is_found_under_both_of_its_names() -> None:
    for key in ("generated_image", "generated_image_url"):
        output = TaskOutput.model_validate({key: LINK, "size": "2048x2048"})
        assert (output.image_url, output.links(), output.size) == (LINK, {"generated_image": LINK}, "2048x2048")


@pytest.mark.parametrize("form", ["{}", "{}_view", "{}_view_url"])
def test_views_inside_of_the_multiview_object_are_found_by_side(form: str) -> None:
    views = {form.format(side): LINK.format(side) for side in ("front", "left", "back", "right")}
    found = TaskOutput.model_validate({"generate_multiview_image": views}).links()
    assert found == {f"{side}_view": LINK.format(side) for side in ("front", "left", "back", "right")}


def test_a_view_that_is_told_twice_is_one_link() -> None:
    output = {"front_view_url": LINK.format("a"), "generate_multiview_image": {"front_view_url": LINK.format("b")}}
    assert TaskOutput.model_validate(output).links() == {"front_view": LINK.format("a")}


def test_answers_are_values_and_no_links() -> None:
    output = TaskOutput.model_validate({"riggable": True, "rig_type": "biped", "size": "8x8"})
    assert (output.riggable, output.rig_type, output.links()) == (True, "biped", {})


def test_what_became_of_a_prompts_words_is_read_where_it_is_told() -> None:
    told = {"understood": ["table"], "not_understood": ["lamp"], "note": "Mind the lamp"}
    output = TaskOutput.model_validate({"local_engine": told})
    assert output.local_engine == PromptReading(**told)
    assert output.links() == {}
    for nothing in ({}, {"local_engine": "words"}, {"local_engine": {"understood": 5}}, {"local_engine": None}):
        assert TaskOutput.model_validate(nothing).local_engine is None


def test_links_under_unknown_keys_are_kept() -> None:
    output = TaskOutput.model_validate({"hologram_url": LINK, "note": "no link", "number": 3})
    assert output.links() == {"hologram": LINK}


@pytest.mark.parametrize(
    "fields",
    [
        {"progress": 45.5},
        {"progress": None},
        {"progress": "soon"},
        {"created_at": "yesterday", "completed_at": 7.5e300},
        {"credits_consumed": "a few"},
        {"error_code": "E-2008", "error_message": ["no", "text"]},
        {"input": None},
        {"type": None},
        {"type": 7},
        {"output": {"model_url": LINK, "rendered_image_url": {"url": LINK}, "generate_multiview_image": [LINK]}},
        {"output": {"model_url": LINK, "riggable": "perhaps", "size": [1, 2]}},
    ],
)
def test_what_a_result_does_not_depend_on_cannot_make_it_unreadable(fields: dict[str, object]) -> None:
    task = detail(**{"output": {"model_url": LINK}, **fields})
    assert task.output is not None and task.output.model_url == LINK
    assert 0 <= task.progress <= 100


@pytest.mark.parametrize("output", [None, [], "", 0])
def test_a_task_without_an_output_may_say_so_in_any_form(output: object) -> None:
    assert detail(status="running", output=output).output is None


def test_a_status_that_is_no_text_is_kept_as_one_and_counts_as_failed() -> None:
    task = detail(status=3)
    assert (task.status, task.outcome) == ("3", TaskStatus.FAILED)


def test_links_of_a_list_are_numbered() -> None:
    output = TaskOutput.model_validate({"rendered_sequence_url": [LINK, LINK + "2"], "frames": [LINK, 5]})
    assert output.links() == {"rendered_sequence_1": LINK, "rendered_sequence_2": LINK + "2", "frames_1": LINK}


@pytest.mark.parametrize(
    "fields", [{"type": None}, {"status": 1}, {"created_at": "soon"}, {"credits_consumed": ""}, {"new": [1]}]
)
def test_a_row_of_usage_is_readable_as_long_as_it_names_its_task(fields: dict[str, object]) -> None:
    assert UsageRow.model_validate({"task_id": "t", **fields}).task_id == "t"


def test_nothing_held_may_be_told_as_null() -> None:
    assert Balance.model_validate({"balance": {"balance": "3.5", "frozen": None}}).frozen == 0
