"""Everything that can be wrong with a recipe is told before anything is sent, with its line and what is allowed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from asset_generation.addon.core.errors import BadRequest
from asset_generation.addon.core.recipes.planning import make_plan
from asset_generation.addon.core.recipes.recipe import RecipeError
from asset_generation.addon.core.recipes.recipe_file import STEP_KEYS, parse_recipe, read_recipe
from asset_generation.addon.core.recipes.recipe_plan import RecipePlan
from asset_generation.vendor.assetgen.contract import CAPABILITIES, describe
from support.services.local_engine import tiny_glb

TASK = "00000000-0000-4000-8000-000000000001"

GOOD = """
[[step]]
name = "base"
use = "text_to_model"
prompt = "a chair"
model_version = "v3.1-20260211"
"""


def plan(text: str, folder: Path, **given: Any) -> RecipePlan:
    return make_plan(parse_recipe(text, folder / "recipe.toml"), given, folder / "out")


def troubles(text: str, folder: Path, **given: Any) -> list[tuple[int, str]]:
    with pytest.raises(RecipeError) as refused:
        plan(text, folder, **given)
    assert all(str(folder / "recipe.toml") in line for line in str(refused.value).splitlines())
    return [tuple(trouble) for trouble in refused.value.troubles]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "cat.glb").write_bytes(tiny_glb())
    return tmp_path


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("[[step]\nname = 1", 1, "This is not TOML"),
        ('[recipe]\nname = "x"\nname = "y"', 3, "This is not TOML"),
        ("# nothing\n", 1, "no step"),
        ('[[steps]]\nname = "a"', 1, "did you mean step"),
        ("step = 5", 1, "a table for each step"),
        ('[recipe]\n\ntitle = "x"' + GOOD, 3, "it has name, description"),
        ("[recipe]\nname = 5" + GOOD, 2, "name of recipe is 5; allowed: a text"),
        ('\n[[step]]\nuse = "rig"', 2, "no name"),
        ('\n[[step]]\nname = "a"', 2, "no use"),
        ('[[step]]\nname = "a b"\nuse = "rig"', 2, "letters, digits"),
        (GOOD + GOOD, 9, "in line 2 already"),
        ('[variables]\nx = { type = "color" }' + GOOD, 2, "allowed: text, integer"),
        ("[variables]\nx = { }" + GOOD, 2, "needs a type or a default"),
        ('[variables.x]\ntype = "integer"\ndefault = "many"' + GOOD, 3, "allowed: an integer"),
        ('[variables.x]\ntype = "integer"\nminimum = 5\ndefault = 4' + GOOD, 4, "an integer from 5"),
        ("[variables]\nx = 1979-05-27" + GOOD, 2, "a text, a number, true or false, a list"),
        ('[variables]\nstep = "x"' + GOOD, 2, "another name"),
        ('[variables.x]\nkind = "text"' + GOOD, 2, "it has type, default"),
        (GOOD + "each = 5", 7, "a table of lists, or a list of tables"),
        (GOOD + "each = [{ a = 1 }, { b = 2 }]", 7, "differ"),
        (GOOD + "each = { step = [1] }", 7, "no variable has"),
        (GOOD + "out = []", 7, "a file's name, or a list of them"),
    ],
)
def test_the_form_of_a_recipe(text: str, line: int, words: str, folder: Path) -> None:
    found = troubles(text, folder)
    assert any(at == line and words in sentence for at, sentence in found), found


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        (GOOD.replace("text_to_model", "text_to_modl"), 4, "did you mean text_to_model"),
        (GOOD + "face_limt = 500", 7, "did you mean face_limit"),
        (GOOD + 'face_limit = "many"', 7, 'Face Limit is "many"; allowed: an integer'),
        (GOOD + 'face_limit = "500"', 7, "allowed: an integer"),
        (GOOD + "quad = 1", 7, "allowed: true or false"),
        (GOOD + "priority = 9", 7, "from 1 to 3"),
        (GOOD + 'texture_quality = "best"', 7, "standard, detailed, extreme"),
        (GOOD.replace('prompt = "a chair"', ""), 2, "Prompt"),
        (GOOD.replace("v3.1-20260211", "P2-20260801") + "face_limit = 9", 7, "48 to 50000"),
        (GOOD + 'style_image = "gone.png"', 7, "There is no file"),
        (GOOD + 'negative_prompt = "{colour}"', 7, "There is no variable colour"),
        (GOOD + 'negative_prompt = "50 } 60"', 7, "write }} for one that is meant"),
        (GOOD + "each = { shade = [1, 2] }", 7, "shade is neither a field of Text to Model"),
        (GOOD + 'each = { face_limit = "{recipe}" }', 7, "a list of values"),
        (GOOD + 'from = "cat.glb"', 7, "works on nothing; leave from out"),
        ('[[step]]\nname = "a"\nuse = "decimate"\nface_limit = 900', 1, "works on a model"),
        ('[[step]]\nname = "a"\nuse = "decimate"\nfrom = "gone.glb"', 4, "There is no file"),
        (GOOD + '\n[[step]]\nname = "a"\nuse = "decimate"\nfrom = "bass"', 11, "the other steps are base"),
        ('[[step]]\nname = "a"\nuse = "retarget"\nfrom = "cat.glb"\nanimation = "preset:walk"', 4, "result of Rig"),
        (GOOD + '[[step]]\nname = "a"\nuse = "retarget"\nfrom = "base"\nanimation = "x"', 10, "base is Text to Model"),
        (GOOD + '[[step]]\nname = "a"\nuse = "complete"\nfrom = "base"', 10, "result of Segment or Smart Segment"),
        (GOOD + '[[step]]\nname = "a"\nuse = "import_model"\nfrom = "base"', 10, "takes a model file; base is none"),
        (GOOD + '[[step]]\nname = "a"\nuse = "image_to_multiview"\nfrom = "base"', 10, "base is Text to Model"),
        ('[[step]]\nname = "a"\nuse = "decimate"\noriginal_model_task_id = "x"', 4, "no field original_model_task_id"),
        ('[[step]]\nname = "a"\nuse = "rig"\noriginal_model_task_id = "x"', 4, "is given as from"),
        (GOOD + 'out = "../chair.glb"', 7, "leads out of the folder"),
        (GOOD + 'out = "/chair.glb"', 7, "leads out of the folder"),
        (GOOD + 'out = "chair.dae"', 7, ".glb, .usdz, .fbx, .obj, .stl, .3mf, .blend, .png"),
        (GOOD + 'out = "chair"', 7, "a name without an ending"),
        (GOOD + 'out = ["chair.glb", "CHAIR.glb"]', 7, "another run of this step"),
        (GOOD + 'out = "chair{source}.glb"', 2, "no variable source"),
        (GOOD + 'out = "x.glb"\neach = { face_limit = [900, 800] }', 7, "another run of this step"),
        (
            GOOD + 'out = "x.glb"\n[[step]]\nname = "a"\nuse = "refine"\nfrom = "base"\nout = "x.glb"',
            12,
            "base in line 7",
        ),
        ('[[step]]\nname = "a"\nuse = "rig_check"\nfrom = "cat.glb"\nout = "a.glb"', 5, "an answer and no file"),
        ('[[step]]\nname = "a"\nuse = "text_to_image"\nprompt = "x"\nout = "a.glb"', 5, "ends in .png"),
        (
            '[[step]]\nname = "a"\nuse = "rig"\nfrom = "b"\n[[step]]\nname = "b"\nuse = "decimate"\nfrom = "a"',
            4,
            "a > b > a",
        ),
        ('[[step]]\nname = "a"\nuse = "rig"\nfrom = "a"', 4, "a > a"),
    ],
)
def test_what_a_recipe_asks_for(text: str, line: int, words: str, folder: Path) -> None:
    found = troubles(text, folder)
    assert any(at == line and words in sentence for at, sentence in found), found


def test_all_that_is_wrong_is_told_at_once_and_each_thing_once(folder: Path) -> None:
    text = GOOD + 'face_limit = 0.5\nfrom = "x"\n' + GOOD.replace("base", "more").replace("chair", "{x}") + "seed = 1"
    assert [line for line, _ in troubles(text, folder)] == [13, 15]
    assert len(troubles(GOOD + 'quad = "no"\neach = { image_seed = [1, 2, 3] }', folder)) == 1


def test_a_wrong_value_of_each_is_told_with_the_line_of_each(folder: Path) -> None:
    ((line, sentence),) = troubles(GOOD + "each = { priority = [1, 9] }", folder)
    assert (line, "from 1 to 3" in sentence) == (7, True)


@pytest.mark.parametrize(
    ("given", "line", "words"),
    [
        ({}, 2, "count has no value; allowed: an integer from 500 to 900"),
        ({"count": "many"}, 2, "allowed: an integer from 500 to 900"),
        ({"count": "901"}, 2, "from 500 to 900"),
        ({"count": True}, 2, "from 500 to 900"),
        ({"count": "600", "look": "worn"}, 3, "allowed: new, old"),
        ({"count": "600", "colour": "x"}, 1, "no variable colour; its variables are count, look"),
    ],
)
def test_the_values_that_are_given(given: dict[str, Any], line: int, words: str, folder: Path) -> None:
    text = (
        '[variables]\ncount = { type = "integer", minimum = 500, maximum = 900 }\n'
        'look = { default = "new", choices = ["new", "old"] }' + GOOD
    ) + 'face_limit = "{count}"\nnegative_prompt = "{look}"'
    found = troubles(text, folder, **given)
    assert any(at == line and words in sentence for at, sentence in found), found
    assert plan(text, folder, count="600", look="old").jobs[0].fields["face_limit"] == 600


def test_a_file_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(BadRequest, match="cannot be read"):
        read_recipe(tmp_path / "gone.toml")
    (tmp_path / "latin.toml").write_bytes(b"# caf\xe9")
    with pytest.raises(RecipeError, match=r"latin.toml:1: .*UTF-8"):
        read_recipe(tmp_path / "latin.toml")


def test_no_field_has_the_name_of_a_key_of_steps() -> None:
    """Else a recipe could not set it."""
    fields = {name for model in CAPABILITIES.values() for spec in describe(model) for name in (spec.name, *spec.path)}
    assert not fields & set(STEP_KEYS)
