"""How requests travel: the request id, the key, proxies and redirects, and what is read again."""

from __future__ import annotations

import logging
import ssl
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from email.utils import formatdate
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import httpx
import pytest
from asset_generation.vendor import assetgen
from asset_generation.vendor.assetgen import (
    APIError,
    AuthenticationError,
    Client,
    ConnectionFailed,
    InvalidAnswerError,
    RateLimitError,
    ServerError,
    StoppedError,
    TimedOut,
)
from asset_generation.vendor.assetgen.rate_limits import window_of
from support.services import scripted_service
from support.services.scripted_service import KEY, Fault, RawServer, Reply, Script, failure, lost, ok, unused_port

BALANCE = "/v3/account/balance"
CERTIFICATE = Path(scripted_service.__file__).with_name("loopback.pem")
"""For 127.0.0.1, signed by itself, with its key, which is no secret."""


def test_the_request_id_is_the_same_when_a_request_is_sent_again(
    service: Script, client: Client, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    service.reply("GET", BALANCE, failure(500, 1000), lost(), ok({"balance": 1}), ok({"balance": 1}))
    client.account.balance()
    client.account.balance()
    first, second, third, other = (request.request_id for request in service.requests)
    assert first == second == third != other
    assert caplog.text.count(first) >= 3
    assert KEY not in caplog.text


@pytest.mark.parametrize("fault", Fault)
def test_reading_goes_on_after_a_broken_connection(service: Script, client: Client, fault: Fault) -> None:
    service.reply("GET", BALANCE, lost(fault), lost(fault), ok({"balance": 1}))
    assert client.account.balance().balance == 1


def test_reading_goes_on_after_an_answer_that_was_cut_off(service: Script, client: Client) -> None:
    whole = ok({"balance": 1})
    service.reply("GET", BALANCE, Reply(200, whole.body, whole.headers, cut_after=10), whole)
    assert client.account.balance().balance == 1


def test_reading_gives_up_after_its_retries(service: Script, client: Client, waits: list[float]) -> None:
    service.reply("GET", BALANCE, *[failure(503, 1001)] * 3)
    with pytest.raises(ServerError):
        client.account.balance()
    assert len(waits) == 2
    assert waits[0] <= 0.5 <= waits[1] * 1.34
    assert waits[1] <= 1


def test_a_bad_parameter_is_not_tried_again(service: Script, client: Client, waits: list[float]) -> None:
    service.reply("GET", BALANCE, failure(400, 1004))
    with pytest.raises(APIError):
        client.account.balance()
    assert waits == []


def test_retry_after_is_waited_for(service: Script, client: Client, waits: list[float]) -> None:
    service.reply("GET", BALANCE, failure(429, 1007, Retry_After="7"), failure(503, 1000, Retry_After="3"))
    service.reply("GET", BALANCE, ok({"balance": 1}))
    client.account.balance()
    assert 7 <= waits[0] <= 7.5
    assert 3 <= waits[1] <= 3.5


def test_the_reset_of_the_window_is_waited_for(service: Script, client: Client, waits: list[float]) -> None:
    told = {"X_RateLimit_Reset": "1800000020", "Date": formatdate(1_800_000_000, usegmt=True)}
    service.reply("GET", BALANCE, failure(429, 1007, **told), ok({"balance": 1}))
    client.account.balance()
    assert 20 <= waits[0] <= 20.5


def test_a_full_pool_does_not_wait_for_the_rate_window(service: Script, client: Client, waits: list[float]) -> None:
    reset = str(int(time.time()) + 50)
    service.reply("GET", BALANCE, failure(429, 2000, X_RateLimit_Reset=reset), ok({"balance": 1}))
    client.account.balance()
    assert waits[0] <= 0.5


def test_a_wait_longer_than_allowed_is_left_to_the_caller(service: Script, client: Client, waits: list[float]) -> None:
    service.reply("GET", BALANCE, failure(429, 1007, Retry_After="3600"))
    with pytest.raises(RateLimitError) as caught:
        client.account.balance()
    assert caught.value.retry_after == 3600
    assert waits == []


def test_rate_limits_are_kept_by_group(service: Script, client: Client) -> None:
    window = {"X_RateLimit_Limit": "200", "X_RateLimit_Reset": "1800000000"}
    service.reply("GET", BALANCE, ok({"balance": 1}, X_RateLimit_Remaining="199", **window))
    service.reply("GET", BALANCE, failure(400, 1004, X_RateLimit_Remaining="198", **window))
    service.reply("GET", "/v3/tasks/t", ok({"task_id": "t", "status": "queued"}, X_RateLimit_Limit="many"))
    assert dict(client.rate_limits) == {}
    client.account.balance()
    assert client.rate_limits["account"].remaining == 199
    with pytest.raises(APIError):
        client.account.balance()
    client.tasks.retrieve("t")
    limit = client.rate_limits["account"]
    assert (limit.limit, limit.remaining, limit.reset_at) == (200, 198, 1_800_000_000)
    assert time.time() - 60 < limit.seen_at <= time.time()
    assert "tasks" not in client.rate_limits


def test_the_time_until_the_next_window_is_told_by_the_services_clock(service: Script, client: Client) -> None:
    """Ours may be wrong by hours; the answer's own date is not."""
    window = {"X_RateLimit_Limit": "50", "X_RateLimit_Remaining": "0", "Date": "Fri, 15 Jan 2027 08:00:00 GMT"}
    service.reply("GET", BALANCE, ok({"balance": 1}, X_RateLimit_Reset="1800000042", **window))
    service.reply("GET", BALANCE, ok({"balance": 1}, X_RateLimit_Reset="1700000000", **window))
    client.account.balance()
    assert client.rate_limits["account"].resets_in == 42
    client.account.balance()
    assert client.rate_limits["account"].resets_in == 0


@pytest.mark.parametrize(
    ("path", "group"),
    [
        ("/v3/generation/text-to-model", "generation"),
        ("/v3/models/texture", "models"),
        ("/v3/models/refine", "refine"),
        ("/v3/tasks/list", "tasks"),
        ("/v3/files", "files"),
    ],
)
def test_paths_with_a_quota_of_their_own_are_a_group(path: str, group: str) -> None:
    assert window_of(path) == group


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_the_key_does_not_follow_a_redirect(service: Script, client: Client, status: int) -> None:
    elsewhere = service.base_url.replace("127.0.0.1", "localhost") + "/stolen"
    service.reply("GET", BALANCE, Reply(status, b"", {"location": elsewhere}))
    with pytest.raises(InvalidAnswerError, match="leads elsewhere"):
        client.account.balance()
    assert [request.path for request in service.requests] == [BALANCE]


def test_a_service_that_repeats_the_key_does_not_make_us_show_it(service: Script, client: Client) -> None:
    service.reply("GET", BALANCE, failure(401, 2, f"key {KEY} is unknown", X_Service_Trace_ID=KEY))
    with pytest.raises(AuthenticationError) as caught:
        client.account.balance()
    assert KEY not in f"{caught.value} {caught.value!r} {vars(caught.value)}"
    assert caught.value.message == "key *** is unknown"


def test_nobody_there(waits: list[float]) -> None:
    client = Client(KEY, f"http://127.0.0.1:{unused_port()}", sleep=waits.append)
    with client, pytest.raises(ConnectionFailed, match="cannot be reached") as caught:
        client.account.balance()
    assert not caught.value.may_have_arrived
    assert len(waits) == 2


def test_an_answer_that_takes_too_long(service: Script) -> None:
    service.reply("GET", BALANCE, Reply(delay=1.0))
    with Client(KEY, service.base_url, read_timeout=0.1, max_retries=0) as client, pytest.raises(TimedOut) as caught:
        client.account.balance()
    assert caught.value.may_have_arrived
    assert caught.value.request_id == service.requests[0].request_id


def test_something_that_does_not_speak_http() -> None:
    with RawServer(b"220 mail.test ESMTP\r\n") as server:
        client = Client(KEY, server.base_url, max_retries=0)
        with client, pytest.raises(ConnectionFailed, match="broke off"):
            client.account.balance()


def test_a_handshake_that_does_not_end_sent_nothing() -> None:
    with RawServer(b"") as server:
        address = server.base_url.replace("http", "https")
        with Client(KEY, address, connect_timeout=0.2, max_retries=0) as client, pytest.raises(TimedOut) as caught:
            client.account.balance()
    assert not caught.value.may_have_arrived
    assert KEY.encode() not in server.heads[0]


def test_threads_share_a_client(service: Script, client: Client) -> None:
    service.handle("GET", "/v3/tasks/t", lambda _: ok({"task_id": "t", "status": "queued"}))
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda _: client.tasks.retrieve("t").task_id, range(64)))
    assert found == ["t"] * 64
    assert len({request.request_id for request in service.requests}) == 64


