"""Fields that the extension does not know reach the service."""

from __future__ import annotations

from typing import Any

import pytest
from asset_generation.addon.cli.main import build_parser
from asset_generation.addon.cli.options import given_fields
from asset_generation.addon.core.errors import BadRequest
from asset_generation.addon.core.requests.build import build, check, files_of


def test_unknown_fields_are_sent_beside_the_others() -> None:
    fields = {"face_limit": 700, "extra": {"brand_new": [1, {"deep": None}], "style": "flat"}}
    assert files_of("decimate", fields) == ()
    assert build("decimate", fields, source_task_id="t").body() == {
        "input": "t",
        "face_limit": 700,
        "brand_new": [1, {"deep": None}],
        "style": "flat",
    }


@pytest.mark.parametrize(
    ("extra", "words"),
    [
        ({"face_limit": 5}, "face_limit has an option of its own, Face Limit"),
        ({"original_model_task_id": "x"}, "has an option of its own"),
        ({"parameters": {}}, "Parameters"),
        ([1], r"Extra is \[1\]; allowed: an object"),
    ],
)
def test_what_is_known_has_its_own_place(extra: Any, words: str) -> None:
    with pytest.raises(BadRequest, match=words) as caught:
        check("decimate", {"extra": extra})
    assert caught.value.field == "extra"


def test_the_command_line_reads_values_as_json_or_as_texts() -> None:
    words = ["--set", "a=1", "--set", "b=[true]", "--set", "c=x=y", "--set", "d="]
    options = build_parser().parse_args(["decimate", "--task", "t", *words, "--parameters", '{"e": 2}'])
    assert given_fields(options) == {"extra": {"a": 1, "b": [True], "c": "x=y", "d": ""}, "parameters": {"e": 2}}


@pytest.mark.parametrize("text", ["a", "=1"])
def test_an_assignment_has_a_name_and_a_value(text: str) -> None:
    with pytest.raises(Exception, match="is not a name, an equals sign and a value"):
        build_parser().parse_args(["decimate", "--task", "t", "--set", text])
