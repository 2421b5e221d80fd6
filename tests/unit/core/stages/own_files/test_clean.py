"""What model files name, and what is left of it. In tests/blender/test_own_files.py Blender reads them."""

from __future__ import annotations

import json
import struct
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from asset_generation.addon.core.errors import BrokenResult
from asset_generation.addon.core.stages.own_files import lz4
from asset_generation.addon.core.stages.own_files.clean import keep_inside
from asset_generation.addon.core.stages.own_files.fbx import clean_fbx
from asset_generation.addon.core.stages.own_files.gltf import clean_gltf
from asset_generation.addon.core.stages.own_files.obj import clean_mtl, clean_obj
from asset_generation.addon.core.stages.own_files.usd import clean_usd
from hypothesis import given
from hypothesis import strategies as st

Cleaner = Callable[[Path, int], list[str]]
UNC = "\\\\host\\share\\a.png"


def cleaned(folder: Path, clean: Cleaner, content: bytes, depth: int = 0) -> tuple[list[str], bytes]:
    path = folder / "file"
    path.write_bytes(content)
    found = clean(path, depth)
    return found, path.read_bytes()


@pytest.mark.parametrize(
    ("line", "after"),
    [
        ("map_Kd /etc/a.png", "map_Kd a.png"),
        (f"map_Kd {UNC}", "map_Kd a.png"),
        ("map_Bump -bm 1.0 ..\\..\\a b.png", "map_Bump -bm 1.0 a b.png"),
        ("  disp C:/a.png\r", "  disp a.png"),
        ("map_Kd -o 1 1 1 textures/a.png", "map_Kd -o 1 1 1 textures/a.png"),
        ("newmtl /a/b", "newmtl /a/b"),
        ("anything http://host.example/a.png", "anything a.png"),
        ("map_Kd \\\n//host/share/a.png", "map_Kd \na.png"),
    ],
)
def test_materials_of_an_obj(tmp_path: Path, line: str, after: str) -> None:
    found, content = cleaned(tmp_path, clean_mtl, f"Kd 1 1 1\n{line}\nd 1".encode())
    assert content.decode() == f"Kd 1 1 1\n{after}\nd 1"
    assert bool(found) is (line != after)


def test_an_obj_names_libraries_beside_it_only(tmp_path: Path) -> None:
    text = "mtllib a.mtl\nmtllib ../b.mtl\n  mtllib \\\n //host/share/c.mtl\no mtllib ../x\nv 0 0 0\n"
    found, content = cleaned(tmp_path, clean_obj, text.encode())
    assert found == ["../b.mtl", "//host/share/c.mtl"]
    assert len(content) == len(text) and b"host" not in content and b"mtllib b.mtl   \n" in content
    assert b"o mtllib ../x\nv 0 0 0\n" in content
    assert cleaned(tmp_path, clean_obj, b"") == ([], b"")


def record(name: bytes, *texts: bytes, inner: bytes = b"", place: int = 0) -> bytes:
    """A record of a binary FBX at a place; the records inside of it must have been made for where they end up."""
    properties = b"".join(b"S" + struct.pack("<I", len(text)) + text for text in texts)
    end = place + 13 + len(name) + len(properties) + len(inner)
    return struct.pack("<IIIB", end, len(texts), len(properties), len(name)) + name + properties + inner


def fbx(*texts: bytes, extra: bytes = b"") -> bytes:
    """Objects / Texture / FileName with these texts."""
    head = b"Kaydara FBX Binary  \0\x1a\0" + struct.pack("<I", 7400)
    outer, middle = len(head) + 13 + len(b"Objects"), 13 + len(b"Texture") + 5 + len(b"Texture::x")
    lowest = record(b"FileName", *texts, place=outer + middle) + extra
    middle_record = record(b"Texture", b"Texture::x", inner=lowest + bytes(13), place=outer)
    return head + record(b"Objects", inner=middle_record + bytes(13), place=len(head)) + bytes(13)


@pytest.mark.parametrize(
    "path", [b"/etc/a.png", UNC.encode(), b"..\\..\\a.png", b"C:\\a.png", b"/a", b"\\\\host", b"/"]
)
def test_paths_in_an_fbx_keep_their_length(tmp_path: Path, path: bytes) -> None:
    found, content = cleaned(tmp_path, clean_fbx, fbx(path, b"textures/a.png"))
    assert found == [path.decode()]
    assert len(content) == len(fbx(path, b"textures/a.png"))
    assert b"textures/a.png" in content and b"Texture::x" in content
    assert clean_fbx(tmp_path / "file", 0) == []


