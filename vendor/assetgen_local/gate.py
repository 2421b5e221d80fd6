"""What every request passes: ids, the key, the rate window, and errors turned into answers."""

from __future__ import annotations

import errno
import logging
import uuid
from dataclasses import dataclass
from http import HTTPStatus

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import ClientDisconnect
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ..assetgen.contract import ErrorCode
from .auth import check_key
from .envelope import ServiceError
from .rates import Rates, group_of

_LOG = logging.getLogger(__name__)
_API = "/v3"
_MAX_ID_CHARACTERS = 128
_DISK_FULL = frozenset({errno.ENOSPC, getattr(errno, "EDQUOT", errno.ENOSPC)})  # Windows has no EDQUOT


@dataclass(frozen=True, slots=True)
class Gate:
    """Stands around the routes."""

    app: ASGIApp
    key: str
    rates: Rates

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handles one request."""
        if scope["type"] != "http":
            return
        headers = Headers(scope=scope)
        request_id = _request_id(headers.get("x-request-id", ""))
        scope["request_id"] = request_id
        extra = {"X-Request-ID": request_id, "X-Service-Trace-ID": uuid.uuid4().hex}
        started = False

        async def send_with_ids(message: Message) -> None:
            nonlocal started
            if message["type"] == "http.response.start":
                started = True
                message.setdefault("headers", [])
                mutable = MutableHeaders(scope=message)
                for name, value in extra.items():
                    mutable[name] = value
            await send(message)

        try:
            if _is_api(scope["path"]):
                # A stranger's requests must not use up the window of the key.
                check_key(headers.get("authorization", ""), self.key)
                extra |= self.rates.count(group_of(scope["method"], scope["path"]))
            await self.app(scope, receive, send_with_ids)
        except ClientDisconnect:
            return
        except Exception as error:  # every error leaves as an answer
            if started:
                raise
            await _answer(error, request_id)(scope, receive, send_with_ids)


def _is_api(path: str) -> bool:
    return path == _API or path.startswith(f"{_API}/")


def _request_id(given: str) -> str:
    """The client's own id where it can be echoed as a header, else a new one."""
    usable = 0 < len(given) <= _MAX_ID_CHARACTERS and given.isascii() and given.isprintable()
    return given if usable else str(uuid.uuid4())


def _answer(error: Exception, request_id: str) -> ASGIApp:
    if not isinstance(error, ServiceError):
        _LOG.error("request %s failed", request_id, exc_info=error)
        error = _unforeseen(error)
    return error.response(request_id)


def _unforeseen(error: Exception) -> ServiceError:
    if isinstance(error, OSError) and error.errno in _DISK_FULL:
        message = "the disk that holds the local engine's data is full"
        return ServiceError(ErrorCode.SERVER_ERROR, message, status=HTTPStatus.INSUFFICIENT_STORAGE)
    message = f"the local engine failed on this request ({type(error).__name__}); its log says more"
    return ServiceError(ErrorCode.SERVER_ERROR, message, status=HTTPStatus.INTERNAL_SERVER_ERROR)
