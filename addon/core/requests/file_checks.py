"""Is this file what its name says? Asked before anything is uploaded."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from ....vendor.assetgen.contract import format_of, upload_format
from ..errors import BadRequest

_SAME = {"jpeg": "jpg"}


def check_file(path: str, formats: Iterable[str], *, field: str = "") -> Path:
    """Makes sure that a file can be uploaded, and returns its absolute path.

    Args:
        path: As the user gave it.
        formats: File name extensions that are taken, lower case, without a dot.
        field: The request's field that the file is for; goes into the error.

    Raises:
        BadRequest: It is missing, unreadable, empty, of another format, or not what its name says.
    """
    formats = tuple(formats)
    if not path:
        raise BadRequest("The path of a file is missing", field)
    if path.startswith("http://"):
        raise BadRequest(f"{path} is not fetched by the service: only https addresses are", field)
    file = Path(path).expanduser().absolute()
    extension = format_of(file)
    if extension not in formats:
        kind = f"a .{extension} file" if extension else "a file without an extension"
        raise BadRequest(f"{file.name or path!r} is {kind}; this takes {', '.join(formats)}", field)
    try:
        size = file.stat().st_size
        content_format = upload_format(file, file.name) if size else ""
    except FileNotFoundError:
        raise BadRequest(f"There is no file {file}", field) from None
    except OSError as error:
        raise BadRequest(f"{file} cannot be read: {error.strerror or error}", field) from error
    if size == 0:
        raise BadRequest(f"{file.name} is empty", field)
    if content_format != _SAME.get(extension, extension):
        raise BadRequest(f"{file.name} is not a {extension.upper()} file inside, whatever its name says", field)
    return file


def is_below(path: str, folder: Path | None) -> bool:
    """Whether a path leads into a folder, told without a look at the disk; False when there is no folder."""
    return folder is not None and Path(path).expanduser().absolute().is_relative_to(folder)
