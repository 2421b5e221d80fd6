"""The report as a table for spreadsheets."""

from __future__ import annotations

import csv
from typing import IO

from .folder import RowResult

COLUMNS = ("id", "line", "state", "name", "credits", "seconds", "files", "tasks", "answer", "error", "advice", "note")
_FORMULA = ("=", "+", "-", "@", "\t", "\r")
"""A spreadsheet takes a text that begins so for a formula, and a prompt or a service's message is nobody's formula."""


class CsvReport:
    """Writes one line for each row.

    Args:
        file: Opened without translation of line ends.
    """

    def __init__(self, file: IO[str]) -> None:
        self._writer = csv.writer(file)
        self._writer.writerow(COLUMNS)

    def add(self, line: int, result: RowResult) -> None:
        """Writes a row."""
        cells = (
            *(result.id, line, result.state, result.name, result.credits, result.seconds or ""),
            *("; ".join(result.files.values()), "; ".join(result.tasks)),
            *(result.answer, result.error, result.advice, result.note),
        )
        self._writer.writerow([_text(cell) if isinstance(cell, str) else cell for cell in cells])


def _text(cell: str) -> str:
    return f"'{cell}" if cell.startswith(_FORMULA) else cell
