"""The imports of the extension's sources, read from their text: what each file names, and where they run in a circle.

Every import counts, also one inside a function or under ``if TYPE_CHECKING:``: a circle that hides there is one that a
reader walks in all the same.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from graphlib import CycleError, TopologicalSorter
from pathlib import Path, PurePosixPath

CHILD_PACKAGES = {
    "background_blender": "vendor/background_blender",
    "assetgen_local": "vendor/assetgen_local",
    "fitting": "addon/headless/fitting.py",
    "mesh_notes": "addon/headless/mesh_notes.py",
    "origins": "addon/headless/origins.py",
    "mesh_slices": "addon/headless/mesh_slices.py",
    "plain_objects": "addon/headless/plain_objects.py",
    "part_matching": "addon/headless/part_matching.py",
    "kept_rigs": "addon/headless/kept_rigs.py",
    "snapshot_meshes": "addon/headless/snapshot_meshes.py",
    "surface_layers": "addon/headless/surface_layers.py",
    "surface_looks": "addon/headless/surface_looks.py",
    "text_pixels": "addon/headless/text_pixels.py",
    "thumbnail": "addon/headless/thumbnail.py",
}
"""How a process of its own, which has put the folder of vendor on its path, names the packages in it."""


@dataclass(frozen=True, slots=True)
class Import:
    """What an import names.

    Attributes:
        line: Where it stands.
        name: For the extension's own parts a file or folder, from the root; "" where there is none. Else a package.
        is_inside: Whether it is one of the extension's own.
        is_absolute: Whether it is named without dots.
    """

    line: int
    name: str
    is_inside: bool
    is_absolute: bool = False


def source_files(root: Path) -> list[Path]:
    """The sources of the extension."""
    inside = [*root.glob("addon/**/*.py"), *root.glob("vendor/**/*.py")]
    return [root / "__init__.py", *sorted(inside)]


def imports_of(root: Path, file: str, tree: ast.AST) -> Iterator[Import]:
    """All imports of a file (given from the root) with this syntax tree."""
    for node in _statements(tree):
        if isinstance(node, ast.Import):
            yield from (_absolute(alias.name, node.lineno) for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            yield _absolute(node.module or "", node.lineno)
        elif isinstance(node, ast.ImportFrom):
            yield from _relative(root, file, node)


def _statements(tree: ast.AST) -> Iterator[ast.AST]:
    """The statements of a syntax tree, at any depth; expressions, which are most of it, hold none."""
    left = [tree]
    while left:
        node = left.pop()
        yield node
        left += [child for child in ast.iter_child_nodes(node) if not isinstance(child, ast.expr)]


def circle(root: Path) -> list[str]:
    """Files that import each other in a loop, the first one again at the end; empty where there is no such loop."""
    files = [path.relative_to(root).as_posix() for path in source_files(root)]
    try:
        TopologicalSorter({file: _imported_files(root, file) for file in files}).prepare()
    except CycleError as error:
        loop: list[str] = error.args[1]
        return loop
    return []


def _imported_files(root: Path, file: str) -> list[str]:
    tree = ast.parse((root / file).read_text(encoding="utf-8"), file)
    names = {each.name for each in imports_of(root, file, tree) if each.is_inside and each.name}
    files = {name if name.endswith(".py") else f"{name}/__init__.py" for name in names}
    return sorted(name for name in files - {file} if (root / name).is_file())


def _absolute(module: str, line: int) -> Import:
    package, *rest = module.split(".")
    if package in CHILD_PACKAGES:
        return Import(line, "/".join([CHILD_PACKAGES[package], *rest]), True, is_absolute=True)
    return Import(line, package, False)


def _relative(root: Path, file: str, node: ast.ImportFrom) -> Iterator[Import]:
    folder = PurePosixPath(file).parents[node.level - 1] if node.level <= file.count("/") + 1 else None
    if folder is None:
        yield Import(node.lineno, "a package above the root", False)
        return
    base = folder.joinpath(*(node.module or "").split("."))
    # In `from ..core import journal` the name can be a module, which may be in a layer of its own.
    for alias in node.names:
        name = _file_of(root, base / alias.name) or _file_of(root, base) or str(base)
        yield Import(node.lineno, name, True)


def _file_of(root: Path, base: PurePosixPath) -> str:
    """The file of a module, or the folder of a package; "" when there is no such thing."""
    if (root / base).is_dir():
        return base.as_posix()
    module = base.with_name(base.name + ".py") if base.name else base
    return module.as_posix() if (root / module).is_file() else ""
