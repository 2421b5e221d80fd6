"""What meshopt compressed: the examples of the format's text, streams by hand, and both ways."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from asset_generation.vendor.background_blender.meshopt import unpacked
from support.models import meshopt

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
