from __future__ import annotations

import dataclasses
import json
from pathlib import Path
from typing import Any

import pytest
from asset_generation.addon.core.errors import BadRequest
from asset_generation.addon.core.jobs.job import (
    Delivery,
    JobPlan,
    ModelPart,
    Origin,
    Placement,
    ReplaceableFile,
    Snapshot,
    SnapshotObject,
    Source,
    SourceKind,
    SourcePose,
    StepPlan,
)
from asset_generation.addon.core.jobs.rows import plan_from_json, plan_to_json
from asset_generation.addon.core.requests.build import build, check, files_of, needs_upload, uploads_of

PNG = b"\x89PNG\r\n\x1a\n...."


@pytest.fixture
def image(tmp_path: Path) -> str:
    path = tmp_path / "look.png"
    path.write_bytes(PNG)
    return str(path)


def test_only_what_was_set_is_sent() -> None:
    assert build("decimate", {"face_limit": 5000}, source_task_id="t1").body() == {
        "face_limit": 5000,
        "input": "t1",
    }


def test_flattened_fields_find_their_place() -> None:
    body = build("texture", {"text": "rusty iron", "pbr": True}, source_task_id="t1").body()
    assert body == {"texture_prompt": {"text": "rusty iron"}, "pbr": True, "original_model_task_id": "t1"}


def test_an_upload_becomes_a_file_object() -> None:
    body = build("import_model", {}, file_token="file_x", file_type="obj").body()
    assert body == {"file": {"type": "obj", "file_token": "file_x"}}


def test_files_are_sent_as_their_tokens(image: str) -> None:
    body = build("texture", {"image": image}, source_task_id="t", tokens={image: "file_i"}).body()
    assert body["texture_prompt"] == {"image": "file_i"}
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
    for name in ("input", "original_model_task_id"):  # the latter stands in older journals and scripts
        assert build("decimate", {name: "mine"}, source_task_id="other").body() == {"input": "mine"}


def test_none_means_not_set() -> None:
    assert "face_limit" not in build("decimate", {"face_limit": None}, source_task_id="t").body()


@pytest.mark.parametrize(
    ("name", "fields", "field", "words"),
    [
        ("decimate", {"face_limit": 1}, "face_limit", "Face Limit is 1; allowed: 500 to 20000"),
        ("decimate", {"face_limit": 20000, "quad": True}, "face_limit", "Face Limit is 20000; allowed: 500 to 10000"),
        ("decimate", {"faces": 5}, "faces", "Decimate has no field 'faces'; it has .*face_limit"),
        ("decimate", {"model_version": "v9"}, "model_version", "v2.0"),
        ("texture", {"text": "a", "image": "gone.png"}, "image", "There is no file"),
        ("texture", {"image": 7}, "image", "path of a file"),
        ("texture", {"image": "look.txt"}, "image", "this takes png"),
        ("texture", {"text": 5}, "text", "Text"),
        ("convert", {}, "format", "Convert needs Format"),
        ("convert", {"format": "OBJ", "scale_factor": "big"}, "scale_factor", "Scale Factor"),
        ("fly", {}, "", "no capability is called 'fly'"),
    ],
)
def test_a_mistake_is_one_sentence_with_its_field(name: str, fields: dict[str, Any], field: str, words: str) -> None:
    with pytest.raises(BadRequest, match=words) as caught:
        check(name, fields)
    assert caught.value.field == field


VERSION = "v3.1-20260211"
P1, P2 = "P1-20260311", "P2-20260801"
TOKEN = "file_00000000-0000-4000-8000-000000000000"


