"""Carries faults out, around everything else that a request passes, and records the requests."""

from __future__ import annotations

import asyncio
import time
from collections import deque
from dataclasses import dataclass, field
from http import HTTPStatus

from starlette.datastructures import Headers
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ....assetgen.contract import ErrorCode
from ...errors import ServiceError, json_response
from ..routes import FORCED_OUTCOME
from .fault import Fault

PREFIX = "/_local/"
_MAX_RECORDS = 20_000


@dataclass(slots=True)
class RecordedRequest:
    """One request that arrived; the answer's status is added when there is one."""

    method: str
    path: str
    query: str
    request_id: str
    authorization: bool
    at: float
    status: int | None = None


@dataclass(slots=True)
class Faults:
    """The armed faults, and the requests seen so far. Used from the event loop's thread only."""

    armed: list[Fault] = field(default_factory=list)
    records: deque[RecordedRequest] = field(default_factory=lambda: deque(maxlen=_MAX_RECORDS))

    def arm(self, fault: Fault) -> None:
        """Adds a fault; of several that meet a request, the oldest is used."""
        self.armed.append(fault)

    def clear(self) -> None:
        """Behaves again."""
        self.armed.clear()

    def fault_for(self, method: str, path: str) -> Fault | None:
        """The fault for a request, counted as used."""
        for fault in self.armed:
            if not fault.meets(method, path):
                continue
            if fault.skip:
                fault.skip -= 1
                continue
            if fault.times is not None:
                fault.times -= 1
                if fault.times == 0:
                    self.armed.remove(fault)
            return fault
        return None


@dataclass(frozen=True, slots=True)
class FaultInjection:
    """Stands around everything else and carries the faults out."""

    app: ASGIApp
    faults: Faults

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handles one request."""
        if scope["type"] != "http" or scope["path"].startswith(PREFIX):
            await self.app(scope, receive, send)
            return
        record = _record(scope)
        self.faults.records.append(record)
        fault = self.faults.fault_for(scope["method"], scope["path"])

        async def send_recorded(message: Message) -> None:
            if message["type"] == "http.response.start":
                record.status = message["status"]
            await send(message)

        if fault is None:
            await self.app(scope, receive, send_recorded)
        else:
            await self._carry_out(fault, scope, receive, send_recorded)

    async def _carry_out(self, fault: Fault, scope: Scope, receive: Receive, send: Send) -> None:
        match fault.action:
            case "delay":
                await asyncio.sleep(fault.seconds)
                await self.app(scope, receive, send)
            case "drop_before":
                await _drop(receive)
            case "drop_after":
                await self.app(scope, receive, _swallow)
                await _drop(receive)
            case "cut":
                await self._cut(fault.bytes, scope, receive, send)
            case "task":
                scope[FORCED_OUTCOME] = fault.outcome()
                await self.app(scope, receive, send)
            case "status":
                await _answer(fault, _id(scope))(scope, receive, send)
            case "expire_link":
                message = "the link has expired; read the task again for a fresh one"
                error = ServiceError(ErrorCode.BAD_PARAMETER, message, status=HTTPStatus.FORBIDDEN)
                await error.response(_id(scope))(scope, receive, send)

    async def _cut(self, left: int, scope: Scope, receive: Receive, send: Send) -> None:
        cut = False

        async def send_some(message: Message) -> None:
            nonlocal left, cut
            if cut:
                return
            if message["type"] == "http.response.body" and len(message.get("body", b"")) > left:
                message = {**message, "body": message["body"][:left], "more_body": True}
                cut = True
            await send(message)
            if message["type"] == "http.response.body":
                left -= len(message.get("body", b""))

        await self.app(scope, receive, send_some)
        if cut:
            await _drop(receive)


async def _drop(receive: Receive) -> None:
    # uvicorn's `receive` is a method of the request that it handles, which knows its connection.
    receive.__self__.transport.close()  # type: ignore[attr-defined]
    # The server takes a handler that ends without an answer for a fault of ours, unless the client is gone.
    while (await receive())["type"] != "http.disconnect":
        pass


async def _swallow(_message: Message) -> None:
    pass


def _record(scope: Scope) -> RecordedRequest:
    headers = Headers(scope=scope)
    return RecordedRequest(
        method=scope["method"],
        path=scope["path"],
        query=scope["query_string"].decode("latin-1"),
        request_id=headers.get("x-request-id", ""),
        authorization="authorization" in headers,
        at=time.time(),
    )


def _id(scope: Scope) -> str:
    return Headers(scope=scope).get("x-request-id", "")


def _answer(fault: Fault, request_id: str) -> Response:
    status = int(fault.status or HTTPStatus.INTERNAL_SERVER_ERROR)
    headers = {"X-Request-ID": request_id, **fault.headers}
    if isinstance(fault.body, str):  # what a proxy in between would answer
        return Response(fault.body, status, headers, media_type="text/html")
    if fault.body is not None:
        return json_response(fault.body, status, headers)
    code = ErrorCode.SERVER_ERROR if fault.code is None else fault.code
    body = {
        "code": int(code),
        "status": "error",
        "message": fault.message,
        "suggestion": "",
        "request_id": request_id,
    }
    return json_response(body, status, headers)
