"""The report as one page: it needs no network and no server, only the folders of the rows beside it."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from pathlib import Path
from string import Template
from typing import IO, Any
from urllib.parse import quote

from .folder import RowResult
from .pace import duration_words
from .rows import CAPABILITY, ID

_STATES = {
    "done": "Done",
    "failed": "Failed",
    "uncertain": "Uncertain",
    "running": "Running",
    "waiting": "Not begun",
}
_PICTURES = (".png", ".jpg", ".jpeg", ".webp")
_LONGEST_VALUE = 300
_PAGE = Path(__file__).with_name("report.html")
_MARK = "<!-- rows -->"


class HtmlReport:
    """Writes one entry for each row.

    Args:
        file: To write to.
        title: What the page is called.
        now: When it is written, in words.
        states: How many rows are in which state.
        credits: What all rows cost; empty where that is nothing.
    """

    def __init__(self, file: IO[str], title: str, now: str, states: Mapping[str, int], credits: str) -> None:
        self._file = file
        page = _PAGE.read_text(encoding="utf-8")
        head, self._tail = page.split(_MARK)
        values = {
            "title": escape(title),
            "now": escape(now),
            "summary": escape(_summary(states, credits)),
            "filters": _filters(states),
        }
        file.write(Template(head).substitute(values))

    def add(self, line: int, result: RowResult, values: Mapping[str, Any]) -> None:
        """Writes a row.

        Args:
            line: In the table.
            result: What became of it.
            values: What it asked for, by column.
        """
        asked = ", ".join(f"{name}: {_short(value)}" for name, value in values.items() if name not in (ID, CAPABILITY))
        trouble = ". ".join(part.rstrip(".") for part in (result.error, result.advice) if part)
        state = _STATES.get(result.state, result.state)
        seconds = duration_words(result.seconds) if result.seconds else ""
        found_by = (result.id, result.name, asked, result.answer, trouble, result.note, state, *result.tasks)
        search = " ".join(found_by).lower()
        self._file.write(
            f'<tr data-state="{escape(result.state)}" data-search="{escape(search)}">'
            f"<td class=picture>{_picture(result)}</td>"
            f"<td class=row><b>{escape(result.id)}</b><span>{escape(result.name)}</span>"
            f"<small>{escape(asked)}</small></td>"
            f'<td class=state><span class="mark {escape(result.state)}">{escape(state)}</span></td>'
            f"<td class=number data-label=Time>{seconds}</td>"
            f"<td class=number data-label=Credits>{escape(result.credits)}</td>"
            f"<td class=files>{_links(result)}{_paragraph(result.answer, 'answer')}{_paragraph(trouble, 'trouble')}"
            f"{_paragraph(result.note, 'note')}"
            f"<small>line {line}</small></td></tr>\n"
        )

    def close(self) -> None:
        """Writes what comes after the rows."""
        self._file.write(self._tail)


def _summary(states: Mapping[str, int], credits: str) -> str:
    rows = sum(states.values())
    parts = [f"{rows} row{'s' * (rows != 1)}"]
    return ", ".join(parts + [f"{credits} credits"] * bool(credits))


def _filters(states: Mapping[str, int]) -> str:
    buttons = [f'<button data-filter="" aria-pressed=true>All <b>{sum(states.values())}</b></button>']
    buttons += [
        f'<button data-filter="{state}" aria-pressed=false>{_STATES.get(state, state)} <b>{count}</b></button>'
        for state, count in states.items()
        if count
    ]
    return "".join(buttons)


def _picture(result: RowResult) -> str:
    path = next((path for path in result.files.values() if path.lower().endswith(_PICTURES)), "")
    if not path:
        return "<i></i>"
    return f'<a href="{_address(path)}"><img src="{_address(path)}" alt="" loading=lazy decoding=async></a>'


def _links(result: RowResult) -> str:
    shown = [path for path in result.files.values() if not path.lower().endswith(_PICTURES)] or [*result.files.values()]
    return "".join(f'<a href="{_address(path)}">{escape(path.rpartition("/")[2])}</a>' for path in shown)


def _paragraph(words: str, kind: str) -> str:
    return f"<p class={kind}>{escape(words)}</p>" if words else ""


def _address(path: str) -> str:
    """A path from the page's folder, as an address."""
    return escape(quote(path))


def _short(value: Any) -> str:
    words = str(value)
    return words if len(words) <= _LONGEST_VALUE else f"{words[:_LONGEST_VALUE]}..."
