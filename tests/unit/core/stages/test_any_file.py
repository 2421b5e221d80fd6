"""Whatever comes as a GLB or a ZIP: facts and a path, or BrokenResult; in little time, memory and room."""

from __future__ import annotations

import contextlib
import io
import json
import struct
import tempfile
import tracemalloc
import zipfile
from pathlib import Path
from typing import Any

import pytest
from asset_generation.addon.core.errors import BrokenResult
from asset_generation.addon.core.stages import glb_check, zip_files
from hypothesis import given
from hypothesis import strategies as st
from support.fuzz.answers import near
from support.services.local_engine import tiny_glb

DOCUMENT: dict[str, Any] = {
    "asset": {"version": "2.0"},
    "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "indices": 1, "mode": 4}]}],
    "accessors": [
        {"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3"},
        {"bufferView": 1, "componentType": 5123, "count": 3, "type": "SCALAR"},
    ],
    "bufferViews": [{"buffer": 0, "byteLength": 36}, {"buffer": 0, "byteOffset": 36, "byteLength": 6}],
    "buffers": [{"byteLength": 42}],
    "images": [{"uri": "data:image/png;base64,AA"}],
    "nodes": [{"mesh": 0}],
    "scenes": [{"nodes": [0]}],
}


def glb(document: Any, binary: bytes = bytes(44)) -> bytes:
    text = json.dumps(document).encode()
    text += b" " * (-len(text) % 4)
    chunks = struct.pack("<I4s", len(text), b"JSON") + text
    chunks += struct.pack("<I4s", len(binary), b"BIN\0") + binary
    return struct.pack("<4sII", b"glTF", 2, 12 + len(chunks)) + chunks


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("any-file")


GLBS = st.one_of(
    near(DOCUMENT).map(glb),
    st.binary(max_size=100),
    st.builds(
        lambda place, noise: tiny_glb()[:place] + noise + tiny_glb()[place + len(noise) :],
        st.integers(0, 400),
        st.binary(max_size=20),
    ),
)


@given(content=GLBS)
def test_any_glb_is_counted_or_refused(folder: Path, content: bytes) -> None:
    path = folder / "model.glb"
    path.write_bytes(content)
    try:
        facts = glb_check.check(path)
    except BrokenResult as error:
        str(error).encode()
        return
    # What is let through cannot make Blender ask for more memory than the file itself is a sign of.
    assert facts.vertices + facts.triangles <= 256 * len(content)


