"""What is said of a thing that no family has a form for."""

from __future__ import annotations

import difflib
import re

from ..materials.library import MATERIALS
from ..materials.modifiers import COLORS, FINISH, TONE, WEAR
from .names import FAMILIES, NUMBERS, PREPOSITIONS, RELATED, SIZE, STRETCH, singular
from .prompt_spec import PromptSpec

_BESIDE = {*COLORS, *FINISH, *TONE, *WEAR, *NUMBERS, *SIZE, *STRETCH, "a", "an", "the"}
_FAMILY_OF = {noun: family for family, nouns in FAMILIES.items() for noun in nouns}
ENGLISH = "The local engine reads English words only"
_NEAR = 0.8  # of difflib: one wrong letter in five


def note_of(spec: PromptSpec) -> str:
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
    slips = [word for word in difflib.get_close_matches(noun, _FAMILY_OF, 3, _NEAR) if abs(len(word) - len(noun)) < 2]
    return _related(noun) or [
        word if word == _FAMILY_OF[word] else f"{_FAMILY_OF[word]} ({word})" for word in slips[:1]
    ]


def _related(noun: str) -> list[str]:
    return [family for family, nouns in RELATED.items() if singular(noun) in nouns.split()]
