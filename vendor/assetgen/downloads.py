"""Fetches a file from a signed link: resumed where the line breaks, with a fresh link where the old one has expired."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import httpx

from .contract.file_formats import WEB_PAGE, extension_of
from .errors import (
    ConnectionFailed,
    DownloadError,
    DownloadIncomplete,
    DownloadTooLarge,
    InvalidAnswerError,
    LinkExpired,
)
from .links import Links
from .part_file import PartFile
from .retrying import Progress, Retries, Stopped, check_stopped, retry_after

MAX_BYTES = 2 * 1024**3
"""Largest download, in bytes, where the caller does not say."""

_EXPIRED = frozenset({400, 401, 403, 404, 410})
"""How file stores answer a link that is over; they do not agree on one status."""

_AGAIN = frozenset({408, 425, 429})

_CONTENT_RANGE = re.compile(r"bytes\s+(\d+)-\d+/(\d+|\*)\s*", re.IGNORECASE)


class Download:
    """One download into one part file."""

    def __init__(
        self,
        file: PartFile,
        links: Links,
        retries: Retries,
        *,
        renew: Callable[[], str] | None,
        on_progress: Progress | None,
        stopped: Stopped | None,
        max_bytes: int,
    ) -> None:
        self._file = file
        self._links = links
        self._retries = retries
        self._renew = renew
        self._on_progress = on_progress
        self._stopped = stopped
        self._max_bytes = max_bytes
        self._total: int | None = None
        self._etag = ""

    def run(self, url: str) -> None:
        """Fetches until the file is whole.

        Every failure counts against the retries, but reaching further than ever before makes them good again: a bad
        line only makes a download slow.
        """
        failures = furthest = 0
        renewed = False
        while not self._is_whole:
            check_stopped(self._stopped)
            asked: float | None = None
            try:
                self._fetch(url)
                return
            except _Expired as error:
                if self._renew is None or renewed:
                    raise LinkExpired(error.message) from None
                renewed = True
                url = self._renew()
                continue
            except InvalidAnswerError as error:
                raise DownloadError(error.message) from error
            except _Interrupted as error:
                reason, asked = error.message, error.asked
            except ConnectionFailed as error:
                reason = error.message
            if self._file.size > furthest:
                failures, furthest = 0, self._file.size
            failures += 1
            delay = self._retries.delay(failures, asked)
            if delay is None:
                raise DownloadIncomplete(f"{self._how_far(furthest)}: {reason}")
            self._retries.wait(delay, self._stopped)

    @property
    def _is_whole(self) -> bool:
        return self._total is not None and self._file.size == self._total > 0

    def _how_far(self, furthest: int) -> str:
        if not furthest:
            return "the file could not be fetched"
        whole = "" if self._total is None else f" of {self._total}"
        return f"the download kept breaking off, last after {furthest}{whole} bytes"

    def _fetch(self, url: str) -> None:
        # Without "identity" a store may compress on the fly, and then neither sizes nor ranges mean the file's own.
        headers = {"Accept-Encoding": "identity"}
        if self._file.size:
            headers["Range"] = f"bytes={self._file.size}-"
            if self._etag:
                headers["If-Range"] = self._etag
        with self._links.get(url, headers) as response:
            self._check_status(response)
            self._begin(response)
            for piece in response.iter_raw():
                check_stopped(self._stopped)
                self._check_size(self._file.size + len(piece))
                self._file.write(piece)
                if self._on_progress is not None:
                    self._on_progress(self._file.size, self._total or 0)
        if self._total is not None and self._file.size != self._total:
            raise _Interrupted(f"{self._file.size} bytes came")

    def _check_status(self, response: httpx.Response) -> None:
        status = response.status_code
        if status == 416 and self._file.size:
            self._file.restart()
            raise _Interrupted("the file became shorter")
        if status in _EXPIRED:
            raise _Expired(f"the link has expired (HTTP {status})")
        if status in _AGAIN or status >= 500:
            raise _Interrupted(f"HTTP {status}", retry_after(response.headers))
        if status not in (200, 206):
            raise DownloadError(f"the link was answered with HTTP {status}")
        if response.headers.get("content-encoding", "identity").lower() != "identity":
            raise DownloadError("the file came compressed, which was not asked for")

    def _begin(self, response: httpx.Response) -> None:
        """Takes note of what the answer says of the file; goes back to zero when it is not the rest of what we have."""
        etag = response.headers.get("etag", "")
        etag = "" if etag.startswith("W/") else etag  # a weak one does not promise the same bytes
        if response.status_code == 206:
            start, total = _content_range(response)
            other = (self._total is not None and total is not None and total != self._total) or (
                bool(etag and self._etag) and etag != self._etag
            )
            if start != self._file.size or other:
                self._forget()
                raise _Interrupted("the answer was not the rest of the file")
            self._total = total if self._total is None else self._total
        else:
            self._forget()
            length = response.headers.get("content-length", "")
            self._total = int(length) if length.isdecimal() else None
        self._etag = self._etag or etag
        if self._total is not None:
            self._check_size(self._total)
            self._file.make_room(self._total)

    def _forget(self) -> None:
        if self._file.size:
            self._file.restart()
        self._total, self._etag = None, ""

    def _check_size(self, size: int) -> None:
        if size > self._max_bytes:
            raise DownloadTooLarge(
                f"the file has {size / 1e6:,.1f} MB or more, and at most {self._max_bytes / 1e6:,.1f} MB are allowed"
            )


class _Interrupted(Exception):
    """Worth another try."""

    def __init__(self, message: str, asked: float | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.asked = asked


class _Expired(Exception):
    """Worth a fresh link."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


def checked_extension(path: Path) -> str:
    """The extension that fits what was downloaded.

    Raises:
        DownloadError: Nothing, or a web page, came instead of a file.
    """
    if path.stat().st_size == 0:
        raise DownloadError("the link gave an empty file")
    extension = extension_of(path)
    if extension == WEB_PAGE:
        raise DownloadError("the link gave a web page instead of a file; a proxy or login page may be in between")
    return extension


def _content_range(response: httpx.Response) -> tuple[int, int | None]:
    match = _CONTENT_RANGE.fullmatch(response.headers.get("content-range", ""))
    if match is None:
        return -1, None
    return int(match[1]), None if match[2] == "*" else int(match[2])
