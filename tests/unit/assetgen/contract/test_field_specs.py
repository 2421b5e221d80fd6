"""The declarations: what they describe, send and refuse."""

from __future__ import annotations

import pytest
from asset_generation.vendor.assetgen.contract import CAPABILITIES, FieldKind, capability, describe
from pydantic import ValidationError


def test_a_body_carries_what_the_user_set_and_nothing_else() -> None:
    request = capability("texture")(original_model_task_id="t", texture_prompt={"text": "rusty iron"})
    assert request.body() == {"original_model_task_id": "t", "texture_prompt": {"text": "rusty iron"}}


def test_a_set_default_is_sent_because_the_user_said_so() -> None:
    assert capability("decimate")(original_model_task_id="t", bake=True).body()["bake"] is True


def test_unknown_fields_are_forwarded() -> None:
    assert capability("decimate")(original_model_task_id="t", new_field=3).body()["new_field"] == 3


@pytest.mark.parametrize(
    ("name", "body", "names"),
    [
        ("decimate", {"face_limit": 499}, "face_limit"),
        ("decimate", {"face_limit": 20001}, "face_limit"),
        ("decimate", {"face_limit": 10001, "quad": True}, "face_limit"),
        ("texture", {"texture_prompt": {"text": "a", "image": "file_x"}}, "given: text, image"),
        ("texture", {"texture_prompt": {}}, "none"),
        ("texture", {"texture_prompt": {"images": ["file_a"] * 3}}, "images"),
        ("convert", {}, "format"),
        ("convert", {"format": "STL", "export_vertex_colors": True}, "export_vertex_colors"),
        ("convert", {"format": "DOCX"}, "format"),
    ],
)
def test_a_broken_rule_names_the_field(name: str, body: dict[str, object], names: str) -> None:
    with pytest.raises(ValidationError, match=names):
        capability(name)(original_model_task_id="t", **body)


def test_legacy_names_of_decimate_are_normalised() -> None:
    request = capability("decimate")(original_model_task_id="t", model_version="P-v2.0-20251225")
    assert request.body()["model_version"] == "v2.0"


def test_formats_are_case_insensitive() -> None:
    assert capability("convert")(original_model_task_id="t", format="usdz").body()["format"] == "USDZ"


def test_an_import_takes_one_file_token() -> None:
    assert capability("import_model")(file={"type": "glb", "file_token": "file_1"}).body() == {
        "file": {"type": "glb", "file_token": "file_1"}
    }
    with pytest.raises(ValidationError, match="at least one of file and input"):
        capability("import_model")()
    with pytest.raises(ValidationError, match="file token"):
        capability("import_model")(input="https://example.invalid/a.glb")


def test_descriptions_are_flat_and_complete() -> None:
    texture = {spec.name: spec for spec in describe(CAPABILITIES["texture"])}
    assert texture["text"].path == ("texture_prompt", "text")
    assert (texture["text"].length, texture["text"].usual_length) == ((0, None), 1024)
    assert texture["image"].kind is FieldKind.FILE
    assert texture["images"].kind is FieldKind.FILES
    assert texture["images"].length == (4, 4)
    decimate = {spec.name: spec for spec in describe(CAPABILITIES["decimate"])}
    assert decimate["face_limit"].usual == (500, 20000)
    assert describe(CAPABILITIES["convert"])[-1].name == "parameters"


@pytest.mark.parametrize("name", CAPABILITIES)
def test_every_field_says_what_it_is(name: str) -> None:
    for spec in describe(CAPABILITIES[name]):
        assert spec.description, f"{name}.{spec.name} has no description"
        assert not spec.description.endswith("."), "Blender's tooltips add the full stop"


def test_a_capability_of_images_names_the_field_for_the_task_that_made_them() -> None:
    named = {name: model.task_field for name, model in CAPABILITIES.items() if model.task_field is not None}
    assert named == {
        **dict.fromkeys(("image_to_model", "image_to_splat", "image_to_image", "image_to_multiview"), "input"),
        "multiview_to_model": "original_model_task_id",
    }
    for name, field in named.items():
        assert field in CAPABILITIES[name].model_fields
        assert CAPABILITIES[name].source_takes, "it says whose tasks may be named"
