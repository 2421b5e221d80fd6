"""200 MB up or down over loopback, with the client and with requests; how much memory that takes.

Started with "up" or "down" it serves, and starts itself for each figure: one transfer in a process of its own, so that
its memory is its own.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

SIZE = 200 * 1000 * 1000
RUNS = 5
_PIECE = 1 << 20
_TOKEN = "file-token"


class StoreHandler(BaseHTTPRequestHandler):
    """A store for one large file: takes it by PUT and by multipart, gives it by GET, and presigns links to itself."""

    protocol_version = "HTTP/1.1"
    content = os.urandom(_PIECE)

    def do_PUT(self) -> None:
        """Reads a file and forgets it."""
        self._swallow()
        self._answer(b"")

    def do_POST(self) -> None:
        """Both ways to upload."""
        self._swallow()
        link = f"http://127.0.0.1:{self.server.server_address[1]}/put"
        data = {"file_token": _TOKEN, "upload_url": link, "expires_in": 1800}
        self._answer(json.dumps({"code": 0, "data": data}).encode())

    def do_GET(self) -> None:
        """The large file."""
        self.send_response(200)
        self.send_header("Content-Length", str(SIZE))
        self.end_headers()
        left = SIZE
        while left:
            left -= self.wfile.write(self.content[: min(left, _PIECE)])

    def log_message(self, format: str, *arguments: object) -> None:
        """Says nothing."""

    def _swallow(self) -> None:
        left = int(self.headers["Content-Length"])
        while left and (piece := self.rfile.read(min(left, _PIECE))):
            left -= len(piece)

    def _answer(self, body: bytes) -> None:
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Content-Type", "application/json")
        self.end_headers()
        self.wfile.write(body)


def _own(way: str, base_url: str, folder: Path) -> Callable[[], object]:
    from load_extension import load_package

    load_package()

    from asset_generation.vendor.assetgen import Client

    client = Client("a-key", base_url)
    client.files.upload(_file(folder, "small.glb", 1000))  # imports and the first connection
    if way == "down":
        return lambda: client.download(base_url + "/model", folder, name="model")
    return lambda: client.files.upload(folder / "large.glb")


def _reference(way: str, base_url: str, folder: Path) -> Callable[[], object]:
    import requests

    session = requests.Session()
    session.trust_env = False
    session.put(base_url + "/put", data=b"small")

    def down() -> None:
        with session.get(base_url + "/model", stream=True) as answer, (folder / "model").open("wb") as file:
            for piece in answer.iter_content(_PIECE):
                file.write(piece)
            os.fsync(file.fileno())  # like the client, which promises a whole file after a power cut

    def up() -> None:
        with (folder / "large.glb").open("rb") as file:
            session.put(base_url + "/put", data=file)

    return down if way == "down" else up


def _file(folder: Path, name: str, size: int) -> Path:
    path = folder / name
    path.write_bytes(os.urandom(size))
    return path


def _peak_memory() -> int:
    """The most memory that this process has had so far, in bytes."""
    for line in Path("/proc/self/status").read_text(encoding="ascii").splitlines():
        if line.startswith("VmHWM:"):
            return int(line.split()[1]) * 1024
    return 0


def _transfer(way: str, who: str, base_url: str, folder: Path) -> None:
    transfer = (_own if who == "own" else _reference)(way, base_url, folder)
    idle = _peak_memory()
    begun = time.perf_counter()
    transfer()
    print(json.dumps({"ms": 1000 * (time.perf_counter() - begun), "megabytes": (_peak_memory() - idle) / 1e6}))
    for path in folder.glob("model*"):  # so that the next one need not replace it
        path.unlink()


def _serve(way: str) -> None:
    server = ThreadingHTTPServer(("127.0.0.1", 0), StoreHandler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    base_url = f"http://127.0.0.1:{server.server_address[1]}"
    found: dict[str, list[dict[str, float]]] = {"own": [], "reference": []}
    with tempfile.TemporaryDirectory(prefix="assetgen-transfers-") as name:
        _file(Path(name), "large.glb", SIZE)
        for _ in range(RUNS):
            for who, runs in found.items():  # in turn, so that a busy machine is as bad for both
                command = [sys.executable, __file__, way, who, base_url, name]
                done = subprocess.run(command, check=True, capture_output=True, text=True)
                runs.append(json.loads(done.stdout.splitlines()[-1]))
    server.shutdown()
    print(json.dumps(found))


if __name__ == "__main__":
    if len(sys.argv) > 2:
        _transfer(sys.argv[1], sys.argv[2], sys.argv[3], Path(sys.argv[4]))
    else:
        _serve(sys.argv[1])
