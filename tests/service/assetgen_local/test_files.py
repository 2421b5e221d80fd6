"""The local engine over HTTP: uploads in every form, and signed links to results."""

from __future__ import annotations

import io
import re
import struct
import threading
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx
import pytest
from asset_generation.vendor.assetgen_local import LocalService
from support.services.local_engine import KEY, ask, local_engine, tiny_glb, wait_for_end
from support.services.plain_http import plain

BEARER = {"Authorization": f"Bearer {KEY}"}
MIB = 1024 * 1024
TOKEN = re.compile(r"file_[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")


@pytest.fixture
def service(tmp_path: Path) -> Iterator[LocalService]:
    with local_engine(tmp_path) as running:
        yield running


def archive(*names: str) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as target:
        for name in names:
            target.writestr(name, "x")
    return file.getvalue()


STL = bytes(80) + struct.pack("<I", 2) + bytes(100)
FORMATS = {
    "glb": tiny_glb(),
    "fbx": b"Kaydara FBX Binary  \x00\x1a\x00" + bytes(20),
    "obj": b"# made by hand\nmtllib a.mtl\no thing\nv 0 0 0\n",
    "stl": STL,
    "3mf": archive("[Content_Types].xml", "3D/3dmodel.model"),
    "usdz": archive("scene.usdc", "textures/a.png"),
    "png": b"\x89PNG\r\n\x1a\n" + bytes(20),
    "jpg": b"\xff\xd8\xff\xe0" + bytes(20),
    "webp": b"RIFF\x10\0\0\0WEBPVP8 " + bytes(20),
    "bmp": b"BM" + bytes(30),
    "tiff": b"II*\x00" + bytes(30),
}


def send(service: LocalService, data: bytes, name: str = "whatever") -> httpx.Response:
    return plain.post(f"{service.base_url}/v3/files", files={"file": (name, data)}, headers=BEARER)


def stored(tmp_path: Path) -> list[Path]:
    return sorted((tmp_path / "local_engine" / "uploads").iterdir())


@pytest.mark.parametrize("file_format", FORMATS)
def test_a_multipart_upload_is_kept_under_its_real_format(
    service: LocalService, tmp_path: Path, file_format: str
) -> None:
    answer = send(service, FORMATS[file_format], "misleading.txt")
    token = answer.json()["data"]["file_token"]
    assert TOKEN.fullmatch(token)
    assert [path.name for path in stored(tmp_path)] == [f"{token}.{file_format}"]
    assert stored(tmp_path)[0].read_bytes() == FORMATS[file_format]


@pytest.mark.parametrize(
    ("data", "name"),
    [
        (b"", "a.glb"),
        (b"just words", "a.obj"),
        (b"\0" * 300, "a.stl"),
        (archive("a.txt"), "a.usdz"),
        (b"PK\3\4", "a.3mf"),
    ],
)
def test_content_that_is_nothing_known_is_refused(
    service: LocalService, tmp_path: Path, data: bytes, name: str
) -> None:
    answer = send(service, data, name)
    assert (answer.status_code, answer.json()["code"]) == (400, 1004)
    assert stored(tmp_path) == []


def test_an_obj_that_begins_with_a_long_comment_is_known_by_its_name(service: LocalService) -> None:
    data = b"# words\n" * 20_000 + b"v 0 0 0\n"
    assert send(service, data, "scan.OBJ").status_code == 200
    assert send(service, data, "scan.txt").status_code == 400


def test_other_fields_are_passed_over_and_the_first_file_counts(service: LocalService, tmp_path: Path) -> None:
    parts = [
        ("note", (None, b"x" * 300_000)),
        ("file", ("a.png", FORMATS["png"])),
        ("file", ("b.glb", FORMATS["glb"])),
    ]
    token = plain.post(f"{service.base_url}/v3/files", files=parts, headers=BEARER).json()["data"]["file_token"]
    assert [path.name for path in stored(tmp_path)] == [f"{token}.png"]


@pytest.mark.parametrize(
    ("content_type", "body", "code"),
    [
        ("multipart/form-data", b"", 1003),
        ("multipart/form-data; boundary=b", b"nonsense", 1003),
        ("multipart/form-data; boundary=b", b'--b\r\nContent-Disposition: form-data; name="file"\r\n\r\nabc', 1003),
        (
            "multipart/form-data; boundary=b",
            b'--b\r\nContent-Disposition: form-data; name="x"\r\n\r\na\r\n--b--\r\n',
            1004,
        ),
        ("multipart/form-data; boundary=b", b"--b\r\n\r\na\r\n--b--\r\n", 1004),
    ],
)
def test_a_broken_multipart_body_is_refused(
    service: LocalService, tmp_path: Path, content_type: str, body: bytes, code: int
) -> None:
    answer = plain.post(f"{service.base_url}/v3/files", content=body, headers={**BEARER, "Content-Type": content_type})
    assert (answer.status_code, answer.json()["code"]) == (400, code)
    assert stored(tmp_path) == []


