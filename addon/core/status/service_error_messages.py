"""What the service's error codes (docs/api.md, 3.1) mean to a person: one entry for each code.

What the API leaves open (2002 to 2009 beside moderation) is not guessed at: those entries say that the input was not
accepted, and the service's own words say why.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from ....vendor.assetgen import (
    APIError,
    AuthenticationError,
    ConcurrencyError,
    InsufficientCreditsError,
    ModerationError,
    RateLimitError,
    ServerError,
    TaskFailedError,
    TooLargeError,
    VersionError,
)
from ....vendor.assetgen.contract import CAPABILITIES, ErrorCode, Takes
from .user_message import ExitCode, UserMessage

NO_REASON = "it gave no reason"
_NOT_CHARGED = "It was not charged"
_METHOD_NOT_ALLOWED = 405
_UNSUPPORTED_TYPE = 415


class Explanation(NamedTuple):
    """What a code means.

    Attributes:
        text: A sentence; ``{reason}`` stands for the service's own words and the code.
        advice: What to do.
        exit_code: How a program ends.
        insists: Whether our advice counts also where the service has a suggestion of its own.
    """

    text: str
    advice: str
    exit_code: ExitCode = ExitCode.BAD_INPUT
    insists: bool = False


_KEY = Explanation(
    "The service does not accept the API key",
    "Check the key in the preferences. A key is valid in one region only: the address must be the one of the region"
    " that issued it",
    ExitCode.NOT_AUTHORISED,
    insists=True,
)
_TROUBLE = Explanation("The service has trouble: {reason}", "Press Retry in a few minutes", ExitCode.NETWORK)
_INPUT = Explanation("The service does not accept the input: {reason}", "Change what it names")
_INPUT_ADVICE: Mapping[Takes, str] = MappingProxyType(
    {
        Takes.NOTHING: "Change the prompt",
        Takes.IMAGES: "Try another image",
        Takes.MODEL_FILE: "Try another model",
        Takes.MODEL_TASK: "Change the field that it names, or try another model",
        Takes.RIG_TASK: "Choose another animation",
        Takes.SEGMENT_TASK: "Change the names of the parts",
        Takes.DRAFT_TASK: "Try another draft",
        Takes.MULTIVIEW_TASK: "Change the prompt, or try other views",
    }
)
"""What to do about an input that is not accepted, by what the capability takes."""
_VERSION = Explanation("The service does not take this version: {reason}", "Choose another model version")
_SIZE = Explanation(
    "This is too large for the service: {reason}", "Decimate the model, shrink its textures, or use a smaller image"
)
_ADDRESS = "Check the address in the preferences: it may be one of another service, or of another version of it"
_WRONG_FORM = Explanation("The service does not take requests of this form at this address: {reason}", _ADDRESS)

EXPLANATIONS: Mapping[int, Explanation] = MappingProxyType(
    {
        ErrorCode.AUTHENTICATION: _KEY,
        ErrorCode.AUTHENTICATION_2: _KEY,
        ErrorCode.SERVER_ERROR: _TROUBLE,
        ErrorCode.SERVER_ERROR_2: _TROUBLE,
        ErrorCode.MALFORMED_REQUEST: Explanation(
            "The service could not read the request: {reason}",
            "Update the extension; if it is the newest one, please report this",
        ),
        ErrorCode.BAD_PARAMETER: Explanation(
            "The service does not accept a value of the request: {reason}",
            "Change the value that it names. If it is a file, Retry uploads it again",
        ),
        ErrorCode.RATE_LIMITED: Explanation(
            "The service is asked too often: {reason}", "Press Retry in a minute", ExitCode.NETWORK
        ),
        ErrorCode.CONCURRENCY_LIMIT: Explanation(
            "The account has as many tasks of this kind as the service takes at once: {reason}",
            "Press Retry when one of them has ended",
            ExitCode.NETWORK,
        ),
        ErrorCode.TASK_NOT_FOUND: Explanation(
            "The service does not know the task: {reason}",
            "Check that address and key are those that the task was made with",
            ExitCode.FAILED,
        ),
        ErrorCode.INPUT_2002: _INPUT,
        ErrorCode.INPUT_2003: _INPUT,
        ErrorCode.INPUT_2004: _INPUT,
        ErrorCode.INPUT_2005: _INPUT,
        ErrorCode.INPUT_2006: _INPUT,
        ErrorCode.INPUT_2007: _INPUT,
        ErrorCode.MODERATION: Explanation(
            "The service's moderation rejected the input: {reason}",
            "Change the prompt or the image. Nothing was charged",
            ExitCode.FAILED,
            insists=True,
        ),
        ErrorCode.INPUT_2009: _INPUT,
        ErrorCode.INSUFFICIENT_CREDITS: Explanation(
            "There are not enough credits for this task: {reason}.{price} Nothing was charged",
            "Test Connection in the preferences shows the balance. Buy credits at the service, then press Retry",
            ExitCode.NO_CREDITS,
            insists=True,
        ),
        ErrorCode.PRIORITY_NOT_ALLOWED: Explanation(
            "The account may not use this priority: {reason}",
            "Lower the priority, or leave it to the service",
            ExitCode.NOT_AUTHORISED,
        ),
        ErrorCode.VERSION_2015: _VERSION,
        ErrorCode.VERSION_2016: _VERSION,
        ErrorCode.VERSION_2017: _VERSION,
        ErrorCode.QUEUE_EXPIRED: Explanation(
            "The task waited too long in the service's queue and was dropped: {reason}",
            "Press Retry, perhaps at a quieter time",
            ExitCode.FAILED,
        ),
        ErrorCode.TOO_LARGE_2021: _SIZE,
        ErrorCode.TOO_LARGE_2022: _SIZE,
        ErrorCode.UNKNOWN_ROUTE: Explanation(
            "The service has nothing at this address: {reason}", _ADDRESS, ExitCode.FAILED
        ),
    }
)

_BY_KIND: tuple[tuple[type[APIError], ErrorCode], ...] = (
    (AuthenticationError, ErrorCode.AUTHENTICATION),
    (InsufficientCreditsError, ErrorCode.INSUFFICIENT_CREDITS),
    (ModerationError, ErrorCode.MODERATION),
    (RateLimitError, ErrorCode.RATE_LIMITED),
    (ConcurrencyError, ErrorCode.CONCURRENCY_LIMIT),
    (VersionError, ErrorCode.VERSION_2015),
    (TooLargeError, ErrorCode.TOO_LARGE_2021),
    (ServerError, ErrorCode.SERVER_ERROR),
)
"""For answers without a code, or with one that is not documented, whose status says enough."""

_REFUSED = Explanation("The service refused the request: {reason}", "")

_MODERATED_TASK = Explanation(
    "The service's moderation rejected what the task worked on or made: {reason}",
    "Change the prompt or the image. A rejected task is not charged",
    ExitCode.FAILED,
)


def refusal(error: APIError, needed: str, capability: str = "") -> UserMessage:
    """An error answer in words.

    Args:
        error: What the service answered.
        needed: Credits that such a task cost last time; empty where that is not known.
        capability: What was asked for; empty where that is not known.
    """
    code = int(error.code or 0)
    words = _explanation(error, code)
    price = f" The last one like it cost {needed}." if needed else ""
    text = words.text.format(reason=_reason_text(error.message, code), price=price)
    own_advice = _advice(words, capability)
    advice = own_advice if words.insists else error.suggestion or own_advice
    if error.retry_after and isinstance(error, RateLimitError | ConcurrencyError):
        advice = f"Wait {error.retry_after:.0f} seconds, then press Retry"
    exit_code = ExitCode.FAILED if words is _REFUSED and not code else words.exit_code
    return UserMessage(text, advice, error.request_id, exit_code, code)


def failure(error: TaskFailedError, capability: str = "") -> UserMessage:
    """Why a task that was started gave no result. It is refunded, unless its state is one that nobody knows.

    Args:
        error: How it ended.
        capability: What was asked for; empty where that is not known.
    """
    detail = error.detail
    if not detail.has_known_status:
        return _unknown_state(error)
    code = int(detail.error_code or 0)
    message = detail.error_message or ""
    text, advice = "", f"{_NOT_CHARGED}. Retry starts a new task"
    if code == ErrorCode.MODERATION:
        text, advice = _MODERATED_TASK.text.format(reason=_reason_text(message, code)), _MODERATED_TASK.advice
    elif code == ErrorCode.QUEUE_EXPIRED:
        text = "The task waited too long in the service's queue and was dropped"
    elif detail.status == "cancelled":
        text = "The task was cancelled at the service"
    elif EXPLANATIONS.get(code, _TROUBLE) is not _TROUBLE:
        text = f"The task failed. {EXPLANATIONS[code].text.format(reason=_reason_text(message, code), price='')}"
        advice = f"{_NOT_CHARGED}. {_advice(EXPLANATIONS[code], capability)}"
    elif message:
        text = f"The task failed: {_reason_text(message, code)}"
    elif code:
        text = f"The task failed with code {code}"
    else:
        text = "The task failed; the service gives no reason"
    return UserMessage(text, advice, error.request_id, ExitCode.FAILED, code)


def _advice(words: Explanation, capability: str) -> str:
    model = CAPABILITIES.get(capability)
    return words.advice if words is not _INPUT or model is None else _INPUT_ADVICE[model.takes]


def _unknown_state(error: TaskFailedError) -> UserMessage:
    """A task of which only the service knows what became of it, and whether its credits are gone."""
    detail = error.detail
    code = int(detail.error_code or 0)
    said = f": {_reason_text(detail.error_message, code)}" if detail.error_message else ""
    charged = "The service does not say whether it is charged"
    if detail.credits_consumed is not None:
        charged = f"The service says that it took {detail.credits_consumed.normalize():f} credits"
    return UserMessage(
        f"The task ended in a state that this version does not know ({detail.status}){said}. {charged}",
        "Retry looks at the same task again and starts no other. An update of the extension may know more",
        error.request_id,
        ExitCode.FAILED,
        code,
    )


def _explanation(error: APIError, code: int) -> Explanation:
    if code == ErrorCode.MALFORMED_REQUEST and error.status in (_METHOD_NOT_ALLOWED, _UNSUPPORTED_TYPE):
        return _WRONG_FORM
    if code in EXPLANATIONS:
        return EXPLANATIONS[code]
    return next((EXPLANATIONS[stands_for] for kind, stands_for in _BY_KIND if isinstance(error, kind)), _REFUSED)


def _reason_text(message: str, code: int) -> str:
    message = message.strip().rstrip(".") or NO_REASON
    return f"{message} (code {code})" if code else message
