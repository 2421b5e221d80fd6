"""Is the data folder on a network drive, so that other computers may work in it as well?

There SQLite's WAL does not work, since its index is memory that the processes of one computer share, and the lock on a
file may be known to one computer only. A drive can be local to the computer that serves it and remote for the others:
whoever notices leaves a mark in the folder, so that all of them keep to the same rules.
"""

from __future__ import annotations

import contextlib
import os
import re
import sys
from pathlib import Path

MARK = "on-a-network-drive"
"""File in the data folder, left by a computer that reaches it over the network."""

_REMOTE = frozenset(
    {"9p", "afs", "afpfs", "beegfs", "ceph", "cifs", "davfs", "drvfs", "glusterfs", "gpfs", "lustre", "ncpfs", "nfs"}
    | {"nfs3", "nfs4", "orangefs", "prl_fs", "smb3", "smbfs", "vboxsf", "virtiofs", "vmhgfs", "webdav"}
    | {"fuse.ceph", "fuse.davfs2", "fuse.glusterfs", "fuse.gvfsd-fuse", "fuse.rclone", "fuse.s3fs", "fuse.sshfs"}
    | {"fuse.vmhgfs-fuse", "macfuse", "osxfuse"}
)
_DRIVE_REMOTE = 4
_MOUNT_SECONDS = 5.0

_found: dict[Path, str] = {}


def find_network_drive(data_dir: Path) -> str:
    """The kind of network drive that a data folder is on, such as ``nfs4``; empty on a drive of this computer alone.

    Asks the drive, once for each folder: not for the main thread.
    """
    if data_dir not in _found:
        kind = _kind_of(data_dir)
        mark = data_dir / MARK
        if kind:
            with contextlib.suppress(OSError):
                mark.touch()
        elif mark.exists():
            kind = "shared by this computer"
        _found[data_dir] = kind
    return _found[data_dir]


def network_drive_note(data_dir: Path) -> str:
    """What users should know of a data folder on a network drive; empty for others, and before it was looked at."""
    kind = _found.get(data_dir, "")
    return (
        f"On a network drive ({kind}): several computers can share its jobs. When one of them falls silent, the others"
        " go on with its jobs after 15 minutes"
        if kind
        else ""
    )


def _kind_of(folder: Path) -> str:
    try:
        if sys.platform == "win32":
            return _kind_on_windows(str(folder))
        path = os.path.realpath(folder)
        if sys.platform == "darwin":
            return kind_in_mounts(path, _macos_mounts(_listed_mounts()))
        return kind_in_mounts(path, _linux_mounts(Path("/proc/self/mountinfo").read_text(errors="surrogateescape")))
    except OSError:
        return ""  # what cannot be told is taken for what it nearly always is


def kind_in_mounts(path: str, mounts: list[tuple[str, str]]) -> str:
    """The kind of network drive that a path is on, among mount points and their kinds; of two at one place the later.

    Args:
        path: Absolute, without links in it.
        mounts: In the order of mounting.
    """
    inside = [(point, kind) for point, kind in mounts if path == point or path.startswith(point.rstrip("/") + "/")]
    kind = max(reversed(inside), key=lambda mount: len(mount[0]), default=("", ""))[1]
    return kind if kind in _REMOTE else ""


def _listed_mounts() -> str:
    import subprocess  # here: the preferences ask this module for what it found, and must load little

    try:
        return subprocess.run(["/sbin/mount"], capture_output=True, text=True, timeout=_MOUNT_SECONDS).stdout
    except subprocess.SubprocessError as error:
        raise OSError(str(error)) from error


def _linux_mounts(text: str) -> list[tuple[str, str]]:
    """From ``/proc/self/mountinfo``: ``36 35 98:0 /root /point options [more ...] - kind source options``."""
    mounts: list[tuple[str, str]] = []
    for line in text.splitlines():
        before, separator, after = line.partition(" - ")
        fields = before.split(" ")
        if separator and len(fields) > 4:
            point = re.sub(r"\\([0-7]{3})", lambda octal: chr(int(octal[1], 8)), fields[4])
            mounts.append((point, after.split(" ")[0]))
    return mounts


def _macos_mounts(text: str) -> list[tuple[str, str]]:
    """From ``mount``: ``//user@host/share on /Volumes/share (smbfs, nodev, nosuid)``."""
    found = (re.fullmatch(r".+? on (/.*) \(([^,)]+).*\)", line) for line in text.splitlines())
    return [(match[1], match[2]) for match in found if match]


def _kind_on_windows(folder: str) -> str:
    drive = Path(folder).absolute().drive
    if drive.startswith("\\\\"):
        return "a Windows share"
    if sys.platform == "win32":
        import ctypes

        return "a Windows share" if ctypes.windll.kernel32.GetDriveTypeW(drive + "\\") == _DRIVE_REMOTE else ""
    return ""
