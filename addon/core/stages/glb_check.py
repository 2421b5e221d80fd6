"""Reads the head of a GLB and says whether Blender should be given the rest, and whether all of it is there.

Trusts no length and no offset in it.
"""

from __future__ import annotations

import json
import re
import struct
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..errors import BrokenResult
from .separate_check import LARGE, run_check

_HEADER = struct.Struct("<4sII")
_CHUNK = struct.Struct("<I4s")
_MAX_JSON_BYTES = 256 * 1024 * 1024
_MOST_PER_BYTE = 256
"""Vertices and triangles for each byte of the file: compressed ones, and such that several meshes share, included."""

_INSIDE = re.compile(r"data:[^,]*;base64,")
"""Blender takes every other ``uri`` for a path, also one that begins with ``data:``."""

_MOST_CHUNKS = 1000
_TRIANGLES, _STRIP, _FAN = 4, 5, 6


@dataclass(frozen=True, slots=True)
class GlbFacts:
    """What is in a GLB, as its accessors say."""

    meshes: int
    triangles: int
    vertices: int


def check(path: Path) -> GlbFacts:
    """Makes sure that a file is a whole GLB with a mesh in it, and counts what is in it.

    Raises:
        BrokenResult: It is not; the message says in what way.
        OSError: The file cannot be read.
    """
    return GlbFacts(*(run_check("glb_check", "check_here", path) if _is_long(path) else check_here(path)))


def refers_to_files(path: Path) -> bool:
    """Whether parts of a GLB are in other files; False for what is broken or cannot be read, which others refuse."""
    try:
        return bool(run_check("glb_check", "refers_here", path) if _is_long(path) else refers_here(path))
    except (BrokenResult, OSError):
        return False


def _is_long(path: Path) -> bool:
    """Whether the description in a GLB is so long that a process of its own reads it."""
    with path.open("rb") as file:
        head = file.read(_HEADER.size + _CHUNK.size)
    if len(head) < _HEADER.size + _CHUNK.size:
        return False
    text_bytes, _ = _CHUNK.unpack_from(head, _HEADER.size)
    return bool(LARGE < text_bytes < path.stat().st_size)


def check_here(path: Path) -> tuple[int, int, int]:
    """As :func:`check`, in this process however large the description is; gives the values of the facts."""
    document, binary_bytes = _read(path)
    # Blender would read such a file from the disk or fail on it; a result has everything inside.
    if _has_links(document):
        raise BrokenResult("The model that came back refers to files outside itself, which is not allowed")
    _check_buffers(document, binary_bytes)
    facts = _count(document)
    if facts.vertices + facts.triangles > _MOST_PER_BYTE * path.stat().st_size:
        raise BrokenResult("The description inside the model that came back has a number that makes no sense")
    if facts.meshes == 0:
        raise BrokenResult("The model that came back has no mesh in it")
    return facts.meshes, facts.triangles, facts.vertices


def refers_here(path: Path) -> bool:
    """As :func:`refers_to_files`, in this process, and with its errors."""
    return _has_links(_read(path)[0])


def _read(path: Path) -> tuple[dict[str, Any], int]:
    """The JSON part, and the length of the binary part."""
    size = path.stat().st_size
    with path.open("rb") as file:
        head = file.read(_HEADER.size)
        if len(head) < _HEADER.size or head[:4] != b"glTF":
            raise BrokenResult("What came back is not a GLB file")
        _, version, length = _HEADER.unpack(head)
        if version != 2:
            raise BrokenResult(f"The model that came back is glTF version {version}; only version 2 can be read")
        if length != size:
            raise BrokenResult(f"The model that came back is not whole: {size} bytes of {length}")
        text: bytes | None = None
        binary_bytes = 0
        chunks = 0
        while file.tell() < length:
            if (chunks := chunks + 1) > _MOST_CHUNKS:
                raise BrokenResult("The model that came back has more chunks than any model needs")
            chunk_head = file.read(_CHUNK.size)
            if len(chunk_head) < _CHUNK.size:
                raise BrokenResult("The model that came back ends in the middle of a chunk")
            chunk_bytes, kind = _CHUNK.unpack(chunk_head)
            if file.tell() + chunk_bytes > length:
                raise BrokenResult("The model that came back has a chunk that is longer than the file")
            if text is None:
                if kind != b"JSON" or chunk_bytes > _MAX_JSON_BYTES:
                    raise BrokenResult("The model that came back does not begin with a usable description")
                text = file.read(chunk_bytes)
                continue
            if kind == b"BIN\0" and not binary_bytes:
                binary_bytes = chunk_bytes
            file.seek(chunk_bytes, 1)
    try:
        document = json.loads(text or b"")
    except (ValueError, RecursionError):
        raise BrokenResult("The description inside the model that came back cannot be read") from None
    if not isinstance(document, dict):
        raise BrokenResult("The description inside the model that came back cannot be read")
    return document, binary_bytes


def _entries(document: dict[str, Any], name: str) -> list[dict[str, Any]]:
    items = document.get(name, [])
    if not isinstance(items, list) or not all(isinstance(item, dict) for item in items):
        raise BrokenResult(f"The description inside the model that came back has no usable {name}")
    return items


def _has_links(document: dict[str, Any]) -> bool:
    uris = [item.get("uri") for name in ("buffers", "images") for item in _entries(document, name)]
    return any(uri is not None and not (isinstance(uri, str) and _INSIDE.match(uri)) for uri in uris)


def _check_buffers(document: dict[str, Any], binary_bytes: int) -> None:
    for index, buffer in enumerate(_entries(document, "buffers")):
        if index == 0 and "uri" not in buffer and _whole(buffer.get("byteLength")) > binary_bytes:
            raise BrokenResult("The model that came back is not whole: its data is shorter than its description says")


def _whole(value: Any) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        raise BrokenResult("The description inside the model that came back has a number that makes no sense")
    return value


def _count(document: dict[str, Any]) -> GlbFacts:
    accessors = _entries(document, "accessors")
    meshes = _entries(document, "meshes")

    def length(index: Any) -> int:
        if _whole(index) >= len(accessors):
            raise BrokenResult("The model that came back refers to data that it does not have")
        return _whole(accessors[index].get("count"))

    triangles = vertices = drawn = 0
    for mesh in meshes:
        for primitive in _entries(mesh, "primitives"):
            attributes = primitive.get("attributes")
            if not isinstance(attributes, dict) or "POSITION" not in attributes:
                continue
            drawn += 1
            points = length(attributes["POSITION"])
            corners = length(primitive["indices"]) if "indices" in primitive else points
            mode = primitive.get("mode", _TRIANGLES)
            vertices += points
            if mode == _TRIANGLES:
                triangles += corners // 3
            elif mode in (_STRIP, _FAN):
                triangles += max(0, corners - 2)
    return GlbFacts(meshes=len(meshes) if drawn else 0, triangles=triangles, vertices=vertices)
