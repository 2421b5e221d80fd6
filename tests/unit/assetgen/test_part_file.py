"""A download's file: there whole or not at all."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest
from asset_generation.vendor.assetgen import DiskError, DownloadError
from asset_generation.vendor.assetgen.part_file import PartFile


def as_glb(path: Path) -> str:
    return "glb"


def test_it_has_its_name_only_when_it_is_kept(tmp_path: Path) -> None:
    folder = tmp_path / "new" / "folder"
    with PartFile(folder, "model") as file:
        file.write(b"half")
        assert [path.name for path in folder.iterdir()] != ["model.glb"]
        file.write(b" done")
        assert file.size == 9
        assert file.keep(as_glb) == folder / "model.glb"
    assert [path.name for path in folder.iterdir()] == ["model.glb"]
    assert (folder / "model.glb").read_bytes() == b"half done"


def test_nothing_stays_when_it_is_not_kept(tmp_path: Path) -> None:
    with pytest.raises(KeyboardInterrupt), PartFile(tmp_path, "model") as file:
        file.write(b"half")
        raise KeyboardInterrupt
    assert not list(tmp_path.iterdir())


def test_a_refused_content_leaves_an_older_file_alone(tmp_path: Path) -> None:
    (tmp_path / "model.glb").write_bytes(b"older")

    def refuse(path: Path) -> str:
        raise DownloadError(f"refused {path.read_bytes()!r}")

    with pytest.raises(DownloadError, match="refused b'new'"), PartFile(tmp_path, "model") as file:
        file.write(b"new")
        file.keep(refuse)
    assert [path.read_bytes() for path in tmp_path.iterdir()] == [b"older"]


def test_a_restart_forgets_what_was_written(tmp_path: Path) -> None:
    with PartFile(tmp_path, "model") as file:
        file.write(b"a long wrong beginning")
        file.restart()
        assert file.size == 0
        file.write(b"right")
        assert file.keep(as_glb).read_bytes() == b"right"


def test_two_downloads_of_one_name_do_not_meet(tmp_path: Path) -> None:
    with PartFile(tmp_path, "model") as one, PartFile(tmp_path, "model") as other:
        one.write(b"one")
        other.write(b"other")
        assert one.keep(as_glb).read_bytes() == b"one"
        assert other.keep(as_glb).read_bytes() == b"other"


@pytest.mark.parametrize("name", ["", ".", "..", "a/b", "../a", "/abs", "a\\b", "nul\x00"])
def test_a_name_cannot_lead_elsewhere(tmp_path: Path, name: str) -> None:
    with pytest.raises(ValueError, match="not a plain file name"):
        PartFile(tmp_path, name)
    assert not list(tmp_path.iterdir())


def test_too_little_room_is_known_before_anything_is_fetched(tmp_path: Path) -> None:
    free = shutil.disk_usage(tmp_path).free
    with PartFile(tmp_path, "model") as file:
        file.make_room(1)
        with pytest.raises(DiskError, match=r"too full: .* MB are needed and .* MB are free"):
            file.make_room(free * 2)


@pytest.mark.skipif(os.name == "nt", reason="needs a limit on file sizes, which Windows lacks")
def test_a_disk_that_is_full_after_all_is_a_clear_error_and_leaves_nothing(tmp_path: Path) -> None:
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (300_000, hard))
    try:
        with pytest.raises(DiskError, match="could not write to") as caught, PartFile(tmp_path, "model") as file:
            for _ in range(10):
                file.write(bytes(100_000))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert isinstance(caught.value.__cause__, OSError)
    assert not list(tmp_path.iterdir())


def test_a_folder_that_cannot_be_made_is_a_clear_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"in the way")
    with pytest.raises(DiskError, match="could not write to"):
        PartFile(tmp_path / "file" / "folder", "model")
