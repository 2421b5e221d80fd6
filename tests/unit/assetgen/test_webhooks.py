"""Webhooks: what is taken for a delivery of the service, what each refusal is called, and what an event says."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from collections.abc import Callable
from decimal import Decimal
from typing import Any

import pytest
from asset_generation.vendor.assetgen import ConfigurationError
from asset_generation.vendor.assetgen.contract import TaskStatus
from asset_generation.vendor.assetgen.contract.webhook_signatures import sign, signature
from asset_generation.vendor.assetgen.webhooks import (
    MAX_EVENT_BYTES,
    TOLERANCE,
    BalanceEvent,
    Deliveries,
    EventMismatch,
    MalformedSignature,
    MissingHeader,
    NotAnEvent,
    SignatureMismatch,
    TaskEvent,
    TimestampOutsideWindow,
    WebhookError,
    WebhookEvent,
    delivery_id,
    parse,
    verify,
)
from load_extension import ROOT

SECRET = "whsec_0123456789abcdef"
NOW = 1_800_000_000
TASK_ID = "6f1f8d5e-2c55-4b39-9e0b-3a1f6e0d8a11"


def event_body(event_type: str = "task.completed", **changes: Any) -> bytes:
    data = {"task_id": TASK_ID, "type": "decimate-model", "status": "success", "output": {"model_url": "https://a/b"}}
    event = {
        "id": f"{TASK_ID}:{event_type}",
        "type": event_type,
        "created_at": "2026-11-21T19:00:00Z",
        "data": data,
        **changes,
    }
    return json.dumps(event).encode()


def delivered(body: bytes, *, secret: str = SECRET, at: int = NOW, **changes: str | None) -> dict[str, str]:
    """The headers of a delivery; one that is set to None is left out."""
    headers = {
        "Service-Webhook-Id": "endpoint-1",
        "Service-Webhook-Delivery": "delivery-1",
        "Service-Webhook-Event": "task.completed",
        "Service-Webhook-Signature": sign(body, secret, at),
        "Content-Type": "application/json",
    }
    changed = {f"Service-Webhook-{name}": value for name, value in changes.items()}
    return {name: value for name, value in {**headers, **changed}.items() if value is not None}


def check(body: bytes, headers: dict[str, str], **options: Any) -> WebhookEvent:
    return verify(body, headers, SECRET, **{"now": lambda: NOW, **options})


def test_the_signature_is_the_one_of_the_contract() -> None:
    # Computed by hand: printf '1800000000.{}' | openssl dgst -sha256 -hmac whsec_test
    expected = "482e6337ac5272392d375c6fdc4d52a7e615dc2facedab0ffe155ddfd6a56e66"
    assert signature(b"{}", "whsec_test", NOW) == expected
    assert sign(b"{}", "whsec_test", NOW) == f"t={NOW},v1={expected}"


def test_a_delivery_becomes_a_typed_event() -> None:
    body = event_body(added_later=1)
    event = check(body, delivered(body))
    assert isinstance(event, TaskEvent)
    assert event.is_success
    assert event.id == f"{TASK_ID}:task.completed"
    assert event.created_at is not None
    assert event.created_at.year == 2026
    assert event.data.outcome is TaskStatus.SUCCESS
    assert event.data.output is not None
    assert event.data.output.model_url == "https://a/b"
    assert event.model_extra == {"added_later": 1}


def test_the_case_of_header_names_does_not_matter() -> None:
    body = event_body()
    for change in (str.lower, str.upper):
        headers = {change(name): value for name, value in delivered(body).items()}
        assert check(body, headers).type == "task.completed"
        assert delivery_id(headers) == "delivery-1"


@pytest.mark.parametrize(
    ("header", "name"), [("Signature", "Service-Webhook-Signature"), ("Event", "Service-Webhook-Event")]
)
@pytest.mark.parametrize("value", [None, "", "  "])
def test_a_missing_header(header: str, name: str, value: str | None) -> None:
    body = event_body()
    with pytest.raises(MissingHeader, match=name):
        check(body, delivered(body, **{header: value}))


def test_a_missing_delivery_id() -> None:
    with pytest.raises(MissingHeader, match="Service-Webhook-Delivery"):
        delivery_id(delivered(b"", Delivery=None))


@pytest.mark.parametrize(
    "header",
    [
        "nonsense",
        "t=1800000000",
        "t=1800000000,v1=",
        "v1={good}",
        "t=,v1={good}",
        "t=soon,v1={good}",
        "t=-1800000000,v1={good}",
        "t=1800000000.5,v1={good}",
        "t=\u0661\u0668,v1={good}",
        "t=99999999999999999999,v1={good}",
        "t=1800000000,t=1800000001,v1={good}",
        "t=1800000000,v1={good},and more",
        "t=1800000000;v1={good}",
    ],
)
def test_a_malformed_signature(header: str) -> None:
    body = event_body()
    with pytest.raises(MalformedSignature):
        check(body, delivered(body, Signature=header.format(good=signature(body, SECRET, NOW))))


CHANGES: dict[str, Callable[[bytes], tuple[bytes, dict[str, str]]]] = {
    "another secret": lambda body: (body, delivered(body, secret="whsec_other")),
    "a changed body": lambda body: (body.replace(b"success", b"failure"), delivered(body)),
    "JSON that was written anew": lambda body: (json.dumps(json.loads(body), indent=1).encode(), delivered(body)),
    "another time": lambda body: (body, delivered(body, Signature=f"t={NOW + 1},v1={signature(body, SECRET, NOW)}")),
    "the time written otherwise": lambda body: (
        body,
        delivered(body, Signature=f"t=0{NOW},v1={signature(body, SECRET, NOW)}"),
    ),
    "upper case": lambda body: (body, delivered(body, Signature=f"t={NOW},v1={signature(body, SECRET, NOW).upper()}")),
    "half a signature": lambda body: (
        body,
        delivered(body, Signature=f"t={NOW},v1={signature(body, SECRET, NOW)[:32]}"),
    ),
    "no hex": lambda body: (body, delivered(body, Signature=f"t={NOW},v1=\u00e4\u00f6")),
    "another scheme only": lambda body: (
        body,
        delivered(body, Signature=f"t={NOW},v0={signature(body, SECRET, NOW)},v1=00"),
    ),
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_signature_that_does_not_fit(change: str) -> None:
    body, headers = CHANGES[change](event_body())
    with pytest.raises(SignatureMismatch) as caught:
        check(body, headers)
    assert SECRET not in str(caught.value)


@pytest.mark.parametrize("order", ["old first", "new first"])
def test_while_a_secret_is_replaced_either_signature_will_do(order: str) -> None:
    body = event_body()
    both = [signature(body, "whsec_old", NOW), signature(body, SECRET, NOW)]
    ordered = both if order == "old first" else both[::-1]
    header = f"t={NOW}, " + ",".join(f"v1={one}" for one in ordered) + ",v2=other-scheme"
    assert check(body, delivered(body, Signature=header)).type == "task.completed"


@pytest.mark.parametrize("late", [TOLERANCE + 1, -TOLERANCE - 1, 10 * 365 * 86400])
def test_a_time_outside_the_window(late: float) -> None:
    body = event_body()
    with pytest.raises(TimestampOutsideWindow, match="ago" if late > 0 else "ahead"):
        check(body, delivered(body), now=lambda: NOW + late)
    assert check(body, delivered(body), now=lambda: NOW + late, tolerance=None).type == "task.completed"


@pytest.mark.parametrize("late", [TOLERANCE, -TOLERANCE, 0])
def test_a_time_inside_the_window(late: float) -> None:
    body = event_body()
    assert check(body, delivered(body), now=lambda: NOW + late).type == "task.completed"
    if late:
        with pytest.raises(TimestampOutsideWindow):
            check(body, delivered(body), now=lambda: NOW + late, tolerance=abs(late) - 1)


def test_a_forged_delivery_is_not_told_what_time_it_should_be() -> None:
    body = event_body()
    with pytest.raises(SignatureMismatch):
        check(body, delivered(body, secret="whsec_other", at=NOW - 10_000))


def test_another_type_in_the_header_than_in_the_body() -> None:
    body = event_body()
    with pytest.raises(EventMismatch, match=r"task\.failed.*task\.completed"):
        check(body, delivered(body, Event="task.failed"))


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"not json",
        b"[]",
        b"null",
        b'"task.completed"',
        b"{}",
        b'{"type": 5, "id": "x", "data": {}}',
        b'{"type": "task.completed", "data": {"task_id": "t", "status": "success"}}',
        b'{"type": "task.completed", "id": "x"}',
        b'{"type": "task.completed", "id": "x", "data": {}}',
        b'{"type": "task.completed", "id": "x", "data": "t"}',
        b'{"type": "balance.low", "id": "x", "data": {"balance": "plenty", "threshold": 1}}',
        b'{"type": "balance.low", "id": "x", "created_at": "yesterday", "data": {"balance": 1, "threshold": 1}}',
        b"\xff\xfe",
    ],
)
def test_a_body_that_is_no_event(body: bytes) -> None:
    with pytest.raises(NotAnEvent):
        check(body, delivered(body))


def test_no_value_of_a_broken_event_is_shown() -> None:
    body = event_body(data={"task_id": TASK_ID, "status": ["https://a/b?signature=secret"]})
    with pytest.raises(NotAnEvent, match=r"data\.status") as caught:
        check(body, delivered(body))
    assert "signature=secret" not in str(caught.value)


def test_a_failure_says_why_in_both_places() -> None:
    data = {
        "task_id": TASK_ID,
        "type": "texture-model",
        "status": "failed",
        "output": None,
        "error": {"code": "2008", "message": "not allowed", "hint": "x"},
    }
    event = parse(event_body("task.failed", data=data))
    assert isinstance(event, TaskEvent)
    assert not event.is_success
    assert event.data.error is not None
    assert (event.data.error.code, event.data.error.message) == ("2008", "not allowed")
    assert (event.data.failure_code, event.data.failure_message) == (2008, "not allowed")
    detail = parse(event_body("task.failed", data={**data, "error_code": 2018, "error_message": "expired"}))
    assert isinstance(detail, TaskEvent)
    assert (detail.data.failure_code, detail.data.failure_message) == (2018, "expired")


@pytest.mark.parametrize(("code", "number"), [("INTERNAL", None), ("", None), (2008, 2008)])
def test_codes_of_other_forms_are_kept(code: Any, number: int | None) -> None:
    data = {"task_id": TASK_ID, "status": "failed", "error": {"code": code, "message": "m"}}
    event = parse(event_body("task.failed", data=data))
    assert isinstance(event, TaskEvent)
    assert event.data.error is not None
    assert event.data.error.code == str(code)
    assert event.data.failure_code == number


def test_a_failed_event_without_an_error() -> None:
    event = parse(event_body("task.failed", data={"task_id": TASK_ID, "status": "cancelled"}))
    assert isinstance(event, TaskEvent)
    assert (event.data.failure_code, event.data.failure_message) == (None, "")


def test_an_unknown_status_is_no_success() -> None:
    event = parse(event_body(data={"task_id": TASK_ID, "status": "exploded"}))
    assert isinstance(event, TaskEvent)
    assert not event.is_success


def test_a_low_balance_is_told_in_exact_numbers() -> None:
    event = parse(event_body("balance.low", data={"balance": 12.34, "threshold": 50, "currency": "credits"}))
    assert isinstance(event, BalanceEvent)
    assert (event.data.balance, event.data.threshold) == (Decimal("12.34"), Decimal(50))
    assert event.data.model_extra == {"currency": "credits"}


@pytest.mark.parametrize("data", [{"anything": [1, 2]}, None, "text"])
def test_an_event_of_an_unknown_type_is_kept_as_it_came(data: Any) -> None:
    body = event_body("task.progressed", data=data)
    event = check(body, delivered(body, Event="task.progressed"))
    assert type(event) is WebhookEvent
    assert (event.type, event.data) == ("task.progressed", data)


@pytest.mark.parametrize("secret", ["", "  \n"])
def test_without_a_secret_anyone_could_sign(secret: str) -> None:
    body = event_body()
    with pytest.raises(ConfigurationError, match="secret"):
        verify(body, delivered(body, secret="whsec_x"), secret, now=lambda: NOW)


def test_a_secret_may_be_copied_with_its_line_break() -> None:
    body = event_body()
    assert verify(body, delivered(body), f"{SECRET}\n", now=lambda: NOW).type == "task.completed"


def test_all_refusals_are_of_one_kind() -> None:
    refusals = (
        MissingHeader,
        MalformedSignature,
        SignatureMismatch,
        TimestampOutsideWindow,
        EventMismatch,
        NotAnEvent,
    )
    assert all(issubclass(kind, WebhookError) for kind in refusals)


def test_a_repeated_delivery_is_known() -> None:
    deliveries = Deliveries()
    assert [deliveries.seen(one) for one in ("a", "b", "a")] == [False, False, True]
    deliveries.forget("a")
    deliveries.forget("never there")
    assert not deliveries.seen("a")


def test_only_so_many_deliveries_are_remembered() -> None:
    deliveries = Deliveries(most=3)
    for one in ("a", "b", "c", "a", "d"):  # "a" was repeated, so "b" is the oldest
        deliveries.seen(one)
    assert len(deliveries) == 3
    assert deliveries.seen("a")
    assert not deliveries.seen("b")
    with pytest.raises(ValueError, match="at least one"):
        Deliveries(0)


def test_of_many_threads_one_hears_that_a_delivery_is_new() -> None:
    deliveries = Deliveries(most=50)
    ready = threading.Barrier(8)
    new: list[str] = []

    def ask() -> None:
        ready.wait()
        for number in range(50):
            if not deliveries.seen(f"d-{number}"):
                new.append(f"d-{number}")

    threads = [threading.Thread(target=ask) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(new) == sorted(f"d-{number}" for number in range(50))


def test_receiving_webhooks_needs_no_network_library() -> None:
    code = (
        f"import sys; sys.path.insert(0, {str(ROOT / 'scripts')!r})\n"
        "from load_extension import load_package; load_package()\n"
        "from asset_generation.vendor.assetgen import verify, Deliveries\n"
        "assert 'httpx' not in sys.modules\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("body", [b" " * (MAX_EVENT_BYTES + 1), b"[" * 100_000, b'{"type": ' + b"[" * 10_000])
def test_a_body_that_is_larger_or_deeper_than_any_event_is_none(body: bytes) -> None:
    with pytest.raises(NotAnEvent):
        parse(body)
    with pytest.raises(NotAnEvent):
        verify(body, delivered(body), SECRET, now=lambda: NOW)
