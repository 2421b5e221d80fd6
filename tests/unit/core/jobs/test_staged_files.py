"""Files of a press: on this machine first, then in the data folder, whole or not at all, and gone at the end."""

from __future__ import annotations

import errno
import os
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from asset_generation.addon.core.errors import Refused
from asset_generation.addon.core.jobs import staged_files
from asset_generation.addon.core.jobs.job import (
    Delivery,
    JobPlan,
    Snapshot,
    SnapshotObject,
    Source,
    SourceKind,
    StepPlan,
)


@pytest.fixture(autouse=True)
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder for temporary files of the test's own."""
    folder = tmp_path / "tmp"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    return folder


def plan_in(staged: Path) -> JobPlan:
    snapshot = Snapshot((SnapshotObject("Bunny"),), images={"Skin": str(staged / "snapshots" / "a-0.png")})
    source = Source(SourceKind.SELECTION, str(staged / "snapshots" / "a.blend"), snapshot=snapshot)
    fields = {
        "image": str(staged / "images" / "b.png"),
        "files": ["/elsewhere/c.png", str(staged / "images" / "d.png")],
    }
    return JobPlan("Bunny", source, (StepPlan("texture", {**fields, "text": "rust", "seed": 1}),), Delivery())


def staged_plan(staged: Path) -> JobPlan:
    for name in ("snapshots/a.blend", "snapshots/a-0.png", "images/b.png", "images/d.png"):
        (staged / name).parent.mkdir(parents=True, exist_ok=True)
        (staged / name).write_text(name)
    return plan_in(staged)


def test_a_plan_is_read_with_its_files_in_the_data_folder(tmp_path: Path) -> None:
    staged, data = tmp_path / "staged", tmp_path / "data"
    plan, moves = staged_files.with_moved_files(staged_plan(staged), staged, data)
    assert plan == plan_in(data) and plan.steps[0].fields["files"][0] == "/elsewhere/c.png"
    added = staged_files.bring_in(moves)
    assert sorted(added) == sorted(moves.values()) and len(added) == 4
    assert all(target.read_text() == str(target.relative_to(data)) for target in added)
    assert staged_files.bring_in(moves) == [], "what is there is not written again"
    assert not list(data.rglob("*.part"))


def test_a_file_goes_to_another_drive_as_well(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def other_drive(*_: Any) -> None:
        raise OSError(errno.EXDEV, "Invalid cross-device link")

    monkeypatch.setattr(os, "link", other_drive)
    staged, data = tmp_path / "staged", tmp_path / "data"
    _, moves = staged_files.with_moved_files(staged_plan(staged), staged, data)
    assert len(staged_files.bring_in(moves)) == 4
    assert (data / "snapshots" / "a.blend").read_text() == "snapshots/a.blend"


def test_on_a_full_disk_nothing_is_left_and_the_staged_files_stay(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_source: Path, target: Path) -> None:
        target.write_text("half")
        raise OSError(errno.ENOSPC, "No space left on device", str(target))

    staged, data = tmp_path / "staged", tmp_path / "data"
    _, moves = staged_files.with_moved_files(staged_plan(staged), staged, data)
    monkeypatch.setattr(os, "link", _fails_after(1))
    monkeypatch.setattr(staged_files, "_copy", full)
    with pytest.raises(Refused, match="could not be written") as caught:
        staged_files.bring_in(moves)
    assert isinstance(caught.value.__cause__, OSError) and "room" in caught.value.advice
    assert [path for path in data.rglob("*") if path.is_file()] == []
    assert all(path.is_file() for path in moves)


def _fails_after(times: int) -> Callable[..., None]:
    link, done = os.link, [0]

    def linked(source: Path, target: Path) -> None:
        done[0] += 1
        if done[0] > times:
            raise OSError(errno.EXDEV, "Invalid cross-device link")
        link(source, target)

    return linked


def test_the_area_is_private_and_goes_with_its_process(temporary: Path) -> None:
    area = staged_files.StagingArea()
    first, second = area.new_folder(), area.new_folder()
    assert first != second and first.parent == second.parent
    assert first.parent.stat().st_mode & 0o077 == 0
    staged_files.remove_left_behind()
    assert first.is_dir(), "its owner lives"
    area.remove()
    assert list(temporary.iterdir()) == []


def test_what_a_killed_process_left_is_removed(temporary: Path) -> None:
    area = staged_files.StagingArea()
    folder = area.new_folder()
    assert area._owner is not None
    area._owner._file.close()  # as the system does for a process that is killed
    (owner,) = (folder.parent / "owners").iterdir()
    staged_files.remove_left_behind()
    assert folder.is_dir(), "it may be so young that it is about to be locked"
    long_ago = time.time() - 3600
    os.utime(owner, (long_ago, long_ago))
    staged_files.remove_left_behind()
    assert list(temporary.iterdir()) == []


def test_an_area_that_the_system_tidied_up_is_made_again() -> None:
    area = staged_files.StagingArea()
    staged_files.remove_folder(area.new_folder().parent)
    assert area.new_folder().is_dir()
    area.remove()


def test_one_file_of_several_jobs_is_copied_to_another_drive_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    staged, data = tmp_path / "staged", tmp_path / "data"
    staged.mkdir()
    names = ["a.blend", "b.blend", "c.blend"]
    (staged / names[0]).write_text("three models")
    for name in names[1:]:
        os.link(staged / names[0], staged / name)
    (staged / "other.blend").write_text("another one")
    link = os.link

    def same_drive_only(source: Path, target: Path) -> None:
        if Path(source).parent != Path(target).parent:
            raise OSError(errno.EXDEV, "Invalid cross-device link")
        link(source, target)

    monkeypatch.setattr(os, "link", same_drive_only)
    copies = staged_files.Copies()
    for name in [*names, "other.blend"]:  # each by a job of its own
        staged_files.bring_in({staged / name: data / name}, copies)
    assert len({(data / name).stat().st_ino for name in names}) == 1
    assert (data / "other.blend").read_text() == "another one"
    (data / "a.blend").unlink()
    staged_files.bring_in({staged / "b.blend": data / "again.blend"}, copies)
    assert (data / "c.blend").read_text() == (data / "again.blend").read_text() == "three models"
