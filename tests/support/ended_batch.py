"""A batch that ends in the middle, as one that is killed: ``python ended_batch.py NUMBER batch ...``.

It ends right before the change with that number which others can see; 0 is for one that comes to its own end. Changes
are commits of the journal, requests that create tasks, and files of claims, notes and results that come or go. They are
counted from the start of the program, and nothing is cleaned up. What would have come next is printed.
"""

from __future__ import annotations

import functools
import importlib
import os
import re
import sqlite3
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "scripts"))

from load_extension import PACKAGE, load_package

ENDED = 77
"""The exit code of one that did not come to its own end."""

LOST_REQUEST = 2.0
"""Seconds, in place of minutes: a program ends here before its request or after the answer, so none is on its way."""

_BEFORE = "ended before: "


def ended_before(output: str) -> str:
    """What a program that ended would have changed next; other threads may have printed after that."""
    (kind,) = re.findall(rf"^{_BEFORE}(\w+)$", output, re.MULTILINE)
    return str(kind)


class Changes:
    """Counts changes, one at a time, and ends the process right before one of them."""

    def __init__(self, last: int) -> None:
        self._left = last
        self._lock = threading.RLock()

    def counted(self, kind: str, change: Callable[..., Any]) -> Callable[..., Any]:
        """The same change, counted."""

        @functools.wraps(change)
        def do(*arguments: Any, **named: Any) -> Any:
            with self._lock:  # no request is on its way when another thread ends the process
                self._left -= 1
                if self._left == 0:
                    os.write(1, f"\n{_BEFORE}{kind}\n".encode())  # others may be in the middle of a line
                    os._exit(ENDED)
                return change(*arguments, **named)

        return do


def count(changes: Changes) -> None:
    """Has everything that others can see of this process counted."""
    import httpx

    send, open_file, connect = httpx.Client.send, os.open, sqlite3.connect
    create = changes.counted("create", send)
    make = changes.counted("claim", open_file)

    class Connection(sqlite3.Connection):
        commit_counted: Callable[..., Any]

        def execute(self, sql: str, *arguments: Any) -> sqlite3.Cursor:
            if sql != "COMMIT":
                return super().execute(sql, *arguments)
            cursor: sqlite3.Cursor = changes.counted("commit", super().execute)(sql)
            return cursor

    def send_counted(client: httpx.Client, request: httpx.Request, **named: Any) -> Any:
        is_create = request.method == "POST" and b"client_request_id" in request.read()
        return (create if is_create else send)(client, request, **named)

    def open_counted(path: Any, flags: int, *arguments: Any, **named: Any) -> int:
        is_claim = flags & os.O_EXCL and Path(os.fsdecode(path)).name.startswith(".claim-")
        descriptor: int = (make if is_claim else open_file)(path, flags, *arguments, **named)
        return descriptor

    for owner, name, replacement in (
        (sqlite3, "connect", functools.partial(connect, factory=Connection)),
        (httpx.Client, "send", send_counted),
        (os, "open", open_counted),
        *((os, name, changes.counted(name, getattr(os, name))) for name in ("replace", "rename", "link", "unlink")),
    ):
        setattr(owner, name, replacement)


def main(last: int, arguments: list[str]) -> int:
    """Runs the command line, up to a change."""
    load_package()
    batch = importlib.import_module(f"{PACKAGE}.addon.cli.batch")
    batch.Timing = functools.partial(batch.Timing, lost_request=LOST_REQUEST)
    count(Changes(last))
    return int(importlib.import_module(f"{PACKAGE}.addon.cli.main").main(arguments))


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]), sys.argv[2:]))
