"""What results are named: after their source and what was done to it. "Knight textured", and the next one gets a 2."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

from ....vendor.assetgen.contract import CAPABILITIES

LONGEST = 63
"""Bytes of a name in every Blender that is supported."""

_LONGEST_EXTRA = 28
_NUMBER = re.compile(r" \d{1,4}$")
_BLENDER_NUMBER = re.compile(r"\.\d{3,}$")
_GENERIC = re.compile(
    r"(material|mat|texture|tex|image|img|baked|default|none|lambert|blinn|phong|shader|surface|mesh|model|object|node|"
    r"part|root|scene|tripo|pbr|unnamed)?([ _.:-]*([0-9]+|[0-9a-f-]{8,}|material|mat|texture|image|node|mesh))*",
    re.IGNORECASE,
)


class Title(NamedTuple):
    """What something is named after: ``subject`` is the source's own name, and cut where there is not enough room."""

    subject: str
    addition: str = ""

    def named(self, extra: str = "", number: int = 1) -> str:
        """The name, with a number from the second one on."""
        words = (self.addition, cut(extra, _LONGEST_EXTRA), str(number) if number > 1 else "")
        rest = "".join(f" {word}" for word in words if word)
        return cut(self.subject, LONGEST - len(rest.encode())) + rest

    def free(self, is_taken: Callable[[str], bool], extra: str = "") -> str:
        """The first of its names that is not taken."""
        number = 1
        while is_taken(name := self.named(extra, number)):
            number += 1
        return name


def title_of_result(source: str, capability: str) -> Title:
    """The title of what a capability made of a source; every word of what was done stands there once, in order."""
    subject, words = split(source)
    declaration = CAPABILITIES.get(capability)
    word = declaration.done_word if declaration is not None else ""
    if not word:
        return Title(source)
    return Title(subject, " ".join([*(known for known in words if known != word), word]))


def title_of_several(names: list[str], capability: str) -> Title:
    """The same for what several sources have in common."""
    subject = names[0] if len(names) == 1 else f"{split(names[0])[0]} and {len(names) - 1} more"
    return title_of_result(subject, capability)


def split(name: str) -> tuple[str, list[str]]:
    """What a name says of its subject, and the words after it that say what was done."""
    known = {declaration.done_word for declaration in CAPABILITIES.values()} - {""}
    subject = _NUMBER.sub("", name)
    words: list[str] = []
    while (parts := subject.rpartition(" "))[0] and parts[2] in known:
        subject, words = parts[0].rstrip(), [parts[2], *words]
    return (subject, words) if words else (name, [])


def sensible(name: str, *owners: str) -> str:
    """What a name that came with a file says beside what it belongs to; empty where that is nothing."""
    own = _BLENDER_NUMBER.sub("", name)
    for owner in sorted(owners, key=len, reverse=True):
        if owner and own.startswith(owner):
            own = own.removeprefix(owner)
            break
    own = own.strip(" _.-")
    return "" if _GENERIC.fullmatch(own) else own


def cut(text: str, longest: int) -> str:
    """As much of a text as has at most so many bytes."""
    return text.encode()[: max(longest, 1)].decode(errors="ignore").rstrip() if len(text.encode()) > longest else text
