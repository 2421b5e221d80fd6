"""Uploads: multipart up to the limit, a presigned link above, in pieces from the disk."""

from __future__ import annotations

import hashlib
import tracemalloc
from pathlib import Path

import pytest
from asset_generation.vendor.assetgen import (
    AuthenticationError,
    Client,
    ConnectionFailed,
    InsufficientCreditsError,
    InvalidAnswerError,
    NotFoundError,
    ServerError,
    StoppedError,
    TooLargeError,
)
from asset_generation.vendor.assetgen.contract import MAX_MULTIPART_BYTES, MAX_UPLOAD_BYTES
from asset_generation.vendor.assetgen.file_reader import FileReader
from asset_generation.vendor.assetgen.resources.files import Files
from support.services.scripted_service import KEY, Fault, RawServer, Reply, Script, failure, lost, ok

CONTENT = bytes(range(256)) * 1000
UPLOADED = ok({"file_token": "file_1", "bytes": 256000})
LARGE = MAX_MULTIPART_BYTES + 10_000_000
FLAT_BYTES = 8_000_000


@pytest.fixture
def presigning(client: Client) -> Files:
    """Uploads that send even small files to a presigned link."""
    return Files(client._transport, client._links, largest_multipart=10)


@pytest.fixture
def model(tmp_path: Path) -> Path:
    path = tmp_path / "My Secret Project.GLB"
    path.write_bytes(CONTENT)
    return path


def presigned(service: Script, path: str = "/put/1", token: str = "file_2") -> Reply:
    return ok({"upload_url": f"{service.base_url}{path}?signature=abc", "file_token": token, "expires_in": 1800})


def test_multipart_carries_the_whole_file_under_a_neutral_name(service: Script, client: Client, model: Path) -> None:
    service.reply("POST", "/v3/files", UPLOADED)
    assert client.files.upload(model) == "file_1"
    (request,) = service.requests
    assert request.headers["content-type"].startswith("multipart/form-data; boundary=")
    assert int(request.headers["content-length"]) == request.size
    head, _, rest = request.body.partition(b"\r\n\r\n")
    assert b'name="file"; filename="upload.glb"' in head
    assert rest.startswith(CONTENT)
    assert b"Secret Project" not in request.body
    assert request.headers["authorization"] == f"Bearer {KEY}"


def test_progress_grows_to_the_files_size(service: Script, client: Client, model: Path) -> None:
    service.reply("POST", "/v3/files", UPLOADED)
    seen: list[tuple[int, int]] = []
    client.files.upload(model, on_progress=lambda done, size: seen.append((done, size)))
    assert {size for _, size in seen} == {len(CONTENT)}
    done = [bytes_done for bytes_done, _ in seen]
    assert done == sorted(done)
    assert len(done) > 2
    assert done[-1] == len(CONTENT)


def test_a_stop_ends_an_upload_half_way(service: Script, client: Client, model: Path) -> None:
    """The service never sees the end of the request, so it has not taken the file."""
    seen: list[int] = []
    with pytest.raises(StoppedError):
        client.files.upload(model, on_progress=lambda done, _: seen.append(done), stopped=lambda: len(seen) >= 2)
    assert 0 < seen[-1] < len(CONTENT)
    assert service.requests == []


@pytest.mark.parametrize("trouble", [lost(Fault.RESET_AFTER), failure(500, 1000), failure(429, 1007, Retry_After="1")])
def test_a_broken_upload_is_repeated_from_the_beginning(
    service: Script, client: Client, model: Path, trouble: Reply
) -> None:
    service.reply("POST", "/v3/files", trouble, UPLOADED)
    assert client.files.upload(model) == "file_1"
    first, second = service.requests
    assert first.size == second.size > len(CONTENT)
    assert CONTENT in second.body
    assert first.request_id == second.request_id


REFUSALS = [failure(400, 1004), failure(404, 4001), failure(413, 2021), Reply(404, b"<html>"), Reply(413)]


@pytest.mark.parametrize("refusal", REFUSALS)
def test_a_refused_upload_goes_by_the_other_way(service: Script, client: Client, model: Path, refusal: Reply) -> None:
    service.reply("POST", "/v3/files", refusal)
    service.reply("POST", "/v3/files/presign", presigned(service))
    service.reply("PUT", "/put/1", Reply(200))
    assert client.files.upload(model) == "file_2"


@pytest.mark.parametrize("refusal", [*REFUSALS, ok({"file_token": "file_2"})])
def test_a_refused_link_leads_to_multipart(service: Script, presigning: Files, model: Path, refusal: Reply) -> None:
    service.reply("POST", "/v3/files/presign", refusal)
    service.reply("POST", "/v3/files", UPLOADED)
    assert presigning.upload(model) == "file_1"


