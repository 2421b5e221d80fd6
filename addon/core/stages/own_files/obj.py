"""OBJ and MTL: text, a statement a line, with paths at the ends of lines."""

from __future__ import annotations

import mmap
import re
from pathlib import Path

from .paths import MOST_LETTERS, last_name, leads_outside

LIBRARIES = re.compile(rb"(?m)^[ \t]*mtllib[ \t]((?:[^\n\\]|\\(?!\r?\n)|\\\r?\n)*)")
CONTINUED = re.compile(r"\\\r?\n")
_WORDS = re.compile(r"\S+")


def clean_obj(path: Path, depth: int) -> list[str]:
    """Changes the libraries of materials that an OBJ names, in place; returns the paths that led outside."""
    if path.stat().st_size == 0:
        return []
    found: list[str] = []
    with path.open("r+b") as file, mmap.mmap(file.fileno(), 0) as content:
        for match in list(LIBRARIES.finditer(content)):
            text = CONTINUED.sub(lambda found: " " * len(found[0]), match[1].decode("latin-1"))
            begin, cleaned = _clean(text, depth)
            if begin is not None:
                found.append(text[begin:].strip())
                # As long as before, so that nothing else moves: the file can be large.
                content[match.start(1) : match.end(1)] = cleaned.ljust(len(text)).encode("latin-1")
    return found


def clean_mtl(path: Path, depth: int) -> list[str]:
    """Changes the paths in a library of materials, in place; returns those that led outside.

    Every line is looked at but names: which statements have paths differs from program to program.
    """
    found: list[str] = []
    lines = path.read_bytes().decode("latin-1").split("\n")
    for number, line in enumerate(lines):
        words = line.split(None, 1)
        if not words or words[0] == "newmtl" or words[0].startswith("#"):
            continue
        begin, cleaned = _clean(line, depth)
        if begin is not None:
            found.append(line[begin:].strip())
            lines[number] = cleaned
    if found:
        path.write_bytes("\n".join(lines).encode("latin-1"))
    return found


def _clean(text: str, depth: int) -> tuple[int | None, str]:
    """Where a path that leads outside begins, and the text with its name alone; None where there is none.

    Paths can have spaces in them and options before them, so one may begin at any word.
    """
    for word in _WORDS.finditer(text[:MOST_LETTERS]):
        if leads_outside(text[word.start() :][:MOST_LETTERS], depth):
            return word.start(), text[: word.start()] + last_name(text[word.start() :])
    return None, text
