"""Uploads (docs/api.md, 6.2)."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from http import HTTPStatus
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from ..addresses import link_text
from ..contract import MAX_MULTIPART_BYTES, MAX_UPLOAD_BYTES, format_of
from ..envelope import parse
from ..errors import APIError, AssetGenError, ConnectionFailed, InvalidAnswerError, ServerError, TooLargeError
from ..file_reader import FileReader
from ..links import Links
from ..retrying import Progress, Stopped, check_stopped
from ..transport import Transport

_EXPIRED = frozenset({401, 403, 404, 410})
_REFUSED = frozenset({400, 404, 413})


class _Uploaded(BaseModel):
    file_token: str


class Presigned(BaseModel):
    """A link that takes one file by HTTP PUT, within about half an hour.

    Attributes:
        upload_url: The signed link: whoever has it can upload, so texts of this object leave it out.
        file_token: What requests call the file once it is there.
        expires_in: Seconds for which the link is valid, where the service told.
    """

    model_config = ConfigDict(extra="allow")

    upload_url: str = Field(repr=False)
    file_token: str
    expires_in: float | None = None


class UploadCredentials(BaseModel):
    """Temporary credentials for the service's storage, valid for about half an hour.

    The API does not name their fields, so they are kept as they came: ``model_extra`` is the map of them. Texts of this
    object show nothing but the token.
    """

    model_config = ConfigDict(extra="allow")

    file_token: str

    def __repr_args__(self) -> Iterator[tuple[str | None, Any]]:
        yield "file_token", self.file_token


class Files:
    """Brings files to the service."""

    def __init__(self, transport: Transport, links: Links, *, largest_multipart: int = MAX_MULTIPART_BYTES) -> None:
        self._transport = transport
        self._links = links
        self._largest_multipart = largest_multipart

    def upload(self, path: Path, *, on_progress: Progress | None = None, stopped: Stopped | None = None) -> str:
        """Uploads a file and returns its token. The file is read in pieces, never as a whole.

        It goes by multipart up to 50 MB and by a presigned link above. Where the service refuses one way, the other is
        tried; multipart up to the documented 200 MB.

        Args:
            path: The file. The service knows its format by the extension.
            on_progress: Takes the bytes sent and the bytes in all. Begins again at 0 when an upload is repeated.
            stopped: Asked for every piece, and while waiting before another try.

        Raises:
            OSError: The file cannot be read.
            TooLargeError: The service does not take a file of this size.
            StoppedError: ``stopped`` said so.
            AssetGenError: Any other trouble with the service, see :mod:`..errors`.
        """
        path = Path(path)
        with FileReader(path, None, None) as file:
            size = file.size
        ways = [self._multipart, self._presigned]
        if size > self._largest_multipart:
            ways.reverse()
        if size > MAX_UPLOAD_BYTES:
            ways = [self._presigned]
        refusal: AssetGenError | None = None
        for upload in ways:
            try:
                return upload(path, on_progress, stopped)
            except (APIError, InvalidAnswerError) as error:
                if not _is_refusal(error):
                    raise
                # What the way that is meant for such a file says counts, if none is open.
                refusal = refusal or error
        assert refusal is not None  # or a token would have been returned
        raise refusal

    def presign(self, format: str, *, stopped: Stopped | None = None) -> Presigned:
        """A link for uploading a file by oneself; :meth:`upload` does all of it.

        Args:
            format: The file's extension (``glb``).
            stopped: Asked before each sending and while waiting between them.

        Raises:
            AssetGenError: Trouble with the service, see :mod:`..errors`.
        """
        body = {"format": format.lower().removeprefix(".")}
        answer = self._transport.request("POST", "/v3/files/presign", json=body, stopped=stopped)
        return parse(Presigned, answer.data, "a presigned upload", answer.request_id)

    def upload_credentials(self, *, format: str = "", stopped: Stopped | None = None) -> UploadCredentials:
        """Credentials for uploading a file with a storage client of one's own.

        Args:
            format: The file's extension, where the service wants to know it; the API does not document the body.
            stopped: Asked before each sending and while waiting between them.

        Raises:
            AssetGenError: Trouble with the service, see :mod:`..errors`.
        """
        body = {"format": format.lower().removeprefix(".")} if format else {}
        answer = self._transport.request("POST", "/v3/files/upload-credentials", json=body, stopped=stopped)
        return parse(UploadCredentials, answer.data, "upload credentials", answer.request_id)

    def _multipart(self, path: Path, on_progress: Progress | None, stopped: Stopped | None) -> str:
        # The service needs the extension; the user's own file name is none of its business.
        name = f"upload.{format_of(path)}"
        with FileReader(path, on_progress, stopped) as file:
            answer = self._transport.request(
                "POST", "/v3/files", form=lambda: {"file": (name, file.as_file())}, stopped=stopped
            )
        return parse(_Uploaded, answer.data, "an upload", answer.request_id).file_token

    def _presigned(self, path: Path, on_progress: Progress | None, stopped: Stopped | None) -> str:
        link = self._link(path, stopped)
        retries = self._transport.retries
        renewed = False
        for attempt in itertools.count(1):
            try:
                self._put(link, path, on_progress, stopped)
                return link.file_token
            except _LinkRefused:
                # The link lives half an hour, which a large file on a slow line can outlast.
                if renewed:
                    raise
                renewed = True
                link = self._link(path, stopped)
            except (ConnectionFailed, ServerError):
                delay = retries.delay(attempt)
                if delay is None:
                    raise
                retries.wait(delay, stopped)
        raise AssertionError("unreachable: the loop has no end")

    def _link(self, path: Path, stopped: Stopped | None) -> Presigned:
        try:
            return self.presign(format_of(path), stopped=stopped)
        except InvalidAnswerError as error:
            if error.status != HTTPStatus.OK:
                raise
            # The service took the question and named no link: it has no such way.
            raise _LinkRefused(error.message, status=error.status, request_id=error.request_id) from error

    def _put(self, link: Presigned, path: Path, on_progress: Progress | None, stopped: Stopped | None) -> None:
        check_stopped(stopped)
        with FileReader(path, on_progress, stopped) as file:
            response = self._links.put(link.upload_url, iter(file), file.size)  # of what can be read, httpx reads 64 kB
        if response.is_success:
            return
        status = response.status_code
        words = f"the upload to {link_text(link.upload_url)} was answered with HTTP {status}"
        if status in _EXPIRED:
            raise _LinkRefused(words, status=status)
        if status == 413:
            raise TooLargeError(words, status=status)
        raise _put_error(words, status)


class _LinkRefused(InvalidAnswerError):
    """A presigned link is not there, or not valid any more."""


def _is_refusal(error: APIError | InvalidAnswerError) -> bool:
    """Whether the service does not want the file in this way, and may want it in the other."""
    return error.status in _REFUSED or isinstance(error, _LinkRefused)


def _put_error(words: str, status: int) -> AssetGenError:
    if status >= 500 or status in (408, 429):
        return ServerError(words, status=status, may_have_arrived=True)
    return InvalidAnswerError(words, status=status, may_have_arrived=True)
