"""Downloads: whole or not at all, resumed, renewed, and never with the key."""

from __future__ import annotations

import shutil
import tracemalloc
from collections import deque
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from asset_generation.vendor.assetgen import (
    Client,
    DiskError,
    DownloadError,
    DownloadIncomplete,
    DownloadTooLarge,
    LinkExpired,
    NotFoundError,
    StoppedError,
)
from support.services.scripted_service import KEY, Fault, RawServer, Reply, Script, StoredFile, lost, unused_port

GLB = b"glTF\x02\x00\x00\x00" + bytes(range(256)) * 2000
LINK = "/files/model"
FLAT_BYTES = 8_000_000


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "results"


@pytest.fixture
def fetch(service: Script, client: Client, folder: Path) -> Callable[..., Path]:
    """Downloads from the usual link."""

    def run(path: str = LINK, **options: Any) -> Path:
        return client.download(f"{service.base_url}{path}?signature=abc", folder, name="model", **options)

    return run


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_a_file_comes_whole_under_our_name_and_without_the_key(
    service: Script, fetch: Callable[..., Path], folder: Path
) -> None:
    service.reply("GET", LINK, Reply(200, GLB, {"content-disposition": 'attachment; filename="../../evil.exe"'}))
    seen: list[tuple[int, int]] = []
    path = fetch(on_progress=lambda done, size: seen.append((done, size)))
    assert path == folder / "model.glb"
    assert path.read_bytes() == GLB
    assert names(folder) == ["model.glb"]
    assert seen[-1] == (len(GLB), len(GLB))
    (request,) = service.requests
    assert request.query == "signature=abc"
    assert not {"authorization", "x-request-id"} & set(request.headers)
    assert KEY not in str(request.headers)
    assert request.headers["accept-encoding"] == "identity"


def test_a_file_with_the_name_is_replaced(service: Script, fetch: Callable[..., Path], folder: Path) -> None:
    folder.mkdir()
    (folder / "model.glb").write_bytes(b"older")
    service.reply("GET", LINK, Reply(200, GLB))
    assert fetch().read_bytes() == GLB


def test_a_broken_download_goes_on_where_it_broke(
    service: Script, fetch: Callable[..., Path], waits: list[float]
) -> None:
    stored = StoredFile(GLB, cuts=deque([100_000, 50_000, 200_000]))
    service.handle("GET", LINK, stored)
    assert fetch().read_bytes() == GLB
    assert stored.asked == ["", "bytes=100000-", "bytes=150000-", "bytes=350000-"]
    assert [request.headers.get("if-range", "") for request in service.requests] == ["", '"v1"', '"v1"', '"v1"']
    assert all(wait <= 0.5 for wait in waits), "progress makes the retries good again"


def test_progress_resets_the_retries(service: Script, fetch: Callable[..., Path]) -> None:
    service.handle("GET", LINK, StoredFile(GLB, cuts=deque([40_000] * 10)))
    assert fetch().read_bytes() == GLB
    assert len(service.requests) == 11


def test_without_progress_it_is_given_up_and_nothing_stays(
    service: Script, fetch: Callable[..., Path], folder: Path, waits: list[float]
) -> None:
    service.handle("GET", LINK, StoredFile(GLB, cuts=deque([1000, 0, 0, 0])))
    with pytest.raises(DownloadIncomplete, match=f"after 1000 of {len(GLB)} bytes") as caught:
        fetch()
    assert "signature" not in str(caught.value)
    assert names(folder) == []
    assert len(waits) == 2


def test_a_server_without_ranges_is_not_asked_forever(service: Script, fetch: Callable[..., Path]) -> None:
    service.handle("GET", LINK, StoredFile(GLB, ranges=False, cuts=deque([3000] * 50)))
    with pytest.raises(DownloadIncomplete):
        fetch()
    assert len(service.requests) == 3


def test_a_server_without_ranges_begins_again(service: Script, fetch: Callable[..., Path]) -> None:
    service.handle("GET", LINK, StoredFile(GLB, ranges=False, cuts=deque([300_000, 5])))
    seen: list[int] = []
    assert fetch(on_progress=lambda done, _: seen.append(done)).read_bytes() == GLB
    assert max(seen) == len(GLB)


