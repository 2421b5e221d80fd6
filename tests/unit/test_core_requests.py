from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from asset_generation.addon.core import plans
from asset_generation.addon.core.errors import BadRequest
from asset_generation.addon.core.job import (
    Delivery,
    JobPlan,
    Origin,
    Placement,
    Source,
    SourceKind,
    StepPlan,
)
from asset_generation.addon.core.requests import build, check, files_of, needs_upload, uploads_of

PNG = b"\x89PNG\r\n\x1a\n...."


@pytest.fixture
def image(tmp_path: Path) -> str:
    path = tmp_path / "look.png"
    path.write_bytes(PNG)
    return str(path)


def test_only_what_was_set_is_sent() -> None:
    assert build("decimate", {"face_limit": 5000}, source_task_id="t1").body() == {
        "face_limit": 5000,
        "original_model_task_id": "t1",
    }


def test_flattened_fields_find_their_place() -> None:
    body = build("texture", {"text": "rusty iron", "pbr": True}, source_task_id="t1").body()
    assert body == {"texture_prompt": {"text": "rusty iron"}, "pbr": True, "original_model_task_id": "t1"}


def test_an_upload_becomes_a_file_object() -> None:
    body = build("import_model", {}, file_token="file_x", file_type="obj").body()
    assert body == {"file": {"type": "obj", "file_token": "file_x"}}


def test_files_are_sent_as_their_tokens(image: str) -> None:
    body = build("texture", {"image": image}, source_task_id="t", tokens={image: "file_i"}).body()
    assert body["texture_prompt"] == {"image": {"type": "png", "file_token": "file_i"}}
    four = build("texture", {"images": [image] * 4}, source_task_id="t", tokens={image: "file_i"}).body()
    assert len(four["texture_prompt"]["images"]) == 4
    with pytest.raises(BadRequest, match="has not been uploaded"):
        build("texture", {"image": image}, source_task_id="t")


def test_what_the_service_knows_already_is_passed_on() -> None:
    check("texture", {"image": "https://example.org/a.png"})
    assert files_of("texture", {"image": "file_abc"}) == ()
    body = build("texture", {"image": "file_abc"}, source_task_id="t").body()
    assert body["texture_prompt"]["image"] == "file_abc"


def test_a_source_that_was_set_is_kept() -> None:
    body = build("decimate", {"original_model_task_id": "mine"}, source_task_id="other").body()
    assert body["original_model_task_id"] == "mine"


def test_none_means_not_set() -> None:
    assert "face_limit" not in build("decimate", {"face_limit": None}, source_task_id="t").body()


@pytest.mark.parametrize(
    ("name", "fields", "field", "words"),
    [
        ("decimate", {"face_limit": 1}, "face_limit", "Face Limit is 1; allowed: an integer from 500 to 20000"),
        ("decimate", {"face_limit": 20000, "quad": True}, "face_limit", "Face Limit is 20000; allowed: 500 to 10000"),
        ("decimate", {"faces": 5}, "faces", "Decimate has no field 'faces'; it has .*face_limit"),
        ("decimate", {"model_version": "v9"}, "model_version", "v2.0"),
        ("texture", {"text": "a", "image": "gone.png"}, "image", "There is no file"),
        ("texture", {"image": 7}, "image", "path of a file"),
        ("texture", {"image": "look.txt"}, "image", "this takes png"),
        ("texture", {"text": ""}, "text", "Text"),
        ("convert", {}, "format", "Convert needs Format"),
        ("convert", {"format": "OBJ", "scale_factor": 0}, "scale_factor", "Scale Factor"),
        ("fly", {}, "", "no capability is called 'fly'"),
    ],
)
def test_a_mistake_is_one_sentence_with_its_field(name: str, fields: dict[str, Any], field: str, words: str) -> None:
    with pytest.raises(BadRequest, match=words) as caught:
        check(name, fields)
    assert caught.value.field == field


def test_exactly_one_prompt(image: str) -> None:
    with pytest.raises(BadRequest, match="exactly one of text, image and images"):
        check("texture", {"text": "a", "image": image})


def test_what_has_to_be_uploaded(image: str) -> None:
    steps = (StepPlan("texture", {"image": image}), StepPlan("texture", {"image": image}))
    task = JobPlan("x", Source(SourceKind.TASK, task_id="t"), steps, Delivery())
    assert uploads_of(task) == (image,)
    assert needs_upload(task)
    assert not needs_upload(JobPlan("x", Source(SourceKind.TASK, task_id="t"), (StepPlan("decimate"),), Delivery()))


def test_a_plan_survives_the_journal() -> None:
    placement = Placement((1.0,) * 16, (0.0,) * 6, "Collection", (("Cube", 7), ("Ä", 2**40)), hide_source=False)
    plan = JobPlan(
        "Bunny",
        Source(SourceKind.SELECTION, "/s.blend", details={"objects": [{"name": "Ä", "matrix": [1.0, 2.0]}]}),
        (StepPlan("import_model"), StepPlan("decimate", {"face_limit": 5, "part_names": ["a"]})),
        Delivery(Origin("Scene", "/a.blend", "s"), placement, "/out"),
    )
    assert plans.from_text(plans.to_text(plan)) == plan
    bare = JobPlan("x", Source(SourceKind.NOTHING), (), Delivery())
    assert plans.from_text(plans.to_text(bare)) == bare
