"""Whatever is delivered as a webhook: an event that was signed, or a WebhookError."""

from __future__ import annotations

import hmac
import json
from typing import Any

import pytest
from asset_generation.vendor.assetgen import AssetGenError
from asset_generation.vendor.assetgen.webhooks import (
    SignatureMismatch,
    TaskEvent,
    WebhookError,
    WebhookEvent,
    parse,
    sign,
    verify,
)
from hypothesis import assume, given
from hypothesis import strategies as st
from support.fuzz.answers import ANY_JSON, DEEP, near

SECRET = "whsec_0123"
NOW = 1_800_000_000
EVENT = {
    "id": "a-b:task.completed",
    "type": "task.completed",
    "created_at": "2026-01-01T00:00:00Z",
    "data": {"task_id": "a-b", "type": "t", "status": "success", "error": {"code": "2008", "message": "no"}},
}
TEXTS = st.one_of(st.text(max_size=30), st.text(st.characters(codec=None), max_size=30))
BODIES = st.one_of(near(EVENT).map(lambda event: json.dumps(event).encode()), st.binary(max_size=80), DEEP)
SIGNATURES = st.one_of(
    TEXTS,
    st.lists(
        st.tuples(st.sampled_from(["t", "v1", "v0", " t ", ""]), st.one_of(TEXTS, st.just(str(NOW)))).map("=".join),
        max_size=4,
    ).map(",".join),
    TEXTS.map(lambda text: f"t={NOW},v1={text}"),
    st.sampled_from(
        [f"t={NOW},v1={'0' * 64}", f"t={NOW},v1=", f"t={NOW},t={NOW},v1=0", "t=٣,v1=0", f"t={'9' * 5000},v1=0"]
    ),
)
NAMES = st.sampled_from(["Service-Webhook-Signature", "service-webhook-event", "Service-Webhook-Delivery", "Other"])


def receive(body: bytes, headers: dict[str, str], **changes: Any) -> WebhookEvent:
    return verify(body, headers, SECRET, **{"now": lambda: float(NOW), **changes})


@given(BODIES, st.dictionaries(NAMES, st.one_of(SIGNATURES, TEXTS)), st.sampled_from([300.0, 0.0, None]))
def test_nothing_that_is_not_signed_is_taken(body: bytes, headers: dict[str, str], tolerance: float | None) -> None:
    with pytest.raises(WebhookError) as caught:
        receive(body, headers, tolerance=tolerance)
    str(caught.value).encode()
    assert SECRET not in str(caught.value)


@given(BODIES, st.sampled_from(["task.completed", "balance.low", "x"]))
def test_what_is_signed_is_an_event_or_told_to_be_none(body: bytes, told: str) -> None:
    headers = {"Service-Webhook-Signature": sign(body, SECRET, NOW), "Service-Webhook-Event": told}
    try:
        event = receive(body, headers)
    except WebhookError as error:
        str(error).encode()
        return
    assert event.type == told
    if isinstance(event, TaskEvent):
        assert event.data.failure_code is None or isinstance(event.data.failure_code, int)
        event.data.failure_message.encode()


@given(st.binary(min_size=1, max_size=60), st.integers(0, 59), st.integers(1, 255), st.integers(-(10**6), 10**6))
def test_no_change_goes_unnoticed(body: bytes, place: int, change: int, later: int) -> None:
    headers = {"Service-Webhook-Signature": sign(body, SECRET, NOW), "Service-Webhook-Event": "x"}
    forged = bytearray(body)
    forged[place % len(body)] ^= change
    with pytest.raises(WebhookError, match="does not fit"):
        receive(bytes(forged), headers)
    assume(later)
    headers["Service-Webhook-Signature"] = headers["Service-Webhook-Signature"].replace(str(NOW), str(NOW + later))
    with pytest.raises(WebhookError, match="does not fit"):
        receive(body, headers)


@given(ANY_JSON)
def test_any_json_is_an_event_or_none(value: Any) -> None:
    try:
        parse(json.dumps(value).encode())
    except AssetGenError as error:
        assert isinstance(error, WebhookError)


def test_a_signature_of_half_characters_does_not_fit() -> None:
    with pytest.raises(SignatureMismatch):
        receive(b"{}", {"Service-Webhook-Signature": f"t={NOW},v1=\ud800", "Service-Webhook-Event": "x"})


def test_every_signature_is_compared_in_constant_time(monkeypatch: pytest.MonkeyPatch) -> None:
    body = json.dumps(EVENT).encode()
    good = sign(body, SECRET, NOW)
    compared: list[bytes] = []
    compare = hmac.compare_digest

    def counted(expected: bytes, given: bytes) -> bool:
        compared.append(given)
        return compare(expected, given)

    monkeypatch.setattr(hmac, "compare_digest", counted)
    headers = {"Service-Webhook-Signature": f"{good},v1=00,v1=11", "Service-Webhook-Event": "task.completed"}
    assert receive(body, headers).id == EVENT["id"]
    assert len(compared) == 3, "the time it takes must not tell which of them fitted"


def test_a_failure_code_of_thousands_of_digits_is_none() -> None:
    event = {
        **EVENT,
        "type": "task.failed",
        "data": {"task_id": "a", "status": "failed", "error": {"code": "9" * 5000}},
    }
    found = parse(json.dumps(event).encode())
    assert isinstance(found, TaskEvent) and found.data.failure_code is None
