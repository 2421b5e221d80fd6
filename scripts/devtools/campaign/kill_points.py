"""Where a process kills itself: at things that every version of the product does, whatever its functions are called."""

from __future__ import annotations

import os
import signal
import sqlite3
import threading
from typing import Any

from .faults import KillPoint
from .scripted.forms import FORMS


class KillPoints:
    """Counts what a process does, and kills it at the right moment. ``armed`` is where, None for nowhere."""

    def __init__(self, armed: KillPoint | None) -> None:
        self._armed = armed
        self._counts: dict[str, int] = {}
        self._lock = threading.Lock()

    def passes(self, what: str, *, after: bool) -> None:
        """To be called right before and right after something is done. Does not return where the process ends."""
        armed = self._armed
        if armed is None or armed.what != what:
            return
        with self._lock:
            if not after:
                self._counts[what] = self._counts.get(what, 0) + 1
            count = self._counts.get(what, 0)
        if armed.after is after and count == armed.nth:
            os.kill(os.getpid(), signal.SIGKILL)

    def install(self) -> None:
        """Has commits of the journal, requests and renamings counted."""
        import httpx

        points = self

        class Connection(sqlite3.Connection):
            def execute(self, sql: str, *arguments: Any) -> sqlite3.Cursor:
                if sql != "COMMIT":
                    return super().execute(sql, *arguments)
                points.passes("commit", after=False)
                cursor = super().execute(sql, *arguments)
                points.passes("commit", after=True)
                return cursor

        connect: Any = sqlite3.connect

        def connect_counted(*arguments: Any, **more: Any) -> sqlite3.Connection:
            connection: sqlite3.Connection = connect(*arguments, factory=Connection, **more)
            return connection

        send = httpx.Client.send

        def counted_send(self: httpx.Client, request: httpx.Request, **more: Any) -> httpx.Response:
            what = ["request", *(["create"] if request.url.path in FORMS else [])]
            for one in what:
                points.passes(one, after=False)
            response = send(self, request, **more)
            for one in what:
                points.passes(one, after=True)
            return response

        replace = os.replace

        def counted_replace(source: Any, target: Any, **more: Any) -> None:
            points.passes("rename", after=False)
            replace(source, target, **more)
            points.passes("rename", after=True)

        for owner, name, counted in (
            (sqlite3, "connect", connect_counted),
            (httpx.Client, "send", counted_send),
            (os, "replace", counted_replace),
        ):
            setattr(owner, name, counted)