def test_an_fbx_in_words(tmp_path: Path) -> None:
    text = b'; FBX 7.4.0 project file\nTexture: 1, "Texture::x" {\n FileName: "//host/share/a.png"\n}\n'
    found, content = cleaned(tmp_path, clean_fbx, text)
    assert found == ["//host/share/a.png"]
    assert content == text.replace(b"//host/share/", b"")


@pytest.mark.parametrize("cut", [20, 30, 60, 90])
def test_an_fbx_that_cannot_be_followed_is_refused(tmp_path: Path, cut: int) -> None:
    with pytest.raises(BrokenResult, match="FBX"):
        cleaned(tmp_path, clean_fbx, fbx(b"a.png")[:cut])


@given(st.integers(27, 140), st.binary(min_size=1, max_size=9))
def test_any_fbx_is_cleaned_or_refused(tmp_path_factory: Any, place: int, noise: bytes) -> None:
    content = fbx(b"//host/a.png", b"textures/a.png")
    content = content[:place] + noise + content[place + len(noise) :]
    path = tmp_path_factory.mktemp("fbx") / "file"
    path.write_bytes(content)
    try:
        clean_fbx(path, 0)
    except BrokenResult:
        return
    assert clean_fbx(path, 0) == []
    assert path.stat().st_size == len(content)


@pytest.mark.parametrize(
    ("line", "after"),
    [
        ("references = @/etc/a.usda@</A>", "references = @./a.usda@</A>"),
        ("references = [@../a.usda@</A>, @b.usda@</../B>]", "references = [@./a.usda@</A>, @b.usda@</../B>]"),
        (f"asset inputs:file = @{UNC}@", "asset inputs:file = @./a.png@"),
        ("payload = @@@http://host.example/a@b.usda@@@", "payload = @@@./a@b.usda@@@"),
        ('asset a = @`"${A}"`@ # @/b@', 'asset a = @"${A}"@ # @./b@'),
        ('string templateAssetPath = "\\x2fetc/a.###.usd"', 'string templateAssetPath = "./a.###.usd"'),
        ("rel material:binding = </root/_materials/M>", "rel material:binding = </root/_materials/M>"),
        ('string a = "x" (doc = "and/or")', 'string a = "x" (doc = "and/or")'),
    ],
)
def test_layers_in_words(tmp_path: Path, line: str, after: str) -> None:
    found, content = cleaned(tmp_path, clean_usd, f"#usda 1.0\n{line}\n".encode())
    assert content.decode() == f"#usda 1.0\n{after}\n"
    assert bool(found) is (line != after)


def crate(*texts: str, version: tuple[int, int, int] = (0, 8, 0)) -> bytes:
    """A crate of nothing but its table of texts."""
    content = "".join(f"{text}\0" for text in texts).encode()
    packed = lz4.pack(content)
    table = struct.pack("<QQQ", len(texts), len(content), len(packed)) + packed
    if version < (0, 4, 0):
        table = struct.pack("<QQ", len(texts), len(content)) + content
    toc = 88 + len(table)
    head = b"PXR-USDC" + bytes(version) + bytes(5) + struct.pack("<q", toc) + bytes(64)
    sections = struct.pack("<16sqq", b"STRINGS", 88, 0) + struct.pack("<16sqq", b"TOKENS", 88, len(table))
    return head + table + struct.pack("<Q", 2) + sections


@pytest.mark.parametrize("version", [(0, 0, 1), (0, 8, 0)])
def test_texts_of_a_crate(tmp_path: Path, version: tuple[int, int, int]) -> None:
    texts = ["root", "..", "primvars:st", UNC, "/etc/a.usdc", "textures/b.png", ""]
    found, content = cleaned(tmp_path, clean_usd, crate(*texts, version=version))
    assert found == [UNC, "/etc/a.usdc"]
    assert content.startswith(crate(*texts, version=version)[:24])
    assert clean_usd(tmp_path / "file", 0) == []
    assert b"./a.png\0./a.usdc\0textures/b.png\0" in content


@given(st.integers(0, 240), st.binary(min_size=1, max_size=9))
def test_any_crate_is_cleaned_or_refused(tmp_path_factory: Any, place: int, noise: bytes) -> None:
    content = crate("root", UNC, "textures/a.png" * 3)
    path = tmp_path_factory.mktemp("usd") / "file"
    path.write_bytes(content[:place] + noise + content[place + len(noise) :])
    try:
        clean_usd(path, 0)
    except BrokenResult:
        return
    assert clean_usd(path, 0) == []