def test_a_file_that_changed_is_fetched_from_its_beginning(service: Script, fetch: Callable[..., Path]) -> None:
    old, new = (
        StoredFile(b"glTF" + b"o" * 9000, '"old"', cuts=deque([5000])),
        StoredFile(b"glTF" + b"n" * 7000, '"new"'),
    )
    replies = iter([old, new])
    service.handle("GET", LINK, lambda seen: next(replies)(seen))
    assert fetch().read_bytes() == new.content


@pytest.mark.parametrize(
    "odd",
    [
        Reply(206, b"x" * 10, {"content-range": "bytes 0-9/9004", "etag": '"v1"'}),
        Reply(206, b"x" * 10, {"content-range": "bytes 5000-5009/5010", "etag": '"v1"'}),
        Reply(206, b"x" * 10, {"content-range": "bytes 5000-5009/9004", "etag": '"v2"'}),
        Reply(206, b"x" * 10, {}),
        Reply(416, b"", {"content-range": "bytes */4000"}),
    ],
    ids=["other start", "other size", "other version", "no range told", "became shorter"],
)
def test_pieces_of_different_files_are_never_joined(service: Script, fetch: Callable[..., Path], odd: Reply) -> None:
    stored = StoredFile(b"glTF" + b"o" * 9000, cuts=deque([5000]))
    service.handle("GET", LINK, lambda seen: odd if len(service.requests) == 1 else stored(seen))
    assert fetch().read_bytes() == stored.content
    assert stored.asked == ["", ""]


@pytest.mark.parametrize("trouble", [Reply(503, b"", {"retry-after": "5"}), Reply(429, b"", {"retry-after": "5"})])
def test_a_busy_store_is_waited_for(
    service: Script, fetch: Callable[..., Path], waits: list[float], trouble: Reply
) -> None:
    service.reply("GET", LINK, trouble, Reply(200, GLB))
    fetch()
    assert 5 <= waits[0] <= 5.5


@pytest.mark.parametrize("fault", Fault)
def test_a_dropped_connection_is_tried_again(service: Script, fetch: Callable[..., Path], fault: Fault) -> None:
    service.reply("GET", LINK, lost(fault), lost(fault), Reply(200, GLB))
    assert fetch().read_bytes() == GLB


def test_a_store_that_is_not_there(client: Client, folder: Path) -> None:
    with pytest.raises(DownloadIncomplete, match="could not be fetched"):
        client.download(f"http://127.0.0.1:{unused_port()}/a", folder, name="model")
    assert names(folder) == []


@pytest.mark.parametrize("status", [400, 401, 403, 404, 410])
def test_an_expired_link_is_renewed_and_the_download_goes_on(
    service: Script, fetch: Callable[..., Path], status: int
) -> None:
    first, fresh = StoredFile(GLB, cuts=deque([100_000])), StoredFile(GLB)
    replies: Iterator[Callable[..., Reply]] = iter([first, lambda _: Reply(status)])
    service.handle("GET", LINK, lambda seen: next(replies)(seen))
    service.handle("GET", "/files/fresh", fresh)
    assert fetch(renew=lambda: f"{service.base_url}/files/fresh").read_bytes() == GLB
    assert fresh.asked == ["bytes=100000-"]


def test_a_link_that_has_expired_for_good(service: Script, fetch: Callable[..., Path], folder: Path) -> None:
    service.reply("GET", LINK, Reply(403))
    with pytest.raises(LinkExpired, match="HTTP 403"):
        fetch()
    service.reply("GET", LINK, Reply(403), Reply(410))
    fresh = iter([f"{service.base_url}{LINK}"])  # a second one being asked for would end the test
    with pytest.raises(LinkExpired, match="HTTP 410"):
        fetch(renew=lambda: next(fresh))
    assert not list(fresh)
    assert names(folder) == []


def test_trouble_with_renewing_reaches_the_caller(service: Script, fetch: Callable[..., Path], folder: Path) -> None:
    def renew() -> str:
        raise NotFoundError("task not found", code=2001, status=404)

    service.reply("GET", LINK, Reply(403))
    with pytest.raises(NotFoundError):
        fetch(renew=renew)
    assert names(folder) == []


def test_too_large_is_known_from_the_header(service: Script, fetch: Callable[..., Path], folder: Path) -> None:
    service.reply("GET", LINK, Reply(200, GLB))
    seen: list[int] = []
    with pytest.raises(DownloadTooLarge, match=r"at most 0\.1 MB"):
        fetch(max_bytes=100_000, on_progress=lambda done, _: seen.append(done))
    assert seen == []
    assert names(folder) == []


