"""Small but real files: models and images that say whose they are."""

from __future__ import annotations

import hashlib
import json
import struct
import zlib


def glb(words: str) -> bytes:
    """A GLB of one triangle with ``words`` in it."""
    positions = struct.pack("<9f", 0, 0, 0, 1, 0, 0, 0, 1, 0)
    document = {
        "asset": {"version": "2.0", "extras": {"words": words}},
        "scene": 0,
        "scenes": [{"nodes": [0]}],
        "nodes": [{"mesh": 0}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0}}]}],
        "accessors": [
            {"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3", "min": [0, 0, 0], "max": [1, 1, 0]}
        ],
        "bufferViews": [{"buffer": 0, "byteLength": len(positions)}],
        "buffers": [{"byteLength": len(positions)}],
    }
    text = json.dumps(document).encode()
    text += b" " * (-len(text) % 4)
    chunks = struct.pack("<I4s", len(text), b"JSON") + text + struct.pack("<I4s", len(positions), b"BIN\0") + positions
    return struct.pack("<4sII", b"glTF", 2, 12 + len(chunks)) + chunks


def png(words: str) -> bytes:
    """A PNG of one pixel with ``words`` in it."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = struct.pack(">IIBBBBB", 1, 1, 8, 2, 0, 0, 0)
    text = b"Comment\0" + words.encode("latin-1", "replace")
    pixel = zlib.compress(b"\0\xff\x80\0")
    return (
        b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"tEXt", text) + chunk(b"IDAT", pixel) + chunk(b"IEND", b"")
    )


def words_of(content: bytes) -> str:
    """The words in a file that :func:`glb` or :func:`png` made; empty where there are none."""
    if content.startswith(b"glTF"):
        (length,) = struct.unpack_from("<I", content, 12)
        return str(json.loads(content[20 : 20 + length])["asset"].get("extras", {}).get("words", ""))
    _, found, rest = content.partition(b"tEXtComment\0")
    return (
        rest[: struct.unpack(">I", content[content.index(b"tEXt") - 4 :][:4])[0] - 8].decode("latin-1") if found else ""
    )


def digest(content: bytes) -> str:
    """What two equal files have in common."""
    return hashlib.sha256(content).hexdigest()
