"""Which words of its prompts a job's tasks have used: the local engine says so, the service says nothing.

The journal keeps it where the answer of a rig check stands for other jobs: two lines for each task that said something,
what it remarked and the words.
"""

from __future__ import annotations

from ....vendor.assetgen.contract import TaskOutput
from ..errors import sentences

_MOST_WORDS = 40
_LONGEST = 600  # characters of a remark


def noted(before: str, output: TaskOutput | None) -> str:
    """What the journal keeps once another task of the job has ended.

    Args:
        before: What it has kept of the tasks before.
        output: Of the task.
    """
    reading = output.local_engine if output is not None else None
    if reading is None or not (reading.note or reading.understood or reading.not_understood):
        return before
    used, others = (", ".join(words[:_MOST_WORDS]) for words in (reading.understood, reading.not_understood))
    parts = [f"understood: {used or 'nothing'}", f"not understood: {others}" if others else ""]
    words = "; ".join(part for part in parts if part) if used or others else ""
    lines = (reading.note[:_LONGEST], words[:1].upper() + words[1:])
    return "\n".join([*filter(None, [before]), *(" ".join(line.split()) for line in lines)])


def remark(kept: str) -> str:
    """What the tasks remarked, such as that something else stands in for the thing named; empty for nothing."""
    return sentences(*dict.fromkeys(kept.split("\n")[::2]))


def understood(kept: str) -> str:
    """Remarks and words as sentences without the last full stop; empty where nothing was said."""
    return sentences(remark(kept), *kept.split("\n")[1::2])
