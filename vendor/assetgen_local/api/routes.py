"""The routes of api version 3, and the signed links. Each handler reads, asks the backend, and wraps the answer."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import partial
from http import HTTPStatus

from starlette.convertors import StringConvertor, register_url_convertor
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import FileResponse, Response
from starlette.routing import Route

from ...assetgen.contract import CAPABILITIES, ErrorCode, TaskRequest
from ..backend import Backend
from ..errors import ServiceError, json_response, malformed, success
from ..rules.signed_links import FILES, UPLOADS
from ..rules.validation import read_many_tasks, read_usage_page
from .bodies import content_type, read_chunks, read_json
from .multipart import receive_file
from .uploads import IncomingFile, accept_file, check_token, credentials, new_token, presigned, write_body

Handler = Callable[[Request], Awaitable[Response]]


class _TaskId(StringConvertor):
    """A path's part that can be the id of a task: not the name of the route beside it, which has other methods."""

    regex = "(?!list$)[^/]+"


register_url_convertor("task", _TaskId())

_DESCRIPTION = "/openapi.json"
_MULTIPART = "multipart/form-data"
_MULTIPART_OVERHEAD = 64 * 1024
"""Bytes that a multipart body may have beside its file."""


FORCED_OUTCOME = "forced_outcome"
"""Key in a request's scope: the outcome that a test wants for the task that the request creates."""


def api_routes(backend: Backend) -> list[Route]:
    """All routes but those under ``/_local/``."""
    creations = [Route(model.endpoint, _creation(backend, model), methods=["POST"]) for model in CAPABILITIES.values()]
    handlers: list[tuple[str, str, Callable[[Backend, Request], Awaitable[Response]]]] = [
        ("POST", "/v3/tasks/list", _read_tasks),
        ("GET", "/v3/tasks/{task_id:task}", _read_task),
        ("POST", "/v3/files", _upload),
        ("POST", "/v3/files/presign", _presign),
        ("POST", "/v3/files/upload-credentials", _credentials),
        ("GET", "/v3/account/balance", _balance),
        ("GET", _DESCRIPTION, _describe),
        ("GET", "/v3/account/usage", _usage),
        ("GET", f"{FILES}/{{task_id}}/{{name}}", _download),
        ("PUT", f"{UPLOADS}/{{token}}", _receive),
    ]
    others = [Route(path, partial(handler, backend), methods=[method]) for method, path, handler in handlers]
    return [*creations, *others]


async def refuse(request: Request, error: Exception) -> Response:
    """What the router itself refuses: an unknown path, a method that a path does not have."""
    assert isinstance(error, HTTPException)
    path = request.url.path
    if error.status_code == HTTPStatus.METHOD_NOT_ALLOWED:
        refusal = ServiceError(
            ErrorCode.MALFORMED_REQUEST,
            f"{path} does not take {request.method}",
            status=HTTPStatus.METHOD_NOT_ALLOWED,
            headers=error.headers,
        )
    elif error.status_code == HTTPStatus.NOT_FOUND:
        refusal = ServiceError(ErrorCode.UNKNOWN_ROUTE, f"there is no {path} here", status=HTTPStatus.NOT_FOUND)
    else:
        refusal = malformed(str(error.detail), error.status_code)
    return refusal.response(request.scope["request_id"])


def _creation(backend: Backend, model: type[TaskRequest]) -> Handler:
    async def create(request: Request) -> Response:
        body = await read_json(request, backend.options.max_body_bytes)
        return success(backend.create(model, body, request.scope.get(FORCED_OUTCOME)))

    return create


async def _read_task(backend: Backend, request: Request) -> Response:
    return success(backend.detail(request.path_params["task_id"]))


async def _read_tasks(backend: Backend, request: Request) -> Response:
    body = await read_json(request, backend.options.max_body_bytes)
    return success(backend.details(read_many_tasks(body)))


async def _upload(backend: Backend, request: Request) -> Response:
    if content_type(request) != _MULTIPART:
        raise malformed(f"the body must have the content type {_MULTIPART}", HTTPStatus.UNSUPPORTED_MEDIA_TYPE)
    chunks = read_chunks(request, backend.options.max_upload_bytes + _MULTIPART_OVERHEAD, "an upload")
    with IncomingFile(backend) as incoming:
        name = await receive_file(request.headers["content-type"], chunks, incoming)
        token = new_token()
        accept_file(backend, incoming, token, name)
    return success({"file_token": token})


async def _presign(backend: Backend, request: Request) -> Response:
    await _discard(backend, request)
    return success(presigned(backend))


async def _credentials(backend: Backend, request: Request) -> Response:
    await _discard(backend, request)
    return success(credentials(backend))


async def _discard(backend: Backend, request: Request) -> None:
    """Reads a body whose form the API leaves open."""
    async for _ in read_chunks(request, backend.options.max_body_bytes, "a request body"):
        pass


async def _receive(backend: Backend, request: Request) -> Response:
    backend.links.check(request.url.path, request.query_params)
    token = request.path_params["token"]
    check_token(backend, token)
    with IncomingFile(backend) as incoming:
        await write_body(read_chunks(request, backend.options.max_presigned_bytes, "an upload"), incoming)
        accept_file(backend, incoming, token)
    return Response()


async def _describe(_backend: Backend, _request: Request) -> Response:
    # Here, because few ask for it.
    from .openapi import document

    return json_response(document())


async def _balance(backend: Backend, _request: Request) -> Response:
    return success(backend.balance())


async def _usage(backend: Backend, request: Request) -> Response:
    page = read_usage_page(request.query_params)
    rows = backend.usage(page.limit, page.offset)
    return success({"items": rows, "limit": page.limit, "offset": page.offset})


async def _download(backend: Backend, request: Request) -> Response:
    backend.links.check(request.url.path, request.query_params)
    path = await backend.file(request.path_params["task_id"], request.path_params["name"])
    if path is None:
        raise ServiceError(ErrorCode.UNKNOWN_ROUTE, "the file is not there any more", status=HTTPStatus.NOT_FOUND)
    # Knows HEAD, Range, If-Range, 416 and ETag.
    return FileResponse(path)
