"""What meshopt compressed: the examples of the format's text, streams by hand, and files both ways."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from asset_generation.vendor.background_blender.meshopt import unpacked
from asset_generation.vendor.background_blender.meshopt_files import without_meshopt
from support.models import meshopt
from support.models.meshes import Array, cube_sphere, glb_blob, glb_document, pack_glb, png, read_glb, write_glb

EXAMPLE = "17 5f f0 bc 77 a9 21 00 34 b5"
DELTAS = (-1, -4, -3, 26, -91, 0, -6, 6, -4, -4, 5, -5, 1, -1, 0, 0)
"""Of the format's text: sixteen numbers of four bits, two of which do not fit, and what they mean."""


def read(stream: bytes, count: int, stride: int, mode: str, filtered: str = "NONE") -> Any:
    return unpacked(np.frombuffer(stream, np.uint8), count, stride, mode, filtered)


def indices(stream: bytes, count: int, mode: str) -> list[int]:
    return list(read(stream, count, 4, mode).view(np.uint32))


def test_the_example_of_the_formats_text() -> None:
    stream = bytes.fromhex(f"a0 02 {EXAMPLE} 00 00 00") + bytes(28) + bytes([10, 20, 30, 40])
    elements = read(stream, 16, 4, "ATTRIBUTES").reshape(16, 4)
    assert np.array_equal(elements[:, 0], (10 + np.cumsum(DELTAS)) % 256)
    assert np.array_equal(elements[:, 1:], np.tile((20, 30, 40), (16, 1)))