@pytest.mark.parametrize(
    ("name", "fields", "field", "sentence"),
    [
        (
            "text_to_model",
            {"prompt": "a"},
            "model_version",
            f"Text to Model needs Model Version; allowed: {VERSION}, v3.0-20250812, v2.5-20250123, {P1}, {P2}",
        ),
        (
            "text_to_model",
            {"prompt": "a" * 1025, "model_version": VERSION},
            "prompt",
            "Prompt is a text of 1025 characters; allowed: a text of 1 to 1024 characters",
        ),
        (
            "text_to_model",
            {"prompt": "a", "model_version": P1, "quad": True},
            "quad",
            f"Quad is true; allowed: nothing, since {P1} does not take it",
        ),
        (
            "text_to_model",
            {"prompt": "a", "model_version": P2, "face_limit": 40},
            "face_limit",
            f"Face Limit is 40; allowed: 48 to 50000 for {P2}",
        ),
        (
            "text_to_model",
            {"prompt": "a", "model_version": VERSION, "generate_parts": True},
            "texture",
            "Generate Parts needs texture to be off; set texture to false",
        ),
        (
            "image_to_model",
            {"model_version": VERSION},
            "file",
            "Give at least one of file and input; given: none",
        ),
        (
            "image_to_model",
            {"model_version": VERSION, "input": "hello"},
            "input",
            'Input is "hello"; allowed: a file token (file_<uuid>) or an https URL, or the bare UUID of a task',
        ),
        (
            "multiview_to_model",
            {"model_version": VERSION, "front": TOKEN},
            "left",
            "Only the front view is given; allowed: 2 to 4 views",
        ),
        (
            "multiview_to_model",
            {"model_version": VERSION, "left": TOKEN},
            "front",
            "Front is missing; given: left",
        ),
        (
            "multiview_to_model",
            {"model_version": VERSION},
            "front",
            "Give at least one of front/left/back/right, inputs and original_model_task_id; given: none",
        ),
        ("multiview_to_model", {"model_version": VERSION, "inputs": "x"}, "inputs", 'Inputs is "x"; allowed: a list'),
        (
            "edit_multiview",
            {"front": "w" * 1025},
            "front",
            "Front is a text of 1025 characters; allowed: a text of up to 1024 characters",
        ),
        (
            "edit_multiview",
            {},
            "front",
            "Edit Multiview needs one of Front, Left, Back, Right; allowed: a text of up to 1024 characters",
        ),
        (
            "text_to_image",
            {"prompt": "a", "size": 2048},
            "size",
            "Size is 2048; allowed: a text",
        ),
        (
            "text_to_image",
            {"prompt": "a", "aspect_ratio": "16:9"},
            "aspect_ratio",
            'Aspect Ratio is "16:9"; allowed: nothing, since seedream_v4 does not take it; banana models do',
        ),
        (
            "image_to_image",
            {"prompt": "a", "files": [TOKEN] * 5},
            "files",
            "Images is a list of 5; allowed: at most 4 images with seedream_v5",
        ),
        ("image_to_image", {"files": 7}, "files", "Images takes the path of a file, not 7"),
        (
            "image_to_image",
            {"files": [TOKEN]},
            "prompt",
            "Prompt is missing; it is needed unless a template supplies one",
        ),
        (
            "retarget",
            {},
            "animation",
            "Animation is missing; give animation, or animations with 1 to 5 of them",
        ),
        (
            "retarget",
            {"animations": list("abcdef")},
            "animations",
            'Animations is ["a", "b", "c", "d", "e", "f"]; allowed: a list of 1 to 5 texts',
        ),
        ("texture", {"asset_map": [1]}, "asset_map", "Asset Map is [1]; allowed: an object"),
        (
            "texture",
            {"images": [TOKEN]},
            "images",
            f'Images is ["{TOKEN}"]; allowed: a list of 4 files',
        ),
        ("rig", {"model_version": "v2.0-20250506"}, "model_version", None),
        (
            "text_to_image",
            {"prompt": "a" * 1801},
            "prompt",
            "Prompt is a text of 1801 characters; allowed: a text of 1 to 1800 characters",
        ),
        (
            "multiview_to_model",
            {"model_version": VERSION, "inputs": [{"task_id": "x"}]},
            "inputs",
            'Inputs names the task "x"; allowed: the bare UUID of a task',
        ),
        (
            "multiview_to_model",
            {"model_version": VERSION, "inputs": [{"side": "x"}]},
            "inputs",
            "Inputs must specify url, object or file_token",
        ),
        (
            "multiview_to_model",
            {"model_version": VERSION, "original_model_task_id": "task_1"},
            "original_model_task_id",
            'Multiview Task is "task_1"; allowed: the bare UUID of a task',
        ),
        (
            "texture",
            {"original_model_task_id": "task_1"},
            "original_model_task_id",
            'Original Model Task ID is "task_1"; allowed: the bare UUID of a task',
        ),
        (
            "texture",
            {"original_model_task_id": ""},
            "original_model_task_id",
            'Original Model Task ID is ""; allowed: a text that is not empty',
        ),
        (
            "convert",
            {"format": "OBJ", "scale_factor": float("inf")},
            "scale_factor",
            "Scale Factor is Infinity; allowed: a number",
        ),
        ("image_to_model", {"model_version": VERSION, "file": ""}, "file", "The path of a file is missing"),
        (
            "image_to_model",
            {"model_version": VERSION, "file": "http://example.org/a.png"},
            "file",
            "http://example.org/a.png is not fetched by the service: only https addresses are",
        ),
        ("decimate", {"priority": 4}, "priority", "Priority is 4; allowed: an integer from 1 to 3"),
    ],
)
def test_every_rule_is_one_sentence_in_the_words_of_the_panel(
    name: str, fields: dict[str, Any], field: str, sentence: str | None
) -> None:
    with pytest.raises(BadRequest) as caught:
        check(name, fields)
    if sentence is not None:
        assert str(caught.value) == sentence
    assert caught.value.field == field
    assert "\n" not in str(caught.value)


