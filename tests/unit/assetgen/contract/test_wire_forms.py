"""The form that each file has on the wire, whichever form Python code gave it (docs/api.md, 6.3)."""

from __future__ import annotations

import json
from typing import Any

import pytest
from asset_generation.vendor.assetgen.contract import CAPABILITIES, FieldKind, FileObject, capability, describe
from asset_generation.vendor.assetgen.contract.references import FileForm
from pydantic import ValidationError
from support.requests.bodies import FILE, IMAGE, SMALLEST, TASK, V31

ADDRESS = "https://images.test/chair.webp?size=2"
ADDRESSED = {"type": "webp", "url": ADDRESS}
NAMELESS = "https://images.test/chair"
STORED = {"object": {"bucket": "b", "key": "k"}}
MODEL = {"type": "glb", "file_token": FILE}
TEXTURE = {"original_model_task_id": TASK}
VERSION = {"model_version": V31}
PROMPT = {"prompt": "older"}

SENT: list[tuple[str, dict[str, Any], dict[str, Any]]] = [
    # A text for a single file goes where texts go; an object stays an object.
    ("image_to_model", VERSION | {"file": FILE}, VERSION | {"input": FILE}),
    ("image_to_model", VERSION | {"file": ADDRESS}, VERSION | {"input": ADDRESS}),
    ("image_to_model", VERSION | {"file": IMAGE}, VERSION | {"file": IMAGE}),
    ("image_to_model", VERSION | {"file": FileObject(**IMAGE)}, VERSION | {"file": IMAGE}),
    ("image_to_model", VERSION | {"file": ADDRESSED}, VERSION | {"file": ADDRESSED}),
    ("image_to_model", VERSION | {"file": STORED}, VERSION | {"file": STORED}),
    ("image_to_model", VERSION | {"input": FILE, "style_image": IMAGE}, VERSION | {"input": FILE, "style_image": FILE}),
    ("image_to_splat", {"file": FILE}, {"input": FILE}),
    ("image_to_multiview", {"file": ADDRESS}, {"input": ADDRESS}),
    ("image_to_image", PROMPT | {"file": FILE}, PROMPT | {"input": FILE}),
    ("import_model", {"file": FILE}, {"input": FILE}),
    ("import_model", {"file": MODEL}, {"file": MODEL}),
    # Several files are objects, and the type stays beside an address.
    ("image_to_image", PROMPT | {"files": [FILE, ADDRESS]}, PROMPT | {"files": [IMAGE, ADDRESSED]}),
    (
        "multiview_to_model",
        VERSION | {"files": {"front": FILE, "back": ADDRESS, "right": NAMELESS}},
        VERSION | {"files": [IMAGE, {}, ADDRESSED, {"type": "png", "url": NAMELESS}]},
    ),
    # Everything else is a text.
    ("segment", TEXTURE | {"ref_image": IMAGE}, TEXTURE | {"ref_image": FILE}),
    ("segment", TEXTURE | {"ref_image": ADDRESSED}, TEXTURE | {"ref_image": ADDRESS}),
    ("texture", TEXTURE | {"texture_prompt": {"image": IMAGE}}, TEXTURE | {"texture_prompt": {"image": FILE}}),
    (
        "texture",
        TEXTURE | {"texture_prompt": {"images": [IMAGE, FILE, ADDRESSED, STORED]}},
        TEXTURE | {"texture_prompt": {"images": [FILE, FILE, ADDRESS, STORED]}},
    ),
    ("decimate", {"original_model_task_id": TASK}, {"input": TASK}),
    # None is what Python says for nothing.
    ("decimate", {"input": TASK, "quad": None, "brand_new": None}, {"input": TASK}),
    (
        "texture",
        TEXTURE | {"texture_prompt": {"text": "rust", "image": None}},
        TEXTURE | {"texture_prompt": {"text": "rust"}},
    ),
]


@pytest.mark.parametrize(("name", "given", "sent"), SENT)
def test_what_is_sent_has_the_form_of_the_api(name: str, given: dict[str, Any], sent: dict[str, Any]) -> None:
    assert capability(name).model_validate(given).body() == sent


@pytest.mark.parametrize(("name", "sent"), [(name, sent) for name, _, sent in SENT])
def test_what_is_sent_is_read_from_the_wire_as_it_is(name: str, sent: dict[str, Any]) -> None:
    assert capability(name).model_validate_json(json.dumps(sent), strict=True).body() == sent


@pytest.mark.parametrize("name", CAPABILITIES)
def test_the_wire_is_not_mended(name: str) -> None:
    for spec in describe(capability(name)):
        if spec.kind is not FieldKind.FILE or len(spec.path) > 1 or spec.file_form is FileForm.EITHER:
            continue
        wrong = FILE if spec.file_form is FileForm.OBJECT else IMAGE
        with pytest.raises(ValidationError, match=spec.name):
            capability(name).model_validate_json(json.dumps(SMALLEST[name] | {spec.name: wrong}), strict=True)


def test_an_object_in_a_storage_is_no_text() -> None:
    with pytest.raises(ValidationError, match="allowed: a file token"):
        capability("segment").model_validate(TEXTURE | {"ref_image": STORED})


def test_none_set_later_is_not_sent_either() -> None:
    request = capability("decimate").model_validate({"input": TASK})
    request.quad = None  # type: ignore[attr-defined]  # of Decimate
    assert request.body() == {"input": TASK}
