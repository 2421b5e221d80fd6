"""The tree of errors and the package's public names."""

from __future__ import annotations

import subprocess
import sys

import pytest
from asset_generation.vendor import assetgen
from asset_generation.vendor.assetgen import APIError, AssetGenError, TaskFailedError, envelope, errors
from asset_generation.vendor.assetgen.contract import ErrorCode, TaskDetail
from load_extension import ROOT


def test_every_error_is_exported_and_every_export_exists() -> None:
    classes = {name for name, value in vars(errors).items() if isinstance(value, type) and issubclass(value, Exception)}
    exported = {name: getattr(assetgen, name) for name in assetgen.__all__}
    assert classes == {name for name, value in exported.items() if value in vars(errors).values()}
    with pytest.raises(AttributeError, match="Nonsense"):
        _ = assetgen.Nonsense


@pytest.mark.parametrize(
    ("child", "parent"),
    [
        ("InsufficientCreditsError", "PermissionDeniedError"),
        ("PermissionDeniedError", "APIError"),
        ("RateLimitError", "APIError"),
        ("ServerError", "APIError"),
        ("TimedOut", "ConnectionFailed"),
        ("LinkExpired", "DownloadError"),
        ("DownloadTooLarge", "DownloadError"),
        ("DownloadIncomplete", "DownloadError"),
        ("DiskError", "DownloadError"),
    ],
)
def test_callers_can_rely_on_the_tree(child: str, parent: str) -> None:
    assert issubclass(getattr(assetgen, child), getattr(assetgen, parent))
    assert issubclass(getattr(assetgen, child), AssetGenError)


def test_a_text_says_all_that_support_needs() -> None:
    error = APIError("no such thing", code=9999, status=418, suggestion="Ask again.", request_id="r-1")
    assert str(error) == "no such thing (code 9999, HTTP 418, request r-1) Ask again."
    assert str(AssetGenError("it broke", request_id="r-2")) == "it broke (request r-2)"
    assert repr(AssetGenError("it broke")) == "AssetGenError('it broke')"


def test_a_failed_task_says_why() -> None:
    failed = TaskDetail(task_id="t-1", status="failed", error_code=2008, error_message="not allowed")
    assert str(TaskFailedError(failed)) == "task t-1 was not successful: not allowed (code 2008)"
    assert str(TaskFailedError(failed, request_id="r-1")).endswith("(code 2008) (request r-1)")
    strange = TaskDetail(task_id="t-2", status="exploded")
    assert str(TaskFailedError(strange)) == "task t-2 was not successful: its state is 'exploded'"


@pytest.mark.parametrize(
    ("code", "moderation", "expired"),
    [(ErrorCode.MODERATION, True, False), (ErrorCode.QUEUE_EXPIRED, False, True), (7777, False, False)],
)
def test_a_failed_tasks_code_tells_whether_the_same_again_is_worth_it(
    code: int, moderation: bool, expired: bool
) -> None:
    error = TaskFailedError(TaskDetail(task_id="t-1", status="failed", error_code=code))
    assert (error.code, error.is_moderation, error.is_queue_expired) == (code, moderation, expired)


def test_a_failed_task_may_have_no_code() -> None:
    error = TaskFailedError(TaskDetail(task_id="t-1", status="cancelled"))
    assert (error.code, error.is_moderation, error.is_queue_expired) == (None, False, False)


def test_every_code_of_the_api_has_its_error() -> None:
    # Success is none, and 2018 is only told of tasks.
    assert set(envelope._BY_CODE) == set(ErrorCode) - {ErrorCode.SUCCESS, ErrorCode.QUEUE_EXPIRED}


def test_the_wire_models_come_without_the_client() -> None:
    code = (
        f"import sys; sys.path.insert(0, {str(ROOT / 'scripts')!r})\n"
        "from load_extension import load_package; load_package()\n"
        "import asset_generation.vendor.assetgen.contract\n"
        "assert 'httpx' not in sys.modules\n"
        "from asset_generation.vendor.assetgen import Client\n"
        "assert 'httpx' in sys.modules\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
