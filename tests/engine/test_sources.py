"""What the sources of the engine promise, read from them without running anything."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

ENGINE = Path(__file__).parents[2] / "vendor" / "assetgen_local" / "engine"
_BLENDER = {"bpy", "bmesh", "mathutils"}


def imports(file: Path) -> Iterator[str | Path]:
    """Packages by name, and files of the engine; not the ``__init__`` that Python runs on the way to them."""
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and not node.level:
            yield (node.module or "").partition(".")[0]
        elif isinstance(node, ast.ImportFrom):
            folder = file.parents[node.level - 1].joinpath(*(node.module or "").split("."))
            for alias in node.names:
                yield next(
                    path
                    for path in ((folder / alias.name).with_suffix(".py"), folder.with_suffix(".py"))
                    if path.is_file()
                )


def reached(file: Path) -> set[str | Path]:
    """Everything that a file imports, directly or through other files of the engine."""
    seen: set[str | Path] = set()
    left: list[Path] = [file]
    while left:
        news = set(imports(left.pop())) - seen
        seen |= news
        left += [path for path in news if isinstance(path, Path)]
    return seen


def claiming() -> list[Path]:
    docstrings = {path: ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) for path in ENGINE.rglob("*.py")}
    return [path for path, text in docstrings.items() if "numpy only" in (text or "")]


def test_what_claims_to_need_numpy_only_reaches_no_blender() -> None:
    assert len(claiming()) > 9
    assert {file.name: reached(file) & _BLENDER for file in claiming() if reached(file) & _BLENDER} == {}


def test_an_import_through_another_file_is_noticed() -> None:
    file = ENGINE / "styles" / "surface_samples.py"
    assert "bpy" in reached(file) and ENGINE / "images" / "arrays.py" in reached(file)
    assert "bpy" not in imports(ENGINE / "body" / "classify.py") and "bpy" in reached(ENGINE / "body" / "classify.py")
