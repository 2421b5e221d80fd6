"""From rows to jobs: the declarations decide, and a whole table is looked through before anything is paid."""

from __future__ import annotations

from pathlib import Path

import pytest
from asset_generation.addon.core.batches.check import RowRange, TableTroubles, check_table, rows_to_run
from asset_generation.addon.core.batches.rows import Row, capability_rows, known_columns
from asset_generation.addon.core.jobs.job import SourceKind
from support.services.local_engine import tiny_glb, tiny_png

TASK = "11111111-2222-3333-4444-555555555555"
VERSION = "v3.1-20260211"


def checked(tmp_path: Path, content: str, rows: RowRange = RowRange(), name: str = "table.csv") -> list[Row]:  # noqa: B008
    table = tmp_path / name
    table.write_text(content, encoding="utf-8")
    read_row = capability_rows(table, tmp_path / "out")
    check_table(table, read_row, "custom", known_columns(), rows)
    return list(rows_to_run(table, read_row, rows))


def troubles(tmp_path: Path, content: str, name: str = "table.csv") -> list[str]:
    with pytest.raises(TableTroubles) as caught:
        checked(tmp_path, content, name=name)
    return str(caught.value).splitlines()


def test_cells_become_what_the_declaration_says(tmp_path: Path) -> None:
    (tmp_path / "in.glb").write_bytes(tiny_glb())
    (tmp_path / "in.png").write_bytes(tiny_png())
    text, texture, convert, picture = checked(
        tmp_path,
        "id,capability,input,prompt,text,model_version,pbr,format,face_limit,part_names,scale_factor\n"
        f"chair,text-to-model,,a chair,,{VERSION},no,,5000,,\n"
        "bowl,texture,in.glb,,old brass,,TRUE,,,,\n"
        f'cup,convert,{TASK},,,,,fbx,,"handle, cup",2.5\n'
        f"lamp,image_to_model,in.png,,,{VERSION},,,,,\n",
    )
    assert text.plan.steps[0].fields == {
        "prompt": "a chair",
        "model_version": VERSION,
        "pbr": False,
        "face_limit": 5000,
    }
    assert [step.capability for step in texture.plan.steps] == ["import_model", "texture"]
    assert texture.plan.source.path == str(tmp_path / "in.glb"), "paths are seen from the table"
    assert texture.plan.steps[1].fields == {"text": "old brass", "pbr": True}
    assert (convert.plan.source.kind, convert.plan.source.task_id) == (SourceKind.TASK, TASK)
    assert convert.plan.steps[0].fields == {"format": "FBX", "part_names": ["handle", "cup"], "scale_factor": 2.5}
    assert picture.plan.steps[0].fields["file"] == str(tmp_path / "in.png")
    assert text.plan.delivery.folder == str(tmp_path / "out" / "chair")
    assert len({row.asked for row in (text, texture, convert, picture)}) == 4


def test_every_trouble_is_told_with_line_row_column_and_what_is_allowed(tmp_path: Path) -> None:
    found = troubles(
        tmp_path,
        "id,capability,input,prompt,model_version,face_limit,image\n"
        f"a,text_to_model,,a chair,{VERSION},many,\n"
        f"A,text_to_model,,a chair,{VERSION},,\n"
        f"../b,text_to_model,,a chair,{VERSION},,\n"
        "c,paint,,,,,\n"
        "d,texture,,,,,\n"
        "e,texture,missing.glb,,,,\n"
        f"f,texture,{TASK},,,,missing.png\n"
        f"g,refine,some.glb,,,,\n"
        f"h,decimate,{TASK},words,,,\n"
        f",text_to_model,,a chair,{VERSION},,\n"
        f"i,text_to_model,{TASK},a chair,{VERSION},,\n",
    )
    wanted = [
        ("table.csv, line 2, row a, face_limit: ", "an integer"),
        ("table.csv, line 3, row A, id: ", "line 2 has the same id"),
        ("table.csv, line 4, row ../b, id: ", "no name for a folder; allowed: up to 60 letters"),
        ("table.csv, line 5, row c, capability: ", "allowed: text_to_model, "),
        ("table.csv, line 6, row d, input: ", "the input is missing: a model file, or a task"),
        ("table.csv, line 7, row e", "There is no file"),
        ("table.csv, line 8, row f, image: ", "There is no file"),
        ("table.csv, line 9, row g, input: ", "a task of Text to Model"),
        ("table.csv, line 10, row h, prompt: ", "Decimate has no field 'prompt'; allowed: "),
        ("table.csv, line 11, id: ", "the id is missing"),
        ("table.csv, line 12, row i, input: ", "it works on nothing"),
    ]
    assert len(found) == len(wanted), found
    for words, (begin, inside) in zip(found, wanted, strict=True):
        assert words.startswith(begin), (words, begin)
        assert inside in words


def test_a_column_that_no_capability_has_is_told_once(tmp_path: Path) -> None:
    (words,) = troubles(tmp_path, f"id,capability,promt\na,text_to_model,x\nb,text_to_model,{VERSION}\n")
    assert words.startswith("table.csv, line 1: there is no field 'promt'; allowed: ")
    assert "prompt" in words
    row = '{"id": "a", "capability": "text_to_model", "promt": "x"}\n'
    (words,) = troubles(tmp_path, row, "table.jsonl")
    assert words.startswith("table.jsonl, line 1, row a, promt: Text to Model has no field 'promt'; allowed: prompt")


def test_a_range_of_rows_is_checked_and_run_alone_but_ids_are_looked_at_in_all(tmp_path: Path) -> None:
    lines = [f"row-{number},text_to_model,a chair,{VERSION}" for number in range(1, 10)]
    table = "\n".join(["id,capability,prompt,model_version", *lines, "row-10,nonsense,,"]) + "\n"
    assert [row.id for row in checked(tmp_path, table, RowRange(3, 5))] == ["row-3", "row-4", "row-5"]
    with pytest.raises(TableTroubles, match="none from 20 to 30"):
        checked(tmp_path, table, RowRange(20, 30))
    with pytest.raises(TableTroubles, match="the same id"):
        checked(tmp_path, table + f"row-1,text_to_model,x,{VERSION}\n", RowRange(3, 5))


def test_what_was_asked_for_is_the_same_wherever_the_table_lies(tmp_path: Path) -> None:
    there = tmp_path / "there"
    there.mkdir()
    row = f"a,text_to_model,a chair,{VERSION}\n"
    head = "id,capability,prompt,model_version\n"
    first, second = (checked(folder, head + row)[0] for folder in (tmp_path, there))
    other = checked(tmp_path, head + row.replace("a chair", "two chairs"))[0]
    turned = checked(tmp_path, "prompt,id,model_version,capability\n" + f"a chair,a,{VERSION},text_to_model\n")[0]
    assert first.asked == second.asked == turned.asked != other.asked
