"""The layers of the extension, and which may import which (docs/decisions.md has the reasons).

The rules are data; `violations` walks the sources and says where they are broken. Imports for type checkers only
(``if TYPE_CHECKING:``) do not count: nothing is imported by them when the program runs.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

_BPY = frozenset({"bpy", "bpy_extras", "bmesh", "mathutils", "gpu", "blf", "addon_utils", "idprop", "imbuf", "numpy"})
"""What Blender's Python brings, beside the standard library."""

_CHILD_PACKAGES = {
    "background_blender": "vendor/background_blender",
    "assetgen_local": "vendor/assetgen_local",
    "mesh_notes": "addon/headless/mesh_notes.py",
}
"""How a process of its own, which has put the folder of vendor on its path, names the packages in it."""


@dataclass(frozen=True, slots=True)
class Layer:
    """A part of the sources and what it may import.

    Attributes:
        path: A file or folder, from the root; the longest match counts.
        inside: Other layers, by their path. A layer may always import itself.
        outside: Packages from elsewhere, beside the standard library.
        own_process: Its files run as the main script of another process; they find their packages by sys.path.
    """

    path: str
    inside: frozenset[str] = frozenset()
    outside: frozenset[str] = frozenset()
    own_process: bool = False

    @property
    def name(self) -> str:
        """What to call it in a message."""
        return self.path.removesuffix(".py").replace("/", ".")


def _layer(path: str, inside: str = "", outside: frozenset[str] | str = "", *, own_process: bool = False) -> Layer:
    third_party = outside if isinstance(outside, frozenset) else frozenset(outside.split())
    return Layer(path, frozenset(inside.split()), third_party, own_process)


_CLIENT = "vendor/assetgen vendor/assetgen/contract"
_CORE = "addon/core addon/core/log.py"
_BRIDGE = "addon/bridge addon/bridge/results addon/bridge/objects"

LAYERS = (
    # From top to bottom.
    _layer("__init__.py", "addon/registration.py"),
    _layer(
        "addon/registration.py",
        "addon/preferences.py addon/ui addon/ops addon/props addon/bridge addon/cli addon/core/log.py",
        _BPY,
    ),
    # Its options are made from the declarations when it runs.
    _layer("addon/cli", f"{_BRIDGE} {_CORE} {_CLIENT} vendor/background_blender", _BPY | {"tqdm"}),
    _layer("addon/ui", f"addon/ops addon/props addon/text_layout.py {_BRIDGE} {_CORE}", _BPY),
    _layer("addon/ops", f"addon/props addon/text_layout.py {_BRIDGE} {_CORE}", _BPY),
    _layer("addon/preferences.py", f"addon/text_layout.py addon/bridge {_CORE}", _BPY),
    _layer("addon/text_layout.py", "", _BPY),
    _layer("addon/props", _CORE, _BPY),
    _layer("addon/bridge", f"addon/bridge/results addon/bridge/objects {_CORE} vendor/background_blender", _BPY),
    _layer("addon/bridge/results", f"addon/bridge/objects {_CORE} addon/headless/mesh_notes.py", _BPY),
    _layer("addon/bridge/objects", f"{_CORE} addon/headless/mesh_notes.py", _BPY),
    _layer(
        "addon/core",
        f"{_CLIENT} addon/core/log.py vendor/background_blender",
        "pydantic pydantic_core platformdirs keyring",
    ),
    # Light, and needed from the first moment on.
    _layer("addon/core/log.py"),
    _layer("vendor/assetgen", "vendor/assetgen/contract", "httpx pydantic"),
    _layer("vendor/assetgen/contract", "", "pydantic annotated_types"),
    # The local engine knows the wire models and nothing else of the client.
    _layer(
        "vendor/assetgen_local",
        "vendor/assetgen/contract vendor/background_blender",
        "pydantic pydantic_core starlette uvicorn python_multipart anyio",
    ),
    _layer("vendor/background_blender"),
    # Processes of their own.
    _layer(
        "vendor/assetgen_local/__main__.py",
        "vendor/assetgen_local vendor/assetgen_local/host/process.py",
        own_process=True,
    ),
    _layer(
        "vendor/assetgen_local/host/process.py",
        "vendor/assetgen_local vendor/assetgen/contract vendor/background_blender",
        "uvicorn",
        own_process=True,
    ),
    _layer("vendor/assetgen_local/engine", "vendor/background_blender", _BPY),
    _layer(
        "vendor/assetgen_local/engine/main.py",
        "vendor/assetgen_local/engine vendor/background_blender",
        _BPY,
        own_process=True,
    ),
    _layer("addon/headless", "addon/headless/mesh_notes.py vendor/background_blender", _BPY, own_process=True),
    # What both sides of the wall between two Blenders need.
    _layer("addon/headless/mesh_notes.py", "", _BPY),
    # Empty packages on the way to the others.
    _layer("addon/__init__.py"),
    _layer("vendor/__init__.py"),
)


