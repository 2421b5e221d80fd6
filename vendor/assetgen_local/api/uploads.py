"""Bytes that come in: multipart, or by PUT to a signed link. Straight to the disk, recognised by their content."""

from __future__ import annotations

import uuid
from collections.abc import AsyncIterator
from contextlib import suppress
from http import HTTPStatus
from pathlib import Path
from typing import Any

from ...assetgen.contract import IMAGE_FORMATS, MODEL_FORMATS, ErrorCode, upload_format
from ..backend import Backend
from ..errors import ServiceError, bad_parameter
from ..rules.references import BUCKET


def new_token() -> str:
    """A file token that has never been one."""
    return f"file_{uuid.uuid4()}"


def presigned(backend: Backend) -> dict[str, Any]:
    """A token, and the link that takes its bytes."""
    token = new_token()
    backend.database.upload_tokens.add(token)
    seconds = backend.options.upload_seconds
    return {
        "upload_url": backend.links.upload_link(token, seconds),
        "file_token": token,
        "expires_in": int(seconds),
    }


def credentials(backend: Backend) -> dict[str, Any]:
    """The same in the form of storage credentials: the "storage" is this engine, and its session a signed link."""
    link = presigned(backend)
    return {
        "file_token": link["file_token"],
        "bucket": BUCKET,
        "key": link["file_token"],
        "upload_url": link["upload_url"],
        "expires_in": link["expires_in"],
    }


async def write_body(chunks: AsyncIterator[bytes], incoming: Path) -> int:
    """Writes a body to ``incoming`` and returns its size."""
    size = 0
    with incoming.open("wb") as file:
        async for chunk in chunks:
            file.write(chunk)
            size += len(chunk)
    return size


def accept_file(backend: Backend, incoming: Path, token: str, name: str = "") -> None:
    """Makes bytes that have arrived the file of a token, if they are something that the API takes.

    Raises:
        ServiceError: They are empty or of no known format (code 1004).
    """
    size = incoming.stat().st_size
    if size == 0:
        raise bad_parameter("the file is empty")
    file_format = upload_format(incoming, name)
    if not file_format:
        raise bad_parameter(
            f"the file's content is of no format that can be used; allowed: {', '.join(IMAGE_FORMATS + MODEL_FORMATS)}"
        )
    backend.files.keep(incoming, token, file_format)
    backend.database.upload_tokens.complete(token, file_format, size)


def check_token(backend: Backend, token: str) -> None:
    """Refuses bytes for a token that nobody was given.

    Raises:
        ServiceError: HTTP 404.
    """
    if backend.database.upload_tokens.find(token) is None:
        raise ServiceError(ErrorCode.BAD_PARAMETER, "the file token is not valid", status=HTTPStatus.NOT_FOUND)


class IncomingFile:
    """A name for arriving bytes, gone again afterwards unless they were kept."""

    def __init__(self, backend: Backend) -> None:
        self.path = backend.files.incoming()

    def __enter__(self) -> Path:
        return self.path

    def __exit__(self, *_: object) -> None:
        with suppress(FileNotFoundError):
            self.path.unlink()
