"""USD layers: written out as text, or as a crate whose texts are all in one table."""

from __future__ import annotations

import re
import struct
from pathlib import Path

from ...errors import BrokenResult
from . import lz4
from .paths import last_name, leads_outside

_MAGIC = b"PXR-USDC"
_MAX_TABLE_BYTES = 64 * 1024**2
_MAX_TEXT_BYTES = 512 * 1024**2
_PACKED_SINCE = (0, 4, 0)
_SECTION = struct.Struct("<16sqq")
_QUOTED = re.compile(rb"""(@{1,3}|["'])([^"'@\n]+)""")
_ESCAPED = re.compile(r"\\(?:x([0-9A-Fa-f]{1,2})|([0-7]{1,3}))")


def clean_usd(path: Path, depth: int) -> list[str]:
    """Changes the paths in a layer, in place; returns those that led outside.

    Raises:
        BrokenResult: It is no layer of a known form, so nobody can say what it refers to.
    """
    with path.open("rb") as file:
        is_crate = file.read(len(_MAGIC)) == _MAGIC
    try:
        return _clean_crate(path, depth) if is_crate else _clean_text(path, depth)
    except (struct.error, ValueError, IndexError):
        raise BrokenResult("The USD file that came back cannot be read") from None


def _clean_text(path: Path, depth: int) -> list[str]:
    if path.stat().st_size > _MAX_TEXT_BYTES:
        raise ValueError("too large")
    found: list[str] = []

    def cleaned(match: re.Match[bytes]) -> bytes:
        text = match[2].decode("latin-1")
        if not leads_outside(_ESCAPED.sub(_unescaped, text), depth):
            return match[0]
        found.append(text)
        return match[1] + _beside(_ESCAPED.sub("_", text)).encode("latin-1")

    # What is between two marks is looked at too: it never looks like a path, and no text is taken for a comment.
    content = _QUOTED.sub(cleaned, path.read_bytes())
    if found:
        path.write_bytes(content)
    return found


def _beside(path: str) -> str:
    """The file beside the layer: a name alone could be looked for elsewhere."""
    name = last_name(path)
    return name and f"./{name}"


def _unescaped(match: re.Match[str]) -> str:
    return chr(int(match[1], 16) if match[1] else int(match[2], 8) & 0xFF)


def _clean_crate(path: Path, depth: int) -> list[str]:
    """Writes a new table of texts behind the end of the file, where one of them must be changed."""
    with path.open("r+b") as file:
        size = file.seek(0, 2)
        file.seek(0)
        head = file.read(24)
        version = tuple(head[8:11])
        (toc,) = struct.unpack_from("<q", head, 16)
        if not 0 < toc < size:
            raise ValueError("no table of contents")
        file.seek(toc)
        (count,) = struct.unpack("<Q", file.read(8))
        for number in range(min(count, 64)):
            entry = toc + 8 + number * _SECTION.size
            file.seek(entry)
            name, start, length = _SECTION.unpack(file.read(_SECTION.size))
            if name.rstrip(b"\0") != b"TOKENS":
                continue
            if not (0 < start < size and 0 < length <= _MAX_TABLE_BYTES):
                raise ValueError("no table of texts")
            file.seek(start)
            texts = _read_table(file.read(length), version)
            # A text that is nothing but dots is a step in the path of a prim, and no file.
            found = {text: _beside(text) for text in texts if text != ".." and leads_outside(text, depth)}
            if found:
                table = _table_of([found.get(text, text) for text in texts], version)
                file.seek(entry)
                file.write(_SECTION.pack(name, size, len(table)))
                file.seek(size)
                file.write(table)
            return list(found)
    raise ValueError("no table of texts")


def _read_table(table: bytes, version: tuple[int, ...]) -> list[str]:
    if version < _PACKED_SINCE:
        count, length = struct.unpack_from("<QQ", table)
        content = table[16 : 16 + length]
    else:
        count, length, packed = struct.unpack_from("<QQQ", table)
        if length > _MAX_TABLE_BYTES:
            raise ValueError("too many texts")
        content = lz4.unpack(table[24 : 24 + packed], length)
    texts = content.decode("latin-1").split("\0")
    if len(content) != length or len(texts) != count + 1 or texts.pop():
        raise ValueError("the table of texts is not whole")
    return texts


def _table_of(texts: list[str], version: tuple[int, ...]) -> bytes:
    content = "".join(f"{text}\0" for text in texts).encode("latin-1")
    if version < _PACKED_SINCE:
        return struct.pack("<QQ", len(texts), len(content)) + content
    packed = lz4.pack(content)
    return struct.pack("<QQQ", len(texts), len(content), len(packed)) + packed
