"""Which words of a prompt a task has used, and which not: said in its answer, so that nobody has to guess."""

from __future__ import annotations

import difflib
import re
from collections.abc import Collection
from typing import Any

from ..materials.library import MATERIALS
from ..materials.modifiers import COLORS, FINISH, TONE, WEAR
from ..shapes.names import FAMILIES, NUMBERS, PREPOSITIONS, RELATED, SIZE, STRETCH, singular
from ..shapes.prompt_spec import FAMILY_OF, PromptSpec

KEY = "local_engine"
"""Of the output: what only this service says. The API has no such name (docs/api.md, 2.5)."""

_BESIDE = {*COLORS, *FINISH, *TONE, *WEAR, *NUMBERS, *SIZE, *STRETCH, "a", "an", "the"}
ENGLISH = "The local engine reads English words only"
_NEAR = 0.8  # of difflib: one wrong letter in five
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
    note = _note_of(spec)  # before the words are looked at: it takes the noun out of them
    return answer(spec.prompt, spec.taken | spec.painted if is_painted else spec.taken, note)


def _note_of(spec: PromptSpec) -> str:
    """That there is no form for the thing, and the nearest ones; empty where there is one.

    The noun has had no effect then, even where it names a material too.
    """
    if spec.family:
        return ""
    noun = _thing(re.findall(r"[a-z]+", spec.prompt.lower()))
    if noun:
        for words in (spec.taken, spec.painted):
            words.difference_update({noun, singular(noun)})
    nearest = ", ".join(_nearest(noun))
    known = f"The nearest: {nearest}" if nearest else f"There are {', '.join(sorted(FAMILIES))}"
    hint = "" if _related(noun) or spec.taken or spec.painted else f". {ENGLISH}"
    return f"No form is known for {noun or 'this'}: it is an abstract sculpture. {known}{hint}"


def _thing(words: list[str]) -> str:
    """The word that most likely names the thing: the last noun before "with", "of" and the like."""
    things: list[str] = []
    for word in words:
        if things and (word in PREPOSITIONS or word == "made"):
            break
        if word not in _BESIDE and word not in PREPOSITIONS:
            things.append(word)
    named = [word for word in things if _nearest(word)] or [word for word in things if word not in MATERIALS] or things
    return named[-1] if named else ""


def _nearest(noun: str) -> list[str]:
    """Families that come near a noun, and what it may be a slip of the pen for."""
    slips = [word for word in difflib.get_close_matches(noun, FAMILY_OF, 3, _NEAR) if abs(len(word) - len(noun)) < 2]
    families = [(FAMILY_OF[word], word) for word in slips[:1]]
    return _related(noun) or [word if word == family else f"{family} ({word})" for family, word in families]


def _related(noun: str) -> list[str]:
    return [family for family, nouns in RELATED.items() if singular(noun) in nouns.split()]
