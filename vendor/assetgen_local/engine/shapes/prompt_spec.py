"""Reads a prompt as one thing: what it is, size, counts, parts, materials, what it shall not have."""

from __future__ import annotations

import math
import random
import re
import zlib
from collections.abc import Mapping, Set
from dataclasses import dataclass, field, replace
from typing import TypeVar

from ..materials.library import MATERIALS
from ..materials.modifiers import COLORS, FINISH, TONE, WEAR
from ..materials.prompt import surface_of
from .names import FAMILIES, NUMBERS, PREPOSITIONS, SIZE, STRETCH, WEAK, singular

_WORD = re.compile(r"[a-z]+|\d+")
_POLY = re.compile(r"\b(low|high)[- ]?poly\b")  # says nothing of the height
_LETTERS = re.compile(r"[^\W\d_]+")
_DESCRIBING = {word for table in (MATERIALS, COLORS, FINISH, TONE, WEAR) for name in table for word in name.split()}
FAMILY_OF = {noun: family for family, nouns in FAMILIES.items() for noun in nouns}
_SEPARATORS = {"no", "without", "minus"}
_MOST = 64  # of anything that is counted

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class PromptSpec:
    """What a prompt asks for, as the builders of families read it.

    Attributes:
        family: A key of :data:`.names.FAMILIES`, or empty for something that the engine does not know.
        noun: The word that named it, such as ``dog``.
        words: All words that describe it, singular.
        about: Part noun → the describing words that stand before it; the empty noun is the thing itself.
        counts: Part noun → the word that says how many.
        without: Nouns of parts that it shall not have.
        stretch: Factors across, in depth and in height.
        size: Factor on the whole.
        seed: Varies what the words leave open.
        detail: Fineness: 1 is standard.
        prompt: All that was written.
        taken: The words that had an effect. Those grow while a builder asks for them: what nobody asks for changes
            nothing, whatever is in the tables.
        painted: Those that have one only where there is a texture.
    """

    family: str = ""
    noun: str = ""
    words: frozenset[str] = frozenset()
    about: Mapping[str, str] = field(default_factory=dict)
    counts: Mapping[str, str] = field(default_factory=dict)
    without: frozenset[str] = frozenset()
    stretch: tuple[float, float, float] = (1.0, 1.0, 1.0)
    size: float = 1.0
    seed: int = 0
    detail: float = 1.0
    prompt: str = ""
    taken: set[str] = field(default_factory=set, compare=False)
    painted: set[str] = field(default_factory=set, compare=False)

    def says(self, *words: str) -> bool:
        """Whether one of the words was used."""
        return bool(self._taken(self.words.intersection(words)))

    def has(self, part: str, default: bool = True) -> bool:
        """Whether it has a part: as the prompt says, else the default."""
        if self.lacks(part) or self.number(part, 1) == 0:
            return False
        return bool(self._taken(self.words & {part})) or default

    def lacks(self, *parts: str) -> bool:
        """Whether the prompt says that it shall not have one of the parts."""
        return bool(self._taken(self.without.intersection(parts)))

    def number(self, part: str, default: int) -> int:
        """How many of a part the prompt names, else the default."""
        word = self.counts.get(part)
        if word is None:
            return default
        self._taken({part, word})
        return NUMBERS[word] if word in NUMBERS else min(int(word), _MOST)

    def count(self, part: str, default: int, most: int = _MOST) -> int:
        """How many of a part: as the prompt says, at most ``most``."""
        return 0 if self.lacks(part) else max(0, min(self.number(part, default), most))

    def described(self, part: str, default: str = "") -> str:
        """The describing words before a part, else the default."""
        said = self.about.get(part, "")
        if said:
            self._taken({part})
            self.painted.update(surface_of(said).taken)
        return said or default

    def _taken(self, words: Set[str]) -> Set[str]:
        self.taken.update(words)
        return words

    def round(self, segments: int) -> int:
        """Segments around something round, for the fineness asked for; even."""
        return max(6, 2 * round(segments * self.detail / 2))

    def steps(self, count: int) -> int:
        """Pieces of a line, for the fineness asked for."""
        return max(1, round(count * self.detail))

    def vary(self, name: str, low: float, high: float) -> float:
        """A number that depends only on the seed and the name of what varies."""
        return self.numbers(name).uniform(low, high)

    def choose(self, name: str, *options: T) -> T:
        """One of the options, by the seed."""
        return self.numbers(name).choice(options)

    def numbers(self, name: str) -> random.Random:
        """A source of numbers of its own for something that varies."""
        return random.Random(self.seed * 1_000_003 + zlib.crc32(f"{self.family}/{name}".encode()))

    def surface(self, part: str, default: str, *, main: bool = False) -> str:
        """The words for a part's surface.

        Args:
            part: Its noun.
            default: What it is made of when the prompt does not say.
            main: It is what the words before the thing itself are about.
        """
        said = self.described(part) or (self.described("") if main else "")
        if not said:
            return default
        if any(word in MATERIALS or singular(word) in MATERIALS for word in said.split()):
            return said
        return " ".join([said, *(word for word in default.split() if word not in COLORS and word not in TONE)])

    def finer(self, factor: float) -> PromptSpec:
        """The same thing with more or less geometry."""
        return replace(self, detail=self.detail * factor)


