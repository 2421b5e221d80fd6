from __future__ import annotations

import errno
import sqlite3
from typing import Any

import httpx
import pytest
from asset_generation.addon.core.errors import BadRequest, BrokenResult, EngineTrouble, NoKey, Offline, Refused
from asset_generation.addon.core.status.error_messages import ExitCode, UserMessage, present
from asset_generation.vendor import assetgen
from asset_generation.vendor.assetgen.contract import ErrorCode, TaskDetail
from asset_generation.vendor.assetgen.envelope import read_answer
from asset_generation.vendor.background_blender import BlenderFailed, BlenderMissing

API = {"status": 400, "request_id": "req-1"}


@pytest.mark.parametrize(
    ("error", "words", "exit_code"),
    [
        (assetgen.AuthenticationError("no", code=2, **API), "does not accept the API key", 3),
        (assetgen.InsufficientCreditsError("poor", code=2010, **API), "not enough credits", 4),
        (assetgen.PermissionDeniedError("tier", code=2013, **API), "may not use this priority: tier (code 2013)", 3),
        (assetgen.NotFoundError("gone", code=2001, **API), "gone (code 2001)", 1),
        (assetgen.BadParameterError("bad", code=1004, **API), "bad (code 1004)", 2),
        (assetgen.ModerationError("rude", code=2008, **API), "moderation rejected the input: rude", 1),
        (assetgen.VersionError("old", code=2016, **API), "does not take this version", 2),
        (assetgen.TooLargeError("big", code=2021, **API), "too large", 2),
        (assetgen.ServerError("down", code=1000, **API), "has trouble: down", 5),
        (assetgen.RateLimitError("slow", code=1007, **API), "too often", 5),
        (assetgen.ConcurrencyError("full", code=2000, retry_after=7.0, **API), "as many tasks of this kind", 5),
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


def api_error(code: int | None, *, status: int = 400, message: str = "SAID", **more: Any) -> assetgen.APIError:
    """The error that the client raises for an answer with this code, from an answer as the API documents it."""
    body = {"code": code, "status": "error", "message": message, "suggestion": more.pop("suggestion", "")}
    headers = {name.replace("_", "-"): value for name, value in more.items()}
    response = httpx.Response(status, json=body if code is not None else None, headers=headers)
    with pytest.raises(assetgen.APIError) as caught:
        read_answer(response, "req-1", lambda text: text)
    return caught.value


def plain(text: str, code: int) -> str:
    """A sentence without what the service said and its number."""
    return text.replace("SAID", "").replace(str(code), "")


UNKNOWN_CODE = 7777
CODES = [code for code in ErrorCode if code is not ErrorCode.SUCCESS]


@pytest.mark.parametrize("code", CODES)
def test_every_code_has_words_and_advice_of_its_own(code: ErrorCode) -> None:
    sentence = present(api_error(code))
    generic = present(api_error(UNKNOWN_CODE))
    assert plain(sentence.text, code) != plain(generic.text, UNKNOWN_CODE)
    assert sentence.advice
    assert sentence.code == code
    assert "{" not in str(sentence)
    if sentence.exit_code != ExitCode.NOT_AUTHORISED or code is ErrorCode.PRIORITY_NOT_ALLOWED:
        assert f"SAID (code {int(code)})" in sentence.text, "the service's own words are kept"


@pytest.mark.parametrize("code", CODES)
def test_a_failed_task_with_any_code_says_that_it_was_not_charged(code: ErrorCode) -> None:
    detail = TaskDetail(task_id="t", status="failed", error_code=code, error_message="SAID")
    sentence = present(assetgen.TaskFailedError(detail))
    assert "not charged" in sentence.advice
    assert sentence.code == code
    assert "{" not in str(sentence)


def test_an_unknown_status_says_what_is_known_of_the_credits() -> None:
    silent = present(assetgen.TaskFailedError(TaskDetail(task_id="t", status="paused")))
    assert "does not know (paused)" in silent.text
    assert "does not say whether it is charged" in silent.text
    assert "not charged" not in str(silent)
    assert "same task" in silent.advice
    told = TaskDetail.model_validate(
        {"task_id": "t", "status": "partial", "credits_consumed": 12.50, "error_code": 2008, "error_message": "SAID"}
    )
    sentence = present(assetgen.TaskFailedError(told))
    assert "took 12.5 credits" in sentence.text
    assert "SAID (code 2008)" in sentence.text
    assert sentence.code == 2008
    assert "not charged" not in str(sentence)


def test_an_unknown_code_keeps_number_message_and_suggestion() -> None:
    sentence = present(api_error(UNKNOWN_CODE, message="The moon is full", suggestion="Wait for the sun"))
    assert sentence.text == "The service refused the request: The moon is full (code 7777)"
    assert sentence.advice == "Wait for the sun"
    assert sentence.code == UNKNOWN_CODE


@pytest.mark.parametrize("status", [405, 415])
def test_a_wrong_method_or_content_type_points_to_the_address(status: int) -> None:
    sentence = present(api_error(1003, status=status))
    assert "of this form" in sentence.text
    assert "address" in sentence.advice
    assert sentence.text != present(api_error(1003)).text


@pytest.mark.parametrize(
    ("status", "code", "like"),
    [(401, None, 2), (401, 9, 2), (413, None, 2021), (429, None, 1007), (500, None, 1000), (503, 9999, 1000)],
)
def test_a_status_that_says_enough_stands_for_its_code(status: int, code: int | None, like: int) -> None:
    found, meant = present(api_error(code, status=status)), present(api_error(like, status=status))
    assert found.advice == meant.advice
    assert found.exit_code == meant.exit_code


@pytest.mark.parametrize(("code", "words"), [(2015, "version"), (2016, "version"), (2017, "version")])
def test_versions_are_told(code: int, words: str) -> None:
    assert words in present(api_error(code)).advice


def test_waits_that_the_service_asks_for_are_told() -> None:
    assert present(api_error(2000, status=429, retry_after="7")).advice == "Wait 7 seconds, then press Retry"
    assert present(api_error(1007, status=429, retry_after="8")).advice == "Wait 8 seconds, then press Retry"


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"status": "failed", "error_code": 2008, "error_message": "no"}, "moderation rejected what the task"),
        ({"status": "failed", "error_code": 2018}, "waited too long in the service's queue"),
        ({"status": "failed", "error_code": 2002, "error_message": "blurred"}, "does not accept the input: blurred"),
        ({"status": "failed", "error_code": 1000, "error_message": "broken"}, "The task failed: broken (code 1000)"),
        ({"status": "failed", "error_code": 1234}, "failed with code 1234"),
        ({"status": "failed"}, "gives no reason"),
        ({"status": "cancelled"}, "was cancelled"),
        ({"status": "vanished"}, "does not know (vanished)"),
    ],
)
def test_why_a_task_failed(fields: dict[str, object], words: str) -> None:
    detail = TaskDetail.model_validate({"task_id": "t", **fields})
    assert words in present(assetgen.TaskFailedError(detail)).text


@pytest.mark.parametrize(
    ("capability", "advice"),
    [
        ("retarget", "Choose another animation"),
        ("text_to_model", "Change the prompt"),
        ("image_to_model", "Try another image"),
        ("rig", "Change the field that it names, or try another model"),
        ("", "Change what it names"),
        ("of another version", "Change what it names"),
    ],
)
def test_the_advice_about_an_input_fits_what_the_capability_takes(capability: str, advice: str) -> None:
    fields = {"task_id": "t", "status": "failed", "error_code": 2002, "error_message": "no"}
    failed = assetgen.TaskFailedError(TaskDetail.model_validate(fields))
    assert present(failed, capability=capability).advice == f"It was not charged. {advice}"
    refused = assetgen.BadParameterError("no", code=2002, **API)
    assert present(refused, capability=capability).advice == advice


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
    assert str(UserMessage("It failed.", "Try again.", "r")) == "It failed. Try again. (request r)"
    assert str(UserMessage("It failed")) == "It failed."