def test_numbers_of_several_bytes() -> None:
    """0x7f and 0x201 are in the text; the lowest bit says which of two series a number is of, the next one its sign."""
    stream = bytes.fromhex("d1 7f 81 04 ff a0 05") + bytes(4)
    assert indices(stream, 3, "INDICES") == [2**32 - 32, -32 + 0x201 // 4, 2**32 + 96 - 1 - 0x1507F // 4]


def test_triangles_by_hand() -> None:
    """Each way in which the text says that a triangle may be told."""
    table = bytes([0x00, 0x10, *[0] * 14])
    codes = [
        (0xF0, "", (0, 1, 2)),  # all three are new
        (0x00, "", (0, 2, 3)),  # the last edge, (0, 2), and a new point
        (0x12, "", (3, 2, 1)),  # the edge before the last one, (3, 2), and the third last point
        (0x0F, "14", (3, 1, 10)),  # the last edge, (3, 1), and a point told by 10 more than 0
        (0x0E, "", (3, 10, 11)),  # the last edge, (3, 10), and what follows on the last one that was told
        (0x0D, "", (3, 11, 10)),  # and what is before that
        (0xF1, "", (4, 10, 5)),  # a new point, the last one, and a new one again
        (0xFE, "f1 01", (6, 9, 5)),  # new; one less than 10; the last point
        (0xFF, "00 0c", (15, 0, 1)),  # from the beginning again; 9 + 6; both new
    ]
    stream = bytes([0xE1, *(code for code, _, _ in codes)]) + bytes.fromhex("".join(data for _, data, _ in codes))
    found = np.reshape(indices(stream + table, 3 * len(codes), "TRIANGLES"), (-1, 3))
    assert found.tolist() == [list(corners) for _, _, corners in codes]


@pytest.mark.parametrize("kind", [np.int8, np.int16])
def test_directions(kind: Any) -> None:
    most = np.iinfo(kind).max
    one = most // 8  # fewer bits than there is room for
    octahedron = np.array([(0, 0, one, 3), (one, 0, one, 0), (0, -one, one, 0), (one, one, one, -1)], kind)
    stream = meshopt.attributes(octahedron.view(np.uint8).reshape(4, -1))
    found = read(stream, 4, 4 * octahedron.itemsize, "ATTRIBUTES", "OCTAHEDRAL").view(kind).reshape(4, 4)
    assert found.tolist() == [[0, 0, most, 3], [most, 0, 0, 0], [0, -most, 0, 0], [0, 0, -most, -1]]


def test_rotations() -> None:
    half = round(0.5 * np.sqrt(2) * 2047)  # a number is stored with the root of two times as much
    told = np.array([(0, 0, 0, 2047), (half, half, half, 2047 & ~3 | 1), (half, -half, half, 2047 & ~3)], np.int16)
    stream = meshopt.attributes(told.view(np.uint8).reshape(3, -1))
    found = read(stream, 3, 8, "ATTRIBUTES", "QUATERNION").view(np.int16).reshape(3, 4) / 32767
    assert np.abs(found - [(0, 0, 0, 1), (0.5, 0.5, 0.5, 0.5), (0.5, 0.5, -0.5, 0.5)]).max() < 1e-3


def test_floats_with_an_exponent_of_their_own() -> None:
    told = np.array([3 << 24 | 5, (-2 & 0xFF) << 24 | (-7 & 0xFFFFFF), 0], np.uint32)
    stream = meshopt.attributes(told.view(np.uint8).reshape(3, 4))
    assert read(stream, 3, 4, "ATTRIBUTES", "EXPONENTIAL").view(np.float32).tolist() == [40.0, -1.75, 0.0]


@pytest.mark.parametrize("count", [1, 15, 16, 17, 256, 700])
@pytest.mark.parametrize("stride", [4, 12, 64, 256])
def test_attributes_of_any_length_come_back(count: int, stride: int) -> None:
    numbers = np.random.default_rng(count)
    elements = numbers.integers(0, 256, (count, stride)).astype(np.uint8)
    elements[:, ::3] = np.cumsum(numbers.integers(0, 4, (count, len(range(0, stride, 3)))), axis=0)
    elements[:, 1] = 7
    stream = meshopt.attributes(elements)
    assert np.array_equal(read(stream, count, stride, "ATTRIBUTES").reshape(count, stride), elements)
    for wrong in (stream[:-1], stream[: len(stream) // 2], b"\xa1" + stream[1:], stream + b"\0"):
        with pytest.raises(ValueError, match="is broken"):
            read(wrong, count, stride, "ATTRIBUTES")


@pytest.mark.parametrize(
    "asked",
    [
        (b"\xa0" + bytes(40), 10**15, 4, "ATTRIBUTES", "NONE"),
        (b"\xe1" + bytes(40), 10**15, 4, "TRIANGLES", "NONE"),
        (b"\xd1" + bytes(40), 10**15, 4, "INDICES", "NONE"),
        (b"\xe1" + bytes(16), 4, 4, "TRIANGLES", "NONE"),
        (b"\xa0" + bytes(40), 16, 0, "ATTRIBUTES", "NONE"),
        (b"\xa0" + bytes(40), 16, 4, "ATTRIBUTES", "COLOR"),
        (b"\xa0" + bytes(40), 16, 4, "STRIPS", "NONE"),
        (b"", 16, 4, "ATTRIBUTES", "NONE"),
    ],
)
def test_what_makes_no_sense_is_said(asked: tuple[bytes, int, int, str, str]) -> None:
    """And soon, however much it says that there is."""
    with pytest.raises(ValueError, match="is broken"):
        read(*asked)


def test_an_index_that_does_not_fit_is_said() -> None:
    with pytest.raises(ValueError, match="room"):
        read(meshopt.sequence(np.array([0, 70_000])), 2, 2, "INDICES")


def shapes() -> list[Any]:
    return [cube_sphere(9, 1, (x, 0, 0), name) for x, name in ((0, "one"), (3, "two"))]


def parts_of(path: Path) -> list[tuple[Array, Array]]:
    with without_meshopt(path) as plain:
        return [(part.positions, part.triangles) for part in read_glb(plain).parts]


def assert_alike(parts: list[tuple[Array, Array]], others: list[tuple[Array, Array]]) -> None:
    for (points, corners), (there, ones) in zip(parts, others, strict=True):
        assert np.array_equal(points, there) and np.array_equal(corners, ones)


def test_a_file_comes_back_as_it_was(tmp_path: Path) -> None:
    picture = png(np.full((8, 8, 3), 90, np.uint8))
    path = write_glb(tmp_path / "in.glb", shapes(), texture=picture)
    before, content = parts_of(path), path.read_bytes()
    with without_meshopt(path) as same:
        assert same == path, "what is not compressed is read as it is"
    size = len(content)
    meshopt.compress_glb(path)
    assert path.stat().st_size < 0.8 * size
    assert_alike(parts_of(path), before)
    with without_meshopt(path) as plain:
        document = read_glb(plain).document
        assert read_glb(plain).images["color"] == picture
    assert not plain.exists()
    assert meshopt.EXTENSION not in str(document)


def test_what_lies_in_files_beside_it_is_found(tmp_path: Path) -> None:
    picture = png(np.full((8, 8, 3), 90, np.uint8))
    before = parts_of(path := write_glb(tmp_path / "in.glb", shapes(), texture=picture))
    meshopt.compress_glb(path)
    document = glb_document(path)
    document["buffers"][0]["uri"] = "some%20bytes.bin"
    document["images"] = [{"uri": "a%20picture.png"}, {"uri": "none.png"}]
    (tmp_path / "some bytes.bin").write_bytes(glb_blob(path))
    (tmp_path / "a picture.png").write_bytes(picture)
    there = tmp_path / "in.gltf"
    there.write_text(json.dumps(document), "utf-8")
    with without_meshopt(there) as plain:
        found, content = glb_document(plain), glb_blob(plain)
    assert found["images"][1] == {"uri": "none.png"}, "whoever reads it says that it is not there"
    assert found["images"].pop()
    path.write_bytes(pack_glb(found, content))
    assert read_glb(path).images["color"] == picture and found["images"][0]["mimeType"] == "image/png"
    assert_alike(parts_of(path), before)
    (tmp_path / "some bytes.bin").unlink()
    with (
        pytest.raises(ValueError, match=r"^it needs some bytes\.bin, which is not where it says$"),
        without_meshopt(there),
    ):
        pass


def cut_short(document: dict[str, Any]) -> None:
    document["bufferViews"][0]["extensions"][meshopt.EXTENSION]["byteLength"] += 10**6


def too_many(document: dict[str, Any]) -> None:
    document["bufferViews"][0]["byteLength"] += 12


def endless(document: dict[str, Any]) -> None:
    view = document["bufferViews"][0]
    view["extensions"][meshopt.EXTENSION]["count"] = count = 1 << 30
    view["byteLength"] = count * view["extensions"][meshopt.EXTENSION]["byteStride"]


def of_no_buffer(document: dict[str, Any]) -> None:
    document["bufferViews"][0]["extensions"][meshopt.EXTENSION]["buffer"] = 7


def without_a_mode(document: dict[str, Any]) -> None:
    del document["bufferViews"][0]["extensions"][meshopt.EXTENSION]["mode"]


@pytest.mark.parametrize("change", [cut_short, too_many, endless, of_no_buffer, without_a_mode])
def test_a_file_that_says_something_wrong_is_refused(tmp_path: Path, change: Any) -> None:
    words = "unpacks to more than 2 GB" if change is endless else "what it says of its buffers is not there"
    path = meshopt.compress_glb(write_glb(tmp_path / "in.glb", shapes()))
    document = glb_document(path)
    change(document)
    path.write_bytes(pack_glb(document, glb_blob(path)))
    with pytest.raises(ValueError, match=words), without_meshopt(path):
        pass
