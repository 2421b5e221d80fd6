"""Names of capabilities and of their fields stand in the contract's declarations, and not in the code that uses them.

What is said of a capability somewhere else by its name is forgotten there when a capability is added. So code asks the
declaration (or what is generated from it): for a class variable such as ``keeps_shape``, or for the name itself, as
``Decimate.name``.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest
from asset_generation.vendor.assetgen.contract import CAPABILITIES, describe
from devtools.paths import ROOT

FOLDERS = ("addon", "vendor/assetgen", "vendor/assetgen_local", "scripts")

DECLARED = ("vendor/assetgen/contract/", "addon/props/task_properties.py")
"""The declarations, and what is generated from them."""

ENGINE = "vendor/assetgen_local/engine/"
"""Has a module for each capability, whose name is the module's; that they read declared fields is another test."""

ORDINARY = frozenset(
    {
        *("animation", "back", "bake", "file", "files", "format", "front", "image", "images", "input", "left", "mode"),
        *("model", "orientation", "parameters", "priority", "right", "size", "spec", "style", "template", "text"),
    }
)
"""Fields whose name is a word that also stands for other things: keys of other programs' data, kinds of fields."""

ALL = frozenset(CAPABILITIES)
ALLOWED = {
    "addon/cli/process.py": ({"face_limit"}, "the program's own --decimate and --texture say which field they fill"),
    "scripts/contact_sheet.py": (ALL | {"*"}, "runs each capability once, with fields that show what it does"),
    "scripts/demo.py": ({"decimate", "texture", "face_limit"}, "a user's script"),
    "addon/core/batches/farm_template.py": ({"inputs"}, "a key of a job bundle's references, not a field"),
    "scripts/examples/batch_with_client.py": ({"prompts"}, "an argument of its own"),
    "scripts/examples/lod_set.py": ({"import_model", "decimate"}, "a user's script"),
    "scripts/examples/obj_folder_to_usdz.py": ({"convert"}, "a user's script"),
    "scripts/examples/segment_and_complete.py": ({"import_model", "segment", "complete"}, "a user's script"),
    "scripts/examples/texture_scene.py": ({"texture"}, "a user's script"),
    "scripts/examples/walking_character.py": (
        {"prompt", "text_to_model", "rig_check", "rig", "retarget"},
        "a user's script",
    ),
    "scripts/devtools/bench/probes/engine_task.py": ({"decimate", "face_limit"}, "measures this capability"),
    "scripts/devtools/bench/jobs.py": ({"decimate", "texture"}, "measures these capabilities"),
    "scripts/devtools/bench/probes/job.py": ({"decimate"}, "measures this capability"),
    "scripts/devtools/bench/probes/plain_job.py": ({"decimate", "texture"}, "says which of its two works to do"),
    "scripts/devtools/bench/probes/presses.py": ({"prompt", "model_version"}, "a job that is pressed"),
    "scripts/devtools/bench/probes/panel.py": ({"decimate"}, "a job that is listed"),
    "scripts/devtools/bench/probes/subjects.py": ({"prompt", "image_to_splat", "text_to_image"}, "measures these"),
    "scripts/devtools/bench/probes/whole_job.py": (
        {"prompt", "face_limit", "model_version"},
        "measures these",
    ),
    "scripts/devtools/bench/probes/stalls.py": ({"decimate", "face_limit"}, "measures this capability"),
    "scripts/devtools/campaign/local_service.py": ({"prompt", "rig_type"}, "reads the engine's answers"),
    "scripts/devtools/campaign/plans.py": (ALL | {"*"}, "the jobs of a campaign, with fields that users set"),
    "scripts/devtools/campaign/scripted/account.py": ({"prompt"}, "knows the service by the API's text alone"),
    "scripts/devtools/campaign/scripted/api.py": ({"rig_type"}, "a key of the answer of a rig check, not a field"),
    "scripts/devtools/campaign/scripted/forms.py": (ALL | {"*"}, "the API's text, typed anew and not taken from here"),
    "scripts/devtools/campaign/soak_in_blender.py": ({"rig_check"}, "a job of the soak"),
    "scripts/devtools/strangers/plan.py": (ALL | {"*"}, "runs each capability that works on models"),
    "scripts/devtools/pictures/account_service.py": ({"text_to_model"}, "a service by the API's text alone"),
    "scripts/devtools/pictures/scenes/camera.py": ({"convert"}, "a program of ImageMagick"),
    "scripts/devtools/pictures/scenes/film.py": (ALL, "presses what a user presses"),
    "scripts/devtools/pictures/scenes/online.py": (ALL | {"*"}, "presses what a user presses"),
    "scripts/devtools/pictures/scenes/panel.py": (ALL | {"*"}, "presses what a user presses"),
    "scripts/devtools/pictures/scenes/samples.py": (ALL, "the jobs of a user"),
    "scripts/devtools/bench/probes/batch.py": ({"prompt", "model_version"}, "what a plain client sends"),
    "scripts/devtools/bench/probes/batch_service.py": (ALL, "a service of its own"),
    "scripts/generation/examples.py": (ALL | {"*"}, "the examples of the reference page"),
    "vendor/assetgen_local/api/openapi_schemas.py": ({"rig_type"}, "a key of the answer of a rig check, not a field"),
    "vendor/assetgen_local/options.py": (ALL, "prices, a setting of the local engine that names capabilities"),
    "vendor/assetgen_local/rules/references.py": ({"inputs"}, "the one field that has a task inside of a list"),
}
"""Files that may name what they name, and why; ``*`` stands for any field."""


