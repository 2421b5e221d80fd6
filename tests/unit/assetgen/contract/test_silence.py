"""Where the API's text is silent a value goes through; what is usual is a soft bound (docs/api.md, 10.2)."""

from __future__ import annotations

import json
from typing import Any

import pytest
from asset_generation.vendor.assetgen.contract import Region, RuleError, capability, describe
from support.requests.bodies import FILE, IMAGE, P1, SMALLEST, TASK, V31

GOES_THROUGH: list[tuple[str, dict[str, Any]]] = [
    ("text_to_image", {"size": "auto"}),
    ("text_to_image", {"size": "HD"}),
    ("text_to_image", {"size": "0.5K", "model": "banana"}),
    ("image_to_image", {"size": "auto"}),
    ("texture", {"texture_prompt": {"text": "w" * 5000}}),
    ("convert", {"texture_size": 8}),
    ("convert", {"texture_size": 16384}),
    ("convert", {"scale_factor": -1.0}),
    ("convert", {"flatten_bottom_threshold": -0.5}),
    ("stylize", {"block_size": 0.5}),
    ("stylize", {"block_size": 32}),
    ("text_to_model", {"model_seed": -1, "texture_seed": -2, "image_seed": -3}),
    ("texture", {"texture_seed": -7}),
    ("multiview_to_model", {"inputs": [{"front": FILE}]}),
    ("multiview_to_model", {"inputs": [{"left": FILE}]}),
    ("multiview_to_model", {"inputs": [{"front": FILE}, {"left": FILE}]}),
    ("decimate", {"model_version": "v1.0", "face_limit": 30_000}),
    ("decimate", {"model_version": "v1.0", "face_limit": 12, "quad": True}),
    ("image_to_model", {"file": IMAGE}),
    ("image_to_image", {"file": IMAGE, "files": [IMAGE]}),
    ("import_model", {"file": {"type": "glb", "file_token": FILE}}),
    ("text_to_model", {"face_limit": 1_000_000}),
    ("text_to_model", {"model_version": P1, "face_limit": 48}),
    ("image_to_image", {"prompt": "", "template": "t_pose"}),
]


@pytest.mark.parametrize(("name", "fields"), GOES_THROUGH)
def test_what_the_text_does_not_refuse_is_sent(name: str, fields: dict[str, Any]) -> None:
    body = SMALLEST[name] | fields
    assert capability(name).model_validate(body).body() == body
    assert capability(name).model_validate_json(json.dumps(body), strict=True).body() == body


def test_a_whole_number_of_blocks_is_sent_as_one() -> None:
    request = capability("stylize").model_validate({"original_model_task_id": TASK, "block_size": 32.0})
    assert json.dumps(request.body()["block_size"]) == "32"


@pytest.mark.parametrize("faces", [48, 49])
def test_p1_begins_with_as_many_faces_as_the_region_says(faces: int) -> None:
    request = capability("text_to_model").model_validate({"prompt": "a", "model_version": P1, "face_limit": faces})
    request.check_region(Region.INTERNATIONAL)
    request.check_region(None)
    with pytest.raises(RuleError, match=f"face_limit is {faces}; allowed: 50 to 20000 for {P1} in China"):
        request.check_region(Region.CHINA)


def test_other_versions_are_the_same_everywhere() -> None:
    request = capability("text_to_model").model_validate({"prompt": "a", "model_version": V31, "face_limit": 48})
    request.check_region(Region.CHINA)
    capability("decimate").model_validate({"input": TASK}).check_region(Region.CHINA)


def test_what_is_usual_stands_beside_the_field() -> None:
    usual = {
        spec.name: (spec.minimum, spec.maximum, spec.usual)
        for name in ("convert", "decimate")
        for spec in describe(capability(name))
    }
    assert usual["texture_size"] == (None, None, (16, 8192))
    assert usual["face_limit"] == (None, None, (500, 20_000))
