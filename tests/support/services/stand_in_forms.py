"""What a creation request may look like, written down from the API's text alone, and nothing beside it is let pass.

This is the side that knows nothing of our declarations: no module of the extension is imported here. Where the text
shows a form, that form is taken; where it shows none (images inside of ``texture_prompt``), the one that the service's
own client sends. Fields that the text does not name are forwarded, as it says.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

Check = Callable[[Any], bool]

_UUID = r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}"
_SIDES = ("front", "left", "back", "right")
P1, P2 = "P1-20260311", "P2-20260801"


# 4.2: the forms of input


def is_task(value: Any) -> bool:
    return isinstance(value, str) and re.fullmatch(_UUID, value) is not None


def is_token(value: Any) -> bool:
    return isinstance(value, str) and (re.fullmatch(f"file_{_UUID}", value) is not None or value.startswith("v2."))


def is_file_text(value: Any) -> bool:
    return is_token(value) or (isinstance(value, str) and value.startswith("https://"))


def is_input(value: Any) -> bool:
    return is_file_text(value) or is_task(value)


def is_file_object(value: Any) -> bool:
    if not isinstance(value, dict):
        return False
    if set(value) == {"object"}:
        stored = value["object"]
        return isinstance(stored, dict) and set(stored) == {"bucket", "key"} and all(map(_is_text, stored.values()))
    if set(value) == {"type", "file_token"}:
        return _is_text(value["type"]) and is_token(value["file_token"])
    return set(value) == {"type", "url"} and _is_text(value["type"]) and str(value["url"]).startswith("https://")


def _is_token_object(value: Any) -> bool:
    return is_file_object(value) and "file_token" in value


def _is_either(value: Any) -> bool:
    return is_file_object(value) or is_file_text(value)


def _are_slots(value: Any) -> bool:
    if not isinstance(value, list) or len(value) != 4 or not all(slot == {} or is_file_object(slot) for slot in value):
        return False
    return value[0] != {} and sum(slot != {} for slot in value) >= 2


def _are_inputs(value: Any) -> bool:
    if not isinstance(value, list) or not value:
        return False
    if all(isinstance(item, dict) and set(item) == {"task_id"} for item in value):
        return len(value) == 1 and is_task(value[0]["task_id"])
    return all(
        _is_either(item)
        or (isinstance(item, dict) and set(item) <= set(_SIDES) and all(map(_is_either, item.values())))
        for item in value
    )


# plain values


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _is_switch(value: Any) -> bool:
    return isinstance(value, bool)


def _is_integer(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _is_map(value: Any) -> bool:
    return isinstance(value, dict)


def _are_names(value: Any) -> bool:
    return isinstance(value, list) and all(map(_is_text, value))


def _among(*choices: str) -> Check:
    return lambda value: value in choices


def _text(shortest: int, longest: int) -> Check:
    return lambda value: isinstance(value, str) and shortest <= len(value) <= longest


def _several(check: Check, fewest: int, most: int) -> Check:
    return lambda value: isinstance(value, list) and fewest <= len(value) <= most and all(map(check, value))


def _is_texture_prompt(value: Any) -> bool:
    checks = {"text": _is_text, "image": is_file_text, "images": _several(is_file_text, 4, 4)}
    return isinstance(value, dict) and len(value) == 1 and all(n in checks and checks[n](v) for n, v in value.items())


def _are_prompts(value: Any) -> bool:
    if not isinstance(value, list) or not 1 <= len(value) <= 4:
        return False
    good = all(
        isinstance(item, dict)
        and set(item) == {"view", "prompt"}
        and item["view"] in _SIDES
        and _text(0, 1024)(item["prompt"])
        for item in value
    )
    return good and len({item["view"] for item in value}) == len(value)


# 4.1 and 4.3 to 4.7: the fields

_COMMON: dict[str, Check] = {"priority": lambda value: value in (1, 2, 3) and _is_integer(value), "parameters": _is_map}
_SWITCHES = ("texture", "pbr", "quad", "smart_low_poly", "generate_parts", "return_multiview", "export_uv")
_RENDERS = ("render_sequence", "render_video", "check_printable")
_VERSION = _among("v3.1-20260211", "v3.0-20250812", "v2.5-20250123", P1, P2)
_QUALITY, _ALIGNMENT = _among("standard", "detailed", "extreme"), _among("original_image", "geometry")
_MODEL: dict[str, Check] = {
    "model_version": _VERSION,
    "model": _VERSION,
    **dict.fromkeys((*_SWITCHES, *_RENDERS), _is_switch),
    **dict.fromkeys(("face_limit", "model_seed", "texture_seed"), _is_integer),
    "texture_quality": _QUALITY,
    "geometry_quality": _among("standard", "detailed"),
    "compress": _among("", "geometry"),
    "style_image": _is_either,
}
_SEEN: dict[str, Check] = {
    "texture_alignment": _ALIGNMENT,
    "orientation": _among("default", "align_image"),
    **dict.fromkeys(("auto_size", "enable_image_autofix", "image_autofix"), _is_switch),
}
_PICTURE: dict[str, Check] = {
    **dict.fromkeys(("size", "aspect_ratio"), _is_text),
    "output_format": _among("png", "jpeg"),
    "watermark": _is_switch,
}
_ON_TASK: dict[str, Check] = {"original_model_task_id": is_task}
_FROM_ONE: dict[str, Check] = {"file": is_file_object, "input": is_input}
_PICTURE_MODELS = ("seedream_v5", "banana", "banana_pro", "banana2", "chat_image_1", "chat_image_1.5", "chat_image_2")
_OUT = _among("glb", "fbx")

FIELDS: dict[str, dict[str, Check]] = {
    "/v3/generation/text-to-model": {
        **_MODEL,
        "prompt": _text(1, 1024),
        "negative_prompt": _text(1, 255),
        "image_seed": _is_integer,
    },
    "/v3/generation/image-to-model": {**_MODEL, **_SEEN, **_FROM_ONE, "mode": _is_text},
    "/v3/generation/multiview-to-model": {
        **_MODEL,
        **_SEEN,
        **_ON_TASK,
        "inputs": _are_inputs,
        "files": _are_slots,
        "orthographic_projection": _is_switch,
    },
    "/v3/generation/text-to-image": {
        **_PICTURE,
        "prompt": _text(1, 1800),
        "model": _among("seedream_v4", *_PICTURE_MODELS),
        "template": _among("asset_extraction", "character_completion", "t_pose", "variants", "figure"),
    },
    "/v3/generation/image-to-image": {
        **_PICTURE,
        **_FROM_ONE,
        "prompt": _text(0, 1800),
        "model": _among(*_PICTURE_MODELS),
        "files": _several(is_file_object, 1, 16),
        "template": _among("t_pose", "character_completion", "3d_enhance", "variants", "figure"),
    },
    "/v3/generation/image-to-multiview": _FROM_ONE,
    "/v3/generation/edit-multiview": {"original_task_id": is_task, "prompts": _are_prompts},
    "/v3/generation/image-to-splat": _FROM_ONE,
    "/v3/models/texture": {
        **_ON_TASK,
        "model_version": _among("v3.0-20250812", "v2.5-20250123"),
        "texture_prompt": _is_texture_prompt,
        **dict.fromkeys(("texture", "pbr", "bake", "return_multiview"), _is_switch),
        "texture_quality": _QUALITY,
        "texture_alignment": _ALIGNMENT,
        "texture_seed": _is_integer,
        "compress": _among("", "geometry"),
        "part_names": _are_names,
    },
    "/v3/models/refine": {"draft_model_task_id": is_task},
    "/v3/models/stylize": {
        **_ON_TASK,
        "style": _among("lego", "voxel", "voronoi", "minecraft", "keyring", "fridge_magnet", "keycap"),
        "block_size": _is_number,
        **dict.fromkeys(("vxc", "render_image"), _is_switch),
    },
    "/v3/models/convert": {
        **_ON_TASK,
        "format": lambda value: _is_text(value) and value.upper() in ("GLTF", "USDZ", "FBX", "OBJ", "STL", "3MF"),
        "texture_format": _among("BMP", "DPX", "HDR", "JPEG", "OPEN_EXR", "PNG", "TARGA", "TIFF", "WEBP"),
        **dict.fromkeys(("quad", "flatten_bottom", "pivot_to_center_bottom", "force_symmetry", "bake"), _is_switch),
        **dict.fromkeys(("pack_uv", "with_animation", "assemble_animation", "animate_in_place"), _is_switch),
        "export_vertex_colors": _is_switch,
        **dict.fromkeys(("face_limit", "texture_size"), _is_integer),
        **dict.fromkeys(("flatten_bottom_threshold", "scale_factor"), _is_number),
        "part_names": _are_names,
        "export_orientation": _among("+x", "-x", "+y", "-y"),
        "fbx_preset": _among("blender", "3dsmax", "mixamo", "bake_scale"),
    },
    "/v3/models/import": {"file": _is_token_object, "input": is_token},
    "/v3/mesh/decimate": {
        "input": is_task,
        **dict.fromkeys(("quad", "bake"), _is_switch),
        "face_limit": _is_integer,
        "part_names": _are_names,
        "model_version": _among("v2.0", "v1.0", "P-v1.0-20250506", "P-v2.0-20251225"),
    },
    "/v3/animations/rig-check": _ON_TASK,
    "/v3/animations/rig": {
        **_ON_TASK,
        "model_version": _among("v1.0-20240301", "v2.5-20260210"),
        "out_format": _OUT,
        "spec": _among("mixamo", "tripo"),
        **dict.fromkeys(("rig_type", "topology"), _is_text),
    },
    "/v3/animations/retarget": {
        **_ON_TASK,
        "animation": _is_text,
        "animations": _several(_is_text, 1, 5),
        "out_format": _OUT,
        **dict.fromkeys(("bake_animation", "export_with_geometry", "render_video", "animate_in_place"), _is_switch),
    },
    "/v3/mesh/segment": {
        **_ON_TASK,
        "model_version": _among("v1.0-20250506", "v2.0-20260430"),
        "ref_image": is_file_text,
    },
    "/v3/mesh/complete": {**_ON_TASK, "part_names": _are_names},
    "/v3/mesh/smartsegment": {"input": is_task},  # not shown: the general form
}
"""The fields of each endpoint, and what each of them takes."""

NEEDED: dict[str, tuple[tuple[str, ...], ...]] = {
    "/v3/generation/text-to-model": (("model_version", "model"), ("prompt",)),
    "/v3/generation/image-to-model": (("model_version", "model"), ("input", "file")),
    "/v3/generation/multiview-to-model": (
        ("model_version", "model"),
        ("inputs", "files", "original_model_task_id"),
    ),
    "/v3/generation/text-to-image": (("prompt",),),
    "/v3/generation/image-to-image": (("prompt", "template"), ("file", "files", "input")),
    "/v3/generation/image-to-multiview": (("file", "input"),),
    "/v3/generation/edit-multiview": (("original_task_id",), ("prompts",)),
    "/v3/generation/image-to-splat": (("file", "input"),),
    "/v3/models/refine": (("draft_model_task_id",),),
    "/v3/models/convert": (("original_model_task_id",), ("format",)),
    "/v3/models/import": (("file", "input"),),
    "/v3/mesh/decimate": (("input",),),
    "/v3/mesh/smartsegment": (("input",),),
    "/v3/animations/retarget": (("original_model_task_id",), ("animation", "animations")),
    **{
        path: (("original_model_task_id",),)
        for path in ("/v3/models/texture", "/v3/models/stylize", "/v3/animations/rig-check", "/v3/animations/rig")
    },
    **{path: (("original_model_task_id",),) for path in ("/v3/mesh/segment", "/v3/mesh/complete")},
}
"""Of each group of fields one at least."""

_NOT_P1 = ("quad", "smart_low_poly", "generate_parts", "geometry_quality")


def complaint(path: str, body: Any) -> str:
    """What is wrong with a body; empty when the text shows all of it."""
    if not isinstance(body, Mapping):
        return "the body is no object"
    for name, value in body.items():
        if name in FIELDS[path] | _COMMON and not (FIELDS[path] | _COMMON)[name](value):
            return f"{name} is {value!r}, a form that the API does not show"
    for names in NEEDED[path]:
        if not any(name in body for name in names):
            return f"{' or '.join(names)} is missing"
    return _model_rules(body) if "generation" in path and "model" in path else ""


def _model_rules(body: Mapping[str, Any]) -> str:
    version = body.get("model_version") or body.get("model")
    low, high = 1, 10**9
    if body.get("smart_low_poly"):
        low, high = 500, 10_000 if body.get("quad") else 20_000
    elif version == P1:
        low, high = 48, 20_000
    elif version == P2:
        low, high = 48, 25_000 if body.get("quad") else 50_000
    if not low <= body.get("face_limit", low) <= high:
        return f"face_limit must be {low} to {high}"
    if version == P1 and (present := [name for name in _NOT_P1 if name in body]):
        return f"{present} must be omitted"
    if body.get("generate_parts") and (body.get("texture", True) or body.get("pbr", True)):
        return "generate_parts requires texture false, and pbr, true by default, forces it"
    return ""
