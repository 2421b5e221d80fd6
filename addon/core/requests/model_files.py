"""The model files that a person names: those that the service takes, and those that Blender makes a GLB of first."""

from __future__ import annotations

import json
import re
import struct
from collections.abc import Mapping
from pathlib import Path

from ....vendor.assetgen.contract import MODEL_FORMATS, extension_of, format_of
from ..errors import BadRequest
from .file_checks import check_file

CONVERTED: Mapping[str, frozenset[str]] = {
    "gltf": frozenset({"gltf", "json"}),
    "ply": frozenset({"ply"}),
    "usd": frozenset({"usda", "usdc"}),
    "usda": frozenset({"usda", "usdc"}),
    "usdc": frozenset({"usda", "usdc"}),
    "blend": frozenset({"blend"}),
    "abc": frozenset(),
    "dae": frozenset(),
}
"""File name extensions that Blender opens and the service does not take, each with what the content may be; nothing
where the first bytes do not tell.
"""

READABLE = (*MODEL_FORMATS, *CONVERTED)
"""All file name extensions of models, without their dots."""

_OBJECT_OF_BLEND = re.compile(r"(.+\.blend):([^/\\]+)", re.IGNORECASE | re.DOTALL)
_BLEND_BYTES = (b"BLENDER", b"\x28\xb5\x2f\xfd", b"\x1f\x8b")
"""What a .blend begins with: itself, or what it was compressed with."""

_GLB_HEAD = struct.Struct("<4sIII4s")
_MOST_JSON_BYTES = 64 * 1024 * 1024


def split_object(path: str) -> tuple[str, str]:
    """A path and, of ``file.blend:Object``, the name of the object; empty for all other paths."""
    match = _OBJECT_OF_BLEND.fullmatch(path)
    return (match[1], match[2]) if match else (path, "")


def needs_conversion(path: str) -> bool:
    """Whether a model becomes a GLB before it is uploaded."""
    return format_of(split_object(path)[0]) in CONVERTED


def needs_blender(path: str) -> bool:
    """Whether a Blender has to make a GLB of a model before it is uploaded. Looks into GLB files: not for drawing.

    A GLB may have its pictures in files beside it, as whole packs of models share one; an upload is a single file.
    """
    return needs_conversion(path) or (format_of(path) == "glb" and _refers_to_files(Path(path)))


def _refers_to_files(glb: Path) -> bool:
    """Whether a GLB says that parts of it are in other files; False for what cannot be read, which others refuse."""
    try:
        with glb.expanduser().open("rb") as file:
            magic, _version, _length, json_bytes, kind = _GLB_HEAD.unpack(file.read(_GLB_HEAD.size))
            if magic != b"glTF" or kind != b"JSON" or json_bytes > _MOST_JSON_BYTES:
                return False
            document = json.loads(file.read(json_bytes))
        uris = [entry.get("uri") for name in ("buffers", "images") for entry in document.get(name) or ()]
    except (OSError, struct.error, ValueError, RecursionError, AttributeError, TypeError):
        return False
    return any(isinstance(uri, str) and not uri.lower().startswith("data:") for uri in uris)


def upload_type(path: str) -> str:
    """The format in which a file reaches the service."""
    return "glb" if needs_conversion(path) else format_of(path)


def check_model(path: str, *, field: str = "") -> str:
    """Makes sure that a model can be uploaded, or made a GLB of, and returns its absolute path.

    Args:
        path: As the user gave it; ``file.blend:Object`` for one object of a .blend.
        field: The request's field that the file is for; goes into the error.

    Raises:
        BadRequest: It is missing, unreadable, empty, of another format, or not what its name says.
    """
    if not needs_conversion(path):
        return str(check_file(path, READABLE, field=field))
    name, item = split_object(path)
    file = Path(name).expanduser().absolute()
    extension = format_of(file)
    try:
        content = _content_of(file) if file.stat().st_size else ""
    except FileNotFoundError:
        raise BadRequest(f"There is no file {file}", field) from None
    except OSError as error:
        raise BadRequest(f"{file} cannot be read: {error.strerror or error}", field) from error
    if not content:
        raise BadRequest(f"{file.name} is empty", field)
    if CONVERTED[extension] and content not in CONVERTED[extension]:
        raise BadRequest(f"{file.name} is not a {extension.upper()} file inside, whatever its name says", field)
    return f"{file}:{item}" if item else str(file)


def _content_of(file: Path) -> str:
    with file.open("rb") as opened:
        head = opened.read(8)
    return "blend" if head.startswith(_BLEND_BYTES) else extension_of(file)
