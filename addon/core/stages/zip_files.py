"""Unpacks a result that came as a ZIP, trusting nothing in it."""

from __future__ import annotations

import json
import lzma
import shutil
import zipfile
import zlib
from pathlib import Path, PurePosixPath
from urllib.parse import unquote

from ..errors import BrokenResult
from .separate_check import LARGE, run_check

_MODELS = (".glb", ".gltf", ".fbx", ".obj", ".stl", ".ply", ".usdz", ".usd", ".usda", ".usdc", ".3mf")
_COMPANIONS = frozenset(
    {".bin", ".mtl", ".png", ".jpg", ".jpeg", ".webp", ".bmp", ".tga", ".tif", ".tiff", ".exr", ".hdr"}
)
_MAX_BYTES = 4 * 1024**3
_MAX_ENTRIES = 2000
_DAMAGED = (zipfile.BadZipFile, zlib.error, lzma.LZMAError, EOFError, RuntimeError, ValueError)
"""What zipfile raises on damaged archives; RuntimeError on encrypted ones, ValueError on names that are no text."""


def unpack(archive: Path) -> Path:
    """Unpacks next to the archive and returns the model in it.

    Raises:
        BrokenResult: It cannot be unpacked, or there is no model in it.
        OSError: There is no room.
    """
    folder = archive.with_name(archive.stem + "-files")
    shutil.rmtree(folder, ignore_errors=True)
    try:
        with zipfile.ZipFile(archive) as file:
            names = [_extract(file, entry, folder) for entry in _entries(file)]
    except _DAMAGED as error:
        raise BrokenResult(f"The archive that came back cannot be unpacked: {error}") from error
    except OSError as error:
        if error.errno is not None:
            raise
        # bz2 says so of a damaged stream, without a number
        raise BrokenResult(f"The archive that came back cannot be unpacked: {error}") from error
    for suffix in _MODELS:
        for path in sorted(names):
            if path.suffix.lower() == suffix:
                if suffix == ".gltf":
                    if path.stat().st_size > LARGE:
                        run_check("zip_files", "check_links", path, folder)
                    else:
                        check_links(path, folder)
                return path
    raise BrokenResult("The archive that came back has no model in it")


def _entries(file: zipfile.ZipFile) -> list[zipfile.ZipInfo]:
    suffixes = {*_MODELS, *_COMPANIONS}
    entries = [
        entry
        for entry in file.infolist()
        if not entry.is_dir() and PurePosixPath(entry.filename).suffix.lower() in suffixes
    ]
    if len(entries) > _MAX_ENTRIES or sum(entry.file_size for entry in entries) > _MAX_BYTES:
        raise BrokenResult("The archive that came back is too large to be unpacked")
    return entries


def _extract(file: zipfile.ZipFile, entry: zipfile.ZipInfo, folder: Path) -> Path:
    target = (folder / entry.filename).resolve()
    if not target.is_relative_to(folder.resolve()):
        raise BrokenResult("The archive that came back wants to write outside its folder")
    target.parent.mkdir(parents=True, exist_ok=True)
    with file.open(entry) as source, target.open("wb") as sink:
        shutil.copyfileobj(source, sink)  # zipfile itself stops at the size that the entry declares
    return target


def check_links(gltf: Path, folder: Path) -> None:
    """Makes sure that a glTF file needs no file outside of a folder.

    Raises:
        BrokenResult: It does, or cannot be read.
    """
    try:
        document = json.loads(gltf.read_text(encoding="utf-8"))
        links = [item.get("uri") for name in ("buffers", "images") for item in document.get(name, [])]
    except (ValueError, AttributeError, TypeError):
        raise BrokenResult("The description inside the model that came back cannot be read") from None
    for link in links:
        if link is None or str(link).startswith("data:"):
            continue
        if not (gltf.parent / unquote(str(link))).resolve().is_relative_to(folder.resolve()):
            raise BrokenResult("The model that came back refers to files outside itself, which is not allowed")
