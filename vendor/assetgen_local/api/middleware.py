"""What every request passes: ids, the key, the rate window, and errors turned into answers."""

from __future__ import annotations

import errno
import logging
import uuid
from dataclasses import dataclass
from http import HTTPStatus

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import ClientDisconnect
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ...assetgen.contract import ErrorCode
from ..errors import ServiceError
from .auth import check_key
from .rate_limits import RateLimits, group_of

_LOG = logging.getLogger(__name__)
_API = "/v3"
_MAX_UNREAD_BYTES = 1024 * 1024 * 1024
_MAX_ID_CHARACTERS = 128
_DISK_FULL = frozenset({errno.ENOSPC, getattr(errno, "EDQUOT", errno.ENOSPC)})  # Windows has no EDQUOT


@dataclass(frozen=True, slots=True)
class Middleware:
    """Stands around the routes."""

    app: ASGIApp
    key: str
    rates: RateLimits

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handles one request."""
        if scope["type"] != "http":
            return
        headers = Headers(scope=scope)
        request_id = _request_id(headers.get("x-request-id", ""))
        scope["request_id"] = request_id
        extra = {"X-Request-ID": request_id, "X-Service-Trace-ID": uuid.uuid4().hex}
        started = False
        body = _Body(receive)

        async def send_with_ids(message: Message) -> None:
            nonlocal started
            if message["type"] == "http.response.start":
                started = True
                await body.finish()
                message.setdefault("headers", [])
                mutable = MutableHeaders(scope=message)
                for name, value in extra.items():
                    mutable[name] = value
            await send(message)

        try:
            if _is_api(scope["path"]):
                group = group_of(scope["method"], scope["path"])
                extra |= self.rates.headers(group)
                # Before the request is counted: a stranger must not use up the window of the key.
                check_key(headers.get("authorization", ""), self.key)
                self.rates.count(group)
                extra |= self.rates.headers(group)
            await self.app(scope, body.receive, send_with_ids)
        except ClientDisconnect:
            return
        except Exception as error:  # every error leaves as an answer
            if started:
                raise
            await answer(error, request_id)(scope, body.receive, send_with_ids)


def answer(error: Exception, request_id: str) -> Response:
    """The answer to a request that raised. What nobody foresaw is logged."""
    if not isinstance(error, ServiceError):
        _LOG.error("request %s failed", request_id, exc_info=error)
        error = _unforeseen(error)
    return error.response(request_id)


class _Body:
    """The request's body, read to its end in any case: a client that still sends would miss an early answer."""

    def __init__(self, receive: Receive) -> None:
        self._receive = receive
        self._ended = False

    async def receive(self) -> Message:
        message = await self._receive()
        self._ended = self._ended or not message.get("more_body", False)
        return message

    async def finish(self) -> None:
        unread = 0
        while not self._ended and unread < _MAX_UNREAD_BYTES:
            unread += len((await self.receive()).get("body", b""))


def _is_api(path: str) -> bool:
    return path == _API or path.startswith(f"{_API}/")


def _request_id(sent: str) -> str:
    """The client's own id where it can be echoed as a header, else a new one."""
    usable = 0 < len(sent) <= _MAX_ID_CHARACTERS and sent.isascii() and sent.isprintable()
    return sent if usable else str(uuid.uuid4())


def _unforeseen(error: Exception) -> ServiceError:
    if isinstance(error, OSError) and error.errno in _DISK_FULL:
        message = "the disk that holds the local engine's data is full"
        return ServiceError(ErrorCode.SERVER_ERROR, message, status=HTTPStatus.INSUFFICIENT_STORAGE)
    message = f"the local engine failed on this request ({type(error).__name__}); its log says more"
    return ServiceError(ErrorCode.SERVER_ERROR, message, status=HTTPStatus.INTERNAL_SERVER_ERROR)
