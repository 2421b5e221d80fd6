"""docs/strangers.md: what runs over models of strangers gave, each beside an earlier one; a part for each folder."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from ..terminal import Trouble
from . import plan, table

FACTS, FIGURES = "facts.json", "figures.json"

_HEAD = """# Models of strangers

Made by `python3 scripts/dev.py strangers`, with `--page docs/strangers.md`; not to be edited by hand. Every model goes
through the capabilities of the local engine, and what came is judged by numbers: see *What is expected* in the code
(`scripts/devtools/strangers/expected.py`). Seconds are those of a task from its creation to its end, with as many
models at a time as there are cores. **Bold** is not as expected. *Before* is an earlier run, on the commit that is
named; until 5a2856a8 deviation was judged at points that Decimate itself had fitted to, and looked smaller."""

_TITLES = ("", "As expected, before", "As expected", "Longest before, s", "Longest, s")

Figures = Mapping[str, Mapping[str, Any]]
"""Model → its row, as ``figures.json`` has it."""


class Run(NamedTuple):
    """What a run has left in its folder: what it depends on, and its figures."""

    facts: Mapping[str, str]
    figures: Figures


class Before(NamedTuple):
    """What the page says of an earlier run: what it depends on, and for each step how many were as expected, and its
    longest time.
    """

    facts: Mapping[str, str]
    counts: Mapping[str, tuple[str, str]]


def keep_facts(facts: Mapping[str, str], folder: Path) -> None:
    """Writes beside the figures of a run what they depend on."""
    (folder / FACTS).write_text(json.dumps(dict(facts), indent=1) + "\n", encoding="utf-8")


def read_run(folder: Path) -> Run:
    """What an earlier run has left.

    Raises:
        Trouble: There is nothing of one.
    """
    try:
        figures: Figures = json.loads((folder / FIGURES).read_text(encoding="utf-8"))
        facts: Mapping[str, str] = json.loads((folder / FACTS).read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise Trouble(f"{folder} is not what an earlier run has left (--out names it): {error}") from error
    return Run(facts, figures)


def before_of(run: Run) -> Before:
    """An earlier run, from what it has left."""
    counts = {key: _counted(run.figures, key) for key in plan.KEYS}
    return Before(run.facts, {key: found for key, found in counts.items() if found is not None})


def before_on(text: str, heading: str) -> Before | None:
    """An earlier run, from a page that has it beside a later one; None where it has none."""
    lines = next((part for part in text.split("\n\n## ") if part.splitlines()[:1] == [heading]), "").splitlines()
    facts = [line.removeprefix("- ").partition(", before: ") for line in lines if ", before: " in line]
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in lines if line.startswith("| ")]
    counts = {row[0]: (row[1], row[3]) for row in rows if len(row) == len(_TITLES) and row[0] in plan.KEYS and row[1]}
    return Before({name: value for name, _, value in facts}, counts) if counts else None


def part(heading: str, table_lines: Sequence[str], pictures: Sequence[str], now: Run, before: Before | None) -> str:
    """What one run gave.

    Args:
        heading: Of the part; a later run with the same one replaces it.
        table_lines: Its table of models, and what is not as expected.
        pictures: Its sheets, as the page refers to them.
        now: The run.
        before: An earlier one, of the same models.
    """
    facts = [f"- {name}: {value}" for name, value in now.facts.items()]
    if before is not None:
        facts += [f"- {name}, before: {value}" for name, value in before.facts.items() if now.facts.get(name) != value]
    sheets = [f"![Each model and what became of it, sheet {number}]({path})" for number, path in enumerate(pictures, 1)]
    sections = [f"## {heading}", "\n".join(facts), "\n".join(_steps(now, before)), "\n".join(table_lines), *sheets]
    return "\n\n".join(sections) + "\n"


def with_part(page: str, new: str) -> str:
    """The page with a part in the place of the one that has its heading; at the end where there is none."""
    heading = new.splitlines()[0]
    parts = page.split("\n\n## ")[1:] if page else []
    parts = [f"## {text.rstrip()}\n" for text in parts]
    named = [text.splitlines()[0] for text in parts]
    if heading in named:
        parts[named.index(heading)] = new
    else:
        parts.append(new)
    return "\n\n".join(text.rstrip() for text in (_HEAD, *parts)) + "\n"


def _steps(now: Run, before: Before | None) -> Iterator[str]:
    yield f"| {' | '.join(_TITLES)} |".replace("|  |", "| |")
    yield "|---|--:|--:|--:|--:|"
    for key in plan.KEYS:
        counts = _counted(now.figures, key)
        was = before.counts.get(key, ("", "")) if before is not None else ("", "")
        if counts is not None:
            yield f"| {key} | {was[0]} | {counts[0]} | {was[1]} | {counts[1]} |"


def _counted(figures: Figures, key: str) -> tuple[str, str] | None:
    """How many models are as expected in a step, and its longest time; None where none has it."""
    rows = [table.row_of(name, values) for name, values in figures.items()]
    done = [row for row in rows if row.has_done(key)]
    if not done:
        return None
    longest = max(float(row.steps[key]["seconds"]) for row in done)
    return f"{sum(not row.missed(key) for row in done)} of {len(done)}", f"{longest:.1f}"
