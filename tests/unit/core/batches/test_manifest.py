"""Tables as spreadsheets and programs write them."""

from __future__ import annotations

import tracemalloc
from pathlib import Path

import pytest
from asset_generation.addon.core.batches.manifest import ManifestError, read_rows
from asset_generation.addon.core.errors import BadRequest


def rows_of(tmp_path: Path, content: str | bytes, name: str = "table.csv") -> list[tuple[int, int, dict[str, object]]]:
    path = tmp_path / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return [tuple(row) for row in read_rows(path)]  # type: ignore[misc]


@pytest.mark.parametrize(
    "content",
    [
        b"id,prompt\na,x\nb,y\n",
        b"\xef\xbb\xbfid,prompt\r\na,x\r\nb,y\r\n",
        "id\tprompt\na\tx\nb\ty\n".encode("utf-16"),
        b"id;prompt\na;x\nb;y",
        b"id,prompt,,\na,x,,\nb, y ,,\n",
    ],
)
def test_tables_are_read_as_spreadsheets_save_them(tmp_path: Path, content: bytes) -> None:
    assert rows_of(tmp_path, content) == [(1, 2, {"id": "a", "prompt": "x"}), (2, 3, {"id": "b", "prompt": "y"})]


def test_a_cell_may_have_lines_and_separators_and_the_next_row_knows_its_own_line(tmp_path: Path) -> None:
    content = 'id,prompt\na,"a chair,\nold ""and"" red"\n\nb,y\n'
    assert rows_of(tmp_path, content) == [
        (1, 2, {"id": "a", "prompt": 'a chair,\nold "and" red'}),
        (2, 5, {"id": "b", "prompt": "y"}),
    ]


@pytest.mark.parametrize(
    ("content", "name", "words"),
    [
        ("id,prompt\na,x,y\n", "t.csv", "t.csv, line 2: it has 3 cells, and there are 2 columns"),
        ("id,id\na,x\n", "t.csv", "line 1: there are two columns 'id'"),
        ("id,,prompt\na,x,z\n", "t.csv", "line 1: column 2 has no name"),
        ("", "t.csv", "line 1: the names of the columns are missing"),
        ('id,prompt\na,x\nb,"y\n', "t.csv", "line 3: the quotes are not closed"),
        (b"id,prompt\na,x\nb,\xe4\n", "t.csv", "line 3: it is not in UTF-8"),
        ('{"id": "a"}\n{"id": \n', "t.jsonl", "t.jsonl, line 2: this is no JSON"),
        ('{"id": "a", "id": "b"}\n', "t.jsonl", "line 1: this is no JSON: 'id' is there twice"),
        ('\n["a"]\n', "t.jsonl", "line 2: this is no JSON object"),
    ],
)
def test_what_cannot_be_read_is_told_with_its_line(tmp_path: Path, content: str | bytes, name: str, words: str) -> None:
    with pytest.raises(ManifestError) as caught:
        rows_of(tmp_path, content, name)
    assert words in str(caught.value)


def test_json_rows_keep_their_types_and_leave_out_what_is_nothing(tmp_path: Path) -> None:
    content = '\ufeff{"id": "a", "face_limit": 500, "pbr": false, "prompt": ""}\n\n{"id": "b", "part_names": ["x"]}\n'
    assert rows_of(tmp_path, content, "t.jsonl") == [
        (1, 1, {"id": "a", "face_limit": 500, "pbr": False}),
        (2, 3, {"id": "b", "part_names": ["x"]}),
    ]


def test_another_kind_of_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadRequest, match=r"allowed: \.csv"):
        rows_of(tmp_path, "x", "table.xlsx")
    with pytest.raises(BadRequest, match="cannot be read"):
        list(read_rows(tmp_path / "none.csv"))


def test_ten_thousand_rows_are_never_in_memory_at_a_time(tmp_path: Path) -> None:
    path = tmp_path / "table.csv"
    path.write_text("id,prompt\n" + "".join(f"row-{number},{'words ' * 40}\n" for number in range(10_000)))
    tracemalloc.start()
    try:
        assert sum(1 for _ in read_rows(path)) == 10_000
        assert tracemalloc.get_traced_memory()[1] < 200_000
    finally:
        tracemalloc.stop()
