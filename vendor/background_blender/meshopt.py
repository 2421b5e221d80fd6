"""What meshopt has compressed in a glTF file (``EXT_meshopt_compression``), unpacked by numpy. No bpy.

Models for the web often come so, and so may a service's results whose geometry was to be compressed; Blender's importer
reads none of it before 5.2. Format: https://github.com/KhronosGroup/glTF, extensions/2.0/Vendor.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

EXTENSION = "EXT_meshopt_compression"

_Bytes = NDArray[np.uint8]

_ATTRIBUTES, _TRIANGLES, _INDICES = 0xA0, 0xE1, 0xD1  # the first byte of each kind of stream
_GROUP = 16  # elements that are stored in the same number of bits
_BLOCK_BYTES, _BLOCK_MOST = 8192, 256  # of a block; elements of it
_BITS = {1: 2, 2: 4}  # of a number in a group, by how the group is stored: 0 for nothing at all, 3 for whole bytes
_TAIL = 32  # bytes, at least, of what ends a stream of attributes
_TABLE = 16  # bytes that end a stream of triangles
_ROOM = 4  # bytes that end a stream of indices
_RECENT = 15  # mask of a ring with as many places and one
_UNSIGNED = 0xFFFF_FFFF


def unpacked(stream: _Bytes, count: int, stride: int, mode: str, filtered: str) -> _Bytes:
    """The bytes of a buffer view, ``count * stride``.

    Args:
        stream: What they were compressed to.
        count: Elements.
        stride: Bytes of each.
        mode: ``ATTRIBUTES``, ``TRIANGLES`` or ``INDICES``.
        filtered: ``NONE``, ``OCTAHEDRAL``, ``QUATERNION`` or ``EXPONENTIAL``; of attributes only.

    Raises:
        ValueError: The stream is broken, or is of a kind that the extension does not have.
    """
    try:
        if mode == "ATTRIBUTES":
            return _FILTERS[filtered](_attributes(stream, count, stride)).reshape(-1).view(np.uint8)
        indices = {"TRIANGLES": _triangles, "INDICES": _indices}[mode](stream.tobytes(), count)
        kind: Any = {2: np.uint16, 4: np.uint32}[stride]
        if max(indices, default=0) > np.iinfo(kind).max:
            raise ValueError("an index has more bytes than there is room for")
        return np.array(indices, kind).view(np.uint8)
    except (LookupError, ArithmeticError, TypeError) as error:
        raise ValueError(f"a view that is compressed with {EXTENSION} is broken") from error


def _attributes(stream: _Bytes, count: int, stride: int) -> _Bytes:
    """Elements as bytes, (count, stride).

    In blocks, and in these byte by byte of all elements, lies how much each differs from that of the element before.
    """
    if stream[0] != _ATTRIBUTES or stride not in range(4, 257, 4):
        raise LookupError("no stream of attributes")
    block = min(_BLOCK_BYTES // stride // _GROUP * _GROUP, _BLOCK_MOST)
    lengths = _lengths(stream)
    whole, at = stream.tobytes(), 1
    starts, kinds = [], []
    for first in range(0, count, block):
        groups = -(-min(block, count - first) // _GROUP)
        header = -(-groups // 4)
        for _ in range(stride):
            told = int.from_bytes(whole[at : at + header], "little")
            at += header
            for _ in range(groups):
                starts.append(at)
                kinds.append(told & 3)
                at += lengths[told & 3][at]
                told >>= 2
    if at != len(whole) - max(stride, _TAIL):
        raise LookupError("it does not end where its tail begins")
    steps = _steps(stream, np.array(starts, np.int64), np.array(kinds, np.int8))
    full = count // block * block
    even = steps[: full * stride // _GROUP].reshape(-1, stride, block).transpose(0, 2, 1).reshape(full, stride)
    rest = steps[full * stride // _GROUP :].reshape(stride, -1)[:, : count - full].T if count > full else even[:0]
    changes = np.ascontiguousarray(np.concatenate((even, rest)))
    changes = (changes >> 1) ^ (0 - (changes & 1))
    return np.cumsum(changes, axis=0, dtype=np.uint8) + stream[len(stream) - stride :]


def _lengths(stream: _Bytes) -> list[list[int]]:
    """How many bytes a group has that begins at each place, for each way to store one."""
    lengths = [[0] * len(stream)]
    for bits in _BITS.values():
        packed = 2 * bits  # bytes of sixteen numbers; each that is all ones is followed up by a byte
        ones = sum(((stream >> shift) & (1 << bits) - 1) == (1 << bits) - 1 for shift in range(0, 8, bits))
        sums = np.cumsum(np.concatenate(([0], ones)))
        lengths.append((packed + sums[packed:] - sums[:-packed]).tolist())
    return [*lengths, [_GROUP] * len(stream)]


def _steps(stream: _Bytes, starts: NDArray[np.int64], kinds: NDArray[np.int8]) -> _Bytes:
    """The numbers of groups that begin at these places and are stored in these ways, (groups, 16)."""
    steps = np.zeros((len(starts), _GROUP), np.uint8)
    bytewise = kinds == 3
    steps[bytewise] = stream[starts[bytewise][:, None] + np.arange(_GROUP)]
    for kind, bits in _BITS.items():
        begin = starts[kinds == kind][:, None]
        packed = stream[begin + np.arange(2 * bits)]
        ones = np.uint8((1 << bits) - 1)
        numbers = ((packed[:, :, None] >> np.arange(8 - bits, -1, -bits, dtype=np.uint8)) & ones).reshape(-1, _GROUP)
        larger = numbers == ones
        numbers[larger] = stream[(begin + 2 * bits + np.cumsum(larger, axis=1) - 1)[larger]]
        steps[kinds == kind] = numbers
    return steps


class _Numbers:
    """The numbers of several bytes in a stream, and the index that the next one differs from."""

    def __init__(self, stream: bytes, at: int) -> None:
        self.stream, self.at, self.last = stream, at, 0

    def byte(self) -> int:
        """The next byte."""
        self.at += 1
        return self.stream[self.at - 1]

    def number(self) -> int:
        """The next number: seven bits a byte, the lowest first, as long as the highest bit says so."""
        number, shift = 0, 0
        while (byte := self.byte()) > 0x7F:
            number |= (byte & 0x7F) << shift
            shift += 7
        return number | byte << shift

    def index(self) -> int:
        """The next index, which becomes the last one."""
        self.last = self.last + _signed(self.number()) & _UNSIGNED
        return self.last


def _signed(number: int) -> int:
    return ~(number >> 1) if number & 1 else number >> 1


def _triangles(stream: bytes, count: int) -> list[int]:
    """Three indices for each triangle: most have an edge of one that came shortly before, and a point as well."""
    if stream[0] != _TRIANGLES:
        raise LookupError("no stream of triangles")
    codes, table = stream[1 : 1 + count // 3], stream[-_TABLE:]
    if 1 + len(codes) + _TABLE > len(stream) or len(codes) * 3 != count:
        raise LookupError("it has fewer triangles")
    data = _Numbers(stream, 1 + len(codes))
    edges, points = [(0, 0)] * (_RECENT + 1), [0] * (_RECENT + 1)
    edge, point, fresh = 0, 0, 0  # how many of both there were, and the first index that was not used before
    found: list[int] = []
    for code in codes:
        high, low = code >> 4, code & 15
        if high < 15:  # an edge that was there before, and a point
            a, b = edges[(edge - 1 - high) & _RECENT]
            if 0 < low < 13:
                c = points[(point - 1 - low) & _RECENT]
            else:
                if low == 0:
                    c, fresh = fresh, fresh + 1
                elif low == 15:
                    c = data.index()
                else:
                    c = data.last = data.last + (1 if low == 14 else -1) & _UNSIGNED
                points[point & _RECENT] = c
                point += 1
        else:  # three points, and how each is found
            told = table[low] if low < 14 else data.byte()
            if low >= 14 and told == 0:
                fresh = 0
            corners, new = [], []
            for way in (15 if low == 15 else 0, told >> 4, told & 15):
                if way == 0:
                    corner, fresh = fresh, fresh + 1
                elif way == 15:
                    corner = data.index()
                else:
                    corner = points[(point - way) & _RECENT]
                corners.append(corner)
                new += [corner] if way in (0, 15) else []
            a, b, c = corners
            edges[edge & _RECENT] = (b, a)
            edge += 1
            for corner in new:
                points[point & _RECENT] = corner
                point += 1
        edges[edge & _RECENT] = (c, b)
        edges[edge + 1 & _RECENT] = (a, c)
        edge += 2
        found += (a, b, c)
    if data.at != len(stream) - _TABLE:
        raise LookupError("it does not end where its table begins")
    return found


def _indices(stream: bytes, count: int) -> list[int]:
    """Each index differs by so much from the last one of its own of two series."""
    if stream[0] != _INDICES:
        raise LookupError("no stream of indices")
    data, last, found = _Numbers(stream, 1), [0, 0], []
    for _ in range(count):
        number = data.number()
        last[number & 1] = last[number & 1] + _signed(number >> 1) & _UNSIGNED
        found.append(last[number & 1])
    if data.at != len(stream) - _ROOM:
        raise LookupError("it does not end where its tail begins")
    return found


def _octahedral(elements: _Bytes) -> NDArray[Any]:
    """Directions that lie on an octahedron, by two of their numbers and what stands for 1; the fourth one stays."""
    numbers = elements.view({4: np.int8, 8: np.int16}[elements.shape[1]])
    x, y, one = numbers[:, :3].astype(np.float32).T
    x, y = x / np.maximum(one, 1), y / np.maximum(one, 1)
    z = 1 - np.abs(x) - np.abs(y)
    below = np.minimum(z, 0)
    ways = np.stack((x - np.copysign(below, x), y - np.copysign(below, y), z), axis=1)
    ways /= np.maximum(np.linalg.norm(ways, axis=1, keepdims=True), 1e-12)
    return np.column_stack((np.rint(ways * np.iinfo(numbers.dtype).max).astype(numbers.dtype), numbers[:, 3]))


def _quaternion(elements: _Bytes) -> NDArray[Any]:
    """Rotations without their largest number, which of the four that is, and what stands for 1."""
    numbers = elements.view(np.int16)
    one = (numbers[:, 3:] | 3).astype(np.float32)
    three = numbers[:, :3] / np.maximum(one, 1) / np.float32(np.sqrt(2))
    largest = np.sqrt(np.maximum(1 - np.square(three).sum(axis=1, keepdims=True), 0))
    four = np.rint(np.hstack((largest, three)) * 32767).astype(np.int16)
    order = (np.arange(4) - (numbers[:, 3:] & 3)) & 3
    return np.take_along_axis(four, order.astype(np.int64), axis=1)


def _exponential(elements: _Bytes) -> NDArray[Any]:
    """Floats whose exponent has a byte, and whose other three are a whole number."""
    numbers = elements.view(np.int32)
    return np.ldexp(((numbers << 8) >> 8).astype(np.float32), numbers >> 24)


_FILTERS: dict[str, Callable[[_Bytes], NDArray[Any]]] = {
    "NONE": lambda elements: elements,
    "OCTAHEDRAL": _octahedral,
    "QUATERNION": _quaternion,
    "EXPONENTIAL": _exponential,
}
