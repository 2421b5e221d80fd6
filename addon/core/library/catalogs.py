"""The file in which an asset library keeps its catalogs. What the user has in it stays as it is, line for line."""

from __future__ import annotations

import contextlib
import os
import shutil
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from ..errors import NotSaved

FILE_NAME = "blender_assets.cats.txt"
TOP = "Generated"
"""The catalog that has one for each operation in it."""

_NAMESPACE = uuid.UUID("7f0b1f6e-5a3d-5c0c-8a57-2f4c1f0f9c1e")
_VERSION = "VERSION 1"
_HEADER = f"""# This is an Asset Catalog Definition file for Blender.
#
# Empty lines and lines starting with `#` will be ignored.
# The first non-ignored line should be the version indicator.
# Other lines are of the format "UUID:catalog/path/for/assets:simple catalog name"

{_VERSION}

"""


class Catalog(NamedTuple):
    """A catalog: its id, which stays the same when a user renames or moves it, and its path."""

    id: str
    path: str

    @property
    def line(self) -> str:
        """As it stands in the file."""
        return f"{self.id}:{self.path}:{self.path.replace('/', '-')}"


def catalog_of(operation: str, label: str) -> Catalog:
    """The catalog of an operation, the same in every library."""
    safe = label.replace("/", "-").replace(":", "-")
    return Catalog(str(uuid.uuid5(_NAMESPACE, operation)), f"{TOP}/{safe}")


def found_catalog(text: str, wanted: Catalog) -> Catalog | None:
    """What a catalog file has for a catalog: the same id under whatever path the user has given it, else the same path
    under whatever id.
    """
    known = list(_catalogs_in(text))
    same_id = (catalog for catalog in known if catalog.id == wanted.id)
    same_path = (catalog for catalog in known if catalog.path == wanted.path)
    return next(same_id, None) or next(same_path, None)


def with_catalog(text: str, catalog: Catalog) -> str:
    """The text of a catalog file with one more catalog at its end; of a new file where there is no text."""
    if not text.strip():
        return f"{_HEADER}{catalog.line}\n"
    end = "\r\n" if "\r\n" in text else "\n"
    return f"{text}{'' if text.endswith(end) else end}{catalog.line}{end}"


def read(folder: Path) -> str:
    """The text of a library's catalog file; empty where there is none.

    Raises:
        NotSaved: It cannot be read, or is of a form that nobody knows yet: nothing is written into such a library.
    """
    path = folder / FILE_NAME
    try:
        text = path.read_bytes().decode("utf-8")
    except FileNotFoundError:
        return ""
    except (OSError, UnicodeDecodeError) as error:
        raise NotSaved(
            f"The library's file of catalogs, {path}, cannot be read", "Look at it, or move it away"
        ) from error
    versions = [line for line in _lines(text) if line.startswith("VERSION")]
    if text.strip() and versions[:1] != [_VERSION]:
        raise NotSaved(
            f"The library's file of catalogs, {path}, is none that this version can add to",
            "Save into another asset library",
        )
    return text


def add(folder: Path, catalog: Catalog) -> None:
    """Has a library have a catalog. Another program finds the old file or the new one, and never half of one.

    Raises:
        NotSaved: See :func:`read`.
        OSError: It cannot be written.
    """
    text = read(folder)
    if found_catalog(text, catalog) is not None:
        return
    target = (folder / FILE_NAME).resolve()  # it may be a link to where the user keeps it
    part = target.with_name(f".{target.name}.{uuid.uuid4().hex[:8]}.part")
    try:
        with part.open("xb") as file:
            file.write(with_catalog(text, catalog).encode("utf-8"))
            file.flush()
            os.fsync(file.fileno())
        with contextlib.suppress(OSError):
            shutil.copymode(target, part)
        os.replace(part, target)
    finally:
        part.unlink(missing_ok=True)


def _lines(text: str) -> Iterator[str]:
    """The lines that mean something."""
    for line in text.lstrip("\ufeff").splitlines():
        if line.strip() and not line.lstrip().startswith("#"):
            yield line.strip()


def _catalogs_in(text: str) -> Iterator[Catalog]:
    for line in _lines(text):
        parts = line.split(":")
        with contextlib.suppress(ValueError):
            if len(parts) > 1:
                yield Catalog(str(uuid.UUID(parts[0].strip())), parts[1].strip())
