"""The local engine misbehaving on demand, and what it records."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from asset_generation.vendor.assetgen_local import LocalService
from support.services.local_engine import (
    KEY,
    add_fault,
    ask,
    clear_faults,
    local_engine,
    recorded,
    tiny_glb,
    wait_for_end,
)
from support.services.plain_http import plain

BALANCE = "/v3/account/balance"
BEARER = {"Authorization": f"Bearer {KEY}"}


@pytest.fixture
def service(tmp_path: Path) -> Iterator[LocalService]:
    with local_engine(tmp_path) as running:
        yield running


def balance(service: LocalService) -> httpx.Response:
    return plain.get(service.base_url + BALANCE, headers=BEARER)


def create(service: LocalService) -> httpx.Response:
    files = {"file": ("a.glb", tiny_glb())}
    token = plain.post(f"{service.base_url}/v3/files", files=files, headers=BEARER).json()["data"]["file_token"]
    return plain.post(f"{service.base_url}/v3/models/import", json={"input": token}, headers=BEARER)


def created(service: LocalService) -> int:
    return len(ask(service, "GET", "/v3/account/usage")["items"])


def test_a_request_that_is_dropped_before_does_nothing(service: LocalService) -> None:
    add_fault(service, "drop_before", "/v3/models/import")
    with pytest.raises(httpx.TransportError):
        create(service)
    assert created(service) == 0
    assert create(service).status_code == 200


def test_a_lost_answer_leaves_a_task(service: LocalService) -> None:
    add_fault(service, "drop_after", "/v3/models/import")
    with pytest.raises(httpx.TransportError):
        create(service)
    assert created(service) == 1


def test_only_the_connection_that_is_meant_is_closed(service: LocalService) -> None:
    with httpx.Client(verify=False, base_url=service.base_url, headers=BEARER) as kept:
        assert kept.get(BALANCE).status_code == 200
        add_fault(service, "drop_before", BALANCE)
        with pytest.raises(httpx.TransportError):
            balance(service)
        assert kept.get(BALANCE).status_code == 200


def test_a_delay_answers_later(service: LocalService) -> None:
    add_fault(service, "delay", BALANCE, seconds=0.3)
    started = time.monotonic()
    assert balance(service).status_code == 200
    assert time.monotonic() - started >= 0.3


def test_a_status_is_answered_instead(service: LocalService) -> None:
    add_fault(service, "status", "/v3/models/import", status=429, code=1007, headers={"Retry-After": "7"})
    answer = create(service)
    assert (answer.status_code, answer.json()["code"], answer.headers["retry-after"]) == (429, 1007, "7")
    assert created(service) == 0


@pytest.mark.parametrize(("body", "text"), [("<html>", "<html>"), ({"code": 2000, "message": "m"}, None), ([], "[]")])
def test_a_status_can_have_any_body(service: LocalService, body: object, text: str | None) -> None:
    add_fault(service, "status", BALANCE, status=502, body=body)
    answer = balance(service)
    assert answer.status_code == 502
    assert answer.text == text if text is not None else answer.json() == body


def test_an_answer_is_cut(service: LocalService) -> None:
    link = wait_for_end(service, create(service).json()["data"]["task_id"])["output"]["model_url"]
    add_fault(service, "cut", "/_files/*", bytes=50)
    got = b""
    with pytest.raises(httpx.RemoteProtocolError), plain.stream("GET", link) as answer:
        assert answer.headers["content-length"] == str(len(tiny_glb()))
        for chunk in answer.iter_raw():
            got += chunk
    assert got == tiny_glb()[:50]
    assert plain.get(link).content == tiny_glb()


def test_a_link_expires_early(service: LocalService) -> None:
    link = wait_for_end(service, create(service).json()["data"]["task_id"])["output"]["model_url"]
    add_fault(service, "expire_link", "/_files/*")
    assert [plain.get(link).status_code for _ in range(2)] == [403, 200]


def test_a_fault_can_wait_and_repeat(service: LocalService) -> None:
    add_fault(service, "status", BALANCE, skip=1, times=2, status=503)
    assert [balance(service).status_code for _ in range(4)] == [200, 503, 503, 200]


def test_a_fault_without_an_end_lasts_until_it_is_cleared(service: LocalService) -> None:
    add_fault(service, "status", BALANCE, times=None, status=503)
    assert [balance(service).status_code for _ in range(3)] == [503] * 3
    clear_faults(service)
    assert balance(service).status_code == 200


def test_method_and_path_decide(service: LocalService) -> None:
    add_fault(service, "status", "/v3/account/*", method="POST", status=503)
    assert balance(service).status_code == 200
    assert plain.post(service.base_url + BALANCE, headers=BEARER).status_code == 503


@pytest.mark.parametrize(
    "fault", [{}, {"action": "explode"}, {"action": "cut", "byte": 1}, {"action": "delay", "times": 0}]
)
def test_a_fault_that_is_none_is_refused(service: LocalService, fault: dict[str, object]) -> None:
    assert plain.post(f"{service.base_url}/_local/faults", json=fault).json()["code"] == 1004


def test_requests_are_recorded(service: LocalService) -> None:
    plain.get(service.base_url + BALANCE, headers={**BEARER, "X-Request-ID": "r1"})
    plain.get(f"{service.base_url}/v3/tasks/x?a=b")
    add_fault(service, "drop_before", "/v3/gone")
    with pytest.raises(httpx.TransportError):
        plain.put(f"{service.base_url}/v3/gone", content=b"x")
    first, second, third = recorded(service)
    assert first == {
        **first,
        "method": "GET",
        "path": BALANCE,
        "request_id": "r1",
        "authorization": True,
        "status": 200,
    }
    assert second == {**second, "query": "a=b", "request_id": "", "authorization": False, "status": 401}
    assert third == {**third, "method": "PUT", "status": None}
    assert recorded(service, BALANCE) == [first]
    assert KEY not in str(recorded(service))
    ask(service, "DELETE", "/_local/requests")
    assert recorded(service) == []


def test_without_the_switch_there_are_no_such_routes(tmp_path: Path) -> None:
    with local_engine(tmp_path, faults=False) as service:
        for path in ("/_local/faults", "/_local/requests"):
            answer = plain.get(service.base_url + path, headers=BEARER)
            assert (answer.status_code, answer.json()["code"]) == (404, 4001)
