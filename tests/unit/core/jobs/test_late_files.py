"""Files that a thread writes after the press."""

from __future__ import annotations

import shutil
import threading
from pathlib import Path

import pytest
from asset_generation.addon.core.errors import Refused
from asset_generation.addon.core.jobs.late_files import LateFiles


def test_whoever_waits_finds_the_files_of_his_folder(tmp_path: Path) -> None:
    files, go_on = LateFiles(), threading.Event()

    def write(path: Path) -> None:
        assert go_on.wait(10)
        path.write_text(threading.current_thread().name)

    mine, other = tmp_path / "mine", tmp_path / "other"
    for folder in (mine, other):
        folder.mkdir()
    files.add(mine / "a", 1, write)
    files.add(mine / "b", 1, write)
    files.wait_for(other)  # nothing of it is under way
    assert not list(mine.iterdir())
    go_on.set()
    files.wait_for(mine)
    assert {path.name for path in mine.iterdir()} == {"a", "b"}
    assert (mine / "a").read_text() != threading.current_thread().name


def test_one_that_cannot_be_written_is_told_to_its_job_and_to_no_other(tmp_path: Path) -> None:
    files = LateFiles()
    mine, other = tmp_path / "mine", tmp_path / "other"
    for folder in (mine, other):
        folder.mkdir()

    def fail(_path: Path) -> None:
        raise OSError(28, "No space left on device")

    files.add(mine / "a.png", 1, fail)
    files.add(other / "a.png", 1, lambda path: path.touch())
    for _ in range(2):  # also when it is tried again
        with pytest.raises(Refused, match=r"a\.png .*: No space left on device"):
            files.wait_for(mine)
    files.wait_for(other)
    shutil.rmtree(mine)
    files.add(other / "b.png", 1, lambda path: path.touch())
    files.wait_for(other)
    files.wait_for(mine)  # the job was given up


def test_whoever_has_one_written_is_told_how_that_ended(tmp_path: Path) -> None:
    files = LateFiles()

    def fail(_path: Path) -> None:
        raise OSError(28, "No space left on device")

    assert files.add(tmp_path / "a", 1, lambda path: path.touch()).result(10) == tmp_path / "a"
    assert files.add(tmp_path / "b", 1, lambda path: path.with_name("content")).result(10) == tmp_path / "content"
    with pytest.raises(OSError, match="No space left"):
        files.add(tmp_path / "c", 1, fail).result(10)


def test_who_wants_more_memory_than_there_is_waits_before_taking_it(tmp_path: Path) -> None:
    files, go_on, waited = LateFiles(most_bytes=10), threading.Event(), threading.Event()
    assert files.has_room(50), "one always goes"
    files.add(tmp_path / "a", 50, lambda path: path.touch() if go_on.wait(10) else None)

    def wait() -> None:
        files.wait_for_room(6)
        waited.set()

    threading.Thread(target=wait, daemon=True).start()
    assert not waited.wait(0.2) and not files.has_room(6)
    files.add(tmp_path / "b", 6, lambda path: path.touch())  # what is held already does not wait
    go_on.set()
    assert waited.wait(10)
    files.wait_for(tmp_path)
    assert (tmp_path / "b").exists() and files.has_room(50)


def test_a_file_can_be_named_after_what_is_in_it(tmp_path: Path) -> None:
    files, go_on = LateFiles(), threading.Event()

    def write(path: Path) -> Path:
        assert go_on.wait(10)
        named = path.with_name("content")
        named.touch()
        return named

    asked = tmp_path / "a"
    assert not files.is_late(asked)
    files.add(asked, 1, write)
    assert files.is_late(asked)
    go_on.set()
    for _ in range(2):  # a job that could not be entered is tried again
        assert files.wait_for(tmp_path) == {asked: tmp_path / "content"}
    assert files.is_late(asked), "it never comes under that name"
    assert files.wait_for(tmp_path / "other") == {}