def test_loopback_never_goes_through_a_proxy(service: Script, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTP_PROXY", f"http://127.0.0.1:{unused_port()}")
    monkeypatch.setenv("ALL_PROXY", f"http://127.0.0.1:{unused_port()}")
    service.reply("GET", BALANCE, ok({"balance": 1}))
    with Client(KEY, service.base_url, max_retries=0) as client:
        assert client.account.balance().balance == 1


def test_a_remote_service_is_reached_through_the_proxy_which_does_not_get_the_key(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    refusal = b"HTTP/1.1 403 Forbidden\r\ncontent-length: 0\r\n\r\n"
    with RawServer(refusal) as proxy, Client(KEY, "https://service.test", max_retries=0) as client:
        monkeypatch.setenv("HTTPS_PROXY", proxy.base_url)
        with pytest.raises(ConnectionFailed) as caught:
            client.account.balance()
    assert not caught.value.may_have_arrived
    (head,) = proxy.heads
    assert head.startswith(b"CONNECT service.test:443")
    assert KEY.encode() not in head


def test_a_proxy_that_cannot_be_used_is_named_without_its_password(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTPS_PROXY", "gopher://user:proxy-secret@proxy.test")
    client = Client(KEY, "https://service.test")
    with client, pytest.raises(assetgen.ConfigurationError, match="proxy") as caught:
        client.account.balance()
    assert "proxy-secret" not in str(caught.value)


@pytest.mark.parametrize("address", ["{}", "http://{}"])
def test_a_named_proxy_goes_before_that_of_the_environment(monkeypatch: pytest.MonkeyPatch, address: str) -> None:
    monkeypatch.setenv("HTTPS_PROXY", f"http://127.0.0.1:{unused_port()}")
    refusal = b"HTTP/1.1 403 Forbidden\r\ncontent-length: 0\r\n\r\n"
    with RawServer(refusal) as proxy:
        named = address.format(proxy.base_url.removeprefix("http://"))
        client = Client(KEY, "https://service.test", max_retries=0, proxy=named)
        with client, pytest.raises(ConnectionFailed):
            client.account.balance()
    assert [head.split(b" ", 2)[:2] for head in proxy.heads] == [[b"CONNECT", b"service.test:443"]]


def test_a_named_proxy_is_not_asked_for_this_machine(service: Script) -> None:
    service.reply("GET", BALANCE, ok({"balance": 1}))
    with Client(KEY, service.base_url, max_retries=0, proxy=f"http://127.0.0.1:{unused_port()}") as client:
        assert client.account.balance().balance == 1


@pytest.mark.parametrize("proxy", ["gopher://user:proxy-secret@proxy.test", "http://[::1", "http://proxy.test:port"])
def test_a_named_proxy_that_cannot_be_used_is_an_error_without_its_password(proxy: str) -> None:
    client = Client(KEY, "https://service.test", proxy=proxy)
    with client, pytest.raises(assetgen.ConfigurationError, match="proxy") as caught:
        client.account.balance()
    assert "proxy-secret" not in str(caught.value)


def test_certificates_of_a_file_are_trusted(secure_service: str) -> None:
    with Client(KEY, secure_service, max_retries=0) as client, pytest.raises(ConnectionFailed, match="certificate"):
        client.account.balance()
    with Client(KEY, secure_service, max_retries=0, ca_file=CERTIFICATE) as client:
        assert client.account.balance().balance == 7


def test_no_certificates_are_read_for_what_is_not_encrypted(service: Script, monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[object] = []
    monkeypatch.setattr(ssl.SSLContext, "load_verify_locations", lambda *arguments, **_: read.append(arguments))
    monkeypatch.setattr(ssl.SSLContext, "load_default_certs", lambda *arguments, **_: read.append(arguments))
    service.reply("GET", BALANCE, ok({"balance": 1}))
    with Client(KEY, service.base_url) as client:
        assert client.account.balance().balance == 1
    assert read == []


@pytest.mark.parametrize("content", [None, b"", b"no certificate"])
def test_certificates_that_cannot_be_read_are_an_error(tmp_path: Path, content: bytes | None) -> None:
    file = tmp_path / "firm.pem"
    if content is not None:
        file.write_bytes(content)
    client = Client(KEY, "https://service.test", ca_file=file)
    with client, pytest.raises(assetgen.ConfigurationError, match=r"firm\.pem cannot be read"):
        client.account.balance()


@pytest.fixture
def secure_service() -> Iterator[str]:
    """A service that proves who it is by a certificate that nobody knows."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            body = b'{"code": 0, "data": {"balance": 7, "frozen": 0}}'
            self.send_response(200)
            self.send_header("Content-Length", str(len(body)))
            self.send_header("Content-Type", "application/json")
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *arguments: object) -> None:
            """Says nothing."""

    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(CERTIFICATE)
    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        server.handle_error = lambda *_: None  # type: ignore[method-assign]  # a client that does not trust it goes away
        server.socket = context.wrap_socket(server.socket, server_side=True)
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"https://127.0.0.1:{server.server_address[1]}"
        server.shutdown()
        thread.join()


def test_a_closed_client_says_so(service: Script) -> None:
    client = Client(KEY, service.base_url)
    client.close()
    with pytest.raises(StoppedError, match="closed"):
        client.account.balance()


def test_a_client_that_is_closed_while_a_request_is_made_says_so_too(
    service: Script, monkeypatch: pytest.MonkeyPatch
) -> None:
    client = Client(KEY, service.base_url)
    build_request = httpx.Client.build_request

    def close_between(shared: httpx.Client, *args: Any, **kwargs: Any) -> httpx.Request:
        client.close()  # as another thread may, after the connection was given out and before it is used
        return build_request(shared, *args, **kwargs)

    monkeypatch.setattr(httpx.Client, "build_request", close_between)
    with pytest.raises(StoppedError) as caught:
        client.account.balance()
    assert not caught.value.may_have_arrived
    assert service.requests == []


def test_nobody_logs_the_signature_of_a_link(
    service: Script, client: Client, caplog: pytest.LogCaptureFixture, tmp_path: Path
) -> None:
    caplog.set_level(logging.DEBUG)
    service.reply("GET", "/files/model", Reply(body=b"glTF" + bytes(8)))
    client.download(f"{service.base_url}/files/model?signature=very-secret", tmp_path, name="model")
    assert "/files/model" in caplog.text
    assert "very-secret" not in caplog.text
