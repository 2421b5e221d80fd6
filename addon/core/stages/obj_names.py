"""Copies of an OBJ and of its libraries of materials that name each other, and their textures, by other names."""

from __future__ import annotations

import mmap
import os
import shutil
from collections.abc import Mapping
from pathlib import Path, PurePosixPath

from .own_files.obj import CONTINUED, LIBRARIES


def copy_obj(source: Path, target: Path, names: Mapping[str, str]) -> None:
    """Copies an OBJ; ``names`` are the new names of its libraries, by those they had."""
    with target.open("xb") as writer:
        if source.stat().st_size:
            with source.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as content:
                begin = 0
                for match in LIBRARIES.finditer(content):
                    text = CONTINUED.sub(" ", match[1].decode("utf-8", "surrogateescape"))
                    writer.write(content[begin : match.start(1)])
                    writer.write(_renamed(text, names).encode("utf-8", "surrogateescape"))
                    begin = match.end(1)
                file.seek(begin)
                shutil.copyfileobj(file, writer, 1024 * 1024)
        writer.flush()
        os.fsync(writer.fileno())


def copy_mtl(source: Path, target: Path, names: Mapping[str, str]) -> None:
    """Copies a library of materials; ``names`` are the new names of its textures, by those they had."""
    lines = source.read_bytes().decode("utf-8", "surrogateescape").split("\n")
    for number, line in enumerate(lines):
        words = line.split(None, 1)
        if len(words) > 1 and words[0] != "newmtl" and not words[0].startswith("#"):
            lines[number] = _renamed(line, names)
    with target.open("xb") as writer:
        writer.write("\n".join(lines).encode("utf-8", "surrogateescape"))
        writer.flush()
        os.fsync(writer.fileno())


def _renamed(text: str, names: Mapping[str, str]) -> str:
    """A statement with the path at its end replaced: paths can have spaces in them, so the longest that fits counts."""
    end = text.rstrip()
    plain = end.replace("\\", "/")
    for old in sorted(names, key=len, reverse=True):
        name = PurePosixPath(old).name
        for written in (f"./{old}", old, name):
            if plain == written or plain.endswith((f" {written}", f"\t{written}")):
                return end[: len(end) - len(written)] + names[old] + text[len(end) :]
    for old in names:  # by a folder that is none of the archive's
        name = PurePosixPath(old).name
        if plain.endswith(f"/{name}"):
            begin = max(plain.rfind(" ", 0, len(plain) - len(name)), plain.rfind("\t", 0, len(plain) - len(name))) + 1
            return end[:begin] + names[old] + text[len(end) :]
    return text
