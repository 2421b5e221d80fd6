from __future__ import annotations

import logging
import os
import sqlite3
import subprocess
import sys
import threading
import time
from contextlib import closing
from pathlib import Path, PureWindowsPath

import pytest
from asset_generation.addon.core.errors import JournalTrouble
from asset_generation.addon.core.jobs import journal_mode, network_drive, process_lock
from asset_generation.addon.core.jobs.job import Delivery, JobPlan, Source, SourceKind, Stage, StepPlan
from asset_generation.addon.core.jobs.journal import Journal
from asset_generation.addon.core.jobs.unfinished import has_unfinished

PLAN = JobPlan("Bunny", Source(SourceKind.TASK, task_id="t0"), (StepPlan("decimate"),), Delivery())
MOUNTINFO = r"""22 27 0:21 / /proc rw,relatime - proc proc rw
27 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw
31 27 0:44 / /mnt/farm\040share rw,relatime shared:2 - nfs4 server:/export rw,vers=4.2
33 31 8:2 / /mnt/farm\040share/local rw - xfs /dev/sdb1 rw
34 27 0:50 / /home/me/remote rw - fuse.sshfs me@host: rw
35 27 0:51 / /both rw - nfs server:/a rw
36 27 8:3 / /both rw - ext4 /dev/sdc1 rw
"""
MACOS = """/dev/disk3s1s1 on / (apfs, sealed, local, read-only, journaled)
/dev/disk3s5 on /System/Volumes/Data (apfs, local, journaled, nobrowse)
//me@nas._smb._tcp.local/work on /Volumes/work (smbfs, nodev, nosuid, mounted by me)
server:/export on /Volumes/on (two) (nfs)
"""


@pytest.fixture
def shared_dir(tmp_path: Path) -> Path:
    """A data folder that another computer has marked."""
    folder = tmp_path / "data"
    folder.mkdir()
    (folder / network_drive.MARK).touch()
    return folder


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("/home/me/data", ""),
        ("/mnt/farm share/data", "nfs4"),
        ("/mnt/farm share", "nfs4"),
        ("/mnt/farm shared/data", ""),
        ("/mnt/farm share/local/data", ""),
        ("/home/me/remote/data", "fuse.sshfs"),
        ("/both/data", ""),
    ],
)
def test_a_network_drive_is_told_by_its_mount_point(path: str, kind: str) -> None:
    assert network_drive.kind_in_mounts(path, network_drive._linux_mounts(MOUNTINFO)) == kind


@pytest.mark.parametrize(
    ("path", "kind"), [("/Users/me", ""), ("/Volumes/work/data", "smbfs"), ("/Volumes/on (two)/data", "nfs")]
)
def test_a_network_drive_of_macos_is_told_by_its_mount_point(path: str, kind: str) -> None:
    assert network_drive.kind_in_mounts(path, network_drive._macos_mounts(MACOS)) == kind


def test_who_finds_a_network_drive_tells_the_computer_that_serves_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert network_drive.find_network_drive(tmp_path) == ""
    assert network_drive.network_drive_note(tmp_path) == ""
    monkeypatch.setattr(network_drive, "_found", {})
    monkeypatch.setattr(network_drive, "_kind_of", lambda folder: "nfs4")
    assert network_drive.find_network_drive(tmp_path) == "nfs4"
    assert "15 minutes" in network_drive.network_drive_note(tmp_path)
    monkeypatch.undo()
    monkeypatch.setattr(network_drive, "_found", {})
    assert network_drive.find_network_drive(tmp_path) != "", "the mark is in the folder"


# The journal


def mode_of(path: Path) -> str:
    with closing(sqlite3.connect(path)) as connection:
        return str(connection.execute("PRAGMA journal_mode").fetchone()[0])


def test_a_journal_on_a_network_drive_is_without_wal(shared_dir: Path, caplog: pytest.LogCaptureFixture) -> None:
    path = shared_dir / "journal.sqlite3"
    with caplog.at_level(logging.WARNING):
        for owner in ("one", "two"):
            with closing(Journal(path, owner)) as journal:
                journal.add(owner, PLAN, "local", Stage.CREATE)
                assert mode_of(path) == "delete"
    assert not list(shared_dir.glob("*-shm"))
    assert has_unfinished(path)
    assert sum("network drive" in message for message in caplog.messages) == 1, "said once"