def test_too_large_is_found_out_where_no_header_tells(client: Client, folder: Path) -> None:
    with RawServer(b"HTTP/1.0 200 OK\r\n\r\n" + GLB) as server, pytest.raises(DownloadTooLarge):
        client.download(f"{server.base_url}/a", folder, name="model", max_bytes=100_000)
    assert names(folder) == []


def test_a_file_whose_size_nobody_tells(client: Client, folder: Path) -> None:
    seen: list[tuple[int, int]] = []
    with RawServer(b"HTTP/1.0 200 OK\r\n\r\n" + GLB) as server:
        path = client.download(f"{server.base_url}/a", folder, name="m", on_progress=lambda *step: seen.append(step))
    assert path.read_bytes() == GLB
    assert seen[-1] == (len(GLB), 0)


def test_a_stop_leaves_nothing(service: Script, fetch: Callable[..., Path], folder: Path) -> None:
    service.reply("GET", LINK, Reply(200, GLB))
    seen: list[int] = []
    with pytest.raises(StoppedError):
        fetch(on_progress=lambda done, _: seen.append(done), stopped=lambda: bool(seen))
    assert 0 < seen[-1] < len(GLB)
    assert names(folder) == []


def test_a_stop_does_not_wait_for_the_next_try(service: Script, fetch: Callable[..., Path], waits: list[float]) -> None:
    service.reply("GET", LINK, Reply(503, b"", {"retry-after": "50"}))
    with pytest.raises(StoppedError):
        fetch(stopped=lambda: sum(waits) >= 1)
    assert sum(waits) < 2


def test_a_full_disk_is_known_before_anything_is_written(
    service: Script, fetch: Callable[..., Path], folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shutil, "disk_usage", lambda _: SimpleNamespace(free=1000))
    service.reply("GET", LINK, Reply(200, GLB))
    with pytest.raises(DiskError, match="too full"):
        fetch()
    assert names(folder) == []


def test_redirects_to_safe_addresses_are_followed(service: Script, fetch: Callable[..., Path]) -> None:
    elsewhere = service.base_url.replace("127.0.0.1", "localhost") + "/files/moved"
    service.reply("GET", LINK, Reply(302, b"", {"location": "/files/nearby"}))
    service.reply("GET", "/files/nearby", Reply(307, b"", {"location": elsewhere}))
    service.reply("GET", "/files/moved", Reply(200, GLB))
    assert fetch().read_bytes() == GLB


@pytest.mark.parametrize(
    ("location", "reason"),
    [
        ("http://files.test/a", "not https"),
        ("file:///etc/passwd", "not a web address"),
        ("https://files.test:port/a", "could not be fetched"),
        (LINK, "redirects too often"),
    ],
)
def test_other_redirects_are_not(
    service: Script, fetch: Callable[..., Path], folder: Path, location: str, reason: str
) -> None:
    service.handle("GET", LINK, lambda _: Reply(302, b"", {"location": location}))
    with pytest.raises(DownloadError, match=reason):
        fetch()
    assert names(folder) == []


def test_a_remote_service_cannot_send_us_to_this_machine(service: Script, folder: Path) -> None:
    with Client(KEY, "https://service.test") as client, pytest.raises(DownloadError, match="points to this machine"):
        client.download(f"{service.base_url}{LINK}", folder, name="model")
    assert service.requests == []


@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        (Reply(200, b"<!DOCTYPE html><title>Log in</title>"), "web page"),
        (Reply(200, b""), "empty file"),
        (Reply(204), "HTTP 204"),
        (Reply(200, b"\x1f\x8b", {"content-encoding": "gzip"}), "compressed"),
    ],
)
def test_what_is_no_file_is_refused(
    service: Script, fetch: Callable[..., Path], folder: Path, reply: Reply, reason: str
) -> None:
    service.reply("GET", LINK, reply)
    with pytest.raises(DownloadError, match=reason):
        fetch()
    assert names(folder) == []


def test_memory_stays_flat(service: Script, fetch: Callable[..., Path]) -> None:
    piece, pieces = b"glTF" + bytes(64 * 1024 - 4), 960
    service.reply("GET", LINK, Reply(200, piece, repeat=pieces))
    tracemalloc.start()
    try:
        path = fetch()
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert path.stat().st_size == len(piece) * pieces > 60_000_000
    assert peak < FLAT_BYTES