@dataclass(frozen=True, slots=True)
class Violation:
    """A line that breaks a rule."""

    file: str
    line: int
    text: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.text}"


def violations(root: Path) -> list[Violation]:
    """All places below ``root`` where the rules are broken."""
    return [violation for path in source_files(root) for violation in _check_file(root, path)]


def source_files(root: Path) -> list[Path]:
    """The sources of the extension."""
    inside = [*root.glob("addon/**/*.py"), *root.glob("vendor/**/*.py")]
    return [root / "__init__.py", *sorted(inside)]


def layer_of(path: str) -> Layer | None:
    """The layer that a file or folder, given from the root, belongs to."""
    matches = [layer for layer in LAYERS if path == layer.path or path.startswith(layer.path + "/")]
    return max(matches, key=lambda layer: len(layer.path), default=None)


def _check_file(root: Path, path: Path) -> Iterator[Violation]:
    file = path.relative_to(root).as_posix()
    layer = layer_of(file)
    if layer is None:
        yield Violation(file, 1, "belongs to no layer; say in scripts/devtools/layers.py what it may import")
        return
    for node in _statements(ast.parse(path.read_text(encoding="utf-8"), file)):
        if not isinstance(node, (ast.stmt, ast.expr)):
            continue
        if not layer.own_process and _edits_search_path(node):
            yield Violation(file, node.lineno, "edits sys.path, which only the scripts of other processes may")
        for target in _imported(root, file, node):
            complaint = _complaint(layer, target)
            if complaint:
                yield Violation(file, node.lineno, complaint)


def _statements(tree: ast.AST) -> Iterator[ast.AST]:
    """All nodes, but for what stands under ``if TYPE_CHECKING:``."""
    for child in ast.iter_child_nodes(tree):
        if isinstance(child, ast.If) and ast.unparse(child.test) in {"TYPE_CHECKING", "typing.TYPE_CHECKING"}:
            for other in child.orelse:
                yield other
                yield from _statements(other)
            continue
        yield child
        yield from _statements(child)


@dataclass(frozen=True, slots=True)
class _Target:
    """What an import names: a path from the root for the extension's own parts, else a package's name."""

    name: str
    is_inside: bool
    is_absolute: bool = False


def _imported(root: Path, file: str, node: ast.AST) -> Iterator[_Target]:
    if isinstance(node, ast.Import):
        yield from (_absolute(alias.name) for alias in node.names)
    elif isinstance(node, ast.ImportFrom) and node.level == 0:
        yield _absolute(node.module or "")
    elif isinstance(node, ast.ImportFrom):
        folder = PurePosixPath(file).parents[node.level - 1] if node.level <= file.count("/") + 1 else None
        if folder is None:
            yield _Target("a package above the root", False)
            return
        base = folder.joinpath(*(node.module or "").split("."))
        # In `from ..core import journal` the name can be a module, which may be in a layer of its own.
        yield from (
            _Target(_file_of(root, base / alias.name) or _file_of(root, base) or str(base), True)
            for alias in node.names
        )


def _absolute(module: str) -> _Target:
    package, *rest = module.split(".")
    if package in _CHILD_PACKAGES:
        return _Target("/".join([_CHILD_PACKAGES[package], *rest]), True, is_absolute=True)
    return _Target(package, False)


def _file_of(root: Path, base: PurePosixPath) -> str:
    """The file of a module, or the folder of a package; "" when there is no such thing."""
    if (root / base).is_dir():
        return base.as_posix()
    module = base.with_name(base.name + ".py") if base.name else base
    return module.as_posix() if (root / module).is_file() else ""


def _complaint(layer: Layer, target: _Target) -> str:
    if not target.is_inside:
        if target.name in sys.stdlib_module_names or target.name in layer.outside:
            return ""
        return f"{layer.name} may not import {target.name}"
    if target.is_absolute and not layer.own_process:
        return f"{target.name} has to be imported relatively; the extension's packages are not on sys.path"
    other = layer_of(target.name)
    if other is None:
        return f"{layer.name} imports {target.name}, which belongs to no layer"
    if other.path == layer.path or other.path in layer.inside:
        return ""
    return f"{layer.name} may not import {other.name}"


def _edits_search_path(node: ast.AST) -> bool:
    """Whether a statement changes sys.path or asks ``site`` to."""
    if isinstance(node, ast.Call):
        called = ast.unparse(node.func)
        return called in {"site.addsitedir", "addsitedir"} or (
            called.startswith("sys.path.")
            and called.removeprefix("sys.path.") in {"append", "extend", "insert", "remove"}
        )
    if isinstance(node, (ast.Assign, ast.AugAssign, ast.AnnAssign, ast.Delete)):
        changed = node.targets if isinstance(node, (ast.Assign, ast.Delete)) else [node.target]
        return any(ast.unparse(target).partition("[")[0] == "sys.path" for target in changed)
    return False
