"""The comparison with other add-ons: what is said of this one is shown by tests, and those are there."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest
from load_extension import ROOT

PAGE = ROOT / "docs" / "comparison.md"
TESTS = ROOT / "tests"
_NAME = re.compile(r"`([\w/]+\.py)::(\w+)`")


def test_every_named_test_is_there() -> None:
    assert missing(PAGE.read_text(encoding="utf-8"), TESTS) == []


def test_every_row_that_claims_something_names_a_test() -> None:
    assert unproved(PAGE.read_text(encoding="utf-8")) == []


def test_every_row_has_all_columns() -> None:
    for table in tables(PAGE.read_text(encoding="utf-8")):
        assert {len(row) for row in table} == {len(table[0])}


@pytest.mark.parametrize(
    ("row", "wrong"),
    [
        ("| Undo | ✓ | – | `unit/docs/test_comparison.py::test_every_named_test_is_there` |", []),
        (
            "| Undo | ✓ | – | `unit/docs/test_comparison.py::test_nobody` |",
            ["unit/docs/test_comparison.py::test_nobody"],
        ),
        ("| Undo | ✓ | – | `unit/docs/test_lost.py::test_undo` |", ["unit/docs/test_lost.py::test_undo"]),
    ],
)
def test_what_is_not_there_is_found(row: str, wrong: list[str]) -> None:
    assert missing(row, TESTS) == wrong


def test_a_claim_without_a_test_is_found() -> None:
    assert unproved("| Feature | Ours | Shown by |\n|---|---|---|\n| Undo | ✓ | |\n| Words | – | |\n") == ["Undo"]


def missing(text: str, tests: Path) -> list[str]:
    """The named tests that no file has."""
    return [f"{file}::{name}" for file, name in _NAME.findall(text) if name not in names_in(tests / file)]


def names_in(path: Path) -> set[str]:
    """The tests of a file; none where there is no such file."""
    if not path.exists():
        return set()
    return {node.name for node in ast.parse(path.read_text(encoding="utf-8")).body if isinstance(node, ast.FunctionDef)}


def unproved(text: str) -> list[str]:
    """The features that are said to be there, all or in part, without a test."""
    rows = [row for table in tables(text) for row in table[1:]]
    return [row[0] for row in rows if not row[1].startswith("–") and not _NAME.search(row[-1])]


def tables(text: str) -> list[list[list[str]]]:
    """The rows of each table as cells, the head first; the line below the head is left out."""
    found = re.findall(r"(?m)(?:^\|.*\n)+", text)
    return [[cells(line) for number, line in enumerate(table.splitlines()) if number != 1] for table in found]


def cells(line: str) -> list[str]:
    """What stands between the bars."""
    return [cell.strip() for cell in line.strip().strip("|").split("|")]
