"""From rows to runs of a recipe: the columns are its variables, and every trouble has its line and its row."""

from __future__ import annotations

from pathlib import Path

import pytest
from asset_generation.addon.core.batches.check import TableTroubles, check_table, rows_to_run
from asset_generation.addon.core.batches.recipe_rows import recipe_columns, recipe_rows
from asset_generation.addon.core.batches.rows import Row
from asset_generation.addon.core.batches.step_claims import step_delivery, step_folder
from asset_generation.addon.core.jobs.job import SourceKind
from asset_generation.addon.core.recipes.recipe_file import parse_recipe
from support.services.local_engine import tiny_glb, tiny_png

TASK = "11111111-2222-3333-4444-555555555555"
RECIPE = """
[variables]
model = { type = "model" }
picture = { type = "file", default = "own.png" }
faces = { type = "integer", default = 900, minimum = 500, maximum = 20000 }
quality = { default = "detailed", choices = ["standard", "detailed"] }

[[step]]
name = "painted"
use = "texture"
from = "{model}"
image = "{picture}"
texture_quality = "{quality}"

[[step]]
name = "low"
use = "decimate"
from = "painted"
face_limit = "{faces}"
out = "{source}.glb"
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "tables").mkdir()
    (tmp_path / "tables" / "bowl.glb").write_bytes(tiny_glb())
    (tmp_path / "tables" / "look.png").write_bytes(tiny_png())
    (tmp_path / "own.png").write_bytes(tiny_png())
    return tmp_path


def checked(folder: Path, content: str, name: str = "table.csv") -> list[Row]:
    table = folder / "tables" / name
    table.write_text(content, encoding="utf-8")
    recipe = parse_recipe(RECIPE, folder / "painted.toml")
    read_row = recipe_rows(recipe, table, folder / "out", "custom")
    check_table(table, read_row, "custom", recipe_columns(recipe), noun="variable")
    return list(rows_to_run(table, read_row))


def troubles(folder: Path, content: str, name: str = "table.csv") -> list[str]:
    with pytest.raises(TableTroubles) as caught:
        checked(folder, content, name)
    return str(caught.value).splitlines()


def test_columns_are_the_variables_and_paths_are_seen_from_the_table(folder: Path) -> None:
    first, second = checked(folder, f"id,model,picture,faces\na,bowl.glb,look.png,1500\nb,{TASK},,\n")
    assert first.recipe is not None
    assert second.recipe is not None
    imported, painted, low = first.recipe.jobs
    assert imported.source is not None
    assert imported.source.path == str(folder / "tables" / "bowl.glb")
    assert painted.fields["image"] == str(folder / "tables" / "look.png")
    assert low.fields["face_limit"] == 1500
    assert low.outputs == (folder / "out" / "a" / "bowl.glb",)
    painted, low = second.recipe.jobs
    assert painted.source is not None
    assert (painted.source.kind, painted.source.task_id) == (SourceKind.TASK, TASK)
    assert painted.fields["image"] == str(folder / "own.png"), "the recipe's own lies beside the recipe"
    assert low.fields["face_limit"] == 900
    assert (first.folder, first.label) == (folder / "out" / "a", "painted")
    assert len(first.requests) == 3
    assert first.asked != second.asked


def test_every_trouble_is_told_with_line_row_column_and_what_is_allowed(folder: Path) -> None:
    found = troubles(
        folder,
        "id,model,picture,faces,quality\n"
        "a,bowl.glb,,many,\n"
        "b,bowl.glb,,20,\n"
        "c,bowl.glb,,,best\n"
        "d,,,,\n"
        "e,missing.glb,,,\n"
        "f,bowl.glb,missing.png,,\n"
        "A,bowl.glb,,,\n",
    )
    wanted = [
        ("table.csv, line 2, row a, faces: ", 'faces is "many"; allowed: an integer from 500 to 20000'),
        ("table.csv, line 3, row b, faces: ", "allowed: an integer from 500 to 20000"),
        ("table.csv, line 4, row c, quality: ", "allowed: standard, detailed"),
        ("table.csv, line 5, row d, model: ", "it has no value; allowed: the path of a model, or the id of a task"),
        ("table.csv, line 6, row e, model: ", "missing.glb"),
        ("table.csv, line 7, row f: ", "missing.png"),
        ("table.csv, line 8, row A, id: ", "line 2 has the same id"),
    ]
    assert len(found) == len(wanted), found
    for line, (begin, words) in zip(found, wanted, strict=True):
        assert line.startswith(begin), line
        assert words in line


def test_a_column_that_is_no_variable_is_told_once(folder: Path) -> None:
    assert troubles(folder, "id,model,capability\na,bowl.glb,decimate\nb,bowl.glb,decimate\n") == [
        "table.csv, line 1: there is no variable 'capability'; allowed: faces, id, model, picture, quality"
    ]
    (line,) = troubles(folder, '{"id": "a", "model": "bowl.glb", "colour": 1}\n', "table.jsonl")
    assert line.startswith(
        "table.jsonl, line 1, row a, colour: the recipe has no variable 'colour'; allowed: faces, id"
    )


def test_json_rows_have_values_of_the_variables_kinds(folder: Path) -> None:
    (row,) = checked(folder, '{"id": "a", "model": "bowl.glb", "faces": 700}\n', "table.jsonl")
    assert row.recipe is not None
    assert row.recipe.jobs[-1].fields["face_limit"] == 700
    (line,) = troubles(folder, '{"id": "a", "model": "bowl.glb", "faces": true}\n', "table.jsonl")
    assert "row a, faces: faces is true; allowed: an integer" in line


def test_a_step_that_would_give_something_else_has_another_folder(folder: Path) -> None:
    (row,) = checked(folder, "id,model\na,bowl.glb\n")
    folders = {step_folder(row, key, print_) for key in ("low", "painted") for print_ in ("1", "2")}
    assert len(folders) == 4
    assert {path.parent for path in folders} == {folder / "out" / "a" / ".steps"}
    delivery = step_delivery(row, "low", "1")
    assert (delivery.folder, delivery.row_folder) == ("", str(step_folder(row, "low", "1")))
