"""Zip archives that are the same, byte for byte, whenever and wherever they are made from the same files."""

from __future__ import annotations

import os
import zipfile
from pathlib import Path

_OLDEST = (1980, 1, 1, 0, 0, 0)
_UNIX = 3
_FILE_MODE = 0o100644
_LEVEL = 9


def normalise(archive: Path) -> None:
    """Rewrites an archive in place: members in order of their names, one date, one set of permissions.

    Wheels are stored as they are: they are archives themselves.
    """
    part = archive.with_suffix(".part")
    with zipfile.ZipFile(archive) as source, zipfile.ZipFile(part, "w") as target:
        for name in sorted(name for name in source.namelist() if not name.endswith("/")):
            entry = zipfile.ZipInfo(name, _OLDEST)
            entry.create_system = _UNIX
            entry.external_attr = _FILE_MODE << 16
            entry.compress_type = zipfile.ZIP_STORED if name.endswith(".whl") else zipfile.ZIP_DEFLATED
            target.writestr(entry, source.read(name), compresslevel=_LEVEL)
    os.replace(part, archive)
