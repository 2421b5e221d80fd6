"""What jobs a recipe comes to: fan-out, outputs by their endings, variables, and what steps work on."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from asset_generation.addon.core.jobs.job import SourceKind
from asset_generation.addon.core.recipes.planning import make_plan
from asset_generation.addon.core.recipes.recipe_file import parse_recipe
from asset_generation.addon.core.recipes.recipe_plan import RecipePlan, price_sum
from asset_generation.addon.core.requests.prices import Price
from support.services.local_engine import tiny_glb, tiny_png

TASK = "00000000-0000-4000-8000-000000000001"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "cat.glb").write_bytes(tiny_glb())
    (tmp_path / "scene.blend").write_bytes(b"BLENDER-v405")
    (tmp_path / "look.png").write_bytes(tiny_png())
    return tmp_path


def plan(text: str, folder: Path, **given: Any) -> RecipePlan:
    return make_plan(parse_recipe(text, folder / "recipe.toml"), given, folder / "out")


def step(name: str, use: str, rest: str = "") -> str:
    return f'[[step]]\nname = "{name}"\nuse = "{use}"\n{rest}\n'


LOW = step("low", "decimate", 'from = "cat.glb"')


def test_several_lists_run_in_every_combination_and_tables_as_they_are(folder: Path) -> None:
    made = plan(LOW.replace("from", "each = { face_limit = [900, 800], quad = [true, false] }\nfrom"), folder)
    low = [job for job in made.jobs if job.step == "low" and job.capability == "decimate"]
    assert [(job.fields["face_limit"], job.fields["quad"]) for job in low] == [
        *((900, True), (900, False), (800, True), (800, False))
    ]
    rows = 'each = [{ face_limit = 900, label = "far" }, { face_limit = 5000, label = "near" }]\nout = "{label}.glb"\n'
    made = plan(LOW.replace("from", f"{rows}from"), folder)
    assert [path.name for path in made.outputs] == ["far.glb", "near.glb"]
    assert [dict(job.fields) for job in made.jobs[1:]] == [{"face_limit": 900}, {"face_limit": 5000}]


def test_what_follows_a_step_that_runs_often_runs_as_often_with_its_values(folder: Path) -> None:
    text = (
        step("rigged", "rig", 'from = "cat.glb"\neach = { rig_type = ["biped", "quadruped"] }')
        + step("moving", "retarget", 'from = "rigged"\neach = { animation = ["preset:walk", "preset:run"] }\n'
               'out = "{source}/{rig_type}_{animation}.glb"')
    )  # fmt: skip
    made = plan(text, folder)
    assert [path.relative_to(folder / "out").as_posix() for path in made.outputs] == [
        "cat/biped_preset_walk.glb",
        "cat/biped_preset_run.glb",
        "cat/quadruped_preset_walk.glb",
        "cat/quadruped_preset_run.glb",
    ]
    moving = [job for job in made.jobs if job.step == "moving"]
    assert [job.after for job in moving[:3]] == ["rigged (rig_type biped)"] * 2 + ["rigged (rig_type quadruped)"]


def test_two_ways_back_to_one_step_meet_in_the_same_run_of_it(folder: Path) -> None:
    text = (
        step("look", "text_to_image", 'prompt = "{color} wood"\neach = { color = ["red", "blue"] }')
        + step("chair", "image_to_model", 'from = "look"\nmodel_version = "v3.1-20260211"')
        + step("painted", "texture", 'from = "chair"\nimage = "look"\nout = "{color}.glb"')
    )
    made = plan(text, folder)
    painted = [job for job in made.jobs if job.step == "painted"]
    assert [path.name for path in made.outputs] == ["red.glb", "blue.glb"]
    assert [(job.after, job.images[0].key) for job in painted] == [
        ("chair (color red)", "look (color red)"),
        ("chair (color blue)", "look (color blue)"),
    ]


def test_steps_may_stand_in_any_order(folder: Path) -> None:
    made = plan(
        step("moving", "retarget", 'from = "rigged"\nanimation = "x"') + step("rigged", "rig", 'from = "cat.glb"'),
        folder,
    )
    assert [job.key for job in made.jobs] == ["import cat", "rigged", "moving"]


@pytest.mark.parametrize(
    ("use", "rest", "outs", "jobs"),
    [
        ("decimate", "", [".glb"], [("decimate", {}, [".glb"])]),
        ("decimate", "", [".fbx"], [("decimate", {}, []), ("convert", {"format": "FBX"}, [".fbx"])]),
        ("decimate", "quad = true", [".fbx"], [("decimate", {"quad": True}, [".fbx"])]),
        ("decimate", "", [".blend", ".png"], [("decimate", {}, [".blend", ".png"])]),
        (
            "decimate",
            "",
            [".glb", ".3mf", ".obj"],
            [("decimate", {}, [".glb"]), ("convert", {"format": "3MF"}, [".3mf"]),
             ("convert", {"format": "OBJ"}, [".obj"])],
        ),
        ("rig", "", [".fbx"], [("rig", {"out_format": "fbx"}, [".fbx"])]),
        ("rig", "", [".glb", ".fbx"], [("rig", {}, [".glb"]), ("convert", {"format": "FBX"}, [".fbx"])]),
        ("rig", 'out_format = "glb"', [".fbx"],
         [("rig", {"out_format": "glb"}, []), ("convert", {"format": "FBX"}, [".fbx"])]),
        ("convert", "", [".usdz"], [("convert", {"format": "USDZ"}, [".usdz"])]),
        ("convert", "", [".glb"], [("convert", {"format": "GLTF"}, [".glb"])]),
        ("convert", 'format = "stl"', [".stl"], [("convert", {"format": "stl"}, [".stl"])]),
    ],
)  # fmt: skip
def test_outputs_by_their_endings(
    use: str, rest: str, outs: list[str], jobs: list[tuple[str, dict[str, Any], list[str]]], folder: Path
) -> None:
    out = ", ".join(f'"x{ending}"' for ending in outs)
    made = plan(step("it", use, f'from = "{TASK}"\n{rest}\nout = [{out}]'), folder)
    assert [(job.capability, dict(job.fields), [path.suffix for path in job.outputs]) for job in made.jobs] == jobs


def test_what_a_step_can_work_on(folder: Path) -> None:
    text = (
        step("file", "decimate", 'from = "cat.glb"')
        + step("same_file", "rig_check", 'from = "./cat.glb"')
        + step("object", "decimate", 'from = "scene.blend:Cat"\nout = "{source}.glb"')
        + step("task", "decimate", f'from = "{TASK}"')
        + step("uploaded", "decimate", 'from = "file_x"')
    )
    made = {job.key: job for job in plan(text, folder).jobs}
    assert made["file"].after == made["same_file"].after == "import cat", "one upload for both"
    assert made["import cat"].source is not None and made["import cat"].source.kind is SourceKind.MODEL_FILE
    assert (made["object"].after, made["object"].outputs[0].name) == ("import Cat", "Cat.glb")
    assert made["task"].source is not None and made["task"].source.task_id == TASK
    assert made["import upload"].fields == {"file": "file_x"}


def test_variables_keep_their_kind_and_become_words_in_texts(folder: Path) -> None:
    text = (
        '[variables]\nfaces = 900\nwords = "worn {{oak}}"\nlook = { type = "file", default = "look.png" }\n'
        'model = { type = "model", default = "cat.glb" }\nsmall = true\n'
        + step(
            "low", "decimate", 'from = "{model}"\nface_limit = "{faces}"\nbake = "{small}"\nout = "{model}_{faces}.glb"'
        )
        + step("painted", "texture", 'from = "low"\ntext = "{words}, {faces}, {step}, {recipe}, {source}, {{x}}"')
        + step("by_image", "texture", 'from = "low"\nimage = "{look}"')
    )
    made = {job.key: job for job in plan(text, folder, faces="800", small="no").jobs}
    assert made["low"].fields == {"face_limit": 800, "bake": False}
    assert made["low"].outputs[0].name == "cat_800.glb"
    assert made["painted"].fields["text"] == "worn {{oak}}, 800, painted, recipe, cat, {x}"
    assert made["by_image"].fields["image"] == str(folder / "look.png")


def test_values_in_names_of_files_lead_nowhere_else(folder: Path) -> None:
    made = plan('[variables]\nx = "../a:b"\n' + LOW + 'out = "{x}.glb"', folder)
    assert made.outputs == (folder / "out" / "a_b.glb",)


def test_the_price_of_all_that_is_known(folder: Path) -> None:
    made = plan(LOW + step("painted", "texture", 'from = "low"\ntext = "x"'), folder)
    prices = {"decimate": Price("5.5", is_estimate=True), "texture": Price("20", is_estimate=False)}
    total = price_sum(made.jobs, lambda name, fields: prices.get(name))
    assert (str(total.credits), total.is_estimate, total.unknown) == ("25.5", True, 1)
    assert total.words == "about 25.5 credits, and 1 of unknown price"