@given(st.binary(max_size=1000), st.integers(1, 9))
def test_blocks_hold_what_was_put_in(content: bytes, times: int) -> None:
    assert lz4.unpack(lz4.pack(content * times), len(content) * times) == content * times


def test_blocks_as_others_write_them() -> None:
    # "abcabcabc...": three letters, then 20 of a match three letters back, then the end.
    assert lz4.unpack(b"\0\x3fabc\x03\0\x01\x20xy", 25) == (b"abc" * 8)[:23] + b"xy"
    two = b"\x20xy"
    assert lz4.unpack(b"\2" + 2 * (struct.pack("<i", len(two)) + two), 4) == b"xyxy"
    with pytest.raises(ValueError, match="not sound"):
        lz4.unpack(b"\0\x3fabc\x03\0\xff\xff\xff\xff\xff\x00\x20xy", 25)


@given(st.binary(min_size=1, max_size=60), st.integers(0, 500))
def test_any_block_is_unpacked_or_refused(data: bytes, length: int) -> None:
    try:
        assert len(lz4.unpack(data, length)) <= length
    except (ValueError, IndexError, struct.error):
        return


@pytest.mark.parametrize(
    ("uri", "good"), [("a.png", True), ("sub%2F..%2Fa.png", True), ("data:image/png;base64,AA", True)]
)
@pytest.mark.parametrize("other", ["/etc/a.png", "..%2f..%2fa.png", UNC, "http://host.example/a.png", "data:/../a.png"])
def test_pictures_of_a_gltf(tmp_path: Path, uri: str, good: bool, other: str) -> None:
    text = json.dumps({"images": [{"uri": uri, "name": "kept"}, {"uri": other, "name": "stays"}]})
    found, content = cleaned(tmp_path, clean_gltf, text.encode())
    assert found == [other]
    assert json.loads(content) == {"images": [{"uri": uri, "name": "kept"}, {"name": "stays"}]}


def test_a_gltf_without_its_data_is_no_model(tmp_path: Path) -> None:
    with pytest.raises(BrokenResult, match="outside itself"):
        cleaned(tmp_path, clean_gltf, json.dumps({"buffers": [{"uri": "../a.bin"}]}).encode())
    for content in (b"[" * 100_000, b"[]", b'{"images": 5}', b"\xff"):
        with pytest.raises(BrokenResult, match="cannot be read"):
            cleaned(tmp_path, clean_gltf, content)


def test_a_large_gltf_is_cleaned_by_a_process_of_its_own(tmp_path: Path) -> None:
    data = "data:application/octet-stream;base64," + "A" * 1_000_000
    document = {"buffers": [{"uri": data}], "images": [{"uri": "../../key"}]}
    found, content = cleaned(tmp_path, clean_gltf, json.dumps(document).encode())
    assert found == ["../../key"]
    assert json.loads(content) == {"buffers": [{"uri": data}], "images": [{}]}
    with pytest.raises(BrokenResult, match="outside itself"):
        cleaned(tmp_path, clean_gltf, json.dumps({"buffers": [{"uri": data}, {"uri": "/etc/a"}]}).encode())


def test_the_note_names_what_is_missing_and_nothing_that_came_along(tmp_path: Path) -> None:
    result = tmp_path / "model.zip"
    folder = tmp_path / "model-files"
    (folder / "textures").mkdir(parents=True)
    (folder / "model.obj").write_text("mtllib a.mtl\n", encoding="utf-8")
    names = ["here.png", *(f"{number}.png" for number in range(5))]
    (folder / "a.mtl").write_text("".join(f"map_Kd /x/{name}\n" for name in names), encoding="utf-8")
    (folder / "textures" / "here.png").write_bytes(b"")
    found = keep_inside(folder / "model.obj", result)
    assert found.model == folder / "model.obj"
    assert found.note.endswith("which were not read: 0.png, 1.png, 2.png and 2 more")
    assert keep_inside(folder / "model.obj", result).note == ""


def test_other_kinds_are_left_as_they_are(tmp_path: Path) -> None:
    for name in ("model.glb", "model.stl", "model.ply"):
        assert keep_inside(tmp_path / name, tmp_path / name) == (tmp_path / name, "")
