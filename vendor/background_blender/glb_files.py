"""GLB files as their document and the contents of its buffer views. No bpy."""

from __future__ import annotations

import json
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

_JSON, _BINARY = b"JSON", b"BIN\0"
_ARRAY, _INDICES = 34962, 34963  # what a view is for
_WIDTHS = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT4": 16}
_TYPES = {width: name for name, width in _WIDTHS.items()}
_KINDS: dict[int, Any] = {5121: np.uint8, 5123: np.uint16, 5125: np.uint32, 5126: np.float32}
_SIZES = {5120: 1, 5121: 1, 5122: 2, 5123: 2, 5125: 4, 5126: 4}
_NUMBERS = {np.dtype(kind): number for number, kind in _KINDS.items()}


def split(content: memoryview) -> tuple[memoryview, memoryview]:
    """The JSON of a GLB or .gltf file, and what comes after it in a GLB; nothing is checked."""
    if bytes(content[:4]) != b"glTF":
        return content, content[:0]
    end = 20 + int.from_bytes(content[12:16], "little")
    return content[20:end], content[end + 8 :]


@dataclass
class Glb:
    """A GLB file.

    Attributes:
        document: Its JSON.
        parts: The bytes of each of the document's buffer views.
    """

    document: dict[str, Any]
    parts: list[memoryview]

    @classmethod
    def parsed(cls, content: memoryview) -> Glb:
        """Takes a file apart; its parts stay where they are.

        Raises:
            ValueError: It is no GLB, or it has its geometry elsewhere, or compressed.
            LookupError: It is broken, as with TypeError.
        """
        if bytes(content[:4]) != b"glTF" or bytes(content[16:20]) != _JSON:
            raise ValueError("no GLB")
        text, binary = split(content)
        document = json.loads(bytes(text))
        if len(document["buffers"]) != 1 or "uri" in document["buffers"][0]:
            raise ValueError("its buffers are elsewhere")
        views = document["bufferViews"]
        if any("extensions" in view for view in views):  # which say in their own way where their bytes are
            raise ValueError("its geometry is compressed")
        return cls(document, [binary[view.get("byteOffset", 0) :][: view["byteLength"]] for view in views])

    def content(self, number: int) -> memoryview:
        """The bytes of an accessor.

        Raises:
            ValueError: They do not lie one after the other, or are not there.
            LookupError: They are of a kind that neither meshes of triangles nor animations have, or there are none.
        """
        accessor = self.document["accessors"][number]
        view = self.document["bufferViews"][accessor["bufferView"]]
        width = _WIDTHS[accessor["type"]] * _SIZES[accessor["componentType"]]
        if view.get("byteStride", width) != width or accessor.keys() & {"sparse", "extensions"}:
            raise ValueError("not one after the other")
        size = accessor["count"] * width
        content: memoryview = self.parts[accessor["bufferView"]][accessor.get("byteOffset", 0) :][:size]
        if len(content) != size:
            raise ValueError("not all there")
        return content

    def values(self, number: int, *, as_stored: bool = False) -> NDArray[Any]:
        """The numbers of an accessor, (count, width).

        Args:
            number: The accessor's.
            as_stored: Whether parts of 1 may come as the whole numbers that stand for them.

        Raises:
            ValueError: They do not lie one after the other, or are no numbers as they stand.
            LookupError: They are of a kind that no mesh of triangles has, or there are none.
        """
        accessor = self.document["accessors"][number]
        if accessor.get("normalized") and not as_stored:
            raise ValueError("not as they stand")
        found = np.frombuffer(self.content(number), _KINDS[accessor["componentType"]])
        return found.reshape(-1, _WIDTHS[accessor["type"]])

    def added(self, values: NDArray[Any], *, with_extent: bool = False) -> dict[str, Any]:
        """Adds values, (count,) or (count, width), in a view of their own.

        Returns:
            What an accessor of them has.
        """
        target = _INDICES if values.ndim == 1 else _ARRAY
        self.document["bufferViews"].append({"buffer": 0, "byteLength": values.nbytes, "target": target})
        self.parts.append(np.ascontiguousarray(values).data.cast("B"))
        accessor = {
            "bufferView": len(self.parts) - 1,
            "componentType": _NUMBERS[values.dtype],
            "count": len(values),
            "type": _TYPES[values.shape[1] if values.ndim > 1 else 1],
        }
        if with_extent:
            accessor["max"] = [axis.max().item() for axis in values.T]
            accessor["min"] = [axis.min().item() for axis in values.T]
        return accessor

    def write(self, path: Path) -> None:
        """Writes it, without the views that nothing has any more.

        Raises:
            OSError: It cannot be written.
        """
        users = list(_users_of_views(self.document))
        kept = sorted({user["bufferView"] for user in users})
        numbers = {old: new for new, old in enumerate(kept)}
        for user in users:
            user["bufferView"] = numbers[user["bufferView"]]
        views = self.document["bufferViews"]
        pieces: list[memoryview | bytes] = []
        offset = 0
        for old in kept:
            views[old]["byteOffset"] = offset
            padding = -len(self.parts[old]) % 4
            pieces += [self.parts[old], bytes(padding)]
            offset += len(self.parts[old]) + padding
        self.document["bufferViews"] = [views[old] for old in kept]
        self.parts = [self.parts[old] for old in kept]
        self.document["buffers"][0]["byteLength"] = offset
        text = json.dumps(self.document, separators=(",", ":"), allow_nan=False).encode()
        text += b" " * (-len(text) % 4)
        with path.open("wb") as file:
            file.write(struct.pack("<4sIII4s", b"glTF", 2, 28 + len(text) + offset, len(text), _JSON))
            file.write(text)
            file.write(struct.pack("<I4s", offset, _BINARY))
            file.writelines(pieces)


def _users_of_views(node: Any) -> Iterator[dict[str, Any]]:
    """All parts of a document that name a buffer view; notes of its own (``extras``) may say anything."""
    if isinstance(node, dict):
        if "bufferView" in node:
            yield node
        node = [below for name, below in node.items() if name != "extras"]
    for below in node if isinstance(node, list) else ():
        yield from _users_of_views(below)
