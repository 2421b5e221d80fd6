"""What people read about storage: sizes, ages, what a deletion would take, and what it has taken."""

from __future__ import annotations

from collections.abc import Sequence

from ..settings import LOCAL
from .report import DAY, DeletionPlan, StoredResult, total

_NAMED = 5
_UNITS = ("bytes", "kB", "MB", "GB", "TB")


def size_text(size: int) -> str:
    """A size as file managers show it: 1 MB is a million bytes."""
    value = float(size)
    for unit in _UNITS:
        if value < 999.5 or unit == _UNITS[-1]:
            break
        value /= 1000
    if unit == "bytes":
        return f"{size} bytes" if size != 1 else "1 byte"
    return f"{value:.1f} {unit}" if value < 9.95 else f"{value:.0f} {unit}"


def count_text(count: int) -> str:
    """So many results."""
    return f"{count} results" if count != 1 else "1 result"


def age_text(result: StoredResult, now: float) -> str:
    """How long ago a result was made."""
    seconds = max(0.0, now - result.made_at)
    for unit, length in (("day", DAY), ("hour", 3600.0), ("minute", 60.0)):
        number = int(seconds // length)
        if number:
            return f"{number} {unit}{'s' * (number > 1)}"
    return "just now"


def use_text(result: StoredResult) -> str:
    """What became of a result, in a word or two."""
    if result.stays:
        return result.stays.removeprefix("it ").removeprefix("is ")
    if result.is_empty:
        return "no result"
    return "used" if result.used_at else "never used"


def names_text(results: Sequence[StoredResult]) -> str:
    """The names of the first few, and how many more there are."""
    names = [result.name for result in results[:_NAMED]]
    more = len(results) - len(names)
    return ", ".join(names) + (f" and {more} more" if more else "")


def deletion_sentences(plan: DeletionPlan, days: int) -> list[str]:
    """What a deletion of all that is older than ``days`` would take, and what stays and why."""
    age = "a day" if days == 1 else f"{days} days"
    if plan.results:
        size = size_text(total(plan.results))
        lines = [f"{count_text(len(plan.results))} older than {age}, {size}: {names_text(plan.results)}."]
        lines.append("What is in your scenes or was copied into a folder stays there.")
    else:
        lines = [f"No result older than {age} can be deleted."]
    if plan.never_used:
        lines.append(
            f"Never in a scene or a folder, so kept: {count_text(len(plan.never_used))},"
            f" {size_text(total(plan.never_used))}: {names_text(plan.never_used)}."
        )
    for reason in dict.fromkeys(item.stays for item in plan.needed):
        needed = [item for item in plan.needed if item.stays == reason]
        lines.append(f"Kept because {reason}: {names_text(needed)}.")
    return lines


def result_sentences(result: StoredResult) -> list[str]:
    """What would be lost with one result."""
    if result.is_empty:
        return [f"{result.name}, {size_text(result.bytes)}.", "It has no result, only what was made on the way to one."]
    lines = [f"{result.name}, {size_text(result.bytes)}."]
    if not result.is_known:
        lines.append("Nothing is known of it any more: it may be paid for, and may exist nowhere else.")
        return lines
    paid = result.credits and result.service_id != LOCAL  # what the local engine counts is no money
    cost = f"It was paid for ({result.credits} credits)" if paid else "It was made by your own machine"
    if result.service_id != LOCAL and not paid:
        cost = "It may have been paid for"
    if result.used_at:
        lines.append(f"{cost} and was brought into a scene or a folder.")
    else:
        lines.append(f"{cost} and was never brought into a scene or a folder.")
    lines.append(_again(result))
    return lines


def outcome_text(deleted: Sequence[StoredResult], kept: Sequence[StoredResult]) -> str:
    """What a deletion has done; each of ``kept`` says why it stays."""
    words = f"Deleted {count_text(len(deleted))}, which frees {size_text(total(deleted))}"
    if not deleted:
        words = "Nothing was deleted"
    for reason in dict.fromkeys(item.stays for item in kept):
        words += f". Kept because {reason}: {names_text([item for item in kept if item.stays == reason])}"
    return words


def _again(result: StoredResult) -> str:
    if not result.task_id:
        return "It cannot be fetched again."
    keeper = "the local engine" if result.service_id == LOCAL else result.service_id
    if result.is_listed:
        return f"Retry in the job list fetches it again without paying, as long as {keeper} keeps it."
    gone = "Its job is off the list and is forgotten with it"
    return f"{gone}; {keeper} may still have it, as task {result.task_id}."
