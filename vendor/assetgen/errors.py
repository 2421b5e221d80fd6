"""What can go wrong with the service.

    AssetGenError
    ├── ConfigurationError          a key or an address that cannot be used (also a ValueError)
    ├── APIError                    the service answered with an error
    │   ├── AuthenticationError     HTTP 401: no key, a wrong key, or a key of another region
    │   ├── PermissionDeniedError
    │   │   └── InsufficientCreditsError
    │   ├── NotFoundError
    │   ├── BadParameterError
    │   ├── RateLimitError          too many requests in the window
    │   ├── ConcurrencyError        too many tasks of this category at once
    │   ├── ModerationError
    │   ├── VersionError
    │   ├── TooLargeError
    │   └── ServerError             HTTP 5xx, or the service says that it failed
    ├── ConnectionFailed            no answer: not reached, cut off, or lost on the way
    │   └── TimedOut
    ├── InvalidAnswerError          an answer that the API does not allow
    ├── DownloadError
    │   ├── LinkExpired
    │   ├── DownloadTooLarge
    │   ├── DownloadIncomplete
    │   └── DiskError               the file could not be written here
    ├── StoppedError                the caller asked to stop
    ├── TaskFailedError             a task ended, but not with success
    └── WebhookError                a webhook delivery that must not be acted upon
        ├── MissingHeader
        ├── MalformedSignature
        ├── SignatureMismatch       a changed body, or another secret
        ├── TimestampOutsideWindow
        ├── EventMismatch           header and body name different types
        └── NotAnEvent

No text of these errors holds the API key or the query of a signed link.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .contract import TaskDetail

# As in contract/answers/error_codes.py, which cannot be imported without pydantic.
_MODERATION = 2008
_QUEUE_EXPIRED = 2018


class AssetGenError(Exception):
    """Base of all errors of the client.

    Attributes:
        message: What happened, as a sentence without its full stop.
        request_id: ``X-Request-ID`` of the request that this is about; empty where there was none.
        may_have_arrived: The service may have received the request and acted on it, although no good answer came
            back. A creation request must then not be sent again before it is known what became of the first.
    """

    def __init__(self, message: str, *, request_id: str = "", may_have_arrived: bool = False) -> None:
        super().__init__(message)
        self.message = message
        self.request_id = request_id
        self.may_have_arrived = may_have_arrived

    def __str__(self) -> str:
        return f"{self.message} (request {self.request_id})" if self.request_id else self.message

    def __repr__(self) -> str:
        return f"{type(self).__name__}({str(self)!r})"


class ConfigurationError(AssetGenError, ValueError):
    """A key, an address or a proxy setting cannot be used."""


class APIError(AssetGenError):
    """The service answered with an error.

    Attributes:
        code: The service's number for it (docs/api.md, 3.1), also one that this client does not know; None where the
            answer had none.
        status: The HTTP status.
        suggestion: The service's advice; may be empty.
        trace_id: ``X-Service-Trace-ID``; may be empty.
        retry_after: Seconds to wait before another try, where the service named them.
    """

    def __init__(
        self,
        message: str,
        *,
        code: int | None = None,
        status: int = 0,
        suggestion: str = "",
        request_id: str = "",
        trace_id: str = "",
        retry_after: float | None = None,
        may_have_arrived: bool = False,
    ) -> None:
        super().__init__(message, request_id=request_id, may_have_arrived=may_have_arrived)
        self.code = code
        self.status = status
        self.suggestion = suggestion
        self.trace_id = trace_id
        self.retry_after = retry_after

    def __str__(self) -> str:
        facts = [f"HTTP {self.status}"]
        if self.code is not None:
            facts.insert(0, f"code {int(self.code)}")
        if self.request_id:
            facts.append(f"request {self.request_id}")
        advice = f" {self.suggestion}" if self.suggestion else ""
        return f"{self.message} ({', '.join(facts)}){advice}"


class AuthenticationError(APIError):
    """The key is missing, wrong, or of another region."""


class PermissionDeniedError(APIError):
    """The account may not do this."""


class InsufficientCreditsError(PermissionDeniedError):
    """The balance does not cover the task."""


class NotFoundError(APIError):
    """The task or the route does not exist."""


class BadParameterError(APIError):
    """The service refused the request's content."""


