"""Signed links: who has one may fetch (or send) that one file until it ends, with no key (docs/api.md, 2.5, 6.2)."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from http import HTTPStatus
from urllib.parse import quote, urlencode

from ...assetgen.contract import ErrorCode
from ..errors import ServiceError

FILES = "/_files"
UPLOADS = "/_uploads"


@dataclass(frozen=True, slots=True)
class SignedLinks:
    """Makes and checks links.

    Attributes:
        base_url: Where this engine can be reached.
        secret: What signs.
        clock: The time of day in Unix seconds.
    """

    base_url: str
    secret: bytes
    clock: Callable[[], float]

    def download_link(self, task_id: str, name: str, seconds: float) -> str:
        """A link to a file of a task."""
        return self._sign(f"{FILES}/{task_id}/{name}", seconds)

    def upload_link(self, token: str, seconds: float) -> str:
        """A link that takes the bytes of a file token."""
        return self._sign(f"{UPLOADS}/{token}", seconds)

    def check(self, path: str, query: Mapping[str, str]) -> None:
        """Lets a valid link pass.

        Args:
            path: The path that is asked for, decoded.
            query: Its query.

        Raises:
            ServiceError: The signature is not ours, or the link has ended (both HTTP 403).
        """
        expires = query.get("expires", "")
        if not hmac.compare_digest(self._signature(path, expires).encode(), query.get("signature", "").encode()):
            raise _refused("the link's signature is not valid")
        if int(expires) <= self.clock():
            raise _refused("the link has expired; read the task again for a fresh one")

    def _sign(self, path: str, seconds: float) -> str:
        expires = str(int(self.clock() + seconds))
        query = urlencode({"expires": expires, "signature": self._signature(path, expires)})
        return f"{self.base_url}{quote(path)}?{query}"

    def _signature(self, path: str, expires: str) -> str:
        return hmac.new(self.secret, f"{path}\n{expires}".encode(), hashlib.sha256).hexdigest()


def _refused(message: str) -> ServiceError:
    return ServiceError(ErrorCode.BAD_PARAMETER, message, status=HTTPStatus.FORBIDDEN)
