"""The table of a batch, read as a stream: CSV as spreadsheets write it, or one JSON object a line."""

from __future__ import annotations

import codecs
import csv
import json
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any, NamedTuple

from ..errors import BadRequest

_LONGEST_CELL = 1024 * 1024
_DELIMITERS = ",;\t"
"""Between the cells of a CSV file: spreadsheets write semicolons where the comma is that of numbers."""

_MARKS = ((codecs.BOM_UTF8, "utf-8-sig"), (codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16"))


class RawRow(NamedTuple):
    """One row as it stands in the file.

    Attributes:
        number: From 1, empty ones not counted.
        line: In the file, from 1: where it begins.
        values: What was given, by column; texts where the file is a CSV.
    """

    number: int
    line: int
    values: dict[str, Any]


class ManifestError(BadRequest):
    """A table that cannot be read. The sentence names file and line."""

    def __init__(self, path: Path, line: int, sentence: str) -> None:
        super().__init__(f"{path.name}, line {line}: {sentence}")
        self.line = line


def read_rows(path: Path) -> Iterator[RawRow]:
    """The rows, one after the other; no more than one of them is kept.

    Args:
        path: A file whose name ends in .csv, .tsv, .txt (CSV) or .jsonl, .ndjson (JSON).

    Raises:
        BadRequest: It is of another kind, or not there.
        ManifestError: It cannot be read.
    """
    kinds = {".csv": _csv_rows, ".tsv": _csv_rows, ".txt": _csv_rows, ".jsonl": _json_rows, ".ndjson": _json_rows}
    read = kinds.get(path.suffix.lower())
    if read is None:
        raise BadRequest(f"{path.name} is no table of a batch; allowed: .csv (or .tsv) and .jsonl", "manifest")
    try:
        with path.open("rb") as file:
            head = file.read(4)
        encoding = next((name for mark, name in _MARKS if head.startswith(mark)), "utf-8")
        with path.open("r", encoding=encoding, errors="surrogateescape", newline="") as stream:
            yield from read(path, stream)
    except OSError as error:
        raise BadRequest(f"{path} cannot be read: {error.strerror or error}", "manifest") from None


def columns_of(path: Path) -> tuple[str, ...]:
    """The columns of a CSV file, from its first line; none for JSON, where every row has its own.

    Raises:
        BadRequest: It cannot be read.
    """
    for row in read_rows(path):
        return tuple(row.values) if path.suffix.lower() not in (".jsonl", ".ndjson") else ()
    return ()


def _csv_rows(path: Path, stream: IO[str]) -> Iterator[RawRow]:
    csv.field_size_limit(_LONGEST_CELL)
    lines = _decoded(path, stream)
    first = next(lines, "")
    if first and not first.strip():
        raise ManifestError(path, 1, "the names of the columns are missing")
    delimiter = max(_DELIMITERS, key=lambda one: (first.count(one), one == ","))
    reader = csv.reader(_with(first, lines), delimiter=delimiter, strict=True)
    names: list[str] = []
    number = line = 0
    try:
        for cells in reader:
            line, begin = reader.line_num, line + 1
            if not names:
                names = _names(path, cells)
                continue
            if not any(cell.strip() for cell in cells):
                continue
            number += 1
            if any(cell.strip() for cell in cells[len(names) :]):
                words = f"it has {len(cells)} cells, and there are {len(names)} columns"
                raise ManifestError(path, begin, f"{words}; a cell with {delimiter!r} in it needs quotes around it")
            pairs = zip(names, cells, strict=False)
            yield RawRow(number, begin, {name: cell.strip() for name, cell in pairs if cell.strip()})
    except csv.Error as error:
        raise ManifestError(path, line + 1, f"the quotes are not closed, or the cell is too long ({error})") from None
    if not names:
        raise ManifestError(path, 1, "the names of the columns are missing")


def _names(path: Path, cells: list[str]) -> list[str]:
    names = [cell.strip() for cell in cells]
    while names and not names[-1]:  # a spreadsheet's empty columns
        names.pop()
    for place, name in enumerate(names):
        if not name:
            raise ManifestError(path, 1, f"column {place + 1} has no name")
        if name in names[:place]:
            raise ManifestError(path, 1, f"there are two columns {name!r}")
    return names


def _json_rows(path: Path, stream: IO[str]) -> Iterator[RawRow]:
    number = 0
    for line, text in enumerate(_decoded(path, stream), start=1):
        if not text.strip():
            continue
        number += 1
        try:
            values = json.loads(text, object_pairs_hook=_object)
        except ValueError as error:
            raise ManifestError(path, line, f"this is no JSON: {error}") from None
        if not isinstance(values, dict):
            raise ManifestError(path, line, 'this is no JSON object such as {"id": "chair", "capability": "..."}')
        yield RawRow(number, line, {name: value for name, value in values.items() if value not in (None, "")})


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    values = dict(pairs)
    if len(values) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"{twice!r} is there twice")
    return values


def _decoded(path: Path, stream: IO[str]) -> Iterator[str]:
    """The lines of a file, as far as they are text."""
    words = 'it is not in UTF-8; save the table as UTF-8 (in spreadsheets "CSV UTF-8")'
    line = 0
    while True:
        try:
            text = stream.readline()
            if not text.isascii():
                text.encode()  # bytes that are no text were let in, so that the error knows its line
        except UnicodeError:
            raise ManifestError(path, line + 1, words) from None
        if not text:
            return
        line += 1
        if "\0" in text:
            raise ManifestError(path, line, "this is no text")
        yield text


def _with(first: str, others: Iterator[str]) -> Iterator[str]:
    if first:
        yield first
    yield from others
