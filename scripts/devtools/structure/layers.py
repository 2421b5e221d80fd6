"""The layers of the extension, and which may import which (docs/decisions.md has the reasons).

The rules are data; `violations` walks the sources and says where they are broken.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from .imports import Import, imports_of, source_files

_BPY = frozenset(
    {
        "bpy",
        "bpy_extras",
        "bmesh",
        "mathutils",
        "gpu",
        "gpu_extras",
        "blf",
        "bl_operators",
        "bl_ui",
        "addon_utils",
        "idprop",
        "imbuf",
        "numpy",
    }
)
"""What Blender's Python brings, beside the standard library."""


@dataclass(frozen=True, slots=True)
class Layer:
    """A part of the sources and what it may import.

    Attributes:
        path: A file or folder, from the root; the longest match counts.
        inside: Other layers, by their path; with a slash at its end, it and all below it. A layer may always import
            itself.
        outside: Packages from elsewhere, beside the standard library.
        in_child: Its files run in another process, where some packages are found by sys.path.
        own_process: Its files are the main scripts of such a process, and may put packages on sys.path.
    """

    path: str
    inside: frozenset[str] = frozenset()
    outside: frozenset[str] = frozenset()
    in_child: bool = False
    own_process: bool = False

    @property
    def name(self) -> str:
        """What to call it in a message."""
        return self.path.removesuffix(".py").replace("/", ".")


def _layer(
    path: str,
    inside: str = "",
    outside: frozenset[str] | str = "",
    *,
    in_child: bool = False,
    own_process: bool = False,
) -> Layer:
    third_party = outside if isinstance(outside, frozenset) else frozenset(outside.split())
    return Layer(path, frozenset(inside.split()), third_party, in_child or own_process, own_process)


def _floors(
    path: str, floors: str, inside: str = "", outside: frozenset[str] | str = "", *, in_child: bool = False
) -> tuple[Layer, ...]:
    """The parts of a package from its top floor down: each may import all below it, and nothing beside it.

    Floors are separated by ``|``; ``.`` is what lies in the package's folder itself. What else is said holds for
    every part.
    """
    layers: list[Layer] = []
    below = ""
    for floor in reversed(floors.split("|")):
        parts = [path if name == "." else f"{path}/{name}" for name in floor.split()]
        layers[:0] = [_layer(part, f"{inside} {below}", outside, in_child=in_child) for part in parts]
        below = " ".join([below, *parts])
    return tuple(layers)


_CLIENT = "vendor/assetgen/"
_CORE = "addon/core/"
_ENGINE = "vendor/assetgen_local"
_OPTIONS = f"{_ENGINE}/options.py"
_OPTION_TYPES = f"{_ENGINE}/task_runner.py {_ENGINE}/webhook_endpoint.py"
_BRIDGE = "addon/bridge/"
_BOTH_SIDES = (
    "addon/headless/mesh_notes.py addon/headless/mesh_slices.py addon/headless/fitting.py "
    "addon/headless/part_matching.py"
)
_SHARED_BY_SCRIPTS = (
    "addon/headless/kept_rigs.py addon/headless/origins.py addon/headless/plain_objects.py "
    "addon/headless/snapshot_meshes.py "
    "addon/headless/surface_layers.py addon/headless/surface_looks.py "
    "addon/headless/text_pixels.py addon/headless/thumbnail.py"
)

