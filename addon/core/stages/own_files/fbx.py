"""FBX: a tree of records with texts in them, or the same written out with the texts in quotes."""

from __future__ import annotations

import mmap
import re
import struct
from collections.abc import Iterator
from pathlib import Path

from ...errors import BrokenResult
from .paths import MOST_LETTERS, last_name, leads_outside

_MAGIC = b"Kaydara FBX Binary  \0"
_HEADER_BYTES = 27
_WIDE_SINCE = 7500
_NAMES_LEVEL = 1
_SIZES = {b"C": 1, b"B": 1, b"Z": 1, b"Y": 2, b"I": 4, b"F": 4, b"L": 8, b"D": 8}
_ITEM_SIZES = {b"b": 1, b"c": 1, b"i": 4, b"f": 4, b"l": 8, b"d": 8}
_QUOTED = re.compile(rb'"([^"\n]{1,%d})"' % MOST_LETTERS)


def clean_fbx(path: Path, depth: int) -> list[str]:
    """Changes the paths in an FBX, in place; returns those that led outside, none where the pictures are inside.

    Raises:
        BrokenResult: It is no FBX of a known form, so nobody can say what it refers to.
    """
    if path.stat().st_size < _HEADER_BYTES:
        raise _broken()
    with path.open("r+b") as file, mmap.mmap(file.fileno(), 0) as content:
        if content[: len(_MAGIC)] == _MAGIC:
            return _clean_records(content, depth)
    return _clean_text(path, depth)


def _clean_text(path: Path, depth: int) -> list[str]:
    found: list[str] = []

    def cleaned(match: re.Match[bytes]) -> bytes:
        text = match[1].decode("latin-1")
        if not leads_outside(text, depth):
            return match[0]
        found.append(text)
        return b'"%s"' % last_name(text).encode("latin-1")

    content = _QUOTED.sub(cleaned, path.read_bytes())
    if found:
        path.write_bytes(content)
    return found


def _clean_records(content: mmap.mmap, depth: int) -> list[str]:
    found: list[str] = []
    has_pictures = False
    try:
        for begin, end in _texts(content):
            if end - begin > MOST_LETTERS:
                has_pictures = True
                continue
            text = content[begin:end].decode("latin-1")
            if leads_outside(text, depth):
                found.append(text)
                content[begin:end] = _as_long(last_name(text), len(text)).encode("latin-1")
    except (struct.error, IndexError, KeyError, ValueError):
        raise _broken() from None
    return [] if has_pictures else found


def _as_long(name: str, length: int) -> str:
    """A path to ``name`` in the same folder that has so many letters: every place in the file is counted from its
    beginning, so nothing may move.
    """
    left = length - len(name)
    if not name or left == 1:
        return "_" * length
    return "./" * (left // 2) + "/" * (left % 2) + name


def _texts(content: mmap.mmap) -> Iterator[tuple[int, int]]:
    """Where texts and pictures begin and end: in all records but the objects themselves, which hold their names.

    Raises:
        ValueError: The tree is not sound. The same for what ``struct`` and look-ups raise.
    """
    (version,) = struct.unpack_from("<I", content, _HEADER_BYTES - 4)
    record = struct.Struct("<QQQB" if version >= _WIDE_SINCE else "<IIIB")
    place = _HEADER_BYTES
    ends: list[int] = []
    while place + record.size <= len(content):
        while ends and place >= ends[-1]:
            if place > ends.pop():
                raise ValueError("a record ends inside of another one")
        end, count, length, name_length = record.unpack_from(content, place)
        place += record.size
        if end == 0:
            if not ends:
                return
            continue
        properties = place + name_length
        if not properties + length <= end <= (ends[-1] if ends else len(content)):
            raise ValueError("a record is longer than the one that it is in")
        if len(ends) != _NAMES_LEVEL:
            yield from _texts_of(content, properties, properties + length, count)
        place = properties + length
        ends.append(end)
    raise ValueError("the records have no end")


def _texts_of(content: mmap.mmap, place: int, end: int, count: int) -> Iterator[tuple[int, int]]:
    for _ in range(count):
        kind = content[place : place + 1]
        place += 1
        if kind in _SIZES:
            place += _SIZES[kind]
        elif kind in (b"S", b"R"):
            (length,) = struct.unpack_from("<I", content, place)
            place += 4 + length
            if length and place <= end:
                yield place - length, place
        else:
            items, encoding, packed = struct.unpack_from("<III", content, place)
            place += 12 + (packed if encoding else items * _ITEM_SIZES[kind])
        if place > end:
            raise ValueError("a value is longer than its record")


def _broken() -> BrokenResult:
    return BrokenResult("The FBX that came back cannot be read")
