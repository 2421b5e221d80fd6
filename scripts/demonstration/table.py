"""The table that the demo prints at its end."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from asset_generation.addon.cli.process import StepResult

_HEAD = ("step", "task id", "seconds", "triangles before", "after", "credits")


def table(results: Iterable[StepResult]) -> str:
    """One row for each operation; further tasks of the same operation stand below its first."""
    rows: list[Sequence[str]] = [_HEAD]
    for result in results:
        before, after = result.triangles
        first, *others = result.task_ids or ("",)
        rows.append(
            (result.capability, first, f"{result.seconds:.1f}", f"{before:,}", f"{after:,}", result.credits or "0")
        )
        rows += [("", other, "", "", "", "") for other in others]
    widths = [max(len(row[column]) for row in rows) for column in range(len(_HEAD))]
    lines = [
        "  ".join(
            _aligned(text, width, column) for column, (text, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]
    lines.insert(1, "  ".join("-" * width for width in widths))
    return "\n".join(lines)


def _aligned(text: str, width: int, column: int) -> str:
    return text.ljust(width) if column < 2 else text.rjust(width)
