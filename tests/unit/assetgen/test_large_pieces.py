"""Large files go in large pieces, whatever httpx asks for."""

from __future__ import annotations

import os
import socket
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from asset_generation.vendor.assetgen import Client
from asset_generation.vendor.assetgen.connections import Connections
from asset_generation.vendor.assetgen.file_reader import FileReader
from asset_generation.vendor.assetgen.large_pieces import LargePieces
from httpcore import ConnectError
from httpcore._backends.sync import SyncStream

ASKED = 64 * 1024
CONTENT = os.urandom(3_000_001)


class Handler(BaseHTTPRequestHandler):
    """Gives one file."""

    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Length", str(len(CONTENT)))
        self.end_headers()
        self.wfile.write(CONTENT)

    def log_message(self, format: str, *arguments: object) -> None:
        """Says nothing."""


@pytest.fixture
def base_url() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_address[1]}"
    server.shutdown()
    server.server_close()


def test_what_has_come_is_read_at_once() -> None:
    here, there = socket.socketpair()
    with here, there:
        there.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 1 << 20)
        there.sendall(CONTENT[: 2 * ASKED])
        assert LargePieces(SyncStream(here)).read(ASKED, timeout=10) == CONTENT[: 2 * ASKED]


@pytest.mark.parametrize("direct", [True, False], ids=["this-machine", "elsewhere"])
def test_every_connection_of_a_client_does_it(base_url: str, direct: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    connections = Connections(connect_timeout=10, read_timeout=10, user_agent="a-test")
    url = base_url if direct else base_url.replace("http://127.0.0.1", "http://service.example")
    if not direct:  # over the system's proxy, which answers for any host
        monkeypatch.setenv("http_proxy", base_url)
    try:
        with connections.to(url).stream("GET", f"{url}/model") as response:
            assert isinstance(response.extensions["network_stream"], LargePieces)
            assert response.read() == CONTENT
    finally:
        connections.close()


def test_a_download_is_what_was_sent(base_url: str, tmp_path: Path) -> None:
    path = Client("a-key", base_url).download(f"{base_url}/model", tmp_path, name="model")
    assert path.read_bytes() == CONTENT


def test_a_failure_to_connect_is_still_httpcores_own() -> None:
    connections = Connections(connect_timeout=1, read_timeout=1, user_agent="a-test")
    with pytest.raises(Exception) as raised:
        connections.to("http://127.0.0.1:9").get("http://127.0.0.1:9/")
    assert isinstance(raised.value.__cause__, ConnectError)
    connections.close()


def test_a_file_goes_out_in_large_pieces(tmp_path: Path) -> None:
    path = tmp_path / "model.glb"
    path.write_bytes(CONTENT)
    with FileReader(path, None, None) as file:
        pieces = list(file)
    assert b"".join(pieces) == CONTENT
    assert len(pieces) <= len(CONTENT) / (3 * ASKED)