def test_both_ways_may_be_closed(service: Script, client: Client, model: Path) -> None:
    service.reply("POST", "/v3/files", failure(400, 2021, "too large"))
    service.reply("POST", "/v3/files/presign", failure(404, 4001, "no such route"))
    with pytest.raises(TooLargeError, match="too large"):
        client.files.upload(model)


def test_above_what_multipart_takes_there_is_one_way(service: Script, client: Client, tmp_path: Path) -> None:
    path = tmp_path / "huge.glb"
    with path.open("wb") as file:
        file.truncate(MAX_UPLOAD_BYTES + 1)
    service.reply("POST", "/v3/files/presign", failure(404, 4001, "no such route"))
    with pytest.raises(NotFoundError):
        client.files.upload(path)


@pytest.mark.parametrize("answer", [failure(401, 2), failure(403, 2010)])
def test_no_other_way_leads_around_a_key(service: Script, client: Client, model: Path, answer: Reply) -> None:
    service.reply("POST", "/v3/files", answer)
    with pytest.raises((AuthenticationError, InsufficientCreditsError)):
        client.files.upload(model)


def test_a_refusal_before_the_end_of_the_file_is_understood(tmp_path: Path) -> None:
    """The service answers and closes while we still send: its answer counts, not the broken connection."""
    path = tmp_path / "large.glb"
    path.write_bytes(CONTENT * 40)
    body = b'{"code": 2, "status": "error", "message": "unknown key"}'
    answer = b"HTTP/1.1 401 Unauthorized\r\ncontent-length: %d\r\n\r\n%s" % (len(body), body)
    with RawServer(answer) as server:
        client = Client(KEY, server.base_url, max_retries=0)
        with client, pytest.raises((AuthenticationError, ConnectionFailed)) as caught:
            client.files.upload(path)
    # A reset may overtake the answer on its way; then nothing better is known.
    assert isinstance(caught.value, AuthenticationError) or caught.value.may_have_arrived


def test_an_upload_without_a_token_in_the_answer(service: Script, client: Client, model: Path) -> None:
    service.reply("POST", "/v3/files", ok({"image_token": "old"}))
    with pytest.raises(InvalidAnswerError, match="file_token"):
        client.files.upload(model)