@pytest.mark.parametrize("attempt", range(5))
def test_a_journal_with_wal_changes_to_none(shared_dir: Path, attempt: int) -> None:
    # Repeated, because the moment in which they could lock each other out is short.
    path = shared_dir / "journal.sqlite3"
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("PRAGMA journal_mode = WAL").fetchone()[0] == "wal"
        connection.execute("CREATE TABLE keeps_it (x)")
    threads = [threading.Thread(target=lambda: Journal(path, "me").close()) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert mode_of(path) == "delete"
    with closing(Journal(path, "me")) as one, closing(Journal(path, "you")) as two:
        one.add("j1", PLAN, "local", Stage.CREATE)
        assert [record.id for record in two.jobs()] == ["j1"]


def test_a_journal_that_another_computer_has_open_with_wal_is_left_alone(
    shared_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = shared_dir / "journal.sqlite3"
    with closing(sqlite3.connect(path)) as elsewhere:
        elsewhere.execute("PRAGMA journal_mode = WAL")
        elsewhere.execute("CREATE TABLE keeps_it (x)")
        monkeypatch.setattr("asset_generation.addon.core.jobs.database._BUSY_SECONDS", 0.1)
        with pytest.raises(JournalTrouble, match="shared") as caught:
            Journal(path, "me")
        assert "Close Blender on the other computers" in caught.value.advice
        assert mode_of(path) == "wal"


def test_a_journal_on_a_windows_share_has_an_address_that_sqlite_takes(tmp_path: Path) -> None:
    share = PureWindowsPath(r"\\server\my share\journal.sqlite3").as_posix()
    assert journal_mode.sqlite_uri(share) == "file:////server/my%20share/journal.sqlite3"
    assert journal_mode.sqlite_uri("C:/a?b") == "file:///C:/a%3Fb"
    path = tmp_path / "a?b #c"
    with closing(sqlite3.connect(f"{journal_mode.sqlite_uri(path.as_posix())}?mode=rwc", uri=True)) as connection:
        connection.execute("CREATE TABLE t (x)")
    assert path.is_file()


# Owners


def owner_of(host: str, folder: Path, silent: float = 0.0) -> str:
    """A file as the owner of another computer leaves it: nobody here knows of its lock."""
    path = folder / f"1-{host}@{host}"
    path.touch()
    then = time.time() - silent
    os.utime(path, (then, then))
    return path.name


def test_an_owner_of_another_computer_is_dead_only_after_a_long_silence(shared_dir: Path) -> None:
    folder = shared_dir / "owners"
    me = process_lock.Owner(folder)
    speaks, silent = owner_of("farm-1", folder, 14 * 60), owner_of("farm-2", folder, 16 * 60)
    assert not process_lock.is_dead(folder, speaks)
    assert process_lock.is_dead(folder, silent)
    process_lock.remove_dead(folder)
    assert {path.name for path in folder.iterdir()} == {me.id, speaks}
    assert process_lock.has_others(folder, me.id)
    me.release()


def test_on_a_drive_of_this_computer_the_lock_tells_whatever_the_name(tmp_path: Path) -> None:
    # A container, or a laptop whose name comes from the network, has another name after each start.
    folder = tmp_path / "owners"
    folder.mkdir()
    assert process_lock.is_dead(folder, owner_of("before", folder))


def test_a_killed_process_of_this_computer_is_dead_at_once_on_a_network_drive_too(shared_dir: Path) -> None:
    from load_extension import ROOT

    script = (
        f"import sys, os; sys.path.insert(0, {str(ROOT / 'scripts')!r})\n"
        "from load_extension import load_package; load_package()\n"
        "from asset_generation.addon.core.jobs.process_lock import Owner\n"
        "from pathlib import Path\n"
        "print(Owner(Path(sys.argv[1])).id, flush=True); os._exit(9)\n"
    )
    folder = shared_dir / "owners"
    done = subprocess.run([sys.executable, "-c", script, str(folder)], stdout=subprocess.PIPE, text=True)
    assert (folder / done.stdout.strip()).is_file()
    assert process_lock.is_dead(folder, done.stdout.strip())


def test_an_owner_shows_that_it_lives(shared_dir: Path) -> None:
    folder = shared_dir / "owners"
    me = process_lock.Owner(folder)
    long_ago = time.time() - 3600
    os.utime(folder / me.id, (long_ago, long_ago))
    me.show_life()
    assert (folder / me.id).stat().st_mtime > long_ago + 3000
    (folder / me.id).unlink()  # it slept, and another computer took it for dead
    me.show_life()
    assert not process_lock.is_dead(folder, me.id)
    me.release()
    assert not list(folder.iterdir())
