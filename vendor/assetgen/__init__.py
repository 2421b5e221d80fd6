"""A client of the asset generation service.

    with Client(key, "https://host.example") as client:
        token = client.files.upload(Path("model.obj"))
        model = client.tasks.create(ImportModel(file=FileObject(type="obj", file_token=token)))
        client.tasks.wait(model.task_id)
        task = client.tasks.create(Decimate(input=model.task_id, face_limit=5000))
        done = client.tasks.wait(task.task_id)

    event = verify(body, headers, "whsec_...")  # a webhook that came in

What can be created, with its fields, is in :mod:`.contract`. A request that breaks a rule raises pydantic's
ValidationError as soon as it is made; see :meth:`.resources.tasks.Tasks.create` for what creating means.

Names are imported when they are first used: the wire models in :mod:`.contract` are also needed where httpx is not.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .client import Client
    from .errors import (
        AnswerTooLarge,
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
        EventMismatch,
        InsufficientCreditsError,
        InvalidAnswerError,
        LinkExpired,
        MalformedSignature,
        MissingHeader,
        ModerationError,
        NotAnEvent,
        NotFoundError,
        PermissionDeniedError,
        RateLimitError,
        ServerError,
        SignatureMismatch,
        StoppedError,
        TaskFailedError,
        TimedOut,
        TimestampOutsideWindow,
        TooLargeError,
        VersionError,
        WebhookError,
    )
    from .rate_limits import RateLimit
    from .resources.files import Presigned, UploadCredentials
    from .webhooks import BalanceEvent, Deliveries, TaskEvent, WebhookEvent, verify

__all__ = [
    "APIError",
    "AnswerTooLarge",
    "AssetGenError",
    "AuthenticationError",
    "BadParameterError",
    "BalanceEvent",
    "Client",
    "ConcurrencyError",
    "ConfigurationError",
    "ConnectionFailed",
    "Deliveries",
    "DiskError",
    "DownloadError",
    "DownloadIncomplete",
    "DownloadTooLarge",
    "EventMismatch",
    "InsufficientCreditsError",
    "InvalidAnswerError",
    "LinkExpired",
    "MalformedSignature",
    "MissingHeader",
    "ModerationError",
    "NotAnEvent",
    "NotFoundError",
    "PermissionDeniedError",
    "Presigned",
    "RateLimit",
    "RateLimitError",
    "ServerError",
    "SignatureMismatch",
    "StoppedError",
    "TaskEvent",
    "TaskFailedError",
    "TimedOut",
    "TimestampOutsideWindow",
    "TooLargeError",
    "UploadCredentials",
    "VersionError",
    "WebhookError",
    "WebhookEvent",
    "verify",
]

_HOMES = {
    "Client": ".client",
    "RateLimit": ".rate_limits",
    **dict.fromkeys(("Presigned", "UploadCredentials"), ".resources.files"),
    **dict.fromkeys(("BalanceEvent", "Deliveries", "TaskEvent", "WebhookEvent", "verify"), ".webhooks"),
}
"""Where the names live; all others are errors."""


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_HOMES.get(name, ".errors"), __name__), name)