def raw_names(source: str) -> Iterator[tuple[int, str]]:
    """The names of capabilities and fields among the texts of a source, each with its line."""
    fields = {name for model in CAPABILITIES.values() for spec in describe(model) for name in (spec.name, *spec.path)}
    names = (fields - ORDINARY) | set(CAPABILITIES)
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value in names:
            yield node.lineno, node.value


def sources() -> list[Path]:
    paths = [path for folder in FOLDERS for path in sorted((ROOT / folder).glob("**/*.py"))]
    return [path for path in paths if not path.relative_to(ROOT).as_posix().startswith((*DECLARED, ENGINE))]


def test_no_code_names_a_capability_or_a_field() -> None:
    leaks = []
    for path in sources():
        file = path.relative_to(ROOT).as_posix()
        allowed, _ = ALLOWED.get(file, (frozenset(), ""))
        leaks += [
            f"{file}:{line}: {name!r} belongs into its declaration"
            for line, name in raw_names(path.read_text(encoding="utf-8"))
            if name not in allowed and not ("*" in allowed and name not in CAPABILITIES)
        ]
    assert "\n".join(leaks) == ""


@pytest.mark.parametrize(
    ("source", "names"),
    [
        ('_KEEPS_SHAPE = frozenset({"decimate", "rig"})', ["decimate", "rig"]),
        ('_WEIGHTS = {"import_model": 1.0}', ["import_model"]),
        ('if info.name == "convert":\n    pass', ["convert"]),
        ('limit = body.get("face_limit")', ["face_limit"]),
        ('match name:\n    case "texture":\n        pass', ["texture"]),
        ('"""Runs decimate."""\nkind = "file"\nlabel = "Decimate"', []),
    ],
)
def test_a_name_is_noticed_wherever_it_stands(source: str, names: list[str]) -> None:
    assert [name for _, name in raw_names(source)] == names


def test_every_permission_is_needed() -> None:
    for file, (allowed, _) in ALLOWED.items():
        used = {name for _, name in raw_names((ROOT / file).read_text(encoding="utf-8"))}
        assert used & allowed, f"{file} names nothing that it is allowed to"
        assert allowed >= ALL or used >= allowed, f"{file} does not name all that it is allowed to"


def test_the_exempted_words_are_names_of_fields() -> None:
    fields = {spec.name for model in CAPABILITIES.values() for spec in describe(model)}
    assert fields >= ORDINARY
