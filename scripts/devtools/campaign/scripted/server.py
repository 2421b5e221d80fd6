"""The scripted service as a process: answers by the text, goes wrong by the script, and tells the truth when asked."""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import os
import random
import socket
import time
from collections import Counter
from typing import Any

from ..faults import NetworkFault, ServiceScript
from .account import Account
from .api import Api, call_of
from .results import digest
from .wire import Reply, Request, as_bytes, read_request, reset

log = logging.getLogger(__name__)

TRUTH = "/truth"
_PAGE = b"<html><head><title>%d</title></head><body><center><h1>%d</h1></center><hr>gateway</body></html>"
_FOREVER = 3600.0
_DRIPS = 8


class Service:
    """One run's service."""

    def __init__(self, script: ServiceScript, seed: str, key: str) -> None:
        self._script = script
        self._account = Account(script, random.Random(seed))
        self._api = Api(self._account, lambda: f"http://127.0.0.1:{self._port}", key)
        self._port = 0
        self._place: socket.socket | None = None
        self._server: asyncio.Server | None = None
        self._seen: Counter[str] = Counter()
        self._fired: Counter[str] = Counter()
        self._usage_since = 0.0
        self._refused = False
        self._tasks: set[asyncio.Task[None]] = set()

    async def run(self, ready: int) -> None:
        """Serves until the process is ended; writes the port to the file descriptor ``ready``."""
        await self._listen()
        os.write(ready, f"{self._port}\n".encode())
        os.close(ready)
        for stranger in self._script.strangers:
            self._later(stranger.at, lambda stranger=stranger: self._account.create_stranger(stranger))
        await asyncio.Event().wait()

    async def _listen(self) -> None:
        self._server = await asyncio.start_server(self._serve, sock=self._place or _bind(0), limit=1024 * 1024)
        self._port = self._server.sockets[0].getsockname()[1]

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while (request := await read_request(reader)) is not None:
                if not await self._one(request, writer):
                    return
        except (ConnectionError, asyncio.CancelledError):
            pass
        finally:
            with contextlib.suppress(OSError):
                writer.close()

    async def _one(self, request: Request, writer: asyncio.StreamWriter) -> bool:
        """One request; whether the connection goes on."""
        if request.path == TRUTH:
            await self._write(writer, Reply(200, json.dumps(self.truth()).encode()))
            return True
        call = call_of(request)
        self._seen[call] += 1
        log.debug("%s %s %s", request.headers.get("x-request-id", ""), call or request.path, request.path)
        if call == "create" and self._script.refused[1] and not self._refused:
            self._refused = True
            self._spawn(self._refuse(*self._script.refused))
        if call == "usage" and self._script.usage_outage:
            self._usage_since = self._usage_since or time.time()
            if time.time() < self._usage_since + self._script.usage_outage:
                self._fired["usage outage"] += 1
                return await self._spoil(NetworkFault(call, "proxy_503"), request, None, writer)
        fault = self._fault(call)
        if fault is not None:
            self._fired[fault.name] += 1
            log.debug("%s goes wrong: %s", request.headers.get("x-request-id", ""), fault)
        if call == "create":
            return await self._create(request, fault, writer)
        if fault is None:
            await self._write(writer, self._api.answer(request))
            return True
        worked_on = fault.kind in ("reset_after", "cut", "drip")
        return await self._spoil(fault, request, self._api.answer(request) if worked_on else None, writer)

    def _fault(self, call: str) -> NetworkFault | None:
        number = self._seen[call]
        fits = (one for one in self._script.network if one.call == call and 0 <= number - one.first < one.times)
        return next(fits, None)

    async def _create(self, request: Request, fault: NetworkFault | None, writer: asyncio.StreamWriter) -> bool:
        arrived = time.time()
        kind = fault.kind if fault is not None else ""
        if kind in ("rate_429", "own_500", "own_503", "reset_before"):
            assert fault is not None
            return await self._spoil(fault, request, None, writer)
        if (refusal := self._api.check_creation(request)) is not None:
            await self._write(writer, refusal)
            return True
        body = request.json
        form = self._account.check(request.path, body, time.time())
        made: list[Reply] = []

        def come_to_life() -> None:
            task = self._account.create(form, body, request.headers.get("x-request-id", ""), arrived)
            made.append(self._api.created(task))

        if fault is None or kind in ("reset_after", "cut", "drip"):
            if fault is None or not fault.alive:
                come_to_life()
            else:
                self._come_later(fault.alive, come_to_life)
        elif fault.alive is not None:
            self._come_later(fault.alive, come_to_life)
        if fault is None:
            await self._write(writer, made[0])
            return True
        return await self._spoil(fault, request, made[0] if made else None, writer)

    def _come_later(self, seconds: float, come_to_life: Any) -> None:
        if seconds <= 0:
            come_to_life()
            return
        self._account.coming += 1

        def come() -> None:
            self._account.coming -= 1
            come_to_life()

        self._later(seconds, come)

    async def _spoil(
        self, fault: NetworkFault, request: Request, reply: Reply | None, writer: asyncio.StreamWriter
    ) -> bool:
        """Answers as the fault wants it; whether the connection goes on."""
        if fault.delay:
            await asyncio.sleep(fault.delay)
        kind = fault.kind
        if kind in ("reset_before", "reset_after"):
            reset(writer)
            return False
        if kind == "timeout":
            await asyncio.sleep(_FOREVER)
            return False
        if kind.startswith("proxy_"):
            status = int(kind.removeprefix("proxy_"))
            await self._write(writer, Reply(status, _PAGE % (status, status), {"Content-Type": "text/html"}))
            return True
        if kind == "web_page":
            await self._write(writer, Reply(200, _PAGE % (200, 200), {"Content-Type": "text/html"}))
            return True
        if kind == "rate_429":
            await self._write(writer, self._api.error(429, 1007, "too many requests", {"Retry-After": "3"}))
            return True
        if kind in ("own_500", "own_503"):
            status = int(kind.removeprefix("own_"))
            await self._write(writer, self._api.error(status, 1000 + (status == 503), "the service is in trouble"))
            return True
        if reply is None:  # an answer that comes late by itself, and whose connection is cut before
            reset(writer)
            return False
        content = as_bytes(reply, self._day())
        if kind == "cut":
            writer.write(content[: max(1, len(content) - len(reply.body) // 2 - 1)])
            await writer.drain()
            return False
        step = max(1, len(content) // _DRIPS)
        for start in range(0, len(content), step):
            writer.write(content[start : start + step])
            await writer.drain()
            await asyncio.sleep(2.0)
        return True

    async def _refuse(self, begin: float, length: float) -> None:
        """Nobody listens for a while. What is connected stays so, as when a load balancer is exchanged."""
        await asyncio.sleep(begin)
        assert self._server is not None
        self._fired["refused"] += 1
        self._server.close()
        self._place = _bind(self._port)  # nobody listens on it, and nobody else can take it meanwhile
        await asyncio.sleep(length)
        await self._listen()

    async def _write(self, writer: asyncio.StreamWriter, reply: Reply) -> None:
        writer.write(as_bytes(reply, self._day()))
        await writer.drain()

    def _day(self) -> float:
        return time.time() + self._script.clock

    def _later(self, seconds: float, act: Any) -> None:
        async def wait() -> None:
            await asyncio.sleep(seconds)
            act()

        self._spawn(wait())

    def _spawn(self, work: Any) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def truth(self) -> dict[str, Any]:
        """What is so, for the judge and for the user who knows it all in the end."""
        now = time.time()
        return {
            "tasks": [
                {
                    "id": task.id,
                    "kind": task.form.kind,
                    "gives": task.form.gives,
                    "words": task.words,
                    "ours": task.ours,
                    "request_id": task.request_id,
                    "marker": task.body.get("client_request_id", ""),
                    "arrived_at": task.arrived_at,
                    "alive_at": task.alive_at,
                    "status": task.status(now),
                    "digest": digest(task.content),
                }
                for task in self._account.tasks.values()
            ],
            "coming": self._account.coming,
            "fired": dict(self._fired),
            "requests": dict(self._seen),
            "broken_rules": self._api.broken_rules,
        }


def _bind(port: int) -> socket.socket:
    """A place to listen at; 0 takes any."""
    place = socket.socket()
    place.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    place.bind(("127.0.0.1", port))
    return place


def serve(script: ServiceScript, seed: str, key: str, ready: int) -> None:
    """Runs a service in this process until it is killed; its port is written to the file descriptor ``ready``."""
    asyncio.run(Service(script, seed, key).run(ready))
