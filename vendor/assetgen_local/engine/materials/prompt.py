"""Turns the words of a texture prompt into one surface: a material in a colour, maybe a second one, and wear."""

from __future__ import annotations

import colorsys
import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import groupby
from typing import TypeVar

from ..shaders.nodes import Color
from .library import MATERIALS, Swatch
from .modifiers import COLORS, COVERS, FINISH, TONE, WEAR, Wear

_JOINING = {"and", "with", "on", "over", "or", "plus", "inlaid", "inlays", "details", "trim", "parts"}
"""Words between two phrases: what stands on one side of them says nothing of the other side."""

_DENYING = {"no", "not", "non", "without", "never", "minus"}
"""Words that take back the one after them."""

_WORD = re.compile(r"[a-z]+")
_LONGEST_NAME = 3  # words

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class SurfaceSpec:
    """A prompt, understood.

    Attributes:
        swatch: The material, recoloured.
        second: A second material that the prompt names ("gold and marble"), spread over part of the surface.
        wear: Layers over it, lowest first.
        taken: The prompt's words that had an effect.
    """

    swatch: Swatch
    second: Swatch | None
    wear: tuple[Wear, ...]
    taken: frozenset[str]


@dataclass(slots=True)
class _Phrase:
    """What stands between two joining words: it is about one material."""

    materials: list[tuple[str, Swatch]]
    color: str
    finish: float
    tone: float

    @property
    def swatch(self) -> Swatch | None:
        """The material in its colour; plastic for a colour alone; None where there is neither."""
        if not self.materials:
            return _colored(replace(MATERIALS["plastic"], roughness=(0.45, 0.55)), self.color) if self.color else None
        (_name, swatch), *others = self.materials
        look = swatch
        for _name, other in others:  # "oak planks" are planks of oak
            look = replace(
                other, dark=look.dark, light=look.light, metallic=look.metallic, roughness=look.roughness,
                opacity=swatch.opacity,
            )  # fmt: skip
        return _colored(look, self.color)


def surface_of(prompt: str) -> SurfaceSpec:
    """Turns a prompt into a surface. Words that are not known change nothing; without any, it is a pale clay."""
    taken: set[str] = set()
    wear: list[Wear] = []
    between = [list(words) for joining, words in groupby(tokens(prompt), _JOINING.__contains__) if not joining]
    phrases = [_phrase(words, wear, taken) for words in between or [[]]]
    named = [name for phrase in phrases for name, _swatch in phrase.materials]
    if not all(name in COVERS for name in named):  # "iron with rust" is rusty iron
        wear += [WEAR[COVERS[name]] for name in named if name in COVERS]
        for phrase in phrases:
            phrase.materials = [entry for entry in phrase.materials if entry[0] not in COVERS]
    looks = [phrase for phrase in phrases if phrase.swatch is not None] or phrases[:1]
    base, second = looks[0], looks[1] if len(looks) > 1 else None
    if second is not None and not base.materials and second.color:  # "black and white marble"
        base.materials = second.materials
    for phrase in phrases:
        if phrase not in looks:  # "oak and polished"
            base.finish, base.tone = base.finish * phrase.finish, base.tone * phrase.tone
    swatch = _finished(base.swatch or MATERIALS["clay"], base.finish, base.tone)
    other = _finished(second.swatch, second.finish, second.tone) if second and second.swatch else None
    return SurfaceSpec(swatch, other if other != swatch else None, tuple(dict.fromkeys(wear)), frozenset(taken))


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


def _phrase(words: list[str], wear: list[Wear], taken: set[str]) -> _Phrase:
    """Reads one phrase; adds to the wear, and to the words that had an effect."""

    def meant(table: Mapping[str, T], most: int | None = None) -> list[tuple[int, str, T]]:
        found: list[tuple[int, str, T]] = []
        for place, name, entry in find_words(words, table):
            if place in spoken_for:
                continue
            is_denied = place > 0 and words[place - 1] in _DENYING
            if is_denied or most is None or len(found) < most:
                taken.update(words[place : place + len(name.split())])
                found += [] if is_denied else [(place, name, entry)]
        return found

    spoken_for: set[int] = set()
    materials = meant(MATERIALS)
    # "Rose gold" is no rose.
    spoken_for = {place + step for place, name, _look in materials for step in range(len(name.split()))}
    colors = [color for *_, color in meant(COLORS, most=1)]
    spoken_for = set()
    wear += [layer for *_, layer in meant(WEAR)]
    return _Phrase(
        [(name, swatch) for _place, name, swatch in materials],
        colors[0] if colors else "",
        math.prod(factor for *_, factor in meant(FINISH)),
        math.prod(factor for *_, factor in meant(TONE)),
    )


def _colored(swatch: Swatch, color: str) -> Swatch:
    """The material in a colour; its own contrast stays."""
    if not color:
        return swatch
    dark, light = srgb(swatch.dark), srgb(swatch.light)
    contrast = min(max(_luma(dark) / max(_luma(light), 1e-3), 0.25), 0.95)
    target: tuple[float, ...] = srgb(color)
    if not swatch.tinted:
        target = tuple(own + (new - own) * 0.65 for own, new in zip(light, target, strict=True))
    return replace(swatch, light=_hex(target), dark=_hex(tuple(channel * contrast for channel in target)))


def _finished(swatch: Swatch, finish: float, tone: float) -> Swatch:
    low, high = (min(max(value * finish, 0.02), 1.0) for value in swatch.roughness)
    if tone == 1.0:
        return replace(swatch, roughness=(low, high))
    dark, light = (_hex(_toned(srgb(color), tone)) for color in (swatch.dark, swatch.light))
    return replace(swatch, dark=dark, light=light, roughness=(low, high))


def _toned(color: Color, tone: float) -> Color:
    hue, lightness, saturation = colorsys.rgb_to_hls(*color)
    lightness = lightness * tone if tone < 1 else lightness + (1 - lightness) * (tone - 1)
    return colorsys.hls_to_rgb(hue, min(lightness, 1.0), saturation)


def srgb(text: str) -> Color:
    """``#rrggbb`` as numbers from 0 to 1, still on the sRGB curve."""
    return (int(text[1:3], 16) / 255, int(text[3:5], 16) / 255, int(text[5:7], 16) / 255)


def linear(text: str) -> Color:
    """``#rrggbb`` as linear light, as shaders take it."""
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in srgb(text))
    return (red, green, blue)


def _hex(color: tuple[float, ...]) -> str:
    return "#" + "".join(f"{round(min(max(channel, 0.0), 1.0) * 255):02x}" for channel in color)


def _luma(color: Color) -> float:
    return 0.2126 * color[0] + 0.7152 * color[1] + 0.0722 * color[2]
