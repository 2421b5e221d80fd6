"""The model files that a person names: those that the service takes, and those that Blender makes a GLB of first."""

from __future__ import annotations

import re
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


def split_object(path: str) -> tuple[str, str]:
    """A path and, of ``file.blend:Object``, the name of the object; empty for all other paths."""
    match = _OBJECT_OF_BLEND.fullmatch(path)
    return (match[1], match[2]) if match else (path, "")


def needs_conversion(path: str) -> bool:
    """Whether a model becomes a GLB before it is uploaded."""
    return format_of(split_object(path)[0]) in CONVERTED


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