def test_views_are_flat_for_a_person_and_slots_on_the_wire(image: str) -> None:
    fields = {"front": image, "right": "https://example.org/r.png", "model_version": VERSION}
    assert files_of("multiview_to_model", fields) == (image,)
    body = build("multiview_to_model", fields, tokens={image: "file_i"}).body()
    assert body["files"] == [
        {"type": "png", "file_token": "file_i"},
        {},
        {},
        {"type": "png", "url": "https://example.org/r.png"},
    ]
    assert build("edit_multiview", {"left": "a hat"}, source_task_id="t").body() == {
        "original_task_id": "t",
        "prompts": [{"view": "left", "prompt": "a hat"}],
    }


def test_one_path_will_do_where_several_may_be_given(image: str) -> None:
    assert files_of("image_to_image", {"files": image}) == (image,)
    body = build("image_to_image", {"files": image, "prompt": "a"}, tokens={image: "file_i"}).body()
    assert body["files"] == [{"type": "png", "file_token": "file_i"}]


def test_a_task_is_filled_in_where_one_is_needed_or_where_it_feeds(image: str) -> None:
    task = "11111111-1111-4111-8111-111111111111"
    assert build("refine", {}, source_task_id=task).body() == {"draft_model_task_id": task}
    assert build("smart_segment", {}, source_task_id=task).body() == {"input": task}
    assert build("image_to_multiview", {}, source_task_id=task, fed=True).body() == {"input": task}
    with pytest.raises(BadRequest, match="at least one of file and input; given: none"):
        build("image_to_multiview", {}, source_task_id=task)
    both = build("image_to_multiview", {"file": image}, source_task_id=task, tokens={image: "file_i"}, fed=True)
    assert both.body() == {"file": {"type": "png", "file_token": "file_i"}, "input": task}


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
    poses = (SourcePose((1.0,) * 16, "8 abc", 24), SourcePose((0.5,) * 16, "4 def", -1))
    placement = Placement(
        (1.0,) * 16,
        (0.0,) * 6,
        "Collection",
        (("Cube", 7), ("Ä", 2**40)),
        hide_source=False,
        poses=poses,
        parts=(ModelPart("Cube", (1.0,) * 6), ModelPart("Ä")),
    )
    plan = JobPlan(
        "Bunny",
        Source(SourceKind.SELECTION, "/s.blend", snapshot=Snapshot((SnapshotObject("Ä", matrix=(1.0, 2.0)),))),
        (StepPlan("import_model"), StepPlan("decimate", {"face_limit": 5, "part_names": ["a"]})),
        Delivery(Origin("Scene", "/a.blend", "s"), placement, "/out"),
    )
    assert plan_from_json(plan_to_json(plan)) == plan
    seen = (ReplaceableFile("Ä.obj", 2**40, 2**62), ReplaceableFile("Ä.mtl", 0, 1))
    named = plan.delivery._replace(file_name="Ä.obj", replaceable=seen, brings_in=False)
    exported = dataclasses.replace(plan, delivery=named)
    assert plan_from_json(plan_to_json(exported)) == exported
    bare = JobPlan("x", Source(SourceKind.NOTHING), (), Delivery())
    assert plan_from_json(plan_to_json(bare)) == bare
    of_task = dataclasses.replace(plan, source=Source(SourceKind.TASK, task_id="t-1", capability="texture"))
    assert plan_from_json(plan_to_json(of_task)) == of_task
    written = json.loads(plan_to_json(of_task))["delivery"]["placement"]
    assert not {"poses", "parts"} & written.keys(), "earlier versions take nothing new there"