class RateLimitError(APIError):
    """Too many requests; ``retry_after`` says how long to wait where the service told."""


class ConcurrencyError(APIError):
    """Too many tasks of this category run already; ``retry_after`` says how long to wait where the service told."""


class ModerationError(APIError):
    """The service's moderation refused the input."""


class VersionError(APIError):
    """A version that does not exist or does not fit the request."""


class TooLargeError(APIError):
    """The file or the request is larger than the service takes."""


class ServerError(APIError):
    """The service failed."""


class ConnectionFailed(AssetGenError):
    """No answer came: the service was not reached, or the connection broke."""


class TimedOut(ConnectionFailed):
    """No answer came in time."""


class InvalidAnswerError(AssetGenError):
    """The answer is not one that the API allows: something else than the service may have answered.

    Attributes:
        status: The HTTP status of the answer.
        in_envelope: It came in the API's envelope and says that it is a success: the service itself answered.
    """

    def __init__(
        self,
        message: str,
        *,
        status: int = 0,
        request_id: str = "",
        may_have_arrived: bool = False,
        in_envelope: bool = False,
    ) -> None:
        super().__init__(message, request_id=request_id, may_have_arrived=may_have_arrived)
        self.status = status
        self.in_envelope = in_envelope


class AnswerTooLarge(InvalidAnswerError):
    """The answer is larger than any of the API's; it was not read to its end."""


class DownloadError(AssetGenError):
    """A file could not be fetched."""


class LinkExpired(DownloadError):
    """The link is not valid any more, and there was no fresh one."""


class DownloadTooLarge(DownloadError):
    """The file is larger than the caller allows."""


class DownloadIncomplete(DownloadError):
    """The connection kept breaking before the file was whole."""


class DiskError(DownloadError):
    """The file could not be written: the disk is full, or the folder cannot be written to. The cause is an OSError."""


class StoppedError(AssetGenError):
    """The caller asked to stop."""

    def __init__(self, message: str = "stopped", *, request_id: str = "", may_have_arrived: bool = False) -> None:
        super().__init__(message, request_id=request_id, may_have_arrived=may_have_arrived)


class TaskFailedError(AssetGenError):
    """A task ended as failed, as cancelled, or in a state that the API does not name.

    Attributes:
        detail: The task as the service describes it; ``error_code`` and ``error_message`` say why it failed.
    """

    def __init__(self, detail: TaskDetail, *, request_id: str = "") -> None:
        reason = detail.error_message or f"its state is {detail.status!r}"
        code = f" (code {detail.error_code})" if detail.error_code is not None else ""
        super().__init__(f"task {detail.task_id} was not successful: {reason}{code}", request_id=request_id)
        self.detail = detail

    @property
    def code(self) -> int | None:
        """The service's number for the reason (docs/api.md, 3.1), also one that this client does not know."""
        return self.detail.error_code

    @property
    def is_moderation(self) -> bool:
        """Whether the service's moderation rejected the input or the result: the same again would be as well."""
        return self.code == _MODERATION

    @property
    def is_queue_expired(self) -> bool:
        """Whether the task never began, because it waited too long: the same again may succeed."""
        return self.code == _QUEUE_EXPIRED


class WebhookError(AssetGenError):
    """A webhook delivery that must not be acted upon. Its answer is a status that is not 2xx."""


class MissingHeader(WebhookError):
    """One of the ``Service-Webhook-...`` headers is missing."""


class MalformedSignature(WebhookError):
    """The signature's header is not of the form ``t=<unix seconds>,v1=<hex>``."""


class SignatureMismatch(WebhookError):
    """The body was changed on its way, or another secret signed it."""


class TimestampOutsideWindow(WebhookError):
    """The delivery was signed too long ago, or for a time too far ahead: it may be an old one played back."""


class EventMismatch(WebhookError):
    """The header ``Service-Webhook-Event``, which the signature does not cover, names another type than the body."""


class NotAnEvent(WebhookError):
    """The body is not an event, although its signature fits."""
