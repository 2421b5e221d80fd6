"""Every error as words for a person, once: one sentence, one piece of advice, and what a program needs beside them."""

from __future__ import annotations

import errno
import re
import sqlite3
from typing import Any

from ....vendor.assetgen import (
    APIError,
    AssetGenError,
    ConfigurationError,
    ConnectionFailed,
    DownloadError,
    DownloadTooLarge,
    InvalidAnswerError,
    LinkExpired,
    StoppedError,
    TaskFailedError,
    TimedOut,
)
from ....vendor.background_blender import BlenderFailed, BlenderMissing, BlenderStopped, BlenderTimedOut
from ..errors import CoreError, EngineTrouble, InsecureAddress, NoKey, NoWebAddress, Offline, Refused, SentTooOften
from ..settings import DOWNLOAD_LABEL
from .service_error_messages import NO_REASON, failure, refusal
from .user_message import ExitCode, UserMessage

__all__ = ["ExitCode", "UserMessage", "is_full_disk", "present"]

_FULL = frozenset({errno.ENOSPC, errno.EDQUOT})
_FULL_WORDS = ("no space left on device", "not enough space on the disk", "disk quota exceeded")
_NO_ANSWER_YET = "Nothing is lost: press Retry when the connection is back"


def present(error: BaseException, *, needed: str = "", capability: str = "") -> UserMessage:
    """Puts an error into words.

    Args:
        error: Any exception; one that nobody expected becomes a sentence as well.
        needed: Credits that such a task cost last time, where that is known.
        capability: What was asked of the service, where that is known.
    """
    for source in (error, error.__cause__):
        if source is not None and is_full_disk(source):
            return _full_disk(source)
    if isinstance(error, TaskFailedError):
        return failure(error, capability)
    if isinstance(error, APIError):
        return refusal(error, needed, capability)
    if isinstance(error, AssetGenError):
        return _client_error(error)
    if isinstance(error, SentTooOften) and error.__cause__ is not None:
        return present(error.__cause__, needed=needed, capability=capability)
    if isinstance(error, CoreError):
        return UserMessage(str(error), error.advice, exit_code=_core_exit_code(error))
    return _other(error)


def is_full_disk(error: BaseException) -> bool:
    """Whether there was no room, here or in a background Blender."""
    if isinstance(error, OSError):
        return error.errno in _FULL
    if isinstance(error, sqlite3.OperationalError):
        return getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_FULL
    return isinstance(error, BlenderFailed) and any(words in str(error).lower() for words in _FULL_WORDS)


def _full_disk(error: BaseException) -> UserMessage:
    place = getattr(error, "filename", None)
    where = f" while writing {place}" if place else ""
    return UserMessage(f"The disk is full{where}", "Make room, then press Retry: what is paid stays yours")


def _core_exit_code(error: CoreError) -> int:
    if isinstance(error.__cause__, CoreError):
        return _core_exit_code(error.__cause__)
    if isinstance(error, NoKey):
        return ExitCode.NOT_AUTHORISED
    if isinstance(error, Refused | InsecureAddress | NoWebAddress):
        return ExitCode.BAD_INPUT
    if isinstance(error, Offline | EngineTrouble):
        return ExitCode.NETWORK
    return ExitCode.FAILED


def _client_error(error: AssetGenError) -> UserMessage:
    request_id = error.request_id
    if isinstance(error, ConfigurationError):
        advice = "Check the address and the key in the preferences"
        return UserMessage(f"The connection cannot be made: {error.message}", advice, request_id, ExitCode.BAD_INPUT)
    if isinstance(error, StoppedError):
        return UserMessage("Stopped", "", request_id, ExitCode.INTERRUPTED)
    if isinstance(error, DownloadTooLarge):
        advice = f'Raise "{DOWNLOAD_LABEL}" in the preferences, then press Retry: the result is paid and stays yours'
        return UserMessage(f"The result is too large: {error.message}", advice, request_id)
    if isinstance(error, LinkExpired):
        advice = "Press Retry to get a fresh link: the result is paid and stays yours"
        return UserMessage("The link to the result has expired", advice, request_id, ExitCode.NETWORK)
    if isinstance(error, DownloadError):
        advice = "Press Retry: the result is paid and stays yours"
        return UserMessage(f"The result could not be fetched: {error.message}", advice, request_id, ExitCode.NETWORK)
    if isinstance(error, TimedOut):
        return UserMessage(f"No answer came in time: {error.message}", _NO_ANSWER_YET, request_id, ExitCode.NETWORK)
    if isinstance(error, ConnectionFailed):
        advice = "Check the connection and the address in the preferences; start the engine if it is one of your own"
        words = re.sub(r"\[Errno -?\d+\] ", "", error.message)
        return UserMessage(words[:1].upper() + words[1:], advice, request_id, ExitCode.NETWORK)
    if isinstance(error, InvalidAnswerError):
        advice = "Check the address in the preferences: something else than the service may have answered"
        return UserMessage(f"The answer cannot be understood: {error.message}", advice, request_id, ExitCode.NETWORK)
    return UserMessage(error.message, "", request_id)


def _other(error: BaseException) -> UserMessage:
    if isinstance(error, BlenderMissing):
        return UserMessage(f"The background Blender did not start: {error}", "Check that this Blender can be run again")
    if isinstance(error, BlenderTimedOut):
        return UserMessage("The background Blender took too long", "Press Retry, or work on a smaller model")
    if isinstance(error, BlenderStopped):
        return UserMessage("Stopped", exit_code=ExitCode.INTERRUPTED)
    if isinstance(error, BlenderFailed):
        return UserMessage(
            f"The background Blender could not do it: {_first_line(error)}", "Press Retry, or look at the file"
        )
    if isinstance(error, sqlite3.Error):
        return UserMessage(f"The list of jobs cannot be written: {error}", "Check the data folder in the preferences")
    if isinstance(error, PermissionError):
        place = f" {error.filename}" if error.filename else ""
        return UserMessage(f"No permission for{place or ' a file'}", "Choose another folder, or change its permissions")
    if isinstance(error, OSError):
        place = f" ({error.filename})" if error.filename else ""
        return UserMessage(
            f"A file could not be used: {error.strerror or error}{place}", "Press Retry when that is mended"
        )
    return UserMessage(
        f"Something went wrong that should not: {type(error).__name__}: {_first_line(error)}",
        "Press Retry; if it happens again, please report it",
    )


def _first_line(error: Any) -> str:
    return (str(error).strip().splitlines() or [NO_REASON])[0]