LAYERS = (
    # From top to bottom.
    _layer("__init__.py", "addon/registration.py"),
    _layer(
        "addon/registration.py",
        "addon/preferences.py addon/ui addon/ops addon/props addon/bridge addon/cli addon/core/log.py"
        " addon/translation",
        _BPY,
    ),
    # Its options are made from the declarations when it runs.
    _layer(
        "addon/cli",
        f"addon/cli/webhook_server.py {_BRIDGE} {_CORE} {_CLIENT} vendor/background_blender vendor/loopback.py",
        _BPY | {"tqdm"},
    ),
    _layer("addon/cli/webhook_server.py", _CLIENT, "starlette uvicorn"),
    _layer("addon/ui", f"addon/ops addon/props addon/text_layout.py addon/translation {_BRIDGE} {_CORE}", _BPY),
    _layer("addon/ops", f"addon/props addon/text_layout.py addon/translation {_BRIDGE} {_CORE}", _BPY),
    _layer(
        "addon/preferences.py", f"addon/ui addon/ops addon/text_layout.py addon/translation {_BRIDGE} {_CORE}", _BPY
    ),
    _layer("addon/text_layout.py", "addon/translation", _BPY),
    _layer("addon/translation", "", _BPY),
    _layer("addon/props", f"addon/translation {_CORE}", _BPY),
    *_floors(
        "addon/bridge",
        ". | results captures | objects",
        f"addon/translation {_CORE} {_BOTH_SIDES} vendor/background_blender",
        _BPY,
    ),
    *_floors(
        "addon/core",
        "batches | runtime | library recipes | stages | status | storage | requests | service limits jobs | claims | .",
        f"{_CLIENT} addon/core/log.py vendor/background_blender vendor/loopback.py",
        "pydantic pydantic_core platformdirs keyring",
    ),
    # Light, and needed from the first moment on.
    _layer("addon/core/log.py"),
    _layer("vendor/loopback.py"),
    _layer("vendor/assetgen", "vendor/assetgen/contract vendor/loopback.py", "httpx pydantic"),
    _layer("vendor/assetgen/contract", "", "pydantic pydantic_core annotated_types"),
    # The local engine knows the wire models and nothing else of the client.
    _layer(
        _ENGINE,
        f"{_ENGINE}/host {_OPTIONS} {_OPTION_TYPES}",
        "pydantic pydantic_core starlette uvicorn python_multipart anyio",
    ),
    _layer(f"{_ENGINE}/host", f"{_ENGINE}/api {_ENGINE}/backend.py {_OPTIONS}", "uvicorn starlette"),
    _layer(
        f"{_ENGINE}/api",
        f"{_ENGINE}/backend.py {_ENGINE}/rules {_ENGINE}/store {_ENGINE}/errors.py {_OPTIONS} vendor/assetgen/contract",
        "pydantic starlette python_multipart",
    ),
    _layer(
        f"{_ENGINE}/backend.py",
        f"{_ENGINE}/background {_ENGINE}/rules {_ENGINE}/store {_ENGINE}/errors.py {_OPTIONS} vendor/assetgen/contract",
    ),
    # Not the options: what they say is handed to it.
    _layer(
        f"{_ENGINE}/background",
        f"{_ENGINE}/rules {_ENGINE}/store {_OPTION_TYPES} vendor/assetgen/contract vendor/background_blender",
    ),
    _layer(
        f"{_ENGINE}/rules",
        f"{_ENGINE}/store {_ENGINE}/errors.py {_OPTIONS} vendor/assetgen/contract",
        "pydantic pydantic_core",
    ),
    _layer(f"{_ENGINE}/store", f"{_OPTION_TYPES} vendor/assetgen/contract"),
    _layer(_OPTIONS, f"{_OPTION_TYPES} vendor/assetgen/contract vendor/background_blender"),
    _layer(f"{_ENGINE}/task_runner.py"),
    _layer(f"{_ENGINE}/webhook_endpoint.py", "vendor/assetgen/contract vendor/loopback.py"),
    _layer(f"{_ENGINE}/errors.py", "vendor/assetgen/contract", "starlette"),
    _layer("vendor/background_blender"),
    _layer("vendor/background_blender/glb_files.py", "", "numpy"),
    _layer("vendor/background_blender/gltf_skins.py", "vendor/background_blender/glb_files.py", "numpy"),
    _layer(
        "vendor/background_blender/glb_motions.py",
        "vendor/background_blender/glb_files.py vendor/background_blender/gltf_skins.py",
        "numpy",
    ),
    _layer("vendor/background_blender/large_meshes.py", "vendor/background_blender/glb_files.py", _BPY),
    _layer("vendor/background_blender/meshopt.py", "", "numpy"),
    _layer("vendor/background_blender/fbx_takes.py", "", _BPY),
    _layer("vendor/background_blender/gltf_scenes.py"),
    _layer(
        "vendor/background_blender/readable_gltf.py",
        "vendor/background_blender/glb_files.py vendor/background_blender/gltf_scenes.py"
        " vendor/background_blender/gltf_skins.py vendor/background_blender/meshopt.py",
        "numpy",
    ),
    _layer(
        "vendor/background_blender/importers.py",
        "vendor/background_blender vendor/background_blender/fbx_takes.py vendor/background_blender/glb_files.py"
        " vendor/background_blender/large_meshes.py vendor/background_blender/meshopt.py"
        " vendor/background_blender/readable_gltf.py",
        "bpy",
    ),
    _layer(
        "vendor/background_blender/exporters.py",
        "vendor/background_blender vendor/background_blender/glb_files.py vendor/background_blender/glb_motions.py",
        _BPY,
    ),
    # Processes of their own.
    _layer(
        f"{_ENGINE}/__main__.py",
        f"{_ENGINE} {_ENGINE}/host/process.py",
        own_process=True,
    ),
    _layer(
        f"{_ENGINE}/host/process.py",
        f"{_ENGINE}/host {_ENGINE}/store {_OPTIONS} {_OPTION_TYPES} vendor/assetgen/contract vendor/background_blender",
        own_process=True,
    ),
    *_floors(
        "vendor/assetgen_local/engine",
        "capabilities | output | motion parts styles | shapes silhouettes picture_edits rigging | files | materials |"
        " body images | shaders mesh | .",
        "vendor/background_blender/",
        _BPY,
        in_child=True,
    ),
    _layer(
        "vendor/assetgen_local/engine/main.py",
        "vendor/assetgen_local/engine vendor/background_blender",
        _BPY,
        own_process=True,
    ),
    _layer(
        "addon/headless",
        f"{_BOTH_SIDES} {_SHARED_BY_SCRIPTS} vendor/background_blender vendor/background_blender/importers.py"
        " vendor/background_blender/exporters.py",
        _BPY,
        own_process=True,
    ),
    # What both sides of the wall between two Blenders need.
    _layer("addon/headless/mesh_notes.py", "", _BPY),
    _layer("addon/headless/mesh_slices.py", "", _BPY),
    _layer("addon/headless/fitting.py", "", _BPY),
    _layer("addon/headless/part_matching.py", "", "numpy"),
    # What the scripts share.
    _layer(
        "addon/headless/kept_rigs.py",
        "addon/headless/mesh_notes.py addon/headless/snapshot_meshes.py vendor/background_blender"
        " vendor/background_blender/importers.py",
        _BPY,
        own_process=True,
    ),
    _layer("addon/headless/origins.py", "addon/headless/fitting.py", _BPY, own_process=True),
    _layer("addon/headless/plain_objects.py", "", _BPY),
    _layer("addon/headless/snapshot_meshes.py", "", _BPY),
    _layer("addon/headless/surface_layers.py", "", _BPY),
    _layer("addon/headless/surface_looks.py", "", _BPY),
    _layer("addon/headless/text_pixels.py", "", _BPY),
    _layer("addon/headless/thumbnail.py", "addon/headless/surface_looks.py", _BPY, own_process=True),
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


def layer_of(path: str) -> Layer | None:
    """The layer that a file or folder, given from the root, belongs to."""
    matches = [layer for layer in LAYERS if path == layer.path or path.startswith(layer.path + "/")]
    return max(matches, key=lambda layer: len(layer.path), default=None)


def _check_file(root: Path, path: Path) -> Iterator[Violation]:
    file = path.relative_to(root).as_posix()
    layer = layer_of(file)
    if layer is None:
        yield Violation(file, 1, "belongs to no layer; say in scripts/devtools/structure/layers.py what it may import")
        return
    text = path.read_text(encoding="utf-8")
    tree = ast.parse(text, file)
    # Looking through a whole tree takes as long as making it, and few files have these words anywhere.
    if not layer.own_process and any(word in text for word in _SEARCH_PATH_WORDS):
        for node in ast.walk(tree):
            if isinstance(node, (ast.stmt, ast.expr)) and _edits_search_path(node):
                yield Violation(file, node.lineno, "edits sys.path, which only the scripts of other processes may")
    for target in imports_of(root, file, tree):
        complaint = _complaint(layer, target)
        if complaint:
            yield Violation(file, target.line, complaint)


def _complaint(layer: Layer, target: Import) -> str:
    if not target.is_inside:
        if target.name in sys.stdlib_module_names or target.name in layer.outside:
            return ""
        return f"{layer.name} may not import {target.name}"
    if target.is_absolute and not layer.in_child:
        return f"{target.name} has to be imported relatively; the extension's packages are not on sys.path"
    other = layer_of(target.name)
    if other is None:
        return f"{layer.name} imports {target.name}, which belongs to no layer"
    if other.path == layer.path or other.path in layer.inside:
        return ""
    if any(name.endswith("/") and f"{other.path}/".startswith(name) for name in layer.inside):
        return ""
    return f"{layer.name} may not import {other.name}"


_SEARCH_PATH_WORDS = ("sys.path", "addsitedir")
"""What stands, as ruff formats it, in every statement that :func:`_edits_search_path` finds."""


def _edits_search_path(node: ast.AST) -> bool:
    """Whether a statement changes sys.path or asks ``site`` to."""
    # Few calls and targets are looked at as text: writing one out takes long.
    if isinstance(node, ast.Call):
        called = node.func
        if isinstance(called, ast.Attribute) and called.attr in {"append", "extend", "insert", "remove"}:
            return ast.unparse(called.value) == "sys.path"
        name = called.attr if isinstance(called, ast.Attribute) else getattr(called, "id", "")
        return name == "addsitedir" and ast.unparse(called) in {"site.addsitedir", "addsitedir"}
    if isinstance(node, (ast.Assign, ast.AugAssign, ast.AnnAssign, ast.Delete)):
        changed = node.targets if isinstance(node, (ast.Assign, ast.Delete)) else [node.target]
        return any(
            isinstance(target, (ast.Attribute, ast.Subscript)) and ast.unparse(target).partition("[")[0] == "sys.path"
            for target in changed
        )
    return False
