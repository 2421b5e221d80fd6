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


def archive(tmp_path: Path, **files: bytes | str) -> Path:
    path = tmp_path / "model.zip"
    with zipfile.ZipFile(path, "w") as file:
        for name, content in files.items():
            file.writestr(name.replace("__", "/").replace("_dot_", "."), content)
    return path


def test_the_model_is_found_with_its_companions(tmp_path: Path) -> None:
    found = zip_files.unpack(archive(tmp_path, model__a_dot_obj=b"v 0 0 0", model__a_dot_mtl=b"x", readme_dot_txt=b"x"))
    assert found.name == "a.obj"
    assert found.with_suffix(".mtl").exists()
    assert not list(tmp_path.rglob("readme.txt"))


def test_what_is_no_archive_or_has_no_model_is_broken(tmp_path: Path) -> None:
    path = tmp_path / "model.zip"
    path.write_bytes(b"PK\x03\x04 not really")
    with pytest.raises(BrokenResult, match="cannot be unpacked"):
        zip_files.unpack(path)
    with pytest.raises(BrokenResult, match="no model"):
        zip_files.unpack(archive(tmp_path, a_dot_png=b"x"))


def test_nothing_is_written_outside_the_folder(tmp_path: Path) -> None:
    inner = tmp_path / "inner"
    inner.mkdir()
    path = inner / "model.zip"
    with zipfile.ZipFile(path, "w") as file:
        file.writestr("../../escaped.glb", b"x")
    with pytest.raises(BrokenResult, match="outside its folder"):
        zip_files.unpack(path)
    assert not (tmp_path / "escaped.glb").exists()
