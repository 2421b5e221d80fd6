"""Every capability against a stand-in that takes only what the API's text shows: Python client and command line."""

from __future__ import annotations

import ast
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from asset_generation.addon.cli.main import main
from asset_generation.addon.cli.options import command_name
from asset_generation.vendor.assetgen import Client
from asset_generation.vendor.assetgen.contract import CAPABILITIES, capability
from load_extension import ROOT
from support.requests.bodies import LARGEST, SMALLEST, documented
from support.services.local_engine import tiny_glb, tiny_png, tiny_splat
from support.services.stand_in import KEY, StandIn, stand_in
from support.services.stand_in_forms import FIELDS, complaint

ADDRESS = "https://images.test/chair.webp"
VERSION = "v3.1-20260211"
SOURCE_OF = {
    "refine": "text_to_model",
    "retarget": "rig",
    "complete": "segment",
    "edit_multiview": "image_to_multiview",
    "multiview_to_model": "image_to_multiview",
}


@pytest.fixture
def service(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[StandIn]:
    with stand_in(model=tiny_glb(), image=tiny_png(), splat=tiny_splat()) as running:
        monkeypatch.setenv("ASSETGEN_BASE_URL", running.base_url)
        monkeypatch.setenv("ASSETGEN_API_KEY", KEY)
        monkeypatch.setenv("ASSETGEN_DATA_DIR", str(tmp_path / "data"))
        yield running


@pytest.fixture
def client(service: StandIn) -> Iterator[Client]:
    with Client(KEY, service.base_url) as connected:
        yield connected


@pytest.fixture
def files(tmp_path: Path) -> dict[str, str]:
    for name, content in (("a.png", tiny_png()), ("b.png", tiny_png()), ("m.glb", tiny_glb())):
        (tmp_path / name).write_bytes(content)
    return {name: str(tmp_path / name) for name in ("a.png", "b.png", "m.glb")}


def task_for(service: StandIn, name: str) -> str:
    """A finished task that a capability takes."""
    path = capability(SOURCE_OF.get(name, "text_to_model")).endpoint
    service.tasks["11111111-2222-4333-8444-555555555555"] = {
        "task_id": "11111111-2222-4333-8444-555555555555",
        "type": path.rpartition("/")[2],
        "status": "success",
    }
    return "11111111-2222-4333-8444-555555555555"


def requests(token: str, model: str, task: str) -> dict[str, list[dict[str, Any]]]:
    """What Python code may give for each capability: tokens, addresses and objects wherever a file goes."""
    image = {"type": "png", "file_token": token}
    one = [{"file": token}, {"file": ADDRESS}, {"file": image}, {"input": token}, {"input": ADDRESS}]
    version = {"model_version": VERSION}
    on = {"original_model_task_id": task}
    return {
        "text_to_model": [
            {"prompt": "a", **version, "quad": None, "style_image": image},
            {"prompt": "a", **version, "generate_parts": True, "texture": False},
            {"prompt": "a", "model_version": "P1-20260311", "quad": False, "face_limit": 48},
        ],
        "image_to_model": [version | form for form in one],
        "multiview_to_model": [
            version | {"files": {"front": token, "back": ADDRESS}},
            version | {"files": [token, {}, None, image]},
            version | {"inputs": [{"front": token}]},
            version | on,
        ],
        "image_to_splat": one,
        "texture": [
            on | {"texture_prompt": {"image": image}},
            on | {"texture_prompt": {"images": [image, token, ADDRESS, token]}},
            on | {"texture_prompt": {"text": "w" * 3000}},
        ],
        "refine": [{"draft_model_task_id": task}],
        "stylize": [on | {"block_size": 0.5}],
        "convert": [on | {"format": "stl", "quad": False}],
        "import_model": [{"file": model}, {"file": {"type": "glb", "file_token": model}}, {"input": model}],
        "decimate": [on, {"input": task, "model_version": "v1.0", "face_limit": 90_000}],
        "rig_check": [on],
        "rig": [on],
        "retarget": [on | {"animation": "preset:walk"}],
        "segment": [on | {"ref_image": image}, on | {"ref_image": ADDRESS}],
        "complete": [on],
        "smart_segment": [{"input": task}],
        "text_to_image": [{"prompt": "a", "size": "auto"}],
        "image_to_image": [{"prompt": "a", **form} for form in (*one, {"files": [token, ADDRESS, image]})],
        "image_to_multiview": one,
        "edit_multiview": [{"original_task_id": task, "prompts": {"back": "red"}}],
    }


@pytest.mark.parametrize("name", CAPABILITIES)
def test_the_client_sends_what_the_text_shows(
    service: StandIn, client: Client, files: dict[str, str], name: str
) -> None:
    token, model = client.files.upload(Path(files["a.png"])), client.files.upload(Path(files["m.glb"]))
    given = requests(token, model, task_for(service, name))[name]
    for fields in given:
        client.tasks.create(capability(name).model_validate({**fields, "brand_new": [1]}))
    assert service.complaints() == []
    sent = service.sent(capability(name).endpoint)
    assert len(sent) == len(given) and all(body["brand_new"] == [1] for body in sent)


def arguments(files: dict[str, str], task: str) -> dict[str, list[str]]:
    """A command for each capability, with paths wherever a file goes."""
    image, model = files["a.png"], files["m.glb"]
    version = ["--model-version", VERSION]
    return {
        "text_to_model": ["--prompt", "a", *version, "--style-image", image],
        "image_to_model": ["--file", image, *version],
        "multiview_to_model": ["--front", image, "--back", ADDRESS, *version],
        "image_to_splat": ["--file", ADDRESS],
        "texture": [model, "--image", image],
        "refine": ["--task", task],
        "stylize": [model, "--style", "lego", "--block-size", "32"],
        "convert": [model, "--format", "stl"],
        "import_model": [model],
        "decimate": [model, "--face-limit", "700"],
        "rig_check": ["--task", task],
        "rig": [model],
        "retarget": ["--task", task, "--animation", "preset:walk"],
        "segment": [model, "--ref-image", image],
        "complete": ["--task", task],
        "smart_segment": ["--task", task],
        "text_to_image": ["--prompt", "a", "--size", "HD"],
        "image_to_image": ["--files", image, files["b.png"], "--prompt", "a"],
        "image_to_multiview": ["--file", image],
        "edit_multiview": ["--task", task, "--back", "red"],
    }


@pytest.mark.parametrize("name", CAPABILITIES)
def test_the_command_line_sends_what_the_text_shows(
    service: StandIn, files: dict[str, str], tmp_path: Path, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    given = arguments(files, task_for(service, name))[name]
    out = [] if name in ("import_model", "rig_check") else ["--out", str(tmp_path / "out")]
    further = ["--set", "brand_new=[1]", "--parameters", '{"deep": 2}']
    code = main([command_name(capability(name)), *given, *out, *further, "--json"])
    assert service.complaints() == []
    assert code == 0, capsys.readouterr().out
    (body,) = service.sent(capability(name).endpoint)
    assert (body["brand_new"], body["parameters"]) == ([1], {"deep": 2})


# --- the stand-in itself


def test_the_stand_in_knows_nothing_of_our_code() -> None:
    for path in sorted((ROOT / "tests" / "support" / "services").glob("stand_in*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            modules = [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            modules += [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            assert not any("asset" in module for module in modules), path


def test_the_stand_in_has_every_endpoint_and_takes_the_documented_bodies() -> None:
    assert set(FIELDS) == {model.endpoint for model in CAPABILITIES.values()}
    for bodies in (SMALLEST, LARGEST):
        for name, body in bodies.items():
            assert complaint(capability(name).endpoint, body) == "", name


FILE = "file_aaaaaaaa-bbbb-cccc-dddd-eeeeeeeeeeee"
TASK = "11111111-2222-3333-4444-555555555555"


@pytest.mark.parametrize(
    ("name", "fields"),
    [
        ("image_to_model", {"file": ADDRESS}),
        ("image_to_model", {"file": FILE}),
        ("image_to_model", {"file": {"url": ADDRESS}}),
        ("image_to_model", {"file": {"type": "png", "data": "AAAA"}}),
        ("image_to_model", {"input": {"type": "png", "file_token": FILE}}),
        ("image_to_model", {"input": f"task_{TASK}"}),
        ("image_to_model", {"quad": None}),
        ("multiview_to_model", {"files": [FILE, FILE, {}, {}]}),
        ("multiview_to_model", {"files": [{"type": "png", "file_token": FILE}, {}, {}, {}]}),
        ("segment", {"ref_image": {"type": "png", "file_token": FILE}}),
        ("texture", {"texture_prompt": {"image": {"type": "png", "file_token": FILE}}}),
        ("texture", {"texture_prompt": {"text": "a", "image": FILE}}),
        ("import_model", {"file": FILE}),
        ("image_to_image", {"files": [FILE]}),
        ("text_to_model", {"model_version": "P1-20260311", "quad": False}),
        ("text_to_model", {"generate_parts": True, "texture": False}),
    ],
)
def test_the_stand_in_refuses_what_is_not_shown(name: str, fields: dict[str, Any]) -> None:
    assert complaint(capability(name).endpoint, SMALLEST[name] | fields), json.dumps(fields)


def test_the_stand_in_misses_decimates_input() -> None:
    assert complaint("/v3/mesh/decimate", {"original_model_task_id": TASK}) == "input is missing"


@pytest.mark.parametrize(
    ("words", "path", "field"),
    [
        (["image-to-model", "--model-version", VERSION, "--file"], "/v3/generation/image-to-model", "input"),
        (["import-model"], "/v3/models/import", "input"),
        (["image-to-image", "--prompt", "a", "--file"], "/v3/generation/image-to-image", "input"),
    ],
)
def test_a_token_on_the_command_line_goes_where_texts_go(
    service: StandIn, client: Client, files: dict[str, str], tmp_path: Path, words: list[str], path: str, field: str
) -> None:
    token = client.files.upload(Path(files["m.glb"]))
    out = [] if words[0] == "import-model" else ["--out", str(tmp_path / "out")]
    assert main([*words, token, *out, "--json"]) == 0
    (body,) = service.sent(path)
    assert body[field] == token and "file" not in body


def test_a_job_uploads_by_the_way_that_is_open(service: StandIn, files: dict[str, str]) -> None:
    service.refused["/v3/files"] = (404, 4001)
    assert main(["import-model", files["m.glb"], "--json"]) == 0
    assert list(service.uploads.values()) == [tiny_glb()]
    assert [wire.path for wire in service.wire][:3] == ["/v3/files", "/v3/files/presign", "/v3/models/import"]


NOT_SHOWN = {"asset_map", "t_pose", "sketch_to_render"}
"""Fields of which the text shows the name and nothing of the value."""

ALIASES = {"model", "image_autofix", "topology"}
"""Other names of ``model_version``, ``enable_image_autofix`` and ``rig_type``."""


@pytest.mark.parametrize("name", CAPABILITIES)
def test_two_tables_that_were_written_apart_have_the_same_fields(name: str) -> None:
    shown = set(FIELDS[capability(name).endpoint]) | {"priority", "parameters"}
    aliases = ALIASES if "image" not in name or "model" in name else ALIASES - {"model"}  # of images it is the model
    assert shown - aliases == documented(name) - NOT_SHOWN
