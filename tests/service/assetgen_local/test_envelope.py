"""The local engine over HTTP: envelopes, headers, who may ask, and what is refused before a task exists."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from asset_generation.vendor.assetgen.contract import RateGroup
from asset_generation.vendor.assetgen_local import LocalService
from support.services.local_engine import KEY, local_engine
from support.services.plain_http import plain

BEARER = {"Authorization": f"Bearer {KEY}"}


@pytest.fixture
def service(tmp_path: Path) -> Iterator[LocalService]:
    with local_engine(tmp_path) as running:
        yield running


@pytest.fixture
def http(service: LocalService) -> Iterator[httpx.Client]:
    with httpx.Client(verify=False, base_url=service.base_url, headers=BEARER) as client:
        yield client


def assert_error(answer: httpx.Response, status: int, code: int, words: str = "") -> None:
    body = answer.json()
    assert (answer.status_code, body["code"]) == (status, code), body
    assert words in body["message"]
    assert body["suggestion"]
    assert body["status"] == "error"
    assert body["request_id"] == answer.headers["x-request-id"]


def test_success_has_the_envelope_and_the_headers(http: httpx.Client) -> None:
    answer = http.get("/v3/account/balance", headers={"X-Request-ID": "mine-1"})
    assert answer.json() == {"code": 0, "status": "success", "data": {"balance": 1_000_000, "frozen": 0}}
    assert answer.headers["x-request-id"] == "mine-1"
    assert answer.headers["x-service-trace-id"]
    assert {"x-ratelimit-limit", "x-ratelimit-remaining", "x-ratelimit-reset"} <= set(answer.headers)


def test_a_request_without_an_id_gets_one(http: httpx.Client) -> None:
    ids = {http.get("/v3/account/balance").headers["x-request-id"] for _ in range(3)}
    assert len(ids) == 3 and all(ids)


def test_an_id_that_no_header_can_carry_back_is_replaced(http: httpx.Client) -> None:
    answer = http.get("/v3/account/balance", headers={"X-Request-ID": "x" * 500})
    assert answer.status_code == 200 and len(answer.headers["x-request-id"]) < 100


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"Authorization": "Bearer wrong"},
        {"Authorization": KEY},
        {"Authorization": f"Basic {KEY}"},
        {"Authorization": "Bearer schlüssel".encode()},
    ],
)
def test_only_the_key_opens_the_api(service: LocalService, headers: Any) -> None:
    for path in ("/v3/account/balance", "/v3/tasks/x", "/v3/nothing"):
        answer = plain.get(service.base_url + path, headers=headers)
        assert_error(answer, 401, 2, "key")
        assert "x-ratelimit-limit" in answer.headers


def test_a_refused_key_is_told_also_while_a_large_body_is_still_sent(service: LocalService) -> None:
    body = b"x" * (30 * 1024 * 1024)
    assert_error(plain.post(f"{service.base_url}/v3/files", content=body), 401, 2)


@pytest.mark.parametrize("path", ["/v3/models/paint", "/v3/", "/v3/tasks/a/b", "/", "/v3/account/balance/"])
def test_an_unknown_route_is_4001(http: httpx.Client, path: str) -> None:
    assert_error(http.get(path), 404, 4001, path)


def test_a_wrong_method_is_405_and_says_which_it_takes(http: httpx.Client) -> None:
    answer = http.get("/v3/mesh/decimate")
    assert_error(answer, 405, 1003, "GET")
    assert answer.headers["allow"] == "POST"


@pytest.mark.parametrize("content_type", ["text/plain", "application/x-www-form-urlencoded", ""])
def test_a_wrong_content_type_is_415(http: httpx.Client, content_type: str) -> None:
    for path in ("/v3/mesh/decimate", "/v3/tasks/list"):
        answer = http.post(path, content=b"{}", headers={"Content-Type": content_type})
        assert_error(answer, 415, 1003, "application/json")
    assert_error(http.post("/v3/files", json={}), 415, 1003, "multipart/form-data")


@pytest.mark.parametrize("body", [b"", b"{", b"[1]", b'"x"', b'{"a": NaN}', b"\xff{}", b"[" * 200_000])
def test_a_body_that_is_no_json_object_is_1003(http: httpx.Client, body: bytes) -> None:
    answer = http.post("/v3/mesh/decimate", content=body, headers={"Content-Type": "application/json; charset=utf-8"})
    assert_error(answer, 400, 1003, "JSON")


@pytest.mark.parametrize("chunked", [False, True])
def test_a_body_above_20_mb_is_2021(http: httpx.Client, chunked: bool) -> None:
    def parts() -> Iterator[bytes]:
        for _ in range(21):
            yield b" " * 1024 * 1024

    content = parts() if chunked else b"".join(parts())
    answer = http.post("/v3/mesh/decimate", content=content, headers={"Content-Type": "application/json"})
    assert_error(answer, 413, 2021, "20 MB")
    assert http.get("/v3/account/balance").status_code == 200  # the connection is usable


@pytest.mark.parametrize(
    ("path", "body", "words"),
    [
        ("/v3/mesh/decimate", {}, ["`input` is missing", "a bare UUID"]),
        ("/v3/mesh/decimate", {"input": "x", "face_limit": 499}, ["face_limit is 499", "500 to 20000"]),
        ("/v3/mesh/decimate", {"face_limit": "5000"}, ['`face_limit` is "5000"', "an integer"]),
        (
            "/v3/mesh/decimate",
            {"original_model_task_id": "x", "face_limit": 10_001, "quad": True},
            ["face_limit is 10001", "500 to 10000 with quad"],
        ),
        ("/v3/mesh/decimate", {"bake": "yes"}, ['`bake` is "yes"', "true or false"]),
        ("/v3/mesh/decimate", {"model_version": "v9"}, ['`model_version` is "v9"', "v2.0, v1.0"]),
        ("/v3/mesh/decimate", {"priority": 4}, ["`priority` is 4", "from 1 to 3"]),
        ("/v3/mesh/decimate", {"part_names": "a"}, ['`part_names` is "a"', "a list of texts"]),
        ("/v3/models/convert", {"format": "DOCX"}, ['`format` is "DOCX"', "GLTF, USDZ"]),
        ("/v3/models/convert", {"format": "STL", "scale_factor": "2"}, ['`scale_factor` is "2"', "a number"]),
        (
            "/v3/models/texture",
            {"texture_prompt": {"text": "a", "image": "file_x"}},
            ["texture_prompt", "given: text, image"],
        ),
        ("/v3/models/texture", {"texture_prompt": {"text": 5}}, ["`texture_prompt.text`", "a text"]),
        ("/v3/models/texture", {"texture_prompt": {"images": ["file_a"]}}, ["`texture_prompt.images`", "4 files"]),
        ("/v3/models/texture", {"texture_prompt": {"image": 5}}, ["`texture_prompt.image` is 5", "file token"]),
        ("/v3/models/import", {}, ["at least one of file and input"]),
        ("/v3/models/import", {"input": "https://example.invalid/a.glb"}, ["file token"]),
        ("/v3/models/import", {"input": "data:model/gltf-binary;base64,AAAA"}, ["input is", "a file token"]),
        ("/v3/models/import", {"file": {"type": "glb", "data": "AAAA"}}, ["must specify url, object or file_token"]),
        ("/v3/models/import", {"file": {"object": {"bucket": "b", "key": "k"}}}, ["file is", "a file token"]),
        ("/v3/models/import", {"file": {"file_token": "file_nothing"}}, ["not valid or has expired"]),
        ("/v3/models/import", {"file": {"file_token": "\ud800"}}, ["Invalid JSON"]),
    ],
)
def test_a_bad_parameter_names_field_given_and_allowed(
    http: httpx.Client, path: str, body: dict[str, object], words: list[str]
) -> None:
    # Not httpx's own JSON: it cannot send a lone surrogate, other clients can.
    answer = http.post(path, content=json.dumps(body).encode(), headers={"Content-Type": "application/json"})
    for one in words:
        assert_error(answer, 400, 1004, one)
    assert http.get("/v3/account/usage").json()["data"]["items"] == []


def test_each_reason_is_said(http: httpx.Client) -> None:
    answer = http.post("/v3/models/convert", json={"format": "X", "face_limit": "0"})
    message = answer.json()["message"]
    assert "`format`" in message and "`face_limit`" in message and "`original_model_task_id`" in message


def test_the_rate_window_counts_down_and_then_answers_1007(tmp_path: Path) -> None:
    now = [1000.0]
    with (
        local_engine(tmp_path, rates={RateGroup.QUERY: 2}, clock=lambda: now[0]) as service,
        httpx.Client(verify=False, base_url=service.base_url, headers=BEARER) as http,
    ):
        left = [http.get("/v3/account/balance").headers["x-ratelimit-remaining"] for _ in range(2)]
        assert left == ["1", "0"]
        # A stranger changes nothing about it.
        assert plain.get(f"{service.base_url}/v3/account/balance").status_code == 401
        now[0] += 15
        refused = http.get("/v3/account/balance")
        assert refused.status_code == 429
        assert set(refused.json()) == {"code", "message", "suggestion"} and refused.json()["code"] == 1007
        assert refused.headers["retry-after"] == "45"
        assert refused.headers["x-ratelimit-limit"] == "2"
        assert refused.headers["x-ratelimit-reset"] == "1060"
        assert http.post("/v3/files/presign").status_code == 200  # another group
        now[0] += 45
        assert http.get("/v3/account/balance").headers["x-ratelimit-remaining"] == "1"


def test_only_loopback_is_listened_on(service: LocalService) -> None:
    assert service.base_url.startswith("http://127.0.0.1:")


def test_the_key_is_random_unless_given(tmp_path: Path) -> None:
    keys = set()
    for name in ("a", "b"):
        with local_engine(tmp_path / name, key="") as service:
            keys.add(service.key)
            assert service.key not in repr(service.options) + repr(service.connection)
    assert len(keys) == 2 and all(len(key) > 30 for key in keys)
