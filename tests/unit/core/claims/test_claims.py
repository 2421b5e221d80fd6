"""Claims on a shared drive: one winner, no clock but the drive's, and nothing that was begun is overwritten."""

from __future__ import annotations

import os
import stat
import sys
import threading
import time
from pathlib import Path

import pytest
from asset_generation.addon.core.claims import begun, claim_file
from asset_generation.addon.core.claims.begun import Begun, BegunStep
from asset_generation.addon.core.claims.shared_clock import SharedClock


def test_of_many_who_claim_at_once_one_wins(tmp_path: Path) -> None:
    won: list[str] = []
    gate = threading.Barrier(8)

    def claim(name: str) -> None:
        gate.wait()
        if claim_file.make(tmp_path / "row", 1, name, "owner") is not None:
            won.append(name)

    threads = [threading.Thread(target=claim, args=(f"job-{number}",)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    last = claim_file.latest(tmp_path / "row")
    assert last is not None
    assert won == [last.job_id]


def test_a_claim_that_was_overtaken_shows_no_life_and_cannot_take_the_new_one_away(tmp_path: Path) -> None:
    ours = claim_file.make(tmp_path, 1, "ours", "a")
    assert ours is not None
    assert claim_file.touch(tmp_path, ours)
    theirs = claim_file.make(tmp_path, 2, "theirs", "b")
    assert theirs is not None
    assert not claim_file.touch(tmp_path, ours)
    claim_file.give_back(tmp_path, ours)
    assert claim_file.latest(tmp_path) == theirs
    claim_file.give_back(tmp_path, theirs)
    assert claim_file.latest(tmp_path) is None
    assert list(tmp_path.iterdir()) == []


def test_a_claim_whose_owner_died_over_writing_it_is_somebodys(tmp_path: Path) -> None:
    (tmp_path / ".claim-3").touch()
    last = claim_file.latest(tmp_path)
    assert last == claim_file.Claim(3, "")
    assert claim_file.make(tmp_path, 3, "other", "b") is None


def test_the_time_is_the_drives_whatever_this_computer_believes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    true_time = time.time()
    monkeypatch.setattr(time, "time", lambda: true_time + 86400.0)
    clock = SharedClock(tmp_path / "clocks" / "ours")
    claim = claim_file.make(tmp_path, 1, "job", "a")
    assert claim is not None
    touched = claim_file.touched_at(tmp_path, claim)
    assert touched is not None
    assert abs(clock.now() - touched) < 5.0
    os.utime(claim.path(tmp_path), (touched - 500, touched - 500))
    assert 495 < clock.now() - (claim_file.touched_at(tmp_path, claim) or 0) < 505
    clock.close()
    assert list((tmp_path / "clocks").iterdir()) == []


def test_what_was_begun_is_read_back_and_the_farthest_counts(tmp_path: Path) -> None:
    assert begun.read(tmp_path / "none") is None
    first = Begun("first", "host", "asked", (BegunStep("import_model", "r1", "m1"),))
    begun.write(tmp_path, first, safely=True)
    found = begun.read(tmp_path)
    assert found is not None
    assert found._replace(written_at=0.0) == first
    farther = Begun("second", "host", "asked", (BegunStep("import_model", "", "m1", task_id="t1"),))
    begun.write(tmp_path, farther, safely=False)
    begun.write(tmp_path, first, safely=True)  # who wakes up late writes again, and overwrites nothing
    found = begun.read(tmp_path)
    assert found is not None
    assert (found.job_id, found.steps[0].task_id) == ("second", "t1")
    begun.forget(tmp_path, "second")
    found = begun.read(tmp_path)
    assert found is not None
    assert found.job_id == "first"
    begun.forget(tmp_path)
    assert begun.read(tmp_path) is None


def test_a_damaged_note_is_no_reason_to_pay_again(tmp_path: Path) -> None:
    (tmp_path / ".begun-x.json").write_text('{"job": "x"')
    with pytest.raises(ValueError, match="nobody can tell what was paid for"):
        begun.read(tmp_path)


@pytest.mark.skipif(sys.platform == "win32", reason="folders cannot be put on the disk there by themselves")
def test_what_is_about_to_be_sent_outlives_a_loss_of_power(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file whose name is not on the disk is not there, nor is one in a folder that is not there."""
    folder = tmp_path / "out" / "row" / ".steps" / "step"
    synced: list[tuple[int, list[str]]] = []
    sync = os.fsync

    def watched(descriptor: int) -> None:
        sync(descriptor)
        names = os.listdir(descriptor) if stat.S_ISDIR(os.fstat(descriptor).st_mode) else []
        synced.append((os.fstat(descriptor).st_ino, names))

    monkeypatch.setattr(os, "fsync", watched)
    begun.write(folder, Begun("job", "host", "asked", (BegunStep("import_model", "r1", "m1"),)), safely=True)
    (note,) = folder.iterdir()
    assert synced[0] == (note.stat().st_ino, [])
    names = dict(synced)
    for path in (note, folder, folder.parent, folder.parent.parent):
        assert path.name in names[path.parent.stat().st_ino]
