"""Whether an uploaded file is one that the API takes, told by its content (API section 4.9)."""

from __future__ import annotations

import struct
import zipfile
from pathlib import Path

from ..assetgen.contract import IMAGE_FORMATS, MODEL_FORMATS

_HEAD_BYTES = 64 * 1024
_STL_HEADER = struct.Struct("<80xI")
_STL_TRIANGLE_BYTES = 50
_MAGIC: tuple[tuple[bytes, str], ...] = (
    (b"glTF", "glb"),
    (b"Kaydara FBX Binary", "fbx"),
    (b"; FBX", "fbx"),
    (b"\x89PNG\r\n\x1a\n", "png"),
    (b"\xff\xd8\xff", "jpg"),
    (b"BM", "bmp"),
    (b"II*\x00", "tiff"),
    (b"MM\x00*", "tiff"),
)
_OBJ_WORDS = frozenset({b"v", b"vn", b"vt", b"f", b"o", b"g", b"s", b"mtllib", b"usemtl"})


def recognise(path: Path, name: str = "") -> str:
    """The format of a file, as an extension; empty when the API does not take it.

    Args:
        path: The file.
        name: What the client calls it: decides only where the content leaves it open.
    """
    with path.open("rb") as file:
        head = file.read(_HEAD_BYTES)
    for magic, file_format in _MAGIC:
        if head.startswith(magic):
            return file_format
    if head[:4] == b"RIFF" and head[8:12] == b"WEBP":
        return "webp"
    if head.startswith(b"PK\x03\x04"):
        return _of_archive(path)
    if _is_binary_stl(head, path.stat().st_size):
        return "stl"
    return _of_text(head, name)


def is_model(file_format: str) -> bool:
    """Whether a format is one of a model."""
    return file_format in MODEL_FORMATS


def is_image(file_format: str) -> bool:
    """Whether a format is one of an image."""
    return file_format in IMAGE_FORMATS


def _of_archive(path: Path) -> str:
    try:
        with zipfile.ZipFile(path) as archive:
            names = [name.lower() for name in archive.namelist()]
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError):
        return ""
    if any(name.endswith(".model") for name in names):
        return "3mf"
    # The first entry of a USDZ is the scene itself.
    return "usdz" if names and names[0].endswith((".usd", ".usda", ".usdc")) else ""


def _is_binary_stl(head: bytes, size: int) -> bool:
    # Begins with any 80 bytes, often with "solid" like a text one, so only the size is sure.
    if len(head) < _STL_HEADER.size:
        return False
    triangles: int = _STL_HEADER.unpack_from(head)[0]
    return triangles > 0 and size == _STL_HEADER.size + triangles * _STL_TRIANGLE_BYTES


def _of_text(head: bytes, name: str) -> str:
    if b"\x00" in head:
        return ""
    if head.lstrip()[:5].lower() == b"solid" and b"facet" in head:
        return "stl"
    lines = [line.split() for line in head.splitlines()]
    words = [line[0] for line in lines if line and not line[0].startswith(b"#")]
    if not words:  # nothing but comments so far
        return "obj" if head and name.lower().endswith(".obj") else ""
    return "obj" if words[0] in _OBJ_WORDS else ""
