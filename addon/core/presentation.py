"""Every error as words for a person, once: one sentence, one piece of advice, and what a program needs beside them."""

from __future__ import annotations

import errno
import re
import sqlite3
from dataclasses import dataclass
from enum import IntEnum
from typing import Any

from ...vendor.assetgen import (
    APIError,
    AssetGenError,
    AuthenticationError,
    ConcurrencyError,
    ConfigurationError,
    ConnectionFailed,
    DownloadError,
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
from ...vendor.assetgen.contract import ErrorCode
from ...vendor.background_blender import BlenderFailed, BlenderMissing, BlenderStopped, BlenderTimedOut
from .errors import CoreError, EngineTrouble, InsecureAddress, NoKey, Offline, Refused, SentTooOften

_FULL = frozenset({errno.ENOSPC, errno.EDQUOT})
_FULL_WORDS = ("no space left on device", "not enough space on the disk", "disk quota exceeded")
_NO_ANSWER_YET = "Nothing is lost: press Retry when the connection is back"


class ExitCode(IntEnum):
    """How a program ends."""

    DONE = 0
    FAILED = 1
    BAD_INPUT = 2
    NOT_AUTHORISED = 3
    NO_CREDITS = 4
    NETWORK = 5
    UNCERTAIN = 6
    INTERRUPTED = 130


@dataclass(frozen=True, slots=True)
class Sentence:
    """An error in words. ``code`` is the service's number where it gave one."""

    text: str
    advice: str = ""
    request_id: str = ""
    exit_code: int = ExitCode.FAILED
    code: int = 0

    def columns(self) -> dict[str, Any]:
        """The error as the journal keeps it with a job."""
        return {
            "error": self.text,
            "advice": self.advice,
            "request_id": self.request_id,
            "exit_code": self.exit_code,
            "error_code": self.code,
        }

    def __str__(self) -> str:
        """All of it in one line, for a terminal or a log."""
        parts = [self.text.rstrip("."), self.advice.rstrip(".")]
        line = ". ".join(part for part in parts if part) + "."
        return f"{line} (request {self.request_id})" if self.request_id else line


def present(error: BaseException, *, needed: str = "") -> Sentence:
    """Puts an error into words.

    Args:
        error: Any exception; one that nobody expected becomes a sentence as well.
        needed: Credits that such a task cost last time, where that is known.
    """
    for source in (error, error.__cause__):
        if source is not None and is_full_disk(source):
            return _full_disk(source)
    if isinstance(error, TaskFailedError):
        return _failed_task(error)
    if isinstance(error, APIError):
        return _api_error(error, needed)
    if isinstance(error, AssetGenError):
        return _client_error(error)
    if isinstance(error, SentTooOften) and error.__cause__ is not None:
        return present(error.__cause__, needed=needed)
    if isinstance(error, CoreError):
        return Sentence(str(error), error.advice, exit_code=_core_exit_code(error))
    return _other(error)


def is_full_disk(error: BaseException) -> bool:
    """Whether there was no room, here or in a background Blender."""
    if isinstance(error, OSError):
        return error.errno in _FULL
    if isinstance(error, sqlite3.OperationalError):
        return getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_FULL
    return isinstance(error, BlenderFailed) and any(words in str(error).lower() for words in _FULL_WORDS)


def _full_disk(error: BaseException) -> Sentence:
    place = getattr(error, "filename", None)
    where = f" while writing {place}" if place else ""
    return Sentence(f"The disk is full{where}", "Make room, then press Retry: what is paid stays yours")


def _core_exit_code(error: CoreError) -> int:
    if isinstance(error.__cause__, CoreError):
        return _core_exit_code(error.__cause__)
    if isinstance(error, NoKey):
        return ExitCode.NOT_AUTHORISED
    if isinstance(error, Refused | InsecureAddress):
        return ExitCode.BAD_INPUT
    if isinstance(error, Offline | EngineTrouble):
        return ExitCode.NETWORK
    return ExitCode.FAILED


def _api_error(error: APIError, needed: str) -> Sentence:
    code = int(error.code or 0)
    text, advice, exit_code = _api_words(error, code, needed)
    return Sentence(text, advice, error.request_id, exit_code, code)


def _api_words(error: APIError, code: int, needed: str) -> tuple[str, str, int]:
    said = _with_number(error.message, code)
    if isinstance(error, AuthenticationError):
        return (
            "The service does not accept the API key",
            "Check the key in the preferences. A key is valid in one region only: the address must be the one of the"
            " region that issued it",
            ExitCode.NOT_AUTHORISED,
        )
    if isinstance(error, InsufficientCreditsError):
        price = f" The last one like it cost {needed}." if needed else ""
        return (
            f"There are not enough credits for this task: {said}.{price} Nothing was charged",
            "The Test button in the preferences shows the balance. Buy credits at the service, then press Retry",
            ExitCode.NO_CREDITS,
        )
    if isinstance(error, PermissionDeniedError):
        return f"The account may not do this: {said}", error.suggestion, ExitCode.NOT_AUTHORISED
    if isinstance(error, ModerationError):
        return _moderated(error.message)
    if isinstance(error, NotFoundError):
        return f"The service does not know what was asked for: {said}", error.suggestion, ExitCode.FAILED
    if isinstance(error, RateLimitError | ConcurrencyError):
        return "The service is asked too often or has too many tasks of this account", _wait(error), ExitCode.NETWORK
    if isinstance(error, VersionError):
        advice = error.suggestion or "Choose another model version"
        return f"The service does not take this version: {said}", advice, ExitCode.BAD_INPUT
    if isinstance(error, TooLargeError):
        advice = error.suggestion or "Decimate the model or shrink its textures first"
        return f"The file is too large for the service: {said}", advice, ExitCode.BAD_INPUT
    if isinstance(error, ServerError):
        return f"The service has trouble: {said}", error.suggestion or "Press Retry in a few minutes", ExitCode.NETWORK
    return f"The service refused the request: {said}", error.suggestion, ExitCode.BAD_INPUT if code else ExitCode.FAILED


def _wait(error: APIError) -> str:
    return f"Wait {error.retry_after:.0f} seconds, then press Retry" if error.retry_after else "Press Retry in a minute"


def _with_number(message: str, code: int) -> str:
    message = message.strip().rstrip(".") or "it gave no reason"
    return f"{message} (code {code})" if code else message


def _moderated(message: str) -> tuple[str, str, int]:
    return (
        f"The service's moderation rejected this: {_with_number(message, ErrorCode.MODERATION)}",
        "Change the prompt or the image. A rejected task is not charged",
        ExitCode.FAILED,
    )


def _failed_task(error: TaskFailedError) -> Sentence:
    detail = error.detail
    code = detail.error_code or 0
    if code == ErrorCode.MODERATION:
        text, advice, exit_code = _moderated(detail.error_message or "")
        return Sentence(text, advice, error.request_id, exit_code, code)
    if code == ErrorCode.QUEUE_EXPIRED:
        text = "The task waited too long in the service's queue and was dropped"
    elif detail.status == "cancelled":
        text = "The task was cancelled at the service"
    elif detail.error_message:
        text = f"The task failed: {_with_number(detail.error_message, code)}"
    elif code:
        text = f"The task failed with code {code}"
    elif detail.status == "failed":
        text = "The task failed; the service gives no reason"
    else:
        text = f"The task ended in a state that this version does not know ({detail.status})"
    return Sentence(text, "It was not charged. Retry starts a new task", error.request_id, ExitCode.FAILED, code)


def _client_error(error: AssetGenError) -> Sentence:
    request_id = error.request_id
    if isinstance(error, ConfigurationError):
        advice = "Check the address and the key in the preferences"
        return Sentence(f"The connection cannot be made: {error.message}", advice, request_id, ExitCode.BAD_INPUT)
    if isinstance(error, StoppedError):
        return Sentence("Stopped", "", request_id, ExitCode.INTERRUPTED)
    if isinstance(error, DownloadTooLarge):
        advice = "Raise the limit for downloads in the preferences, then press Retry"
        return Sentence(f"The result is too large: {error.message}", advice, request_id)
    if isinstance(error, LinkExpired):
        advice = "Press Retry to get a fresh link: the result is paid and stays yours"
        return Sentence("The link to the result has expired", advice, request_id, ExitCode.NETWORK)
    if isinstance(error, DownloadError):
        advice = "Press Retry: the result is paid and stays yours"
        return Sentence(f"The result could not be fetched: {error.message}", advice, request_id, ExitCode.NETWORK)
    if isinstance(error, TimedOut):
        return Sentence(f"No answer came in time: {error.message}", _NO_ANSWER_YET, request_id, ExitCode.NETWORK)
    if isinstance(error, ConnectionFailed):
        advice = "Check the connection and the address in the preferences; start the engine if it is one of your own"
        words = re.sub(r"\[Errno -?\d+\] ", "", error.message)
        return Sentence(words[:1].upper() + words[1:], advice, request_id, ExitCode.NETWORK)
    if isinstance(error, InvalidAnswerError):
        advice = "Check the address in the preferences: something else than the service may have answered"
        return Sentence(f"The answer cannot be understood: {error.message}", advice, request_id, ExitCode.NETWORK)
    return Sentence(error.message, "", request_id)


def _other(error: BaseException) -> Sentence:
    if isinstance(error, BlenderMissing):
        return Sentence(f"The background Blender did not start: {error}", "Check that this Blender can be run again")
    if isinstance(error, BlenderTimedOut):
        return Sentence("The background Blender took too long", "Press Retry, or work on a smaller model")
    if isinstance(error, BlenderStopped):
        return Sentence("Stopped", exit_code=ExitCode.INTERRUPTED)
    if isinstance(error, BlenderFailed):
        return Sentence(
            f"The background Blender could not do it: {_first_line(error)}", "Press Retry, or look at the file"
        )
    if isinstance(error, sqlite3.Error):
        return Sentence(f"The list of jobs cannot be written: {error}", "Check the data folder in the preferences")
    if isinstance(error, PermissionError):
        place = f" {error.filename}" if error.filename else ""
        return Sentence(f"No permission for{place or ' a file'}", "Choose another folder, or change its permissions")
    if isinstance(error, OSError):
        place = f" ({error.filename})" if error.filename else ""
        return Sentence(
            f"A file could not be used: {error.strerror or error}{place}", "Press Retry when that is mended"
        )
    return Sentence(
        f"Something went wrong that should not: {type(error).__name__}: {_first_line(error)}",
        "Press Retry; if it happens again, please report it",
    )


def _first_line(error: Any) -> str:
    return (str(error).strip().splitlines() or ["it gave no reason"])[0]
