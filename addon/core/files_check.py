"""Is this file what its name says? Asked before anything is uploaded."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

from .errors import BadRequest

_HEAD_BYTES = 512
_MEGABYTE = 1024 * 1024


def _starts(*beginnings: bytes) -> Callable[[bytes], bool]:
    return lambda head: head.startswith(beginnings)


def _is_webp(head: bytes) -> bool:
    return head[:4] == b"RIFF" and head[8:12] == b"WEBP"


def _is_text(head: bytes) -> bool:
    return b"\0" not in head


def _is_stl(head: bytes) -> bool:
    # A binary STL begins with 80 free bytes, so there is nothing to recognise but its length.
    return len(head) >= 84 or head.lstrip().startswith(b"solid")


def _is_fbx(head: bytes) -> bool:
    return head.startswith(b"Kaydara FBX Binary") or (_is_text(head) and b"FBX" in head)


_ZIP = _starts(b"PK\x03\x04")
_JPEG = _starts(b"\xff\xd8\xff")
_LOOKS_LIKE: dict[str, Callable[[bytes], bool]] = {
    "png": _starts(b"\x89PNG\r\n\x1a\n"),
    "jpg": _JPEG,
    "jpeg": _JPEG,
    "webp": _is_webp,
    "bmp": _starts(b"BM"),
    "tiff": _starts(b"II*\0", b"MM\0*"),
    "glb": _starts(b"glTF"),
    "fbx": _is_fbx,
    "obj": _is_text,
    "stl": _is_stl,
    "3mf": _ZIP,
    "usdz": _ZIP,
}


def check_file(path: str, formats: Iterable[str], *, field: str = "", max_bytes: int | None = None) -> Path:
    """Makes sure that a file can be uploaded, and returns its absolute path.

    Args:
        path: As the user gave it.
        formats: File name extensions that are taken, lower case, without a dot.
        field: The request's field that the file is for; goes into the error.
        max_bytes: The largest file that is taken; any when left out, since only the service knows what it takes.

    Raises:
        BadRequest: It is missing, unreadable, empty, too large, of another format, or not what its name says.
    """
    formats = tuple(formats)
    file = Path(path).expanduser().absolute()
    extension = file.suffix.lower().lstrip(".")
    if extension not in formats:
        kind = f"a .{extension} file" if extension else "a file without an extension"
        raise BadRequest(f"{file.name or path!r} is {kind}; this takes {', '.join(formats)}", field)
    try:
        size = file.stat().st_size
        with file.open("rb") as stream:
            head = stream.read(_HEAD_BYTES)
    except FileNotFoundError:
        raise BadRequest(f"There is no file {file}", field) from None
    except OSError as error:
        raise BadRequest(f"{file} cannot be read: {error.strerror or error}", field) from error
    if size == 0:
        raise BadRequest(f"{file.name} is empty", field)
    if max_bytes is not None and size > max_bytes:
        raise BadRequest(
            f"{file.name} has {size / _MEGABYTE:.0f} MB; the service takes up to {max_bytes // _MEGABYTE} MB",
            field,
            "Decimate the model or shrink its textures first",
        )
    looks_right = _LOOKS_LIKE.get(extension)
    if looks_right is not None and not looks_right(head):
        raise BadRequest(f"{file.name} is not a {extension.upper()} file inside, whatever its name says", field)
    return file
