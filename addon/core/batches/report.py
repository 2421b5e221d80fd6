"""What became of the rows of a batch, one after the other, for its reports."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import IO, Any, NamedTuple

from ..claims import claim_file
from ..errors import BadRequest
from ..requests.prices import credits_text
from .folder import RowResult, RowState, read_result
from .manifest import RawRow, read_rows
from .report_csv import CsvReport
from .report_html import HtmlReport
from .rows import CAPABILITY, row_id_of

CSV_NAME, HTML_NAME = "report.csv", "report.html"
RUNNING, WAITING = "running", "waiting"
"""States of rows that have not ended: a program has it, or nobody has begun it."""


class ReportRow(NamedTuple):
    """A row for the reports: a :class:`.folder.RowResult` with a state also where it has not ended."""

    line: int
    result: RowResult
    values: dict[str, Any]


class Totals(NamedTuple):
    """The sums of a report: how many rows are in which state, and all credits."""

    states: dict[str, int]
    credits: str
    rows: int


def report_rows(table: Path, out: Path) -> Iterator[ReportRow]:
    """What became of each row of a table; rows that have no id are passed over.

    Raises:
        BadRequest: The table cannot be read.
    """
    for raw in read_rows(table):
        try:
            row_id = row_id_of(raw)
        except BadRequest:
            continue
        yield ReportRow(raw.line, _result_of(raw, row_id, out / row_id), raw.values)


def write_reports(table: Path, out: Path, title: str, now: str) -> Totals:
    """Writes both reports, each whole or not at all. Rows are never all in memory.

    Args:
        table: The table.
        out: The folder of the batch.
        title: What the page is called.
        now: When, in words.

    Raises:
        OSError: They cannot be written.
        BadRequest: The table cannot be read.
    """
    totals = _totals(report_rows(table, out))
    with _whole(out / CSV_NAME, "utf-8-sig") as csv_file, _whole(out / HTML_NAME, "utf-8") as html_file:
        sheet, page = CsvReport(csv_file), HtmlReport(html_file, title, now, totals.states, totals.credits)
        for row in report_rows(table, out):
            sheet.add(row.line, row.result)
            page.add(row.line, row.result, row.values)
        page.close()
    return totals


def _result_of(raw: RawRow, row_id: str, folder: Path) -> RowResult:
    result = read_result(folder)
    is_claimed = (result is None or result.state != RowState.DONE) and _is_claimed(folder)
    if result is not None and not is_claimed:
        return result._replace(id=row_id)
    name = str(raw.values.get(CAPABILITY, ""))
    return RowResult(row_id, RUNNING if is_claimed else WAITING, "", name)


def _is_claimed(folder: Path) -> bool:
    try:
        return claim_file.latest(folder) is not None
    except OSError:
        return False


def _totals(rows: Iterator[ReportRow]) -> Totals:
    states = dict.fromkeys((RowState.DONE, RowState.FAILED, RowState.UNCERTAIN, RUNNING, WAITING), 0)
    credits = Decimal(0)
    number = 0
    for row in rows:
        number += 1
        states[row.result.state] = states.get(row.result.state, 0) + 1
        try:
            credits += Decimal(row.result.credits or "0")
        except InvalidOperation:
            continue
    return Totals(states, credits_text(credits) if credits else "", number)


@contextmanager
def _whole(path: Path, encoding: str) -> Iterator[IO[str]]:
    """A file that appears when all of it is written: another program of the batch may write its own meanwhile."""
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        with part.open("w", encoding=encoding, newline="") as file:
            yield file
        os.replace(part, path)
    finally:
        part.unlink(missing_ok=True)
