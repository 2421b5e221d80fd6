"""LZ4 blocks, in the wrapping that USD's crates have: as little of it as tables of texts need."""

from __future__ import annotations

import struct

_LEAST_MATCH = 4


def unpack(data: bytes, length: int) -> bytes:
    """The content, which is ``length`` bytes long.

    Raises:
        ValueError: It is not. The same for ``IndexError`` and ``struct.error``.
    """
    chunks = data[0]
    if chunks == 0:
        return bytes(_unpack_block(data[1:], length))
    content = bytearray()
    place = 1
    for _ in range(chunks):
        (size,) = struct.unpack_from("<i", data, place)
        place += 4
        content += _unpack_block(data[place : place + size], length - len(content))
        place += size
    return bytes(content)


def pack(content: bytes) -> bytes:
    """A block that holds the content as it is: larger than it could be, and right."""
    left = len(content) - 15
    if left < 0:
        return bytes([0, len(content) << 4]) + content
    return bytes([0, 0xF0]) + b"\xff" * (left // 255) + bytes([left % 255]) + content


def _unpack_block(data: bytes, most: int) -> bytearray:
    content = bytearray()
    place = 0
    while place < len(data):
        mark = data[place]
        literals, place = _length(data, place + 1, mark >> 4)
        content += data[place : place + literals]
        place += literals
        if place >= len(data):
            break
        distance = data[place] | data[place + 1] << 8
        matched, place = _length(data, place + 2, mark & 15)
        matched += _LEAST_MATCH
        if not 0 < distance <= len(content) or len(content) + matched > most:
            raise ValueError("a block that is not sound")
        begin = len(content) - distance
        piece = bytes(content[begin : begin + matched])
        content += (piece * (matched // len(piece) + 1))[:matched]
    if len(content) > most:
        raise ValueError("a block that is longer than it says")
    return content


def _length(data: bytes, place: int, length: int) -> tuple[int, int]:
    """A length that may go on in further bytes, and where it ends."""
    if length == 15:
        while True:
            more = data[place]
            place += 1
            length += more
            if more != 255:
                break
    return length, place
