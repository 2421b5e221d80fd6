"""A client of the asset generation service.

    with Client(key, "https://host.example") as client:
        token = client.files.upload(Path("model.obj"))
        task = client.models.import_model(file={"type": "obj", "file_token": token})
        done = client.tasks.wait(task.task_id)

Names are imported when they are first used: the wire models in :mod:`.contract` are also needed where httpx is not.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .client import Client
    from .errors import (
        APIError,
        AssetGenError,
        AuthenticationError,
        BadParameterError,
        ConcurrencyError,
        ConfigurationError,
        ConnectionFailed,
        DiskError,
        DownloadError,
        DownloadIncomplete,
        DownloadTooLarge,
        InsufficientCreditsError,
        InvalidAnswerError,
        LinkExpired,
        ModerationError,
        NotFoundError,
        PermissionDeniedError,
        RateLimitError,
        ServerError,
        StoppedError,
        TaskFailedError,
        TimedOut,
        TooLargeError,
        VersionError,
    )
    from .rate_limits import RateLimit

__all__ = [
    "APIError",
    "AssetGenError",
    "AuthenticationError",
    "BadParameterError",
    "Client",
    "ConcurrencyError",
    "ConfigurationError",
    "ConnectionFailed",
    "DiskError",
    "DownloadError",
    "DownloadIncomplete",
    "DownloadTooLarge",
    "InsufficientCreditsError",
    "InvalidAnswerError",
    "LinkExpired",
    "ModerationError",
    "NotFoundError",
    "PermissionDeniedError",
    "RateLimit",
    "RateLimitError",
    "ServerError",
    "StoppedError",
    "TaskFailedError",
    "TimedOut",
    "TooLargeError",
    "VersionError",
]

_HOMES = {"Client": ".client", "RateLimit": ".rate_limits"}


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_HOMES.get(name, ".errors"), __name__), name)
