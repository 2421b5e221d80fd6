"""Sees to it that Blender reads nothing but a result's own files when it imports the result.

A model file can name textures, materials and other models by any path: ``/home/...``, ``../..``, an address, or
``\\\\host\\share``, which signs in at that host. What leads out of the result's folder is changed to the file's name
alone, which is in that folder or nowhere. The file that was paid for stays as it came: a copy is changed.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from ...errors import BrokenResult
from ...paths import make_private
from .. import zip_files
from .fbx import clean_fbx
from .gltf import clean_gltf
from .obj import clean_mtl, clean_obj
from .paths import last_name
from .usd import clean_usd

_MOST_NAMES = 3
_TOLD = frozenset(
    {".mtl", ".usd", ".usda", ".usdc", ".usdz"}
    | {".png", ".jpg", ".jpeg", ".webp", ".bmp", ".tga", ".tif", ".tiff", ".exr", ".hdr"}
)
"""Kinds of files that a model misses. Many name other files as well: what they were made from, above all."""

_CLEANERS: dict[str, Callable[[Path, int], list[str]]] = {
    ".obj": clean_obj,
    ".mtl": clean_mtl,
    ".fbx": clean_fbx,
    ".gltf": clean_gltf,
    ".usd": clean_usd,
    ".usda": clean_usd,
    ".usdc": clean_usd,
}
_READ_WITH = {
    ".obj": (".obj", ".mtl"),
    ".fbx": (".fbx",),
    ".gltf": (".gltf",),
    ".usd": (".usd", ".usda", ".usdc"),
    ".usda": (".usd", ".usda", ".usdc"),
    ".usdc": (".usd", ".usda", ".usdc"),
}
"""Kinds of files that are read when a model of a kind is imported, and that name other files."""


class OwnFiles(NamedTuple):
    """A model that names nothing outside of its folder; ``note`` says in a sentence what it named, if anything."""

    model: Path
    note: str


def keep_inside(model: Path, result: Path) -> OwnFiles:
    """Takes paths that lead outside from a model.

    Args:
        model: The result itself, or what was unpacked from it.
        result: The file that was paid for, which is not changed.

    Raises:
        BrokenResult: Nobody can say what the model refers to.
        OSError: There is no room for the copy.
    """
    kind = model.suffix.lower()
    folder = result.with_name(result.stem + "-files")
    if kind == ".usdz":
        package = model
        layers = zip_files.extract(package, folder / "usdz" if package != result else folder)
        model = _root_of(layers)
        folder = folder / "usdz" if package != result else folder
        kind = model.suffix.lower()
    elif kind not in _READ_WITH:
        return OwnFiles(model, "")
    elif model == result:
        shutil.rmtree(folder, ignore_errors=True)
        model = Path(shutil.copyfile(result, make_private(folder) / result.name))
    found: list[str] = []
    for path in sorted(folder.rglob("*")):
        if path.suffix.lower() == ".usdz" and kind != ".obj":
            path.unlink()  # a package inside of another thing: what it refers to is not looked at
        elif path.suffix.lower() in _READ_WITH[kind] and (path == model or kind != ".gltf") and path.is_file():
            found += _CLEANERS[path.suffix.lower()](path, len(path.relative_to(folder).parts) - 1)
    return OwnFiles(model, _note(found, {path.name for path in folder.rglob("*")}))


def _root_of(layers: list[Path]) -> Path:
    """The layer that a package begins with."""
    root = next((path for path in layers if path.suffix.lower() in (".usd", ".usda", ".usdc")), None)
    if root is None:
        raise BrokenResult("The USDZ that came back has no model in it")
    return root


def _note(found: list[str], present: set[str]) -> str:
    names = dict.fromkeys(
        name for path in found if Path(name := last_name(path)).suffix.lower() in _TOLD and name not in present
    )
    if not names:
        return ""
    shown = ", ".join(list(names)[:_MOST_NAMES])
    more = f" and {len(names) - _MOST_NAMES} more" if len(names) > _MOST_NAMES else ""
    return f"It refers to files outside of its own folder, which were not read: {shown}{more}"
