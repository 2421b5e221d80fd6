"""Files are known by their content."""

from __future__ import annotations

import io
import struct
import zipfile
from pathlib import Path

import pytest
from asset_generation.vendor.assetgen.contract.file_formats import extension_of
from hypothesis import given
from hypothesis import strategies as st


def archive(*names: str) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as file:
        for name in names:
            file.writestr(name, b"content")
    return buffer.getvalue()


def binary_stl(header: bytes, triangles: int) -> bytes:
    return header.ljust(80, b"\x00") + struct.pack("<I", triangles) + bytes(50 * triangles)


KINDS = {
    "glb": [b"glTF\x02\x00\x00\x00" + bytes(100)],
    "gltf": [b'{"asset": {"version": "2.0"}}', b'\xef\xbb\xbf  {"scenes": [], "asset": {}}'],
    "json": [b'{"code": 1004}'],
    "fbx": [b"Kaydara FBX Binary  \x00\x1a\x00", b"; FBX 7.3.0 project file\n"],
    "obj": [
        b"# Blender 4.5\nmtllib a.mtl\no Cube\nv 1 2 3\nv 1 2 4\nv 0 0 0\nf 1 2 3\n",
        b"v 0 0 0\r\nv 0 1 0\r\nv 1 1 0\r\nf 1 2 3\r\n",
        b"# only a comment\nv 1 1 1",
    ],
    "stl": [
        binary_stl(b"made by a program", 3),
        binary_stl(b"solid but binary", 2),
        b"solid cube\n  facet normal 0 0 1\n outer loop\n",
    ],
    "ply": [b"ply\nformat ascii 1.0\n", b"ply\r\nformat binary_little_endian 1.0\r\n"],
    "3mf": [archive("[Content_Types].xml", "_rels/.rels", "3D/3dmodel.model")],
    "usdz": [archive("model.usdc", "textures/a.png")],
    "zip": [archive("model.obj", "model.mtl")],
    "usdc": [b"PXR-USDC" + bytes(10)],
    "usda": [b"#usda 1.0\n"],
    "png": [b"\x89PNG\r\n\x1a\n" + bytes(20)],
    "jpg": [b"\xff\xd8\xff\xe0" + bytes(20)],
    "webp": [b"RIFF\x10\x00\x00\x00WEBPVP8 "],
    "bmp": [b"BM" + bytes(60)],
    "tiff": [b"II*\x00" + bytes(10), b"MM\x00*" + bytes(10)],
    "exr": [b"v/1\x01" + bytes(10)],
    "hdr": [b"#?RADIANCE\n"],
    "mp4": [b"\x00\x00\x00\x20ftypisom"],
    "html": [b"<!DOCTYPE html><html></html>", b"\n <HTML><body>Log in</body></html>"],
    "bin": [
        b"BLENDER-v405RENDH",
        b"\x28\xb5\x2f\xfd" + bytes(40),
        b"\x7fELF\x02\x01",
        b"#!/bin/sh\nrm -rf /\n",
        b"v is for vendetta\nand this is no model\n",
        b"PK\x03\x04 but no archive",
        binary_stl(b"cut off", 5)[:-1],
        b"# nothing but a comment\n",
        b" ",
    ],
}


@pytest.mark.parametrize(
    ("extension", "content"),
    [pytest.param(kind, item, id=f"{kind}-{n}") for kind, items in KINDS.items() for n, item in enumerate(items)],
)
def test_the_extension_fits_the_content(tmp_path: Path, extension: str, content: bytes) -> None:
    path = tmp_path / "named.exe"
    path.write_bytes(content)
    assert extension_of(path) == extension


def test_a_long_obj_is_known_though_its_head_ends_within_a_line(tmp_path: Path) -> None:
    path = tmp_path / "long"
    path.write_bytes(b"v 0.123456 0.123456 0.123456\n" * 1000)
    assert extension_of(path) == "obj"


@given(content=st.binary(max_size=300))
def test_no_content_makes_it_stumble(tmp_path_factory: pytest.TempPathFactory, content: bytes) -> None:
    path = tmp_path_factory.getbasetemp() / "anything"
    path.write_bytes(content)
    assert extension_of(path).isalnum()
