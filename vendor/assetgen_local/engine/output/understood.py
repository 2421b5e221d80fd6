"""Which words of a prompt a task has used, and which not: said in its answer, so that nobody has to guess."""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Any

from ..shapes.names import singular
from ..shapes.prompt_spec import PromptSpec
from ..shapes.unknown import ENGLISH, note_of

KEY = "local_engine"
"""Of the output: what only this service says. The API has no such name (docs/api.md, 2.5)."""

_WORD = re.compile(r"[^\W_]+")
_EMPTY = {
    "a", "an", "and", "any", "are", "as", "at", "be", "but", "by", "can", "create", "do", "for", "from", "generate",
    "has", "have", "having", "i", "in", "into", "is", "it", "its", "like", "look", "looking", "looks", "made",
    "make", "me", "model", "my", "no", "not", "of", "off", "on", "one", "or", "our", "out", "over", "please", "so",
    "that", "the", "their", "them", "there", "this", "to", "under", "want", "which", "who", "with", "without",
}  # fmt: skip
"""Words that say nothing by themselves."""


def answer(prompt: str, taken: Collection[str], note: str = "") -> dict[str, Any]:
    """What an answer's ``values`` say of a prompt; nothing where there was none.

    Args:
        prompt: All that the user wrote.
        taken: The words that had an effect, in small letters, as they were written or in the singular.
        note: A sentence without its full stop for what the lists do not say.
    """
    words = [word for word in dict.fromkeys(_WORD.findall(prompt.lower())) if word not in _EMPTY]
    words = [word for word in words if len(word) > 1 or not word.isascii() or word.isdigit()]
    if not words and not note:
        return {}
    used = [word for word in words if word in taken or singular(word) in taken]
    if ENGLISH not in note and (not all(map(str.isascii, words)) or not (used or note)):
        note = ". ".join(filter(None, (note, ENGLISH)))
    others = [word for word in words if word not in used]
    return {KEY: {"understood": used, "not_understood": others, **({"note": note} if note else {})}}


def of_thing(spec: PromptSpec, *, is_painted: bool = True) -> dict[str, Any]:
    """What an answer's ``values`` say of the prompt of something that was built, and painted or not."""
    note = note_of(spec)
    return answer(spec.prompt, spec.taken | spec.painted if is_painted else spec.taken, note)
