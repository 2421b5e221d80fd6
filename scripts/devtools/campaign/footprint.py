"""What a process holds on to, and what lies in its data folder: the figures that must not grow."""

from __future__ import annotations

import gc
import threading
from collections.abc import Iterable
from pathlib import Path

MIB = 1024 * 1024


def sample(data: Path) -> dict[str, float]:
    """The figures of this process and of a data folder, now. What the system does not tell is left out."""
    gc.collect()
    figures: dict[str, float] = {"threads": threading.active_count()}
    status = Path("/proc/self/status")
    if status.is_file():
        lines = dict(line.split(":", 1) for line in status.read_text().splitlines() if ":" in line)
        figures["memory, MB"] = int(lines["VmRSS"].split()[0]) / 1024
    handles = Path("/proc/self/fd")
    if handles.is_dir():
        targets = [_target(handle) for handle in handles.iterdir()]
        figures["file handles"] = len(targets)
        figures["sockets"] = sum(1 for target in targets if target.startswith("socket:"))
    files = [path for path in data.rglob("*") if path.is_file()] if data.is_dir() else []
    figures["journal, MB"] = _size(path for path in files if path.name == "journal.sqlite3") / MIB
    figures["write-ahead log, MB"] = _size(path for path in files if path.name.endswith("-wal")) / MIB
    figures["part files"] = sum(1 for path in files if ".part" in path.name)
    figures["snapshots"] = sum(1 for path in files if path.parent.name == "snapshots")
    figures["owner files"] = sum(1 for path in files if path.parent.name == "owners")
    return figures


def _target(handle: Path) -> str:
    try:
        return str(handle.readlink())
    except OSError:  # the one that lists them is gone by now
        return ""


def _size(paths: Iterable[Path]) -> int:
    return sum(path.stat().st_size for path in paths)
