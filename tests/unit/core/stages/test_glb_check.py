from __future__ import annotations

import json
import struct
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from asset_generation.addon.core.errors import BrokenResult, EngineTrouble
from asset_generation.addon.core.service import engine_process
from asset_generation.addon.core.stages import glb_check
from asset_generation.addon.core.stages.converter import needs_blender
from asset_generation.addon.core.stages.glb_check import check
from hypothesis import given
from hypothesis import strategies as st
from support.services.local_engine import tiny_glb


def glb(document: Any, binary: bytes = b"") -> bytes:
    text = document if isinstance(document, bytes) else json.dumps(document).encode()
    text += b" " * (-len(text) % 4)
    chunks = struct.pack("<I4s", len(text), b"JSON") + text
    if binary:
        chunks += struct.pack("<I4s", len(binary), b"BIN\0") + binary
    return struct.pack("<4sII", b"glTF", 2, 12 + len(chunks)) + chunks


def document(**changes: Any) -> dict[str, Any]:
    found: dict[str, Any] = {
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "indices": 1}]}],
        "accessors": [{"count": 8}, {"count": 36}],
        "buffers": [{"byteLength": 4}],
    }
    return found | changes


@pytest.fixture
def checked(tmp_path: Path) -> Callable[[bytes], Any]:
    def run(content: bytes) -> Any:
        path = tmp_path / "model.glb"
        path.write_bytes(content)
        return check(path)

    return run


def test_it_counts_what_the_accessors_say(checked: Callable[[bytes], Any]) -> None:
    facts = checked(glb(document(), b"1234"))
    assert (facts.meshes, facts.triangles, facts.vertices) == (1, 12, 8)


def test_a_mesh_without_indices_counts_its_corners(checked: Callable[[bytes], Any]) -> None:
    assert checked(tiny_glb()).triangles == 1


@pytest.mark.parametrize(("mode", "triangles"), [(4, 12), (5, 34), (6, 34), (1, 0), (0, 0)])
def test_modes(checked: Callable[[bytes], Any], mode: int, triangles: int) -> None:
    meshes = [{"primitives": [{"attributes": {"POSITION": 0}, "indices": 1, "mode": mode}]}]
    assert checked(glb(document(meshes=meshes), b"1234")).triangles == triangles


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "not a GLB"),
        (b"<html>sorry</html>", "not a GLB"),
        (struct.pack("<4sII", b"glTF", 1, 12), "version 1"),
        (tiny_glb()[:-4], "not whole"),
        (tiny_glb() + b"more", "not whole"),
        (struct.pack("<4sII", b"glTF", 2, 12), "cannot be read"),
        (struct.pack("<4sIII", b"glTF", 2, 16, 0), "middle of a chunk"),
        (struct.pack("<4sIII4s", b"glTF", 2, 20, 4000, b"JSON"), "longer than the file"),
        (struct.pack("<4sIII4s", b"glTF", 2, 20, 0, b"BIN\0"), "begin with"),
        (glb(b"{"), "cannot be read"),
        (glb(b"\xff\xfe"), "cannot be read"),
        (glb([]), "cannot be read"),
        (glb(document(meshes=[]), b"1234"), "no mesh"),
        (glb(document(meshes=[{"primitives": [{"attributes": {}}]}]), b"1234"), "no mesh"),
        (glb(document(buffers=[{"uri": "file:///etc/passwd", "byteLength": 4}])), "outside itself"),
        (glb(document(images=[{"uri": "../secret.png"}]), b"1234"), "outside itself"),
        (glb(document(images=[{"uri": 7}]), b"1234"), "outside itself"),
        (glb(document(buffers=[{"byteLength": 4000}]), b"1234"), "shorter than its description"),
        (glb(document(buffers=[{"byteLength": -1}]), b"1234"), "makes no sense"),
        (glb(document(accessors=[]), b"1234"), "does not have"),
        (glb(document(accessors=[{"count": True}, {"count": 3}]), b"1234"), "makes no sense"),
        (glb(document(meshes="many"), b"1234"), "no usable meshes"),
    ],
)
def test_a_broken_file_is_told_in_a_sentence(checked: Callable[[bytes], Any], content: bytes, words: str) -> None:
    with pytest.raises(BrokenResult, match=words):
        checked(content)