def test_a_file_that_is_not_there(client: Client, tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        client.files.upload(tmp_path / "missing.glb")


def test_a_presigned_upload_is_put_to_the_link_without_the_key(service: Script, presigning: Files, model: Path) -> None:
    service.reply("POST", "/v3/files/presign", presigned(service))
    service.reply("PUT", "/put/1", Reply(200))
    seen: list[int] = []
    assert presigning.upload(model, on_progress=lambda done, _: seen.append(done)) == "file_2"
    asked, put = service.requests
    assert asked.json == {"format": "glb"}
    assert asked.headers["authorization"] == f"Bearer {KEY}"
    assert put.query == "signature=abc"
    assert put.sha256 == hashlib.sha256(CONTENT).hexdigest()
    assert put.headers["content-length"] == str(len(CONTENT))
    assert not {"authorization", "content-type", "transfer-encoding", "x-request-id"} & set(put.headers)
    assert KEY not in str(put.headers)
    assert seen[-1] == len(CONTENT)


@pytest.mark.parametrize("trouble", [lost(Fault.RESET_AFTER), Reply(503), Reply(429)])
def test_a_broken_put_is_repeated_to_the_same_link(
    service: Script, presigning: Files, model: Path, trouble: Reply
) -> None:
    service.reply("POST", "/v3/files/presign", presigned(service))
    service.reply("PUT", "/put/1", trouble, trouble, Reply(200))
    assert presigning.upload(model) == "file_2"
    assert [put.sha256 for put in service.seen("/put/1")] == [hashlib.sha256(CONTENT).hexdigest()] * 3


def test_a_put_that_keeps_failing_is_given_up(service: Script, presigning: Files, model: Path) -> None:
    service.reply("POST", "/v3/files/presign", presigned(service))
    service.reply("PUT", "/put/1", *[Reply(503)] * 3)
    with pytest.raises(ServerError, match="HTTP 503") as caught:
        presigning.upload(model)
    assert "signature" not in str(caught.value)


def test_an_expired_upload_link_is_replaced_once(service: Script, presigning: Files, model: Path) -> None:
    service.reply("POST", "/v3/files/presign", presigned(service), presigned(service, "/put/2", "file_3"))
    service.reply("PUT", "/put/1", Reply(403))
    service.reply("PUT", "/put/2", Reply(204))
    assert presigning.upload(model) == "file_3"


def test_an_upload_link_that_is_refused_twice_is_given_up(service: Script, presigning: Files, model: Path) -> None:
    service.reply("POST", "/v3/files/presign", presigned(service), presigned(service, "/put/2"))
    service.reply("PUT", "/put/1", Reply(403))
    service.reply("PUT", "/put/2", Reply(403))
    service.reply("POST", "/v3/files", failure(404, 4001))
    with pytest.raises(InvalidAnswerError, match="HTTP 403") as caught:
        presigning.upload(model)
    assert caught.value.status == 403


@pytest.mark.parametrize(
    ("status", "kind"), [(413, TooLargeError), (400, InvalidAnswerError), (307, InvalidAnswerError)]
)
def test_a_put_that_is_refused_is_not_repeated(
    service: Script, presigning: Files, model: Path, status: int, kind: type[Exception]
) -> None:
    service.reply("POST", "/v3/files/presign", presigned(service))
    service.reply("PUT", "/put/1", Reply(status, b"", {"location": "https://elsewhere.test"}))
    if status != 307:
        service.reply("POST", "/v3/files", failure(404, 4001))
    with pytest.raises(kind, match=f"HTTP {status}"):
        presigning.upload(model)


def test_a_file_is_not_put_to_an_unsafe_link(service: Script, presigning: Files, model: Path) -> None:
    unsafe = {"upload_url": "http://files.test/put?signature=abc", "file_token": "file_2"}
    service.reply("POST", "/v3/files/presign", ok(unsafe))
    with pytest.raises(InvalidAnswerError, match="not https") as caught:
        presigning.upload(model)
    assert "signature" not in str(caught.value)


@pytest.mark.parametrize("size", [MAX_MULTIPART_BYTES, LARGE])
def test_memory_stays_flat(service: Script, client: Client, tmp_path: Path, size: int) -> None:
    """The limit decides the way, and neither way holds more than a few pieces of the file."""
    path = tmp_path / "large.glb"
    with path.open("wb") as file:
        file.truncate(size)
    service.handle("POST", "/v3/files", lambda _: UPLOADED)
    service.handle("POST", "/v3/files/presign", lambda _: presigned(service))
    service.handle("PUT", "/put/1", lambda _: Reply(200))
    tracemalloc.start()
    try:
        token = client.files.upload(path)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert token == ("file_1" if size == MAX_MULTIPART_BYTES else "file_2")
    assert service.requests[-1].size >= size
    assert peak < FLAT_BYTES


def test_a_file_that_shrinks_while_it_is_sent_is_not_passed_off_as_whole(
    service: Script, client: Client, model: Path
) -> None:
    def shrink(done: int, _: int) -> None:
        with model.open("r+b") as file:
            file.truncate(done)

    with pytest.raises(OSError, match="became shorter"):
        client.files.upload(model, on_progress=shrink)
    assert service.requests == []


def test_a_file_that_grows_while_it_is_sent_ends_where_it_ended(tmp_path: Path) -> None:
    path = tmp_path / "log.obj"
    path.write_bytes(b"v 1 2 3\n")
    with FileReader(path, None, None) as file:
        with path.open("ab") as other:
            other.write(b"more")
        assert file.seek(0, 2) == 8
        file.seek(0)
        assert b"".join(file) == b"v 1 2 3\n"
        assert file.read() == b""


def test_a_presigned_link_can_be_had_by_itself(service: Script, client: Client) -> None:
    service.reply("POST", "/v3/files/presign", presigned(service))
    link = client.files.presign(".GLB")
    assert service.requests[0].json == {"format": "glb"}
    assert (link.file_token, link.expires_in) == ("file_2", 1800)
    assert link.upload_url.endswith("/put/1?signature=abc")
    assert "signature" not in f"{link} {link!r}"


def test_a_presigned_link_need_not_say_how_long_it_lives(service: Script, client: Client) -> None:
    service.reply("POST", "/v3/files/presign", ok({"upload_url": "https://a.test", "file_token": "file_2", "x": 1}))
    link = client.files.presign("glb")
    assert (link.expires_in, link.model_extra) == (None, {"x": 1})


def test_upload_credentials_are_kept_as_they_come_and_not_shown(service: Script, client: Client) -> None:
    told = {"file_token": "file_4", "bucket": "b", "credentials": {"secret_key": "very-secret"}, "expires_in": 1800}
    service.reply("POST", "/v3/files/upload-credentials", ok(told), ok(told))
    found = client.files.upload_credentials()
    assert found.file_token == "file_4"
    assert found.model_extra == {name: value for name, value in told.items() if name != "file_token"}
    assert "very-secret" not in f"{found} {found!r}"
    client.files.upload_credentials(format="GLB")
    assert [request.json for request in service.requests] == [{}, {"format": "glb"}]


def test_upload_credentials_without_a_token(service: Script, client: Client) -> None:
    service.reply("POST", "/v3/files/upload-credentials", ok({"secret_key": "very-secret"}))
    with pytest.raises(InvalidAnswerError, match="file_token") as caught:
        client.files.upload_credentials()
    assert "very-secret" not in str(caught.value)
