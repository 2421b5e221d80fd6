from __future__ import annotations

import io
import zipfile
from pathlib import Path

import pytest
from asset_generation.addon.core.errors import BrokenResult
from asset_generation.addon.core.stages import zip_files

_NAME = "model.obj"
_HEAD = 30  # bytes of the header before an entry's name


def archive_of(content: bytes, kind: int) -> bytearray:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", kind) as file:
        file.writestr(_NAME, content)
    return bytearray(stream.getvalue())


@pytest.mark.parametrize("kind", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_a_damaged_member_is_told_in_a_sentence(tmp_path: Path, kind: int) -> None:
    archive = tmp_path / "model.zip"
    data = archive_of(bytes(range(256)) * 40, kind)
    archive.write_bytes(data)
    assert zip_files.unpack(archive).stat().st_size == 256 * 40
    begin = _HEAD + len(_NAME)
    data[begin : begin + 60] = b"\xff" * 60
    archive.write_bytes(data)
    with pytest.raises(BrokenResult, match="cannot be unpacked"):
        zip_files.unpack(archive)


def test_an_encrypted_member_is_told_in_a_sentence(tmp_path: Path) -> None:
    data = archive_of(b"v 0 0 0", zipfile.ZIP_STORED)
    for mark, flags in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        data[data.index(mark) + flags] |= 1
    (tmp_path / "model.zip").write_bytes(data)
    with pytest.raises(BrokenResult, match="cannot be unpacked"):
        zip_files.unpack(tmp_path / "model.zip")