@pytest.mark.parametrize("declared", [True, False])
def test_an_upload_above_the_bound_is_2021(tmp_path: Path, declared: bool) -> None:
    with local_engine(tmp_path, max_upload_bytes=MIB) as service:
        head = b'--b\r\nContent-Disposition: form-data; name="file"; filename="a.glb"\r\n\r\n'

        def parts() -> Iterator[bytes]:
            yield head
            for _ in range(3):
                yield tiny_glb() + bytes(MIB)
            yield b"\r\n--b--\r\n"

        content = b"".join(parts()) if declared else parts()
        headers = {**BEARER, "Content-Type": "multipart/form-data; boundary=b"}
        answer = plain.post(f"{service.base_url}/v3/files", content=content, headers=headers)
        assert (answer.status_code, answer.json()["code"]) == (413, 2021)
        assert stored(tmp_path) == []


def test_an_upload_that_breaks_off_leaves_nothing(service: LocalService, tmp_path: Path) -> None:
    def parts() -> Iterator[bytes]:
        yield b'--b\r\nContent-Disposition: form-data; name="file"\r\n\r\n' + tiny_glb()
        raise KeyboardInterrupt

    headers = {**BEARER, "Content-Type": "multipart/form-data; boundary=b"}
    with pytest.raises(KeyboardInterrupt):
        plain.post(f"{service.base_url}/v3/files", content=parts(), headers=headers)
    settled = threading.Event()
    for _ in range(2000):
        if not stored(tmp_path):
            break
        settled.wait(0.01)
    assert stored(tmp_path) == []


def test_what_an_earlier_process_left_half_is_removed(tmp_path: Path) -> None:
    half = tmp_path / "local_engine" / "uploads" / "0123.part"
    half.parent.mkdir(parents=True)
    half.write_bytes(b"half")
    with local_engine(tmp_path):
        assert not half.exists()


# --- presigned


@pytest.mark.parametrize("body", [{"json": {"format": "glb"}}, {"json": {}}, {"content": b""}, {"content": b"any"}])
def test_a_presigned_link_takes_the_bytes_without_a_key(service: LocalService, body: dict[str, Any]) -> None:
    data = plain.post(f"{service.base_url}/v3/files/presign", headers=BEARER, **body).json()["data"]
    assert set(data) == {"upload_url", "file_token", "expires_in"}
    assert TOKEN.fullmatch(data["file_token"]) and data["expires_in"] == 1800
    early = plain.post(f"{service.base_url}/v3/models/import", json={"input": data["file_token"]}, headers=BEARER)
    assert early.json()["code"] == 1004 and "no file has been sent" in early.json()["message"]
    for _ in range(2):  # a lost answer: the same bytes are sent again
        assert plain.put(data["upload_url"], content=tiny_glb()).status_code == 200
    created = ask(service, "POST", "/v3/models/import", {"input": data["file_token"]})
    assert wait_for_end(service, created["task_id"])["status"] == "success"


def test_upload_credentials_hold_a_token_and_an_object_that_names_it(service: LocalService, tmp_path: Path) -> None:
    data = ask(service, "POST", "/v3/files/upload-credentials", {})
    assert TOKEN.fullmatch(data["file_token"]) and data["expires_in"] == 1800
    assert plain.put(data["upload_url"], content=FORMATS["png"]).status_code == 200
    glb = send(service, tiny_glb()).json()["data"]["file_token"]
    source = ask(service, "POST", "/v3/models/import", {"input": glb})["task_id"]
    wait_for_end(service, source)
    image = {"object": {"bucket": data["bucket"], "key": data["key"]}}
    body = {"original_model_task_id": source, "texture_prompt": {"image": image}}
    assert wait_for_end(service, ask(service, "POST", "/v3/models/texture", body)["task_id"])["status"] == "success"


def test_a_presigned_link_ends(tmp_path: Path) -> None:
    now = [1000.0]
    with local_engine(tmp_path, clock=lambda: now[0]) as service:
        url = ask(service, "POST", "/v3/files/presign", {})["upload_url"]
        now[0] += 1801
        answer = plain.put(url, content=tiny_glb())
        assert answer.status_code == 403 and "expired" in answer.json()["message"]
        assert stored(tmp_path) == []


def test_a_presigned_upload_is_bounded_and_checked(tmp_path: Path) -> None:
    with local_engine(tmp_path, max_presigned_bytes=MIB) as service:
        url = ask(service, "POST", "/v3/files/presign", {})["upload_url"]
        assert plain.put(url, content=bytes(MIB + 1)).json()["code"] == 2021
        assert plain.put(url, content=b"words").json()["code"] == 1004
        assert plain.put(url.replace("/file_", "/file_0"), content=tiny_glb()).status_code == 403
        assert stored(tmp_path) == []
        assert plain.put(url, content=tiny_glb()).status_code == 200


