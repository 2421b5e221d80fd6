"""Who may ask (docs/api.md, 1.1)."""

from __future__ import annotations

import hmac
import secrets
from http import HTTPStatus

from ...assetgen.contract import ErrorCode
from ..errors import ServiceError

_SCHEME = "bearer"


def random_key() -> str:
    """A key that nobody can guess."""
    return f"local_{secrets.token_urlsafe(32)}"


def check_key(authorization: str, key: str) -> None:
    """Lets a request pass whose ``Authorization`` header carries the key.

    Raises:
        ServiceError: It carries another one, or none (HTTP 401, code 2).
    """
    scheme, _, credentials = authorization.strip().partition(" ")
    if not authorization:
        raise _refused("the request has no API key")
    # Compared as bytes: a header may hold any character, and compare_digest takes only ASCII texts.
    if scheme.lower() != _SCHEME or not hmac.compare_digest(credentials.strip().encode(), key.encode()):
        raise _refused("the API key is not valid here")


def _refused(message: str) -> ServiceError:
    return ServiceError(
        ErrorCode.AUTHENTICATION, message, status=HTTPStatus.UNAUTHORIZED, headers={"WWW-Authenticate": "Bearer"}
    )
