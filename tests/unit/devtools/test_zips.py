from __future__ import annotations

import zipfile
from pathlib import Path

from devtools.packaging.reproducible import normalise


def make_zip(path: Path, names: list[str], date: tuple[int, int, int, int, int, int], mode: int) -> Path:
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("addon/", "")
        for name in names:
            entry = zipfile.ZipInfo(name, date)
            entry.external_attr = mode << 16
            archive.writestr(entry, f"content of {name} " * 50)
    return path


def test_same_files_give_the_same_bytes(tmp_path: Path) -> None:
    names = ["b.py", "addon/a.py", "vendor/wheels/x-1-py3-none-any.whl"]
    one = make_zip(tmp_path / "one.zip", names, (2026, 1, 2, 3, 4, 6), 0o100755)
    other = make_zip(tmp_path / "other.zip", names[::-1], (2020, 1, 1, 0, 0, 0), 0o100600)
    assert one.read_bytes() != other.read_bytes()
    normalise(one)
    normalise(other)
    assert one.read_bytes() == other.read_bytes()


def test_content_is_kept_and_compressed(tmp_path: Path) -> None:
    path = make_zip(tmp_path / "one.zip", ["b.py", "x.whl"], (2026, 1, 2, 3, 4, 6), 0o100755)
    normalise(path)
    with zipfile.ZipFile(path) as archive:
        assert archive.namelist() == ["b.py", "x.whl"]
        assert archive.read("b.py") == b"content of b.py " * 50
        assert archive.getinfo("b.py").compress_type == zipfile.ZIP_DEFLATED
        assert archive.getinfo("x.whl").compress_type == zipfile.ZIP_STORED
    assert list(tmp_path.iterdir()) == [path]


def test_other_content_gives_other_bytes(tmp_path: Path) -> None:
    one = make_zip(tmp_path / "one.zip", ["a.py"], (2026, 1, 2, 3, 4, 6), 0o100644)
    other = make_zip(tmp_path / "other.zip", ["b.py"], (2026, 1, 2, 3, 4, 6), 0o100644)
    normalise(one)
    normalise(other)
    assert one.read_bytes() != other.read_bytes()