def test_a_file_of_the_wrong_kind_is_refused_where_it_is_used(service: LocalService) -> None:
    image = send(service, FORMATS["png"]).json()["data"]["file_token"]
    model = send(service, tiny_glb()).json()["data"]["file_token"]
    answer = plain.post(f"{service.base_url}/v3/models/import", json={"input": image}, headers=BEARER)
    assert answer.json()["code"] == 1004 and "png file; allowed: a model" in answer.json()["message"]
    source = ask(service, "POST", "/v3/models/import", {"input": model})["task_id"]
    wait_for_end(service, source)
    for given in (model, "https://example.invalid/a.png", {"type": "png", "url": "https://example.invalid/a.png"}):
        body = {"original_model_task_id": source, "texture_prompt": {"image": given}}
        answer = plain.post(f"{service.base_url}/v3/models/texture", json=body, headers=BEARER)
        assert (answer.status_code, answer.json()["code"]) == (400, 1004)
        assert "texture_prompt.image" in answer.json()["message"]


# --- links to results


def result_link(service: LocalService) -> str:
    token = send(service, tiny_glb()).json()["data"]["file_token"]
    task_id = ask(service, "POST", "/v3/models/import", {"input": token})["task_id"]
    link: str = wait_for_end(service, task_id)["output"]["model_url"]
    return link


def test_a_link_gives_the_file_without_a_key(service: LocalService) -> None:
    answer = plain.get(result_link(service))
    assert (answer.status_code, answer.content) == (200, tiny_glb())
    assert answer.headers["content-length"] == str(len(tiny_glb()))
    assert answer.headers["accept-ranges"] == "bytes"
    assert answer.headers["etag"]


def test_head_tells_about_the_file_and_sends_nothing(service: LocalService) -> None:
    answer = plain.head(result_link(service))
    assert (answer.status_code, answer.content) == (200, b"")
    assert answer.headers["content-length"] == str(len(tiny_glb()))


@pytest.mark.parametrize(
    ("asked", "part"), [("bytes=10-19", slice(10, 20)), ("bytes=100-", slice(100, None)), ("bytes=-7", slice(-7, None))]
)
def test_a_range_gives_a_part(service: LocalService, asked: str, part: slice) -> None:
    whole = tiny_glb()
    answer = plain.get(result_link(service), headers={"Range": asked})
    assert (answer.status_code, answer.content) == (206, whole[part])
    start = range(len(whole))[part].start
    assert answer.headers["content-range"] == f"bytes {start}-{start + len(answer.content) - 1}/{len(whole)}"


def test_a_range_beyond_the_end_is_416(service: LocalService) -> None:
    answer = plain.get(result_link(service), headers={"Range": f"bytes={len(tiny_glb())}-"})
    assert answer.status_code == 416
    assert answer.headers["content-range"] == f"bytes */{len(tiny_glb())}"


def test_a_part_of_another_file_is_not_given(service: LocalService) -> None:
    link = result_link(service)
    etag = plain.head(link).headers["etag"]
    same = plain.get(link, headers={"Range": "bytes=5-", "If-Range": etag})
    other = plain.get(link, headers={"Range": "bytes=5-", "If-Range": '"another"'})
    assert (same.status_code, other.status_code) == (206, 200)


def test_a_link_ends_after_a_day_and_reading_the_task_renews_it(tmp_path: Path) -> None:
    now = [1_000_000.0]
    with local_engine(tmp_path, clock=lambda: now[0]) as service:
        link = result_link(service)
        task_id = urlsplit(link).path.split("/")[2]
        now[0] += 24 * 3600 - 1
        assert plain.get(link).status_code == 200
        now[0] += 1
        answer = plain.get(link)
        assert answer.status_code == 403 and "expired" in answer.json()["message"]
        fresh = ask(service, "GET", f"/v3/tasks/{task_id}")["output"]["model_url"]
        assert fresh != link and plain.get(fresh).status_code == 200


def test_a_link_that_was_changed_is_refused(service: LocalService) -> None:
    link = result_link(service)
    expires = parse_qs(urlsplit(link).query)["expires"][0]
    changed = [
        link.replace(f"expires={expires}", f"expires={int(expires) + 1}"),
        link.replace("model.glb", "other.glb"),
        link.replace("model.glb", "..%2F..%2Fengine.db"),
        link.replace("signature=", "signature=0"),
        link.partition("?")[0],
        link.replace(f"expires={expires}", "expires="),
        link.replace("signature=", "signature=%C3%A4"),
    ]
    assert [plain.get(one).status_code for one in changed] == [403, 403, 404, 403, 403, 403, 403]


def test_an_upload_link_is_no_download_link(service: LocalService) -> None:
    url = ask(service, "POST", "/v3/files/presign", {})["upload_url"]
    assert plain.get(url).status_code == 405
    link = result_link(service)
    assert plain.put(link, content=tiny_glb()).status_code == 405
