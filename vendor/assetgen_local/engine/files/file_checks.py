"""Looks at a model file before Blender does: what it is by its first bytes, and whether it reaches outside itself."""

from __future__ import annotations

import json
import re
import struct
import tempfile
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from ..errors import EngineError

MAX_UNPACKED_BYTES = 2 * 1024**3
"""What a zipped model (3mf, usdz) or a glTF may unpack to; more is taken for a bomb."""

_WIDEST = 16
"""Bytes of what an accessor of glTF has for a point: four floats."""

_SUFFIXES = {"glb", "gltf", "obj", "fbx", "stl", "ply", "usdz", "usd", "usda", "usdc", "3mf"}
_STARTS = {
    "glb": b"glTF",
    "fbx": (b"Kaydara FBX Binary", b"; FBX"),
    "usd": (b"PXR-USDC", b"#usda"),
    "ply": (b"ply\n", b"ply\r"),
}
_MATERIAL_LIBRARY = re.compile(rb"(?im)^[ \t]*mtllib\b[^\r\n]*")


def kind_of(path: Path) -> str:
    """The format of a model file: by its content, and by its name where the content does not tell.

    Raises:
        EngineError: It is missing, empty, or no model.
    """
    try:
        size = path.stat().st_size
        with path.open("rb") as file:
            head = file.read(1024)
    except OSError as error:
        raise EngineError(f"The model file cannot be opened: {error.strerror or error}.") from error
    if size == 0:
        raise EngineError("The model file is empty.")
    if head.startswith(b"PK\x03\x04"):
        return _kind_of_zip(path)
    for kind, starts in _STARTS.items():
        if head.startswith(starts):
            return kind
    if head.lstrip().startswith(b"{") and b'"asset"' in path.read_bytes():
        return "gltf"
    if size >= 84 and size == 84 + 50 * int(struct.unpack_from("<I", head, 80)[0]):
        return "stl"
    suffix = path.suffix.lower().lstrip(".")
    if suffix in {"obj", "stl"}:
        return suffix
    if suffix in _SUFFIXES:
        raise EngineError(f"The file is named .{suffix}, but its content is not {suffix.upper()}.")
    raise EngineError("The file is not a model in a format that the engine knows (GLB, OBJ, FBX, STL, 3MF, USDZ, PLY).")


def _kind_of_zip(path: Path) -> str:
    try:
        with zipfile.ZipFile(path) as archive:
            entries = archive.infolist()
    except zipfile.BadZipFile as error:
        raise EngineError("The model file is a broken zip.") from error
    if sum(entry.file_size for entry in entries) > MAX_UNPACKED_BYTES:
        raise EngineError("The model file unpacks to more than 2 GB.")
    names = [entry.filename.lower() for entry in entries]
    if any(name.endswith(".model") for name in names):
        return "3mf"
    if any(name.endswith((".usdc", ".usda", ".usd")) for name in names):
        return "usdz"
    raise EngineError("The zip holds neither a 3MF nor a USDZ model.")


def check_gltf(path: Path) -> dict[str, Any]:
    """Checks the frame of a GLB or glTF file, and that all of it is inside the file; its JSON.

    Raises:
        EngineError: It is cut or broken, refers to other files, or unpacks to too much.
    """
    document = _gltf_document(path)
    try:  # accessors without a view are zeros, or are unpacked from elsewhere: as many as they say
        unpacked = sum(entry["count"] for entry in document.get("accessors") or [] if "bufferView" not in entry)
    except (KeyError, TypeError) as error:
        raise EngineError("The glTF file is broken: an accessor does not say how much it has.") from error
    if unpacked * _WIDEST > MAX_UNPACKED_BYTES:
        raise EngineError("The model file unpacks to more than 2 GB.")
    for section in ("buffers", "images"):
        for entry in document.get(section) or []:
            uri = entry.get("uri") if isinstance(entry, dict) else None
            if uri is not None and not str(uri).startswith("data:"):
                raise EngineError(f"The glTF model needs another file ({str(uri)[:80]}); only single files are read.")
    return document


def _gltf_document(path: Path) -> dict[str, Any]:
    """The JSON of a GLB or glTF file. Of a GLB no more than its beginning is read."""
    with path.open("rb") as file:
        head = file.read(20)
        if head[:4] != b"glTF":
            text = head + file.read()
        else:
            total, json_bytes, chunk = struct.unpack("<II4s", head[8:].ljust(12, b"\0"))
            if total > path.stat().st_size or chunk != b"JSON" or 20 + json_bytes > total:
                raise EngineError("The GLB file is cut off or broken.")
            text = file.read(json_bytes)
    try:
        document = json.loads(text)
    except ValueError as error:
        raise EngineError("The glTF file is broken: its JSON cannot be read.") from error
    if not isinstance(document, dict):
        raise EngineError("The glTF file is broken: its JSON is not an object.")
    return document


@contextmanager
def without_material_libraries(path: Path) -> Iterator[Path]:
    """An OBJ file without its ``mtllib`` lines, which may name any file of this machine; a copy where it has some."""
    content = path.read_bytes()
    if not _MATERIAL_LIBRARY.search(content):
        yield path
        return
    with tempfile.TemporaryDirectory(prefix="assetgen-obj-") as folder:
        safe = Path(folder) / path.name
        safe.write_bytes(_MATERIAL_LIBRARY.sub(b"", content))
        yield safe
