"""The client: one service, one key."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType, TracebackType
from typing import Self

from .connections import Connections
from .downloads import MAX_BYTES, Download, checked_extension
from .links import Links
from .part_file import PartFile
from .rate_limits import RateLimit
from .resources.account import Account
from .resources.files import Files
from .resources.tasks import Tasks
from .retrying import READ_TIMEOUT, Progress, Retries, Stopped
from .transport import Transport

USER_AGENT = "asset-generation/0.1"


class Client:
    """Talks with the service. Threads may share one; use it in a ``with`` block, or close it.

    Every request carries an ``X-Request-ID`` that is the same when it is sent again and is found in the errors and in
    the debug log. What can go wrong is in :mod:`.errors`.

    Attributes:
        files: Uploads.
        tasks: Creating and reading tasks.
        account: Balance and usage.
    """

    def __init__(
        self,
        api_key: str,
        base_url: str,
        *,
        connect_timeout: float = 5.0,
        read_timeout: float = READ_TIMEOUT,
        max_retries: int = 2,
        max_wait: float = 60.0,
        user_agent: str = USER_AGENT,
        proxy: str = "",
        ca_file: Path | None = None,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        """Checks its arguments; nothing is sent yet.

        Args:
            api_key: Goes to the service and nowhere else.
            base_url: The service's root, https unless it is on this machine.
            connect_timeout: Seconds until a connection must stand.
            read_timeout: Seconds without a byte after which an answer counts as lost.
            max_retries: How many times a request is sent again, where that is safe.
            max_wait: Longest wait, in seconds, that the service may ask for between two tries.
            user_agent: Names the program to the service.
            proxy: Address of the proxy that leads to all but this machine; the environment's (``HTTPS_PROXY``, or what
                the system has set) without it.
            ca_file: Certificates (PEM) that are trusted beside the public ones and the system's.
            sleep: Waits between tries.

        Raises:
            ConfigurationError: The key or the address cannot be used.
        """
        connections = Connections(
            connect_timeout=connect_timeout,
            read_timeout=read_timeout,
            user_agent=user_agent,
            proxy=proxy,
            ca_file=ca_file,
        )
        self._transport = Transport(
            api_key, base_url, connections, Retries(most=max_retries, longest_wait=max_wait, sleep=sleep)
        )
        self._links = Links(connections, loopback=self._transport.is_local)
        self.files = Files(self._transport, self._links)
        self.tasks = Tasks(self._transport)
        self.account = Account(self._transport)

    @property
    def base_url(self) -> str:
        """The service's root, without a slash at its end."""
        return self._transport.base_url

    @property
    def rate_limits(self) -> Mapping[str, RateLimit]:
        """What the last answers said of the rate limits, by group of endpoints (``generation``, ``tasks``, ...)."""
        return MappingProxyType(self._transport.rate_limits)

    def download(
        self,
        url: str,
        folder: Path,
        *,
        name: str,
        renew: Callable[[], str] | None = None,
        on_progress: Progress | None = None,
        stopped: Stopped | None = None,
        max_bytes: int = MAX_BYTES,
    ) -> Path:
        """Fetches a file from a link of the service. The link gets neither the key nor any other of our headers.

        The file appears in ``folder`` when it is whole, never before; nothing is left there when this fails.

        Args:
            url: The signed link.
            folder: Where the file goes; created when it is missing.
            name: The file's name without an extension, which is added to fit the content (``bin`` when that is not
                recognised). A file that has the name is replaced.
            renew: Gives a fresh link to the same file. Called once, when the first link has expired.
            on_progress: Takes the bytes fetched and the bytes in all, 0 where the server does not tell.
            stopped: Asked for every piece, and while waiting before another try.
            max_bytes: Largest file that is taken.

        Returns:
            Where the file is.

        Raises:
            LinkExpired: The link has expired, and ``renew`` was not given or did not help.
            DownloadTooLarge: The file is larger than ``max_bytes``.
            DownloadIncomplete: The connection kept breaking.
            DiskError: The file could not be written.
            DownloadError: The link must not be followed, or what it gave is no file.
            StoppedError: ``stopped`` said so.
        """
        with PartFile(folder, name) as file:
            Download(
                file,
                self._links,
                self._transport.retries,
                renew=renew,
                on_progress=on_progress,
                stopped=stopped,
                max_bytes=max_bytes,
            ).run(url)
            return file.keep(checked_extension)

    def close(self) -> None:
        """Closes the connections; what is used afterwards raises StoppedError."""
        self._transport.connections.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"Client(base_url={self.base_url!r})"
