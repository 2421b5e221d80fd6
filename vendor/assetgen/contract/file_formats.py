"""The formats of files, told by their content: downloads, uploads and the local engine ask here.

Names and content types come from the other side and are not relied on, except where the content leaves it open.
"""

from __future__ import annotations

import struct
import zipfile
from pathlib import Path

IMAGE_FORMATS = ("png", "jpg", "jpeg", "webp", "bmp", "tiff")
"""File name extensions of images that the service takes."""

MODEL_FORMATS = ("glb", "obj", "fbx", "stl", "3mf", "usdz")
"""File name extensions of models that the service takes."""

UNKNOWN = "bin"
"""Extension of a file whose kind is not recognised. No program opens it by itself."""

WEB_PAGE = "html"

_HEAD_BYTES = 16 * 1024
_STL_HEADER = struct.Struct("<80xI")
_STL_TRIANGLE_BYTES = 50
_OBJ_WORDS = frozenset({"v", "vn", "vt", "vp", "f", "o", "g", "s", "l", "p", "mtllib", "usemtl"})
_OBJ_NUMBERS = frozenset({"v", "vn", "vt", "vp"})

_MAGIC: tuple[tuple[bytes, str], ...] = (
    (b"glTF", "glb"),
    (b"Kaydara FBX Binary  \x00", "fbx"),
    (b"; FBX ", "fbx"),
    (b"\x89PNG\r\n\x1a\n", "png"),
    (b"\xff\xd8\xff", "jpg"),
    (b"BM", "bmp"),
    (b"GIF8", "gif"),
    (b"II*\x00", "tiff"),
    (b"MM\x00*", "tiff"),
    (b"v/1\x01", "exr"),
    (b"#?RADIANCE", "hdr"),
    (b"PXR-USDC", "usdc"),
    (b"#usda", "usda"),
    (b"ply\n", "ply"),
    (b"ply\r\n", "ply"),
    (b"\x1aE\xdf\xa3", "webm"),
)
"""First bytes and the extension that they mean."""


def format_of(file: str | Path) -> str:
    """The format of a file by the extension of its name, as the API writes it: ``tiff`` also for ``scan.TIF``."""
    extension = Path(file).suffix.lower().lstrip(".")
    return {"tif": "tiff"}.get(extension, extension)


def extension_of(path: Path) -> str:
    """The extension, without its dot, that fits the file's content; ``bin`` when nothing known fits.

    Raises:
        OSError: The file cannot be read.
    """
    with path.open("rb") as file:
        head = file.read(_HEAD_BYTES)
    for magic, extension in _MAGIC:
        if head.startswith(magic):
            return extension
    if head.startswith(b"PK\x03\x04"):
        return _of_archive(path)
    if head[:4] == b"RIFF" and head[8:12] == b"WEBP":
        return "webp"
    if head[4:8] == b"ftyp":
        return "mp4"
    # A binary STL begins with any 80 bytes, often with "solid" like a text one; only its size is sure.
    if len(head) >= _STL_HEADER.size:
        (triangles,) = _STL_HEADER.unpack_from(head)
        if triangles and path.stat().st_size == _STL_HEADER.size + triangles * _STL_TRIANGLE_BYTES:
            return "stl"
    return _of_text(head)


def upload_format(path: Path, name: str) -> str:
    """The format of an upload, as the extension of one that the API takes; empty when it is none of them.

    Args:
        path: The file.
        name: What it is called: it decides where the content says little, as in an STL with bytes behind its end.

    Raises:
        OSError: The file cannot be read.
    """
    actual = extension_of(path)
    claimed = format_of(name)
    if actual == UNKNOWN and _could_be(claimed, path):
        return claimed
    return actual if actual in (*IMAGE_FORMATS, *MODEL_FORMATS) else ""


def _could_be(claimed: str, path: Path) -> bool:
    """Whether a file of no known kind can be what its name says: OBJ and STL have no first bytes of their own."""
    with path.open("rb") as file:
        head = file.read(_HEAD_BYTES)
    if claimed == "stl" and len(head) >= _STL_HEADER.size:
        (triangles,) = _STL_HEADER.unpack_from(head)
        return bool(triangles) and path.stat().st_size >= _STL_HEADER.size + triangles * _STL_TRIANGLE_BYTES
    if claimed == "obj" and head and b"\0" not in head:
        rows = [line.split() for line in head.decode("utf-8-sig", errors="replace").splitlines()]
        words = [row[0] for row in rows if row and not row[0].startswith("#")]
        return not words or words[0] in _OBJ_WORDS
    return False


def _of_archive(path: Path) -> str:
    try:
        with zipfile.ZipFile(path) as archive:
            names = archive.namelist()
    except (zipfile.BadZipFile, NotImplementedError, UnicodeDecodeError):
        return UNKNOWN
    if any(name.lower().endswith(".model") and name.lower().startswith("3d/") for name in names):
        return "3mf"
    # The first file of a USDZ is its scene.
    if names and names[0].lower().endswith((".usdc", ".usda", ".usd")):
        return "usdz"
    return "zip"


def _of_text(head: bytes) -> str:
    if b"\x00" in head:
        return UNKNOWN
    text = head.decode("utf-8-sig", errors="replace").lstrip()
    lower = text.lower()
    if lower.startswith(("<!doctype html", "<html")):
        return WEB_PAGE
    if text.startswith("{"):
        return "gltf" if '"asset"' in text or '"buffers"' in text or '"scene' in text else "json"
    if lower.startswith("solid") and "facet" in lower:
        return "stl"
    return "obj" if _is_obj(text, cut=len(head) == _HEAD_BYTES) else UNKNOWN


def _is_obj(text: str, *, cut: bool) -> bool:
    """Whether all lines are ones of an OBJ; ``cut`` says that the last one may be half a line."""
    lines = text.splitlines()[:-1] if cut else text.splitlines()
    rows = [line.split() for line in lines if line.strip() and not line.lstrip().startswith("#")]
    return bool(rows) and all(row[0] in _OBJ_WORDS and _fits(row) for row in rows)


def _fits(row: list[str]) -> bool:
    if row[0] not in _OBJ_NUMBERS:
        return True
    try:
        return len([float(number) for number in row[1:]]) > 1
    except ValueError:
        return False
