"""Unpacks a result that came as a ZIP, trusting nothing in it."""

from __future__ import annotations

import errno
import io
import lzma
import re
import shutil
import struct
import zipfile
import zlib
from pathlib import Path, PurePosixPath

from ..errors import BrokenResult

MODELS = (".glb", ".gltf", ".fbx", ".obj", ".stl", ".ply", ".usdz", ".usd", ".usda", ".usdc", ".3mf")
_COMPANIONS = frozenset(
    {".bin", ".mtl", ".png", ".jpg", ".jpeg", ".webp", ".bmp", ".tga", ".tif", ".tiff", ".exr", ".hdr"}
)
_MAX_BYTES = 4 * 1024**3
_MAX_ENTRIES = 2000
_MAX_PIECE = 4 * 1024**2
"""What is read of an archive at once: its directory, above all, of which every entry takes ten times its size."""

_ANY_RATIO_BYTES = 256 * 1024**2
_MAX_RATIO = 100
"""An archive may unpack to so many times its own size, and to that many bytes in any case."""

_DAMAGED = (
    zipfile.BadZipFile,
    zlib.error,
    lzma.LZMAError,
    struct.error,
    EOFError,
    RuntimeError,
    ValueError,
    OverflowError,
    MemoryError,
)
"""What zipfile raises on damaged archives; RuntimeError on encrypted ones, ValueError on names that are no text."""

_BAD_NAMES = frozenset({errno.ENAMETOOLONG, errno.EISDIR, errno.ENOTDIR, errno.EEXIST, errno.ENOENT, errno.EINVAL})
"""What the system says of names that it cannot give to a file, or that are a file and a folder at once."""

_UNUSABLE = re.compile(
    r"[\x00-\x1f<>:\"|?*]|[^.][. ]+$|^(?:con|prn|aux|nul|com\d|lpt\d|conin\$|conout\$) *(?:\.|$)", re.I
)
"""In a part of a name: Windows takes it for something else than a file. Companions with it are left out everywhere."""


class _Archive(io.FileIO):
    """An archive that is not read in larger pieces than a good one needs."""

    def read(self, size: int | None = -1, /) -> bytes:
        """The next bytes.

        Raises:
            BrokenResult: They are too many.
        """
        if size is not None and size > _MAX_PIECE:
            raise BrokenResult(_TOO_LARGE)
        return super().read(-1 if size is None else size) or b""


_TOO_LARGE = "The archive that came back is too large to be unpacked"


def unpacked_folder(archive: Path) -> Path:
    """Where the files of an archive come to lie."""
    return archive.with_name(archive.stem + "-files")


def unpack(archive: Path) -> Path:
    """Unpacks next to the archive and returns the model in it.

    Raises:
        BrokenResult: It cannot be unpacked, or there is no model in it.
        OSError: There is no room.
    """
    paths = extract(archive, unpacked_folder(archive))
    for suffix in MODELS:
        for path in sorted(paths):
            if path.suffix.lower() == suffix:
                return path
    raise BrokenResult("The archive that came back has no model in it")


def extract(archive: Path, folder: Path) -> list[Path]:
    """Unpacks models and what belongs to them into ``folder``, made anew; returns their paths in the archive's order.

    Raises:
        BrokenResult: It cannot be unpacked.
        OSError: There is no room.
    """
    shutil.rmtree(folder, ignore_errors=True)
    try:
        with _Archive(archive) as stream, zipfile.ZipFile(stream) as file:
            entries = _entries(file, archive.stat().st_size)
            return [_extract(file, entry, folder / name) for name, entry in entries.items()]
    except _DAMAGED as error:
        raise BrokenResult(f"The archive that came back cannot be unpacked: {error}") from error
    except OSError as error:
        if error.errno is not None and error.errno not in _BAD_NAMES:
            raise
        # bz2 says so of a damaged stream, without a number
        raise BrokenResult(f"The archive that came back cannot be unpacked: {error}") from error


def _entries(file: zipfile.ZipFile, archive_bytes: int) -> dict[str, zipfile.ZipInfo]:
    """What is to be unpacked, by the path that it gets, from the folder."""
    suffixes = {*MODELS, *_COMPANIONS}
    entries = {
        name: entry
        for entry in file.infolist()
        if not (name := entry.filename.replace("\\", "/")).endswith("/")
        and PurePosixPath(name).suffix.lower() in suffixes
        and not any(map(_UNUSABLE.search, PurePosixPath(name).parts))
    }
    most_bytes = min(_MAX_BYTES, max(_ANY_RATIO_BYTES, _MAX_RATIO * archive_bytes))
    if len(entries) > _MAX_ENTRIES or sum(entry.file_size for entry in entries.values()) > most_bytes:
        raise BrokenResult(_TOO_LARGE)
    if any(name.startswith("/") or ".." in PurePosixPath(name).parts for name in entries):
        raise BrokenResult("The archive that came back wants to write outside its folder")
    return entries


def _extract(file: zipfile.ZipFile, entry: zipfile.ZipInfo, target: Path) -> Path:
    target.parent.mkdir(parents=True, exist_ok=True)
    with file.open(entry) as source, target.open("wb") as sink:
        shutil.copyfileobj(source, sink)  # zipfile itself stops at the size that the entry declares
    return target
