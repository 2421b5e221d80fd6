"""What the sources of the engine promise, read from them without running anything."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
from asset_generation.vendor.assetgen.contract import CAPABILITIES
from generation.local_fields import Calls, parsed, targets

ENGINE = Path(__file__).parents[2] / "vendor" / "assetgen_local" / "engine"
FIELDS = {name: frozenset(declaration.model_fields) for name, declaration in CAPABILITIES.items()}
UNDECLARED = {"smart_segment": {"parameters", "parts", "points"}}
"""Fields that the engine reads where the API does not show any, so that the declaration cannot name them."""

_BLENDER = {"bpy", "bmesh", "mathutils"}


def imports(file: Path) -> Iterator[str | Path]:
    """Packages by name, and files of the engine; not the ``__init__`` that Python runs on the way to them."""
    for node in ast.walk(parsed(file)):
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and not node.level:
            yield (node.module or "").partition(".")[0]
        elif isinstance(node, ast.ImportFrom):
            yield from (target for target, _ in targets(file, node).values() if target.is_file())


def reached(file: Path) -> set[str | Path]:
    """Everything that a file imports, directly or through other files of the engine."""
    seen: set[str | Path] = set()
    left: list[Path] = [file]
    while left:
        new = set(imports(left.pop())) - seen
        seen |= new
        left += [path for path in new if isinstance(path, Path)]
    return seen


def claiming() -> list[Path]:
    docstrings = {path: ast.get_docstring(parsed(path)) for path in ENGINE.rglob("*.py")}
    return [path for path, text in docstrings.items() if "numpy only" in (text or "")]


def test_what_claims_to_need_numpy_only_reaches_no_blender() -> None:
    assert len(claiming()) > 9
    assert {file.name: reached(file) & _BLENDER for file in claiming() if reached(file) & _BLENDER} == {}


def test_an_import_through_another_file_is_noticed() -> None:
    file = ENGINE / "styles" / "surface_samples.py"
    assert "bpy" in reached(file) and ENGINE / "images" / "arrays.py" in reached(file)
    assert "bpy" not in imports(ENGINE / "body" / "biped.py") and "mathutils" in reached(ENGINE / "body" / "biped.py")


def unknown_fields(root: Path, fields: Mapping[str, frozenset[str]]) -> set[tuple[str, str, str]]:
    """Capability, function and field, for each field that a capability reads and does not declare."""
    calls = Calls(root)
    return {
        (capability, function, field)
        for capability, declared in fields.items()
        for file, function in calls.reached((root / "capabilities" / f"{capability}.py", "run"))
        for field in calls.fields_read((file, function))
        if field not in declared
    }


@pytest.mark.once
def test_every_field_that_a_capability_reads_is_one_of_its_declaration() -> None:
    fields = {name: declared | UNDECLARED.get(name, set()) for name, declared in FIELDS.items()}
    assert unknown_fields(ENGINE, fields) == set()
    calls = Calls(ENGINE)
    functions = calls.reached((ENGINE / "capabilities" / "texture.py", "run"))
    assert {"texture_quality", "part_names", "pbr"} <= {
        field for each in functions for field in calls.fields_read(each)
    }


@pytest.mark.parametrize(
    ("reading", "unknown"),
    [
        ('task.flag("quad") or task.body["quad"] or task.body.get("quad")', set()),
        ('task.flag("squad")', {"squad"}),
        ('task.body.get("squad", 1)', {"squad"}),
        ('task.body["squad"]', {"squad"}),
        ("[task.flag(name) for name in NAMES]", {"squad"}),
        ("task.flag(task.name)", {"<task.flag(task.name)>"}),
    ],
)
def test_a_field_that_is_not_declared_is_noticed(tmp_path: Path, reading: str, unknown: set[str]) -> None:
    for folder in ("capabilities", "mesh"):
        (tmp_path / folder).mkdir()
    (tmp_path / "mesh" / "faces.py").write_text(f'NAMES = ("quad", "squad")\ndef fewer(task):\n    {reading}\n')
    (tmp_path / "capabilities" / "made_up.py").write_text(
        "from ..mesh import faces\ndef run(task):\n    _go(task)\ndef _go(task):\n    faces.fewer(task)\n"
    )
    assert {field for _, _, field in unknown_fields(tmp_path, {"made_up": frozenset({"quad"})})} == unknown
