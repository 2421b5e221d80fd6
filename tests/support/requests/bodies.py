"""Bodies of every creation endpoint, written down from the API's text and not from our declarations.

They are the independent side of the tests: what the API documents must be accepted, sent as it is, and known to us.
"""

from __future__ import annotations

from typing import Any

TASK = "11111111-2222-3333-4444-555555555555"
FILE = "file_aaaaaaaa-bbbb-cccc-dddd-eeeeeeeeeeee"
IMAGE = {"type": "png", "file_token": FILE}
V31, V30, V25 = "v3.1-20260211", "v3.0-20250812", "v2.5-20250123"
P1, P2 = "P1-20260311", "P2-20260801"

_COMMON = {"priority": 3, "parameters": {"any": ["thing", 1]}}
_GENERATION = {
    "model_version": V31,
    "texture": True,
    "pbr": True,
    "texture_quality": "extreme",
    "geometry_quality": "detailed",
    "face_limit": 10_000,
    "quad": True,
    "smart_low_poly": True,
    "generate_parts": False,
    "compress": "geometry",
    "return_multiview": True,
    "export_uv": True,
    "render_sequence": True,
    "render_video": True,
    "model_seed": 1,
    "texture_seed": 2,
    "check_printable": True,
    "style_image": FILE,
}
_FROM_IMAGES = {
    "texture_alignment": "geometry",
    "orientation": "align_image",
    "auto_size": True,
    "enable_image_autofix": True,
}

SMALLEST: dict[str, dict[str, Any]] = {
    "text_to_model": {"prompt": "a", "model_version": V31},
    "image_to_model": {"input": FILE, "model_version": V31},
    "multiview_to_model": {"original_model_task_id": TASK, "model_version": V31},
    "image_to_splat": {"input": FILE},
    "texture": {"original_model_task_id": TASK},
    "refine": {"draft_model_task_id": TASK},
    "stylize": {"original_model_task_id": TASK},
    "convert": {"original_model_task_id": TASK, "format": "GLTF"},
    "import_model": {"input": FILE},
    "rig_check": {"original_model_task_id": TASK},
    "rig": {"original_model_task_id": TASK},
    "retarget": {"original_model_task_id": TASK, "animation": "preset:walk"},
    "decimate": {"input": TASK},
    "segment": {"original_model_task_id": TASK},
    "complete": {"original_model_task_id": TASK},
    "smart_segment": {"input": TASK},
    "text_to_image": {"prompt": "a"},
    "image_to_image": {"input": FILE, "template": "t_pose"},
    "image_to_multiview": {"input": FILE},
    "edit_multiview": {"original_task_id": TASK, "prompts": [{"view": "front", "prompt": "a"}]},
}
"""The least that each endpoint accepts."""

