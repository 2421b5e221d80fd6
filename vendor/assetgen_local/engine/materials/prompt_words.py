"""Reads a texture prompt: finds the words that name materials, colours and wear."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TypeVar

_WORD = re.compile(r"[a-z]+")
_LONGEST_NAME = 3  # words

T = TypeVar("T")


def tokens(prompt: str) -> list[str]:
    """The prompt's words in small letters."""
    return _WORD.findall(prompt.lower())


def find_words(words: list[str], table: Mapping[str, T]) -> list[tuple[int, str, T]]:
    """Names of the table in the prompt, as (position, name, entry) in the prompt's order; longer names win.

    Names are one to three words; plurals count as well ("stones", "leaves" needs its own entry).
    """
    matches: list[tuple[int, str, T]] = []
    position = 0
    while position < len(words):
        for length in range(min(_LONGEST_NAME, len(words) - position), 0, -1):
            name = " ".join(words[position : position + length])
            name = name if name in table else name.removesuffix("s")
            if name in table:
                matches.append((position, name, table[name]))
                position += length
                break
        else:
            position += 1
    return matches
