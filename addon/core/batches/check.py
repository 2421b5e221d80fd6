"""Looks through a whole table before anything is paid: every trouble with its line, its row and what is allowed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

from ..errors import BadRequest, Refused
from .manifest import RawRow, columns_of, read_rows
from .rows import ReadRow, Row, check_row, row_id_of, same_id

MOST_TROUBLES = 50
"""So many are told; nobody reads more at a time, and the others may come of the same."""


class RowRange(NamedTuple):
    """Rows from the first to the last one, both included, numbered from 1; ``last`` None for all that follow."""

    first: int = 1
    last: int | None = None

    def __contains__(self, number: object) -> bool:
        return isinstance(number, int) and self.first <= number and (self.last is None or number <= self.last)


class CheckedTable(NamedTuple):
    """A table that can be run.

    Attributes:
        rows: How many rows there are in the range.
        all_rows: How many there are in all.
    """

    rows: int
    all_rows: int


class TableTroubles(BadRequest):
    """A table with mistakes: the sentence has a line for each."""

    def __init__(self, troubles: list[str], *, more: bool) -> None:
        super().__init__("\n".join(troubles + ["and more"] * more), "manifest")


def check_table(
    table: Path,
    read_row: ReadRow,
    region: str,
    columns: frozenset[str],
    rows: RowRange = RowRange(),  # noqa: B008  # a named tuple does not change
    also: Callable[[Row], None] = lambda row: None,
    noun: str = "field",
) -> CheckedTable:
    """Makes sure that every row of a range can be run. Ids are looked at in all rows.

    Args:
        table: The table.
        read_row: Makes rows of what stands in it.
        region: Where the service is, as in the settings.
        columns: What a column may be called.
        rows: Those that will be run.
        also: Called with every row; may raise Refused.
        noun: What a column has the value of.

    Raises:
        BadRequest: It cannot be read.
        TableTroubles: It has mistakes.
    """
    troubles = [
        f"{table.name}, line 1: there is no {noun} {name!r}; allowed: {', '.join(sorted(columns))}"
        for name in columns_of(table)
        if name not in columns
    ]
    first_lines: dict[str, int] = {}
    counted = number = 0
    for raw in read_rows(table) if not troubles else ():
        number += 1
        counted += raw.number in rows
        try:
            _check_id(raw, first_lines)
            if raw.number in rows:
                row = read_row(raw)
                check_row(row, region)
                also(row)
        except Refused as error:
            troubles.append(_words(table, raw, error))
            if len(troubles) > MOST_TROUBLES:
                break
    if not troubles and not number:
        troubles.append(f"{table.name} has no rows")
    if not troubles and not counted:
        troubles.append(f"{table.name} has {number} rows, and none from {rows.first} to {rows.last}")
    if troubles:
        raise TableTroubles(troubles[:MOST_TROUBLES], more=len(troubles) > MOST_TROUBLES)
    return CheckedTable(counted, number)


def rows_to_run(table: Path, read_row: ReadRow, rows: RowRange = RowRange()) -> Iterator[Row]:  # noqa: B008
    """The rows of a range, one after the other, of a table that was checked."""
    for raw in read_rows(table):
        if raw.number in rows:
            yield read_row(raw)
        elif rows.last is not None and raw.number > rows.last:
            return


def _check_id(raw: RawRow, first_lines: dict[str, int]) -> None:
    row_id = row_id_of(raw)
    earlier = first_lines.setdefault(same_id(row_id), raw.line)
    if earlier != raw.line:
        raise BadRequest(f"line {earlier} has the same id; every row needs one of its own", "id")


def _words(table: Path, raw: RawRow, error: Refused) -> str:
    name = f", row {raw.values['id']}" if "id" in raw.values else ""
    column = f", {error.field}" if isinstance(error, BadRequest) and error.field else ""
    return f"{table.name}, line {raw.line}{name}{column}: {error}"
