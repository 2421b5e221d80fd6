"""The page that newcomers find their way with: what it names is there, and its ways are as short as it says."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest
from load_extension import ROOT

PAGE = ROOT / "docs" / "architecture.md"
MOST_FILES = {"## The way of a job": 16, "## The way of a task": 20}
"""Beginning of a section's heading → the most files that one of its ways, each a table, may lead through."""

_NAME = re.compile(r"`((?:addon|vendor|scripts|tests|docs)/[\w./-]*)`(?:,? `([\w.]+)`)?")


def test_every_file_and_function_is_there() -> None:
    assert missing(PAGE.read_text(encoding="utf-8")) == []


def test_the_ways_are_short() -> None:
    sections = re.split(r"(?m)^(?=## )", PAGE.read_text(encoding="utf-8"))
    for heading, most in MOST_FILES.items():
        ways = [way for section in sections if section.startswith(heading) for way in tables(section)]
        assert ways, heading
        for way in ways:
            files = {file for row in way for file, _ in _NAME.findall(row)}
            assert 3 < len(files) <= most, (heading, way[0])


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("`addon/core/jobs/stage.py` `Stage`", []),
        ("`addon/core/runtime/runtime.py`, `Runtime.submit`", []),
        ("`addon/core/` and `vendor/assetgen`", []),
        ("`addon/core/jobs/lost.py`", ["addon/core/jobs/lost.py"]),
        ("`addon/lost/`", ["addon/lost/"]),
        ("`addon/core/jobs/job.py` `nobody`", ["addon/core/jobs/job.py: nobody"]),
        ("`addon/core/runtime/runtime.py` `Runtime.nobody`", ["addon/core/runtime/runtime.py: Runtime.nobody"]),
    ],
)
def test_what_is_not_there_is_found(text: str, wrong: list[str]) -> None:
    assert missing(text) == wrong


def missing(text: str) -> list[str]:
    """What a text names that is not in the repository."""
    wrong: list[str] = []
    for path, name in _NAME.findall(text):
        if not (ROOT / path).exists():
            wrong.append(path)
        elif name and path.endswith(".py") and name not in names_in(ROOT / path):
            wrong.append(f"{path}: {name}")
    return wrong


def names_in(path: Path) -> set[str]:
    """The functions, classes, methods and constants of a file."""
    names: set[str] = set()
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            names.add(node.name)
        if isinstance(node, ast.ClassDef):
            names |= {f"{node.name}.{part.name}" for part in node.body if isinstance(part, ast.FunctionDef)}
        if isinstance(node, (ast.Assign, ast.AnnAssign)):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            names |= {target.id for target in targets if isinstance(target, ast.Name)}
    return names


def tables(section: str) -> list[list[str]]:
    """The rows of each table of a section, without its head."""
    return [table.splitlines()[2:] for table in re.findall(r"(?m)(?:^\|.*\n)+", section)]
