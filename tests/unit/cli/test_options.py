"""The options of every capability: made from its declaration, complete, typed; what was not given is not sent."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from asset_generation.addon.cli.capability import plan_of
from asset_generation.addon.cli.main import build_parser, main
from asset_generation.addon.cli.options import command_name, given_fields, option_fields, option_name
from asset_generation.addon.cli.parsing import UsageError
from asset_generation.addon.core.errors import BadRequest
from asset_generation.addon.core.jobs.job import SourceKind
from asset_generation.vendor.assetgen.contract import CAPABILITIES, FieldKind, FieldSpec, Takes, TaskRequest
from support.services.local_engine import tiny_glb

TASK = "6f1f8d5e-2c55-4b39-9e0b-3a1f6e0d8a11"
TASKS = frozenset({Takes.RIG_TASK, Takes.SEGMENT_TASK, Takes.DRAFT_TASK, Takes.MULTIVIEW_TASK})


@pytest.fixture
def model(tmp_path: Path) -> Path:
    path = tmp_path / "Old Chair.glb"
    path.write_bytes(tiny_glb())
    return path


def parse(*arguments: object) -> Any:
    return build_parser().parse_args([str(argument) for argument in arguments])


def source(model: type[TaskRequest]) -> list[str]:
    """What must stand before the options."""
    if model.takes is Takes.MODEL_FILE:
        return ["model.glb"]
    return ["--task", TASK] if model.takes in TASKS | {Takes.MODEL_TASK} else []


def sample(spec: FieldSpec) -> tuple[list[str], Any]:
    """A value as it is typed, and as the field then has it."""
    option = option_name(spec.name)
    match spec.kind:
        case FieldKind.SWITCH:
            return [f"--no-{option[2:]}"], False
        case FieldKind.CHOICE:
            return [option, spec.choices[-1].upper()], spec.choices[-1]
        case FieldKind.INTEGER:
            return [option, "7"], 7
        case FieldKind.NUMBER:
            return [option, "0.5"], 0.5
        case FieldKind.TEXT:
            return [option, "a wooden 100% chair"], "a wooden 100% chair"
        case FieldKind.FILE:
            return [option, "a.png"], str(Path("a.png").absolute())
        case FieldKind.FILES:
            expected = [str(Path("a.png").absolute()), "https://b.test/b.png", "file_1"]
            return [option, "a.png", "https://b.test/b.png", option, "file_1"], expected
        case FieldKind.NAMES:
            return [option, "arm, leg", option, "head"], ["arm", "leg", "head"]
        case FieldKind.MAP:
            return [option, '{"steps": 3}'], {"steps": 3}
        case FieldKind.LIST:
            return [option, '[{"task_id": "t"}]'], [{"task_id": "t"}]
    raise AssertionError(f"no sample of {spec.kind}")


@pytest.mark.parametrize("name", CAPABILITIES)
def test_every_field_has_an_option_that_gives_its_value(name: str) -> None:
    request = CAPABILITIES[name]
    arguments = [command_name(request), *source(request)]
    expected = {}
    for spec in option_fields(request):
        typed, expected[spec.name] = sample(spec)
        arguments += typed
    assert given_fields(parse(*arguments)) == expected


@pytest.mark.parametrize("name", CAPABILITIES)
def test_what_is_not_given_is_not_sent(name: str) -> None:
    request = CAPABILITIES[name]
    needed = [spec for spec in option_fields(request) if spec.required and len(spec.path) == 1]
    typed = [word for spec in needed for word in sample(spec)[0]]
    assert set(given_fields(parse(command_name(request), *source(request), *typed))) == {spec.name for spec in needed}


@pytest.mark.parametrize("name", CAPABILITIES)
def test_help_names_every_option_with_its_description(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    request = CAPABILITIES[name]
    assert main([command_name(request), "--help"]) == 0
    words = " ".join(capsys.readouterr().out.split())
    assert words.startswith(f"usage: assetgen {command_name(request)}")
    assert f"{request.summary}." in words
    assert "Exit codes: 0 done" in words
    for spec in option_fields(request):
        assert option_name(spec.name) in words
        # argparse may break a line behind a hyphen.
        assert spec.description.replace(" ", "").replace("-", "") in words.replace(" ", "").replace("-", "")


def test_the_first_help_names_every_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--help"]) == 0
    words = capsys.readouterr().out
    for request in CAPABILITIES.values():
        assert f"  {command_name(request)} " in words
    for other in ("tasks show", "files upload", "account balance", "account usage", "jobs list", "webhooks verify"):
        assert other in words


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ([], "the following arguments are required: COMMAND"),
        (["paint"], "invalid choice: 'paint'"),
        (["decimate", "a.glb", "--face-limit", "many"], "'many' is not an integer"),
        (["decimate", "a.glb", "--face", "5000"], "unrecognized arguments: --face"),
        (["convert", "a.glb"], "--format"),
        (["convert", "a.glb", "--format", "docx"], "GLTF, USDZ, FBX, OBJ, STL, 3MF"),
        (["convert", "a.glb", "--format", "stl", "--scale-factor", "big"], "'big' is not a number"),
        (["texture", "a.glb", "--asset-map", "{"], "'{' is not a JSON object"),
        (["texture", "a.glb", "--asset-map", "[1]"], "'[1]' is not a JSON object"),
        (["multiview-to-model", "--model-version", "P2-20260801", "--inputs", "{}"], "'{}' is not a JSON list"),
        (["decimate", "a.glb", "--part-names", " , "], "a name is missing"),
        (["texture", "a.glb", "--image", "http://a.test/b.png"], "only https addresses are"),
        (["texture", "a.glb", "--image", ""], "the path of a file is missing"),
        (["text-to-model", "--model-version", "P2-20260801"], "--prompt"),
        (["jobs"], "ACTION"),
        (["jobs", "retry"], "ID"),
        (["account", "usage", "--limit", "-1"], "not a number of rows"),
    ],
)
def test_arguments_that_make_no_sense(arguments: list[str], words: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(UsageError, match=r".") as caught:
        build_parser().parse_args(arguments)
    assert words in str(caught.value)
    assert main(arguments) == 2
    told = capsys.readouterr()
    assert words in told.err
    assert told.err.startswith("usage: assetgen")
    assert told.out == ""
    assert main([*arguments, "--json"]) == 2
    event = json.loads(capsys.readouterr().out)
    assert (event["event"], event["exit_code"]) == ("error", 2)


def plan(*arguments: object) -> Any:
    options = parse(*arguments)
    return plan_of(CAPABILITIES[options.capability], options)


def test_a_model_file_is_imported_first(model: Path, tmp_path: Path) -> None:
    made = plan("decimate", model, "--face-limit", 5000, "--out", tmp_path / "new")
    assert [step.capability for step in made.steps] == ["import_model", "decimate"]
    assert made.steps[1].fields == {"face_limit": 5000}
    assert (made.source.kind, made.source.path) == (SourceKind.MODEL_FILE, str(model))
    assert (made.name, made.delivery.folder) == ("Decimate Old Chair", str(tmp_path / "new"))
    assert made.delivery.origin is None


@pytest.mark.parametrize("arguments", [["--task", TASK], [TASK]])
def test_a_task_is_worked_on_as_it_is(arguments: list[str]) -> None:
    made = plan("decimate", *arguments, "--name", "My Chair")
    assert [step.capability for step in made.steps] == ["decimate"]
    assert (made.source.kind, made.source.task_id, made.name) == (SourceKind.TASK, TASK, "My Chair")


def test_an_import_takes_a_file_or_a_token(model: Path) -> None:
    made = plan("import-model", model)
    assert [step.capability for step in made.steps] == ["import_model"]
    assert made.source.path == str(model)
    made = plan("import-model", "file_1")
    assert (made.source.kind, made.steps[0].fields) == (SourceKind.NOTHING, {"file": "file_1"})


def test_a_job_from_words_is_named_after_them() -> None:
    prompt = "a very long description of a wooden chair with a red cushion"
    made = plan("text-to-model", "--prompt", prompt, "--model-version", "P2-20260801")
    assert (made.source.kind, made.name) == (SourceKind.NOTHING, "Text to Model a very long description of a wooden")
    assert made.delivery.folder == str(Path.cwd())


def test_a_job_from_an_image_is_named_after_it(tmp_path: Path) -> None:
    picture = tmp_path / "chair.png"
    picture.write_bytes(b"\x89PNG\r\n\x1a\n" + b"\0" * 32)
    made = plan("image-to-multiview", "--file", picture)
    assert made.name == "Image to Multiview chair"
    assert plan("image-to-multiview", "--file", "https://a.test/b.png").name == "Image to Multiview"


def test_an_answer_has_no_folder() -> None:
    assert plan("rig-check", "--task", TASK).delivery.folder == ""
    with pytest.raises(UsageError, match="--out"):
        parse("rig-check", "--task", TASK, "--out", "x")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["decimate"], "works on a model file or --task ID"),
        (["decimate", "{model}", "--task", TASK], "not on both"),
        (["decimate", "--task", "chair"], "'chair' is not the id of a task"),
        (["decimate", "missing.glb"], "There is no file"),
        (["decimate", "{text}"], "this takes glb, obj"),
        (["decimate", "{broken}"], "not a GLB file inside"),
        (["decimate", "{model}", "--face-limit", "100"], "500 to 20000"),
        (["decimate", "{model}", "--quad", "--face-limit", "15000"], "10000"),
        (["decimate", "{model}", "--out", "{text}"], "is not a folder"),
        (["refine"], "works on --task ID"),
        (["texture", "{model}", "--text", "rust", "--image", "{model}"], "this takes png"),
        (["convert", "{model}", "--format", "stl", "--export-vertex-colors"], "OBJ"),
        (["text-to-model", "--prompt", "a chair", "--model-version", "P1-20260311", "--quad"], "P1-20260311"),
        (["text-to-model", "--prompt", "", "--model-version", "P1-20260311"], "1 to 1024"),
        (["image-to-multiview"], "at least one of file and input"),
        (["retarget", "--task", TASK], "animation"),
        (["edit-multiview", "--task", TASK], "front"),
    ],
)
def test_what_the_declaration_refuses_is_refused_before_anything_is_sent(
    arguments: list[str], words: str, model: Path, tmp_path: Path
) -> None:
    text, broken = tmp_path / "notes.txt", tmp_path / "broken.glb"
    text.write_text("notes")
    broken.write_text("notes")
    places = {"model": model, "text": text, "broken": broken}
    with pytest.raises(BadRequest) as caught:
        plan(*(argument.format(**places) for argument in arguments))
    assert words.lower() in str(caught.value).lower()