def test_an_image_inside_the_file_is_no_link(checked: Callable[[bytes], Any]) -> None:
    assert checked(glb(document(images=[{"uri": "data:image/png;base64,AA"}, {"bufferView": 0}]), b"1234"))


@given(st.binary(max_size=200), st.integers(0, 300))
def test_no_content_gets_anything_but_a_verdict(tmp_path_factory: Any, noise: bytes, place: int) -> None:
    whole = tiny_glb()
    content = whole[:place] + noise + whole[place + len(noise) :]
    path = tmp_path_factory.mktemp("glb") / "model.glb"
    path.write_bytes(content)
    try:
        check(path)
    except BrokenResult as error:
        assert str(error)


def large_document(**changes: Any) -> dict[str, Any]:
    """A description of some 4 MB."""
    accessor = {"bufferView": 0, "componentType": 5126, "count": 8, "type": "VEC3", "max": [0.123, 0.25, 0.5]}
    return document(accessors=[{"count": 8}, {"count": 36}, *[accessor] * 40_000], **changes)


def test_a_large_description_is_read_without_keeping_other_threads_waiting(
    checked: Callable[[bytes], Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    content = glb(large_document(), b"1234")
    assert len(content) > 3_500_000

    def read_here(text: bytes) -> Any:
        raise AssertionError(f"{len(text)} bytes of JSON are read by the Python whose threads would wait for them")

    # Python keeps its threads waiting while it reads JSON, so what matters is which Python reads it.
    monkeypatch.setattr(glb_check.json, "loads", read_small(read_here))
    assert checked(content).triangles == 12


@pytest.mark.parametrize(
    ("content", "needs"),
    [
        (glb({"images": [{"uri": "Textures/colormap.png"}]}), True),
        (glb({"buffers": [{"uri": "chair.bin"}]}), True),
        (glb(large_document(images=[{"uri": "Textures/colormap.png"}]), b"1234"), True),
        (glb(large_document(), b"1234"), False),
        (glb({"images": [{"uri": "data:image/png;base64,AA=="}, {"bufferView": 0}], "buffers": [{}]}), False),
        (glb({"images": [1], "buffers": 5}), False),
        (glb([]), False),
        (glb(b"[" * 1_000_000), False),
        (glb({})[:15], False),
        (b"", False),
    ],
)
def test_a_glb_with_files_beside_it_needs_a_blender_before_it_is_uploaded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, content: bytes, needs: bool
) -> None:
    """What is broken is left to who refuses it with a sentence, and no long description is read here."""

    def read_here(text: bytes) -> Any:
        raise AssertionError(f"{len(text)} bytes of JSON are read by the Python whose threads would wait for them")

    monkeypatch.setattr(glb_check.json, "loads", read_small(read_here))
    path = tmp_path / "chair.GLB"
    path.write_bytes(content)
    assert needs_blender(str(path)) == needs
    assert not needs_blender(str(tmp_path / "none.glb")) and needs_blender(str(tmp_path / "none.blend"))


def read_small(read_large: Callable[[bytes], Any]) -> Callable[[bytes], Any]:
    """What stands for ``json.loads`` of small texts, such as the answer of the process that read the large one."""
    loads = json.loads
    return lambda text: loads(text) if len(text) < 10_000 else read_large(text)


def test_a_large_description_is_refused_in_the_same_words(checked: Callable[[bytes], Any]) -> None:
    images = [{"uri": "/etc/passwd"}]
    with pytest.raises(BrokenResult, match="outside itself"):
        checked(glb(large_document(images=images), b"1234"))
    with pytest.raises(BrokenResult, match="cannot be read"):
        checked(glb(b"[" * 1_000_000))


def test_a_large_description_is_read_here_where_there_is_no_other_python(
    checked: Callable[[bytes], Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    def none() -> str:
        raise EngineTrouble("there is none")

    monkeypatch.setattr(engine_process, "python_program", none)
    assert checked(glb(large_document(), b"1234")).triangles == 12
    monkeypatch.setattr(engine_process, "python_program", lambda: "/no/such/python")
    assert checked(glb(large_document(), b"1234")).triangles == 12