LARGEST: dict[str, dict[str, Any]] = {
    "text_to_model": _GENERATION | {"prompt": "w" * 1024, "negative_prompt": "w" * 255, "image_seed": 3, **_COMMON},
    "image_to_model": _GENERATION | _FROM_IMAGES | {"file": IMAGE, "mode": "any", **_COMMON},
    "multiview_to_model": _GENERATION
    | _FROM_IMAGES
    | {"files": [IMAGE, IMAGE, IMAGE, IMAGE], "orthographic_projection": True, **_COMMON},
    "image_to_splat": {"file": IMAGE, **_COMMON},
    "texture": {
        "original_model_task_id": TASK,
        "model_version": V25,
        "texture_prompt": {"images": [FILE] * 4},
        "texture": True,
        "pbr": True,
        "texture_quality": "extreme",
        "texture_alignment": "original_image",
        "texture_seed": 7,
        "compress": "geometry",
        "bake": True,
        "part_names": ["head", "arm"],
        "return_multiview": True,
        "asset_map": {"a": 1},
        **_COMMON,
    },
    "refine": {"draft_model_task_id": TASK, **_COMMON},
    "stylize": {
        "original_model_task_id": TASK,
        "style": "fridge_magnet",
        "block_size": 32,
        "vxc": True,
        "render_image": True,
        **_COMMON,
    },
    "convert": {
        "original_model_task_id": TASK,
        "format": "OBJ",
        "texture_format": "OPEN_EXR",
        "quad": True,
        "face_limit": 5000,
        "flatten_bottom": True,
        "flatten_bottom_threshold": 0.01,
        "texture_size": 2048,
        "pivot_to_center_bottom": True,
        "scale_factor": 2.5,
        "force_symmetry": True,
        "bake": True,
        "pack_uv": True,
        "part_names": ["head"],
        "with_animation": True,
        "assemble_animation": True,
        "animate_in_place": True,
        "export_vertex_colors": True,
        "export_orientation": "-y",
        "fbx_preset": "bake_scale",
        **_COMMON,
    },
    "import_model": {"file": {"type": "glb", "file_token": FILE}, **_COMMON},
    "rig_check": {"original_model_task_id": TASK, **_COMMON},
    "rig": {
        "original_model_task_id": TASK,
        "model_version": "v2.5-20260210",
        "out_format": "fbx",
        "spec": "mixamo",
        "rig_type": "quadruped",
        **_COMMON,
    },
    "retarget": {
        "original_model_task_id": TASK,
        "animation": "preset:idle",
        "animations": ["preset:walk", "preset:run", "preset:jump", "preset:turn", "preset:fall"],
        "out_format": "fbx",
        "bake_animation": True,
        "export_with_geometry": True,
        "render_video": True,
        "animate_in_place": True,
        **_COMMON,
    },
    "decimate": {
        "input": TASK,
        "quad": True,
        "face_limit": 10_000,
        "part_names": ["head"],
        "bake": True,
        "model_version": "v1.0",
        **_COMMON,
    },
    "segment": {
        "original_model_task_id": TASK,
        "model_version": "v2.0-20260430",
        "ref_image": FILE,
        **_COMMON,
    },
    "complete": {"original_model_task_id": TASK, "part_names": ["head"], **_COMMON},
    "smart_segment": {"input": TASK, **_COMMON},
    "text_to_image": {
        "prompt": "w" * 1800,
        "model": "banana2",
        "size": "4K",
        "aspect_ratio": "8:1",
        "output_format": "jpeg",
        "watermark": True,
        "template": "asset_extraction",
        **_COMMON,
    },
    "image_to_image": {
        "model": "banana_pro",
        "prompt": "w" * 1800,
        "files": [IMAGE] * 10,
        "template": "3d_enhance",
        "t_pose": True,
        "sketch_to_render": True,
        "size": "1024x1536",
        "output_format": "png",
        "watermark": False,
        "aspect_ratio": "21:9",
        **_COMMON,
    },
    "image_to_multiview": {"file": IMAGE, **_COMMON},
    "edit_multiview": {
        "original_task_id": TASK,
        "prompts": [{"view": view, "prompt": "w" * 1024} for view in ("front", "left", "back", "right")],
        **_COMMON,
    },
}
"""The most that each endpoint takes at once. Wire and declaration say the same, so it is sent as it is."""

TYPES = {
    **{name: name.replace("_", "-") for name in ("text_to_model", "image_to_model", "multiview_to_model")},
    **{name: name.replace("_", "-") for name in ("text_to_image", "image_to_image", "image_to_multiview")},
    "edit_multiview": "edit-multiview",
    "rig": "rig",
    "rig_check": "rig-check",
    "retarget": "retarget",
    "texture": "texture",
    "convert": "convert",
    "refine": "refine",
    "segment": "segment",
    "complete": "complete",
    "decimate": "retopology",
}
"""The names of task types that the API's table of concurrency limits (8.2) shows; it shows no others."""

OTHER_FORMS: dict[str, tuple[str, ...]] = {
    "image_to_model": ("input",),
    "multiview_to_model": ("inputs", "original_model_task_id"),
    "image_to_splat": ("input",),
    "import_model": ("input",),
    "image_to_image": ("file", "input"),
    "image_to_multiview": ("input",),
}
"""Documented fields that :data:`LARGEST` cannot hold, because another form of the same is in it."""


def documented(name: str) -> frozenset[str]:
    """All fields that the API documents for a capability, under their names on the wire."""
    return frozenset({*LARGEST[name], *OTHER_FORMS.get(name, ())})
