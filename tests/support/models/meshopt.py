"""Compresses as the extension ``EXT_meshopt_compression`` of glTF describes it, written from its text alone.

Every way to store something is used, not the shortest one.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import cycle
from pathlib import Path
from typing import Any

import numpy as np

from .meshes import Array, glb_blob, glb_document, pack_glb

EXTENSION = "EXT_meshopt_compression"
_INDEX = {5123: 2, 5125: 4}
_SIZES = {5120: 1, 5121: 1, 5122: 2, 5123: 2, 5125: 4, 5126: 4}
_WIDTHS = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT4": 16}


def attributes(elements: Array) -> bytes:
    """Elements as bytes, (n, stride)."""
    count, stride = elements.shape
    before = np.concatenate((elements[:1], elements[:-1]))
    changes = (elements - before).astype(np.uint8)
    zigzag = np.where(changes & 0x80, ~(changes << 1), changes << 1).astype(np.uint8)
    block = min(8192 // stride & ~15, 256)
    stream = bytearray([0xA0])
    for start in range(0, count, block):
        part = zigzag[start : start + block]
        part = np.concatenate((part, np.zeros((-len(part) % 16, stride), np.uint8)))
        for column in part.T:
            groups = column.reshape(-1, 16).tolist()
            ways = [0 if not any(group) else 1 + number % 3 for number, group in enumerate(groups)]
            for first in range(0, len(ways), 4):
                stream.append(sum(way << 2 * place for place, way in enumerate(ways[first : first + 4])))
            for way, group in zip(ways, groups, strict=True):
                stream += bytes(group) if way == 3 else _packed(group, 2 * way) if way else b""
    tail = elements[0].tobytes() if count else bytes(stride)
    return bytes(stream) + tail.rjust(32, b"\0")


def _packed(group: list[int], bits: int) -> bytes:
    ones = (1 << bits) - 1
    whole = 0
    for number in group:
        whole = whole << bits | min(number, ones)
    return whole.to_bytes(2 * bits, "big") + bytes(number for number in group if number >= ones)


def triangles(indices: Array) -> bytes:
    """Corners of triangles, each told by itself: in turns what comes next, if it does, and by how much it differs."""
    codes, data, last, fresh = bytearray(), bytearray(), 0, 0
    for corners in indices.reshape(-1, 3).tolist():
        ways = []
        for place, corner in enumerate(corners):
            is_next = corner == fresh
            fresh += is_next
            ways.append(0 if is_next else 15)
            if place == 0:
                codes.append(0xFE if is_next else 0xFF)
        if ways[1] == ways[2] == 0:  # which would begin the count again
            raise ValueError("choose an order in which no second and third corner are new together")
        data.append(ways[1] << 4 | ways[2])
        for way, corner in zip(ways, corners, strict=True):
            if way:
                data += _number(_zigzag(corner - last))
                last = corner
    return b"\xe1" + bytes(codes) + bytes(data) + bytes(16)


def sequence(indices: Array) -> bytes:
    """Indices by how much they differ from one of two that came before, in turns."""
    stream, last, turns = bytearray([0xD1]), [0, 0], cycle((0, 1))
    for index, turn in zip(indices.ravel().tolist(), turns, strict=False):
        stream += _number(_zigzag(index - last[turn]) << 1 | turn)
        last[turn] = index
    return bytes(stream) + bytes(4)


def _zigzag(number: int) -> int:
    return ~number << 1 | 1 if number < 0 else number << 1


def _number(number: int) -> bytes:
    parts = bytearray()
    while number > 0x7F:
        parts.append(number & 0x7F | 0x80)
        number >>= 7
    return bytes([*parts, number])


def compress_glb(path: Path) -> Path:
    """Compresses the numbers of a GLB where it is; pictures stay as they are."""
    document, blob = glb_document(path), glb_blob(path)
    packed = bytearray()
    views = document["bufferViews"]
    how = dict(_streams(document, blob))
    room = 0
    for number, view in enumerate(views):
        start, size = view.get("byteOffset", 0), view["byteLength"]
        stream = how[number].pop("stream") if number in how else blob[start : start + size]
        packed += bytes(-len(packed) % 4)
        place = {"buffer": 0, "byteOffset": len(packed), "byteLength": len(stream)}
        packed += stream
        if number in how:
            view |= {"buffer": 1, "byteOffset": room, "extensions": {EXTENSION: place | how[number]}}
            room += size + -size % 4
        else:
            view |= place
    document |= {"extensionsUsed": [EXTENSION], "extensionsRequired": [EXTENSION]}
    document["buffers"] = [
        {"byteLength": len(packed)},
        {"byteLength": room, "extensions": {EXTENSION: {"fallback": True}}},
    ]
    path.write_bytes(pack_glb(document, bytes(packed)))
    return path


def _streams(document: dict[str, Any], blob: bytes) -> Iterator[tuple[int, dict[str, Any]]]:
    """For each view of one accessor: its stream, and what the extension says of it."""
    corners = {part["indices"] for mesh in document["meshes"] for part in mesh["primitives"]}
    for number, accessor in enumerate(document["accessors"]):
        view = document["bufferViews"][accessor["bufferView"]]
        content = blob[view.get("byteOffset", 0) :][: view["byteLength"]]
        stride = _SIZES[accessor["componentType"]] * _WIDTHS[accessor["type"]]
        mode, stream = "ATTRIBUTES", b""
        if number in corners:
            indices = np.frombuffer(content, f"<u{_INDEX[accessor['componentType']]}")
            mode, stream = ("INDICES", sequence(indices)) if number % 2 else ("TRIANGLES", triangles(indices))
        else:
            stream = attributes(np.frombuffer(content, np.uint8).reshape(-1, stride))
        yield (
            accessor["bufferView"],
            {
                "stream": stream,
                "byteStride": stride,
                "count": accessor["count"],
                "mode": mode,
            },
        )
