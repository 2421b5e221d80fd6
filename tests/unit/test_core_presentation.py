from __future__ import annotations

import errno
import sqlite3

import pytest
from asset_generation.addon.core.errors import BadRequest, BrokenResult, EngineTrouble, NoKey, Offline, Refused
from asset_generation.addon.core.presentation import ExitCode, Sentence, present
from asset_generation.vendor import assetgen
from asset_generation.vendor.assetgen.contract import TaskDetail
from asset_generation.vendor.background_blender import BlenderFailed, BlenderMissing

API = {"status": 400, "request_id": "req-1"}


@pytest.mark.parametrize(
    ("error", "words", "exit_code"),
    [
        (assetgen.AuthenticationError("no", code=2, **API), "does not accept the API key", 3),
        (assetgen.InsufficientCreditsError("poor", code=2010, **API), "not enough credits", 4),
        (assetgen.PermissionDeniedError("tier", code=2013, **API), "tier (code 2013)", 3),
        (assetgen.NotFoundError("gone", code=2001, **API), "gone (code 2001)", 1),
        (assetgen.BadParameterError("bad", code=1004, **API), "bad (code 1004)", 2),
        (assetgen.ModerationError("rude", code=2008, **API), "moderation rejected this: rude", 1),
        (assetgen.VersionError("old", code=2016, **API), "does not take this version", 2),
        (assetgen.TooLargeError("big", code=2021, **API), "too large", 2),
        (assetgen.ServerError("down", code=1000, **API), "has trouble: down", 5),
        (assetgen.RateLimitError("slow", code=1007, **API), "too often", 5),
        (assetgen.ConcurrencyError("full", code=2000, retry_after=7.0, **API), "too many tasks", 5),
        (assetgen.APIError("odd", code=7777, **API), "odd (code 7777)", 2),
        (assetgen.ConnectionFailed("host cannot be reached"), "cannot be reached", 5),
        (assetgen.TimedOut("host did not answer"), "No answer came in time", 5),
        (assetgen.InvalidAnswerError("a page"), "cannot be understood", 5),
        (assetgen.ConfigurationError("no scheme"), "cannot be made", 2),
        (assetgen.LinkExpired("late"), "expired", 5),
        (assetgen.DownloadTooLarge("3 GB"), "too large", 1),
        (assetgen.DownloadIncomplete("cut"), "could not be fetched", 5),
        (assetgen.StoppedError(), "Stopped", 130),
        (BadRequest("Face Limit is wrong", "face_limit"), "Face Limit is wrong", 2),
        (NoKey("a.example"), "no API key for a.example", 3),
        (Offline(), "Online access is turned off", 5),
        (EngineTrouble("it did not start"), "did not start", 5),
        (BrokenResult("broken"), "broken", 1),
        (BlenderMissing("could not start blender"), "did not start", 1),
        (BlenderFailed("cannot read\nTraceback ..."), "could not do it: cannot read", 1),
        (OSError(errno.ENOSPC, "No space left on device", "/data/x"), "The disk is full while writing /data/x", 1),
        (PermissionError(errno.EACCES, "Permission denied", "/data/x"), "No permission for /data/x", 1),
        (sqlite3.OperationalError("locked"), "list of jobs cannot be written", 1),
        (ZeroDivisionError("division by zero"), "should not: ZeroDivisionError", 1),
        (ValueError(), "it gave no reason", 1),
    ],
)
def test_every_error_is_a_sentence(error: Exception, words: str, exit_code: int) -> None:
    sentence = present(error)
    assert words in sentence.text
    assert sentence.exit_code == exit_code
    assert "\n" not in str(sentence)
    assert "Traceback" not in str(sentence)
    if isinstance(error, assetgen.APIError):
        assert sentence.request_id == "req-1"
        assert str(sentence).endswith("(request req-1)")


def test_the_advice_for_a_key_names_the_region() -> None:
    assert "one region only" in present(assetgen.AuthenticationError("no", **API)).advice


def test_too_few_credits_say_what_the_last_one_cost() -> None:
    error = assetgen.InsufficientCreditsError("not enough", code=2010, **API)
    assert "The last one like it cost 5" in present(error, needed="5").text
    assert "cost" not in present(error).text


def test_the_services_own_suggestion_is_kept() -> None:
    assert present(assetgen.BadParameterError("bad", suggestion="Use a cube", **API)).advice == "Use a cube"


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"status": "failed", "error_code": 2008, "error_message": "no"}, "moderation rejected"),
        ({"status": "failed", "error_code": 2018}, "waited too long in the service's queue"),
        ({"status": "failed", "error_code": 1234}, "failed with code 1234"),
        ({"status": "failed"}, "gives no reason"),
        ({"status": "cancelled"}, "was cancelled"),
        ({"status": "vanished"}, "does not know (vanished)"),
    ],
)
def test_why_a_task_failed(fields: dict[str, object], words: str) -> None:
    detail = TaskDetail.model_validate({"task_id": "t", **fields})
    assert words in present(assetgen.TaskFailedError(detail)).text


def test_a_full_disk_is_seen_behind_other_errors() -> None:
    try:
        raise assetgen.DiskError("not written") from OSError(errno.ENOSPC, "No space left on device")
    except assetgen.DiskError as error:
        assert present(error).text.startswith("The disk is full")
    full = sqlite3.OperationalError("database or disk is full")
    full.sqlite_errorcode = sqlite3.SQLITE_FULL
    assert present(full).text.startswith("The disk is full")
    assert present(BlenderFailed("[Errno 28] No space left on device")).text.startswith("The disk is full")


def test_a_refusal_has_the_exit_code_of_its_cause() -> None:
    try:
        raise Refused("offline") from Offline()
    except Refused as error:
        assert present(error).exit_code == ExitCode.NETWORK


def test_a_sentence_is_one_line() -> None:
    assert str(Sentence("It failed.", "Try again.", "r")) == "It failed. Try again. (request r)"
    assert str(Sentence("It failed")) == "It failed."
