"""Every creation endpoint against the API's text: what it accepts, what it sends, what it refuses."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Any

import pytest
from asset_generation.vendor.assetgen.contract import (
    CAPABILITIES,
    Category,
    Convert,
    FieldKind,
    capability,
    describe,
    file_references,
    rules_of,
)
from asset_generation.vendor.assetgen.contract.field_specs import nested_model
from pydantic import ValidationError
from support.requests.bodies import FILE, IMAGE, LARGEST, OTHER_FORMS, P1, P2, SMALLEST, TASK, V31, documented

WORDS = {"prompt": "a chair"}
REST = {"quad": None, "smart_low_poly": None, "generate_parts": None, "geometry_quality": None}


def refused(name: str, body: dict[str, Any]) -> str:
    """The complaint about a body. Fails when there is none."""
    with pytest.raises(ValidationError) as caught:
        capability(name).model_validate(body)
    return " | ".join(f"{'.'.join(map(str, one['loc']))}: {one['msg']}" for one in caught.value.errors())


def changed(name: str, **fields: Any) -> dict[str, Any]:
    """The smallest body with further fields."""
    return SMALLEST[name] | fields


def test_there_is_a_declaration_for_every_creation_endpoint() -> None:
    assert list(CAPABILITIES) == list(SMALLEST) == list(LARGEST)


@pytest.mark.parametrize("name", CAPABILITIES)
def test_the_smallest_body_is_accepted_and_sent_as_it_is(name: str) -> None:
    assert capability(name).model_validate(SMALLEST[name]).body() == SMALLEST[name]


@pytest.mark.parametrize("name", CAPABILITIES)
def test_the_largest_body_is_accepted_and_sent_as_it_is(name: str) -> None:
    sent = capability(name).model_validate(LARGEST[name]).body()
    slots = {"files": [IMAGE] * 4} if name == "multiview_to_model" else {}
    assert sent == LARGEST[name] | slots


@pytest.mark.parametrize("name", CAPABILITIES)
def test_every_documented_field_is_declared_and_no_other(name: str) -> None:
    assert set(capability(name).model_fields) == documented(name)


@pytest.mark.parametrize(("name", "field"), [(name, field) for name, fields in SMALLEST.items() for field in fields])
def test_nothing_of_the_smallest_body_can_be_left_out(name: str, field: str) -> None:
    complaint = refused(name, {key: value for key, value in SMALLEST[name].items() if key != field})
    others = OTHER_FORMS.get(name, ())
    assert any(word in complaint for word in (field, "prompt", *others))


@pytest.mark.parametrize("name", CAPABILITIES)
def test_choices_and_bounds_hold_for_every_field(name: str) -> None:
    for spec in describe(capability(name)):
        for bad in _bad_values(spec):
            body = dict(SMALLEST[name])
            inner = bad
            for step in reversed(spec.path[1:]):
                inner = {step: inner}
            body[spec.path[0]] = inner
            if spec.path[0] == "files":  # beside a task they are not even looked at
                body.pop("original_model_task_id", None)
            assert spec.name in refused(name, body), (spec.name, bad)


def _bad_values(spec: Any) -> list[Any]:
    values: list[Any] = []
    if spec.kind is FieldKind.CHOICE:
        values.append("no-such-choice")
    if spec.kind in (FieldKind.INTEGER, FieldKind.NUMBER):
        values.append("many")
    if spec.minimum is not None:
        values.append(int(spec.minimum) - 1)
    if spec.above is not None:
        values.append(spec.above)
    if spec.maximum is not None:
        values.append(int(spec.maximum) + 1)
    if spec.kind is FieldKind.TEXT and spec.length[1]:
        values.append("w" * (spec.length[1] + 1))
    if spec.kind is FieldKind.TEXT and spec.length[0]:
        values.append("")
    if spec.kind is FieldKind.SWITCH:
        values.append("perhaps")
    if spec.kind is FieldKind.FILE:
        values += ["picture.png", {"data": "aGVsbG8="}, "data:image/png;base64,aGVsbG8="]
    if spec.kind is FieldKind.MAP:
        values.append(["no", "map"])
    if spec.kind in (FieldKind.FILES, FieldKind.NAMES):
        values.append("not a list")
        if spec.length[1]:
            item = FILE if spec.kind is FieldKind.FILES else "name"
            values.append([item] * (spec.length[1] + 1))
    return values


BROKEN: list[tuple[str, dict[str, Any], str]] = [
    # 4.2 input forms
    ("image_to_model", {"input": "data:image/png;base64,aGVsbG8="}, "input"),
    ("image_to_model", {"input": f"task_{TASK}"}, "input"),
    ("image_to_model", {"input": "http://example.invalid/a.png"}, "input"),
    ("image_to_model", {"input": None}, "at least one of file and input"),
    ("image_to_model", {"file": {"type": "png", "data": "aGVsbG8="}, "input": None}, "url, object or file_token"),
    ("multiview_to_model", {"original_model_task_id": None}, "at least one of files, inputs and original"),
    ("multiview_to_model", {"original_model_task_id": None, "files": [IMAGE, {}, {}, {}]}, "2 to 4 views"),
    ("multiview_to_model", {"original_model_task_id": None, "files": [{}, IMAGE, IMAGE, {}]}, "front is missing"),
    ("multiview_to_model", {"original_model_task_id": None, "files": [IMAGE, IMAGE]}, "4 slots"),
    ("multiview_to_model", {"original_model_task_id": None, "inputs": [{}]}, "one to four views"),
    ("multiview_to_model", {"original_model_task_id": None, "inputs": []}, "one to four views"),
    ("multiview_to_model", {"original_model_task_id": None, "inputs": [{"task_id": f"task_{TASK}"}]}, "bare UUID"),
    (
        "multiview_to_model",
        {"original_model_task_id": None, "inputs": [{"view": "top", "url": "https://x"}]},
        "view is",
    ),
    ("multiview_to_model", {"original_model_task_id": None, "inputs": [{"front": FILE}, {"front": FILE}]}, "twice"),
    # 4.3 model rules
    ("text_to_model", {"model_version": P1, "quad": True}, f"quad is true.*{P1} does not take it"),
    ("text_to_model", {"model_version": P1, "smart_low_poly": True}, "smart_low_poly"),
    ("text_to_model", {"model_version": P1, "generate_parts": True, "texture": False}, "generate_parts"),
    ("text_to_model", {"model_version": P1, "geometry_quality": "detailed"}, "geometry_quality"),
    ("text_to_model", {"model_version": P1, "face_limit": 47}, "48 to 20000"),
    ("text_to_model", {"model_version": P1, "face_limit": 20_001}, "48 to 20000"),
    ("image_to_model", {"model_version": P2, "face_limit": 47}, "48 to 50000"),
    ("image_to_model", {"model_version": P2, "face_limit": 50_001}, "48 to 50000"),
    ("multiview_to_model", {"model_version": P2, "face_limit": 25_001, "quad": True}, "48 to 25000"),
    ("text_to_model", {"smart_low_poly": True, "face_limit": 499}, "500 to 20000"),
    ("text_to_model", {"smart_low_poly": True, "face_limit": 20_001}, "500 to 20000"),
    ("text_to_model", {"smart_low_poly": True, "quad": True, "face_limit": 10_001}, "500 to 10000"),
    ("text_to_model", {"generate_parts": True}, "needs texture to be off"),
    ("text_to_model", {"generate_parts": True, "texture": True}, "needs texture to be off"),
    ("text_to_model", {"generate_parts": True, "texture": False, "pbr": True}, "needs pbr to be off"),
    # 4.4 images
    ("text_to_image", {"model": "doubao-seedream-4-0-250828"}, "model"),
    ("text_to_image", {"model": V31}, "model"),
    ("text_to_image", {"aspect_ratio": "1:1"}, "aspect_ratio is .*seedream_v4 does not take it"),
    ("text_to_image", {"model": "banana", "aspect_ratio": "1:8"}, "banana2 takes more"),
    ("text_to_image", {"template": "3d_enhance"}, "template"),
    ("image_to_image", {"template": None}, "prompt is missing"),
    ("image_to_image", {"model": "seedream_v4"}, "model"),
    ("image_to_image", {"template": "asset_extraction"}, "template"),
    ("image_to_image", {"input": None}, "at least one of files, file and input"),
    ("image_to_image", {"input": None, "files": [FILE] * 5}, "at most 4 images with seedream_v5"),
    ("image_to_image", {"input": None, "files": [FILE] * 11, "model": "banana"}, "at most 10 images"),
    ("image_to_image", {"input": None, "files": [FILE] * 17, "model": "chat_image_2"}, "files"),
    ("image_to_image", {"model": "chat_image_1", "aspect_ratio": "1:1"}, "aspect_ratio"),
    ("edit_multiview", {"prompts": []}, "1 to 4 prompts"),
    ("edit_multiview", {"prompts": [{"view": "top", "prompt": "a"}]}, "front, left, back, right"),
    ("edit_multiview", {"prompts": [{"view": "left", "prompt": "a"}] * 2}, "twice"),
    ("edit_multiview", {"prompts": [{"view": "left", "prompt": "w" * 1025}]}, "left"),
    # 4.5 processing
    ("texture", {"texture_prompt": {"text": "a", "image": FILE}}, "exactly one of text, image and images"),
    ("texture", {"texture_prompt": {"images": [FILE] * 3}}, "images"),
    ("texture", {"model_version": V31}, "model_version"),
    ("refine", {"draft_model_task_id": None, "rough_model_task_id": TASK}, "draft_model_task_id"),
    ("convert", {"format": "STL", "export_vertex_colors": True}, "OBJ and GLTF"),
    ("import_model", {"input": "https://example.invalid/a.glb"}, "file token"),
    ("import_model", {"input": TASK}, "file token"),
    ("import_model", {"input": None}, "at least one of file and input"),
    ("import_model", {"input": None, "file": {"object": {"bucket": "b", "key": "k"}}}, "file token"),
    ("import_model", {"input": None, "file": {"type": "glb", "url": "https://example.invalid/a.glb"}}, "file token"),
    ("decimate", {"quad": True, "face_limit": 10_001}, "500 to 10000"),
    ("decimate", {"face_limit": 499}, "500 to 20000"),
    ("decimate", {"model_version": "v2.0", "face_limit": 20_001}, "500 to 20000"),
    ("decimate", {"model_version": "P-v9"}, "model_version"),
    # 4.6 animation
    ("rig", {"model_version": "v2.0-20250506"}, "model_version"),
    ("retarget", {"animation": None}, "animation is missing"),
    ("retarget", {"animations": []}, "animations"),
    ("retarget", {"animations": ["a"] * 6}, "animations"),
    # 4.1 common
    ("decimate", {"priority": 4}, "priority"),
]


@pytest.mark.parametrize(("name", "fields", "words"), BROKEN)
def test_a_rule_that_is_broken_once_is_named(name: str, fields: dict[str, Any], words: str) -> None:
    body = {key: value for key, value in changed(name, **fields).items() if value is not None}
    assert re.search(words, refused(name, body))


@pytest.mark.parametrize("name", CAPABILITIES)
def test_every_declared_rule_is_broken_by_some_test(name: str) -> None:
    rules = [rule for model in _models(name) for rule in model.rules]
    assert len(rules) == len(rules_of(capability(name)))
    seen = set()
    for other, fields, _ in BROKEN:
        if set(capability(other).rules) & set(capability(name).rules) or other == name:
            seen |= _rules_broken(other, changed(other, **fields))
    assert [rule.words for rule in rules if rule.words not in seen] == []


def _models(name: str) -> list[Any]:
    model = capability(name)
    nested = [nested_model(info.annotation) for info in model.model_fields.values()]
    return [model, *(item for item in nested if hasattr(item, "rules"))]


def _rules_broken(name: str, body: dict[str, Any]) -> set[str]:
    """The rules that complain about a body, told by taking each of them away in turn."""
    body = {key: value for key, value in body.items() if value is not None}
    found = set()
    for model in _models(name):
        kept = model.rules
        for rule in kept:
            model.rules = tuple(other for other in kept if other is not rule)
            try:
                capability(name).model_validate(body)
            except ValidationError:
                continue
            else:
                found.add(rule.words)
            finally:
                model.rules = kept
    return found


def test_a_model_version_is_never_chosen_for_the_user() -> None:
    for name in ("text_to_model", "image_to_model", "multiview_to_model"):
        body = {key: value for key, value in SMALLEST[name].items() if key != "model_version"}
        assert "model_version" in refused(name, body)


def test_model_is_an_alias_of_the_model_version() -> None:
    assert capability("text_to_model").model_validate(WORDS | {"model": P2}).body() == WORDS | {"model_version": P2}


def test_p1_leaves_out_what_it_does_not_take() -> None:
    body = WORDS | {"model_version": P1, "quad": False, "smart_low_poly": False, "geometry_quality": "standard"}
    model = capability("text_to_model")
    assert model.model_validate(body).body() == WORDS | {"model_version": P1}
    assert "quad" in model.refused(body) and P1 in model.refused(body)
    assert model.refused(body | {"model_version": P2}) == ""


@pytest.mark.parametrize(
    ("fields", "price"),
    [
        ({}, 110),
        ({"texture_quality": "standard"}, 110),
        ({"texture_quality": "detailed"}, 120),
        ({"texture_quality": "extreme"}, 130),
        ({"texture": False, "pbr": False}, 100),
        ({"texture": False}, 110),  # PBR is on by default and forces a texture
        ({"texture": False, "generate_parts": True}, 100),
    ],
)
def test_p2_has_documented_prices(fields: dict[str, Any], price: int) -> None:
    request = capability("text_to_model").model_validate(WORDS | {"model_version": P2} | fields)
    assert request.price() == Decimal(price)


def test_parts_are_made_without_the_texture_that_pbr_would_force() -> None:
    body = changed("text_to_model", generate_parts=True, texture=False)
    assert capability("text_to_model").model_validate(body).body() == body | {"pbr": False}


def test_documented_defaults_are_declared_and_not_sent() -> None:
    for name in ("text_to_image", "image_to_image"):
        defaults = {spec.name: spec.default for spec in describe(capability(name))}
        assert (defaults["size"], defaults["aspect_ratio"]) == ("2048x2048", "1:1")
        assert not {"size", "aspect_ratio"} & set(capability(name).model_validate(SMALLEST[name]).body())


def test_other_versions_have_no_documented_price() -> None:
    assert capability("text_to_model").model_validate(SMALLEST["text_to_model"]).price() is None


def test_p_models_have_a_pool_of_their_own() -> None:
    model = capability("image_to_model")
    assert model.pool_for({"model_version": P1}) is Category.GENERATION_P
    assert model.pool_for({"model": P2}) is Category.GENERATION_P
    assert model.pool_for({"model_version": V31}) is Category.GENERATION_H
    assert capability("texture").pool_for({"model_version": P1}) is Category.PROCESSING


def test_faces_are_not_bounded_where_the_api_has_no_bounds() -> None:
    assert capability("text_to_model").model_validate(changed("text_to_model", face_limit=1_000_000))


def test_slots_are_filled_in_order_with_placeholders() -> None:
    model = capability("multiview_to_model")
    named = model.model_validate({"files": {"front": FILE, "back": "https://example.invalid/b.png"}, "model": V31})
    assert named.body()["files"] == [IMAGE, {}, {"type": "png", "url": "https://example.invalid/b.png"}, {}]
    listed = model.model_validate({"files": [IMAGE, {}, None, FILE], "model": V31})
    assert listed.body()["files"] == [IMAGE, {}, {}, IMAGE]


@pytest.mark.parametrize(
    "inputs",
    [
        [{"front": FILE}, {"left": "https://example.invalid/l.png"}],
        [{"front": FILE, "left": "https://example.invalid/l.png"}],
        [{"view": "left", "url": "https://example.invalid/l.png"}, {"view": "front", "file_token": FILE}],
        [FILE, "https://example.invalid/l.png"],
        [{"file_token": FILE}, "https://example.invalid/l.png", {}, {}],
    ],
)
def test_all_forms_of_inputs_mean_the_same_views_and_are_sent_as_they_are(inputs: list[Any]) -> None:
    request = capability("multiview_to_model").model_validate({"inputs": inputs, "model_version": V31})
    assert request.body()["inputs"] == inputs
    views = file_references(request)
    assert set(views) == {"front", "left"}
    assert FILE in str(views["front"]) and "l.png" in str(views["left"])


def test_inputs_can_refer_to_a_task() -> None:
    request = capability("multiview_to_model").model_validate({"inputs": [{"task_id": TASK}], "model_version": V31})
    assert request.source_task() == TASK
    assert file_references(request) == {}


def test_files_are_not_sent_beside_a_multiview_task() -> None:
    body = SMALLEST["multiview_to_model"] | {"files": "not even readable"}
    assert capability("multiview_to_model").model_validate(body).body() == SMALLEST["multiview_to_model"]


def test_an_image_can_be_the_result_of_a_task() -> None:
    request = capability("image_to_model").model_validate({"input": TASK, "model_version": V31})
    assert request.source_task() == TASK
    assert file_references(request) == {}
    token = capability("image_to_model").model_validate(SMALLEST["image_to_model"])
    assert token.source_task() is None
    assert file_references(token) == {"input": FILE}


def test_tokens_of_the_web_application_are_valid() -> None:
    assert capability("image_to_model").model_validate({"input": "v2.abc", "model_version": V31})


def test_legacy_names_are_understood() -> None:
    rig = capability("rig").model_validate({"original_model_task_id": TASK, "topology": "quadruped"})
    assert rig.body() == {"original_model_task_id": TASK, "rig_type": "quadruped"}
    for old, new in {"P-v1.0-20250506": "v1.0", "P-v2.0-20251225": "v2.0"}.items():
        assert (
            capability("decimate").model_validate(changed("decimate", model_version=old)).body()["model_version"] == new
        )
    fix = capability("image_to_model").model_validate(changed("image_to_model", image_autofix=True))
    assert fix.body()["enable_image_autofix"] is True


def test_a_conversion_is_complex_with_any_option_that_is_not_its_default() -> None:
    def is_complex(**fields: Any) -> bool:
        return Convert.model_validate(changed("convert", **fields)).is_complex

    assert not is_complex()
    switches = ("quad", "flatten_bottom", "pivot_to_center_bottom", "force_symmetry", "bake", "pack_uv")
    assert not is_complex(**dict.fromkeys(switches, False))
    assert is_complex(flatten_bottom_threshold=0)
    assert not is_complex(format="fbx", export_orientation="+x", fbx_preset="blender", priority=2)
    for name, value in LARGEST["convert"].items():
        if name not in ("original_model_task_id", "format", "priority", "parameters"):
            assert is_complex(format="OBJ", **{name: value}), name


def test_banana2_takes_the_extreme_ratios_and_the_others_do_not() -> None:
    for ratio in ("1:8", "1:4", "4:1", "8:1"):
        assert capability("text_to_image").model_validate(WORDS | {"model": "banana2", "aspect_ratio": ratio})
        assert "banana2" in refused("text_to_image", WORDS | {"model": "banana_pro", "aspect_ratio": ratio})


@pytest.mark.parametrize(("model", "most"), [("chat_image_1.5", 16), ("banana2", 10), ("seedream_v5", 4)])
def test_reference_images_are_capped_by_family(model: str, most: int) -> None:
    body = {"model": model, "template": "variants"}
    assert capability("image_to_image").model_validate(body | {"files": [FILE] * most})
    refused("image_to_image", body | {"files": [FILE] * (most + 1)})


def test_fields_that_a_version_forbids_are_known_to_the_panel() -> None:
    for name in ("text_to_model", "image_to_model", "multiview_to_model"):
        forbidden = {spec.name for spec in describe(capability(name)) if P1 in spec.forbidden_by}
        assert forbidden == set(REST)


def test_every_capability_takes_further_fields_and_forwards_them() -> None:
    for name in CAPABILITIES:
        request = capability(name).model_validate(changed(name, brand_new={"x": 1}, enable_audit=True))
        assert request.body() == changed(name, brand_new={"x": 1}, enable_audit=True)
