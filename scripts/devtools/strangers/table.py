"""The table of a run: as Markdown for people, as CSV for spreadsheets, and as JSON with everything in it."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from . import plan
from .expected import Expected
from .judge import Miss


@dataclass(frozen=True, slots=True)
class Row:
    """One model: its name, what was expected, what each step gave, and what is not as expected."""

    model: str
    expected: Expected
    steps: Mapping[str, Mapping[str, Any]]
    misses: Sequence[Miss]

    def missed(self, step: str) -> list[str]:
        """The sentences about one step."""
        return [miss.sentence for miss in self.misses if miss.step == step]

    def has_done(self, step: str) -> bool:
        """Whether a step was to be done with it."""
        return step in self.steps and bool(self.missed(step) or not self.steps[step]["skipped"])


def row_of(model: str, values: Mapping[str, Any]) -> Row:
    """A row as ``figures.json`` has it."""
    misses = [Miss(miss["step"], miss["sentence"]) for miss in values["misses"]]
    return Row(model, Expected(**values["expected"]), values["steps"], misses)


def write(rows: Sequence[Row], keys: Sequence[str], folder: Path, heading: str) -> None:
    """Writes ``table.md``, ``table.csv`` and ``figures.json``."""
    (folder / "table.md").write_text("\n".join(_markdown(rows, keys, heading)) + "\n", encoding="utf-8")
    (folder / "table.csv").write_text(_csv(rows, keys), encoding="utf-8", newline="")
    everything = {row.model: asdict(row) | {"misses": [miss._asdict() for miss in row.misses]} for row in rows}
    (folder / "figures.json").write_text(json.dumps(everything, indent=1) + "\n", encoding="utf-8")


def summary(rows: Sequence[Row], keys: Sequence[str]) -> list[str]:
    """A line for each step: how many models are as expected, and how long it took at most."""
    lines = []
    for key in keys:
        done = [row for row in rows if row.has_done(key)]
        right = sum(not row.missed(key) for row in done)
        longest = max((row.steps[key]["seconds"] for row in done), default=0.0)
        lines.append(f"{key:14} {right:3} of {len(done):3} as expected, longest {longest:5.1f} s")
        if key == plan.CHECK:
            lines += _by_kind(rows)
    return lines


def _by_kind(rows: Sequence[Row]) -> Iterator[str]:
    for kind in (plan.BIPED, plan.QUADRUPED, plan.OTHERS):
        of_it = [row for row in rows if row.expected.kind == kind]
        right = sum(row.steps.get(plan.CHECK, {}).get("values", {}).get("kind") == kind for row in of_it)
        if of_it:
            yield f"  {kind:12} {right:3} of {len(of_it):3} recognised"


def words_of(key: str, record: Mapping[str, Any]) -> str:
    """What one cell says, short."""
    if record["skipped"]:
        return "–"
    if record["error"]:
        return "error"
    figures = record["figures"]
    if key == plan.CHECK:
        return str(record["values"].get("kind") or "no answer")
    texts = [text(figures[name]) for name, text in _SHOWN.items() if name in figures]
    return ", ".join(texts[:3]) or "done"


def _share(words: str) -> Any:
    return lambda number: f"{words} {number:.0%}"


_SHOWN: Mapping[str, Any] = {
    "pieces": lambda number: f"{number:,} piece" + "s" * (number != 1),
    "triangles": lambda number: f"{number:,} faces",
    "faces": lambda number: f"{number:,} faces",
    "deviation": lambda number: f"{number:.2%} off",
    "opened": lambda number: f"{number:.2f} open",
    "uv area": _share("UV"),
    "black": _share("black"),
    "inside": _share("inside"),
    "joints": _share("joints off"),
    "influences": lambda number: f"{number} bones each",
    "front": lambda axis: f"to {axis}",
    "stretch": lambda number: f"stretch {number:.2f}",
    "feet": _share("feet"),
    "parts": lambda number: f"{number} part" + "s" * (number != 1),
    "largest": _share("largest"),
}


def _markdown(rows: Sequence[Row], keys: Sequence[str], heading: str) -> Iterator[str]:
    yield f"# {heading}"
    yield ""
    yield "```"
    yield from summary(rows, keys)
    yield "```"
    yield ""
    yield from models(rows, keys)


def models(rows: Sequence[Row], keys: Sequence[str]) -> Iterator[str]:
    """The table of models in Markdown, and a line for everything that is not as expected."""
    yield "| model | expected | " + " | ".join(keys) + " |"
    yield "|---|---|" + "---|" * len(keys)
    for row in rows:
        cells = [_cell(row, key) for key in keys]
        yield f"| {row.model} | {row.expected.kind} {row.expected.front} | " + " | ".join(cells) + " |"
    yield ""
    for row in rows:
        for miss in row.misses:
            yield f"- {row.model}, {miss.step}: {miss.sentence.replace('|', '/')}"


def _cell(row: Row, key: str) -> str:
    if key not in row.steps:
        return ""
    record = row.steps[key]
    words = words_of(key, record)
    seconds = f" ({record['seconds']:.1f} s)" if not record["skipped"] else ""
    return f"**{words}**{seconds}" if row.missed(key) else words + seconds


def _csv(rows: Sequence[Row], keys: Sequence[str]) -> str:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(("model", "kind", "front", "step", "measure", "value"))
    for row in rows:
        start = (row.model, row.expected.kind, row.expected.front)
        for key in keys:
            for measure, value in _values(row.steps.get(key, {})):
                writer.writerow((*start, key, measure, value))
            for sentence in row.missed(key):
                writer.writerow((*start, key, "missed", sentence))
    return text.getvalue()


def _values(record: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    if not record:
        return
    yield "seconds", record["seconds"]
    for name in ("error", "skipped", "trouble"):
        if record[name]:
            yield name, record[name]
    for name, value in {**record["values"], **record["figures"]}.items():
        yield name, " ".join(map(str, value)) if isinstance(value, list) else value
