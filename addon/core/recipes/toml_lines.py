"""In which lines of a TOML file its keys stand. Python's own reader says that only of what it cannot read."""

from __future__ import annotations

import re
from collections.abc import Iterator

Path = tuple[str | int, ...]
"""A key with the tables that it is in; a number is the place in an array of tables."""

_PART = re.compile(r"""\s*(?:"((?:[^"\\\n]|\\.)*)"|'([^'\n]*)'|([A-Za-z0-9_-]+))\s*""")
_STRING = re.compile(
    r'"""(?:[^\\]|\\.)*?"""'  # it may end in up to two more quotes, which then are an empty string or half of one
    r"|'''.*?'''"
    r'|"(?:[^"\\\n]|\\.)*"'
    r"|'[^'\n]*'",
    re.DOTALL,
)
_BETWEEN = re.compile(r"(?:[ \t\r\n]|#[^\n]*)*")
_OPENING, _CLOSING = "[{", "]}"


class Lines:
    """Where the keys of one text are. The text has to be TOML that can be read.

    Args:
        text: The file.
    """

    def __init__(self, text: str) -> None:
        self._lines: dict[Path, int] = {}
        for path, line in _keys(text):
            self._lines.setdefault(path, line)

    def of(self, *path: str | int) -> int:
        """The line of a key, counted from 1, else that of what it is in; 1 where nothing of it is there."""
        for length in range(len(path), 0, -1):
            if line := self._lines.get(path[:length]):
                return line
        return 1


def _keys(text: str) -> Iterator[tuple[Path, int]]:
    """Every key and every table with its line, in the order of the text."""
    table: Path = ()
    counts: dict[Path, int] = {}
    place = _next(text, 0)
    while place < len(text):
        line = text.count("\n", 0, place) + 1
        if text[place] == "[":
            is_array = text.startswith("[[", place)
            names, end = _names(text, place + (2 if is_array else 1))
            table = _inside_arrays(names, counts, is_array=is_array)
            yield table, line
            place = end + (2 if is_array else 1)
        else:
            names, end = _names(text, place)
            for length in range(1, len(names) + 1):
                yield (*table, *names[:length]), line
            place = _value_end(text, end + 1)
        place = _next(text, place)


def _inside_arrays(names: tuple[str, ...], counts: dict[Path, int], *, is_array: bool) -> Path:
    """The path that a table's header means: what it says is about the last item of each array of tables."""
    path: Path = ()
    for place, name in enumerate(names):
        path = (*path, name)
        if is_array and place == len(names) - 1:
            counts[path] = counts.get(path, -1) + 1
        if path in counts:
            path = (*path, counts[path])
    return path


def _names(text: str, place: int) -> tuple[tuple[str, ...], int]:
    """The parts of a dotted key, and where it ends."""
    names = []
    while match := _PART.match(text, place):
        names.append(next(part for part in match.groups() if part is not None))
        place = match.end()
        if not text.startswith(".", place):
            break
        place += 1
    return tuple(names), place


def _value_end(text: str, place: int) -> int:
    """Where a value ends: at the end of its line, outside of strings and brackets."""
    depth = 0
    while place < len(text):
        sign = text[place]
        if string := _STRING.match(text, place):
            place = string.end()
            continue
        if sign == "#":
            place = text.find("\n", place)
            if place < 0:
                return len(text)
            continue
        if sign == "\n" and depth == 0:
            return place
        depth += (sign in _OPENING) - (sign in _CLOSING)
        place += 1
    return place


def _next(text: str, place: int) -> int:
    """Where the next thing begins that is neither a blank nor a remark."""
    between = _BETWEEN.match(text, place)
    return between.end() if between else place