def read_prompt(prompt: str, negative: str = "", seed: int | None = None) -> PromptSpec:
    """Understands a prompt. Words that it does not know change nothing."""
    words = _WORD.findall(_POLY.sub(" ", prompt.lower()))
    unwanted = {singular(word) for word in _WORD.findall(negative.lower())} | set(_WORD.findall(negative.lower()))
    position, noun = _head(words, unwanted)
    plain = [singular(word) for word in words]
    about: dict[str, list[str]] = {}
    counts: dict[str, str] = {}
    without: set[str] = set(unwanted)
    pending: list[str] = []
    denied = made = False
    last = number = ""
    for index, word in enumerate(words):
        if index in range(position, position + len(noun.split())):
            about.setdefault("", []).extend(pending)
            if number:
                counts[""] = number
            pending, number, denied, last = [], "", False, ""
        elif word in _SEPARATORS:
            denied = True
        elif word in NUMBERS or word.isdigit():
            number = word
        elif word in unwanted or plain[index] in unwanted:
            continue
        elif word in _DESCRIBING or plain[index] in _DESCRIBING:
            if made or word in WEAR or (index > 0 and words[index - 1] == "of"):
                about.setdefault(last, []).append(word)
            else:
                pending.append(word)
        elif word in ("made", "of", "out", "painted"):
            made = made or word == "made"
        elif word in PREPOSITIONS or word in STRETCH or word in SIZE or len(word) < 3:
            made = made and word not in ("with", "and")
            if pending and word in ("and", "with"):
                pending.append(word)  # two colours or materials beside each other
        else:
            last, made = plain[index], False
            if denied:
                without.add(last)
            if number:
                counts[last] = number
            if pending and index > position >= 0:
                about.setdefault(last, []).extend(pending)
                pending = []
            number, denied = "", False
    if pending:
        about.setdefault("", []).extend(["with", *pending] if about.get("") else pending)
    stretch = tuple(math.prod(STRETCH[word][axis] for word in words if word in STRETCH) for axis in range(3))
    size = math.prod(SIZE[word] for word in words if word in SIZE)
    kept = frozenset(word for pair in zip(words, plain, strict=True) for word in pair if word not in without)
    shape_words = [word for word in plain if word not in _DESCRIBING and word not in STRETCH and word not in SIZE]
    shape_words += [word for word in _LETTERS.findall(prompt.lower()) if not word.isascii()]  # of other languages
    return PromptSpec(
        family=FAMILY_OF.get(noun, ""),
        noun=noun,
        words=kept,
        # One text each, without a joining word at its end.
        about={part: " ".join(said).removesuffix(" with").removesuffix(" and") for part, said in about.items() if said},
        counts=counts,
        without=frozenset(without),
        stretch=(stretch[0], stretch[1], stretch[2]),
        size=min(max(size, 0.2), 4.0),
        seed=zlib.crc32(" ".join(shape_words).encode()) if seed is None else seed,
        prompt=f"{prompt} {negative}",
        taken={*noun.split(), *(word for word in words if word in STRETCH or word in SIZE)},
    )


def _head(words: list[str], unwanted: set[str]) -> tuple[int, str]:
    """Position and noun of the thing itself: the last noun before the first "with", "of" and the like."""
    nouns: list[tuple[int, str]] = []
    index = 0
    while index < len(words):
        for length in (2, 1):
            spelled = words[index : index + length]
            noun = " ".join([*spelled[:-1], singular(spelled[-1])])
            noun = noun if noun in FAMILY_OF else " ".join(spelled)
            if len(spelled) == length and noun in FAMILY_OF and not {noun, FAMILY_OF[noun]} & unwanted:
                nouns.append((index, noun))
                index += length - 1
                break
        index += 1
    if not nouns:
        return -1, ""
    starts = [index for index, word in enumerate(words) if word in PREPOSITIONS and index > nouns[0][0]]
    early = [entry for entry in nouns if not starts or entry[0] < starts[0]]
    for group in (early, nouns):
        strong = [entry for entry in group if entry[1] not in WEAK]
        if strong:
            return strong[-1] if group is early else strong[0]
    return early[-1]