NAMES = st.one_of(
    st.sampled_from(
        [
            "model.obj",
            "MODEL.OBJ",
            "a/model.obj",
            "model.obj/a.png",
            "model.gltf",
            "a.mtl",
            "a.png",
            "A.PNG",
            "../a.glb",
            "a/../../b.glb",
            "/tmp/a.glb",
            "C:\\a.glb",
            "C:a.glb",
            "\\\\host\\share\\a.glb",
            "..\\a.glb",
            "nul.glb",
            "COM1.png",
            "aux .obj",
            "a.glb:stream.png",
            "a\0b.obj",
            ".obj",
            "a.obj.",
            "scene.blend",
            "run.py",
        ]
    ),
    st.text(st.characters(codec="utf-8"), min_size=1, max_size=8).map(lambda name: f"{name}.obj"),
    st.integers(1, 400).map(lambda length: "n" * length + ".obj"),
    st.integers(1, 900).map(lambda depth: "d/" * depth + "m.obj"),
)
CONTENTS = st.one_of(
    st.just(b"v 0 0 0\n"),
    st.just(b'{"images": [{"uri": "a.png"}]}'),
    st.sampled_from([b"[", b'{"buffers":']).map(lambda level: level * 100_000),
    st.binary(max_size=30),
)
KINDS = st.sampled_from([zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
MODES = st.sampled_from([0o100644, 0o120777, 0o040755, 0o020666, 0])


def made_archive(entries: list[tuple[str, bytes, int, int]]) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as file:
        for name, content, kind, mode in entries:
            entry = zipfile.ZipInfo("x")
            entry.filename = name
            entry.external_attr = mode << 16
            file.writestr(entry, content, kind)
    return stream.getvalue()


@st.composite
def archives(draw: st.DrawFn) -> bytes:
    entries = draw(st.lists(st.tuples(NAMES, CONTENTS, KINDS, MODES), min_size=1, max_size=5))
    content = bytearray(made_archive(entries))
    for _ in range(draw(st.integers(0, 3))):
        # Mostly in the directory at the end, which is what says how the rest is to be read.
        place = max(0, len(content) - draw(st.integers(1, 300)))
        piece = draw(
            st.one_of(st.binary(min_size=1, max_size=8), st.sampled_from([b"\xff" * 4, b"\xff" * 8, b"\0" * 4]))
        )
        content[place : place + len(piece)] = piece
    return bytes(content)


@pytest.mark.filterwarnings("ignore:Duplicate name")
@given(content=st.one_of(archives(), st.binary(max_size=100).map(lambda rest: b"PK\x03\x04" + rest)))
def test_any_archive_is_unpacked_inside_its_folder_or_refused(content: bytes) -> None:
    with tempfile.TemporaryDirectory() as name:
        inner = Path(name) / "a" / "b"
        inner.mkdir(parents=True)
        archive = inner / "model.zip"
        archive.write_bytes(content)
        try:
            model = zip_files.unpack(archive)
        except BrokenResult as error:
            str(error).encode()
        else:
            assert model.is_file() and not model.is_symlink()
            assert model.is_relative_to(inner / "model-files")
        found = [path for path in Path(name).rglob("*") if not path.is_dir()]
        assert all(path == archive or path.is_relative_to(inner / "model-files") for path in found)
        assert not any(path.is_symlink() or path.suffix in (".blend", ".py") for path in found)
        assert sum(path.stat().st_size for path in found) < 8_000_000


def directory_of(entries: int) -> bytes:
    """An archive of nothing but a directory with so many entries of pictures that lie over one another."""
    name = b"a.png"
    head = struct.pack("<4s4B4HL2L5H2L", b"PK\x01\x02", 20, 0, 20, 0, 0, 0, 0, 0, 0, 0, 0, len(name), 0, 0, 0, 0, 0, 0)
    head += name
    size = entries * len(head)
    record = struct.pack("<4sQ2H2L4Q", b"PK\x06\x06", 44, 45, 45, 0, 0, entries, entries, size, 0)
    locator = struct.pack("<4sLQL", b"PK\x06\x07", 0, size, 1)
    end = struct.pack("<4s4H2LH", b"PK\x05\x06", 0, 0, 0xFFFF, 0xFFFF, 0xFFFFFFFF, 0xFFFFFFFF, 0)
    return head * entries + record + locator + end


def test_a_directory_without_end_is_not_read(tmp_path: Path) -> None:
    archive = tmp_path / "model.zip"
    archive.write_bytes(directory_of(400_000))
    tracemalloc.start()
    try:
        with pytest.raises(BrokenResult):
            zip_files.unpack(archive)
        assert tracemalloc.get_traced_memory()[1] < 16_000_000
    finally:
        tracemalloc.stop()


def test_a_bomb_is_refused_before_it_is_unpacked(tmp_path: Path) -> None:
    archive = tmp_path / "model.zip"
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as file, file.open("model.obj", "w") as entry:
        for _ in range(300):
            entry.write(bytes(1_000_000))
    with pytest.raises(BrokenResult, match="too large"):
        zip_files.unpack(archive)
    assert not list(tmp_path.rglob("*.obj"))


def test_numbers_that_ask_for_all_memory_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "model.glb"
    path.write_bytes(glb({**DOCUMENT, "accessors": [{"count": 10**12, "type": "VEC3", "componentType": 5126}] * 2}))
    with pytest.raises(BrokenResult, match="no sense"):
        glb_check.check(path)


def test_chunks_without_end_are_not_counted(tmp_path: Path) -> None:
    text = json.dumps(DOCUMENT).encode()
    chunks = struct.pack("<I4s", len(text), b"JSON") + text + struct.pack("<I4s", 0, b"ELSE") * 2000
    (tmp_path / "model.glb").write_bytes(struct.pack("<4sII", b"glTF", 2, 12 + len(chunks)) + chunks)
    with pytest.raises(BrokenResult, match="chunks"):
        glb_check.check(tmp_path / "model.glb")


def test_what_only_begins_like_data_is_a_path(tmp_path: Path) -> None:
    (tmp_path / "model.glb").write_bytes(glb({**DOCUMENT, "images": [{"uri": "data:/../../secret.png"}]}))
    with pytest.raises(BrokenResult, match="outside itself"):
        glb_check.check(tmp_path / "model.glb")


@pytest.mark.parametrize(
    "names",
    [
        ("model.obj", "model.obj/a.png"),
        ("model.obj/a.png", "model.obj"),
        ("n" * 300 + ".obj",),
        ("d/" * 3000 + "m.obj",),
    ],
)
def test_names_that_no_disk_can_hold_are_no_trouble_of_the_disk(tmp_path: Path, names: tuple[str, ...]) -> None:
    (tmp_path / "model.zip").write_bytes(made_archive([(name, b"v 0 0 0", zipfile.ZIP_STORED, 0) for name in names]))
    with pytest.raises(BrokenResult):
        zip_files.unpack(tmp_path / "model.zip")


@pytest.mark.parametrize(
    "name", ["nul.png", "COM1.png", "aux .png", "a.png:b.png", "a?.png", "sub/con/a.png", "a\x1f.png"]
)
def test_names_that_mean_something_else_to_windows_are_left_out(tmp_path: Path, name: str) -> None:
    entries = [(entry, b"v 0 0 0", zipfile.ZIP_STORED, 0) for entry in ("model.obj", "textures\\wood.png", name)]
    (tmp_path / "model.zip").write_bytes(made_archive(entries))
    model = zip_files.unpack(tmp_path / "model.zip")
    left = sorted(str(path.relative_to(model.parent)) for path in model.parent.rglob("*") if path.is_file())
    assert left == ["model.obj", str(Path("textures") / "wood.png")]


def test_an_entry_without_a_name_is_left_out(tmp_path: Path) -> None:
    content = bytearray(made_archive([("a.obj", b"v 0 0 0", zipfile.ZIP_STORED, 0), ("b.obj", b"", 0, 0)]))
    content[content.rindex(b"b.obj")] = 0
    (tmp_path / "model.zip").write_bytes(content)
    with contextlib.suppress(BrokenResult):
        assert zip_files.unpack(tmp_path / "model.zip").name == "a.obj"
