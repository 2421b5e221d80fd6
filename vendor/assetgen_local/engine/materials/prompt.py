"""Turns the words of a texture prompt into one surface: a material in a colour, maybe a second one, and wear."""

from __future__ import annotations

import colorsys
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TypeVar

from ..shaders.nodes import Color
from .library import MATERIALS, Swatch
from .modifiers import COLORS, COVERS, FINISH, TONE, WEAR, Wear
from .prompt_words import find_words, tokens

_JOINING = {"and", "with", "on", "over", "or", "plus", "inlaid", "inlays", "details", "trim", "parts"}
"""Words between the names of two materials that make them two, not one."""

_DENYING = {"no", "not", "non", "without", "never", "minus"}
"""Words that take back the one after them."""

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class SurfaceSpec:
    """A prompt, understood.

    Attributes:
        swatch: The material, recoloured.
        second: A second material that the prompt names ("gold and marble"), spread over part of the surface.
        wear: Layers over it, lowest first.
        understood: Whether the prompt named a material or a colour at all.
    """

    swatch: Swatch
    second: Swatch | None
    wear: tuple[Wear, ...]
    understood: bool


def surface_of(prompt: str) -> SurfaceSpec:
    """Turns a prompt into a surface. Words that are not known change nothing; without any, it is a pale clay."""
    words = tokens(prompt)
    named = _meant(words, MATERIALS)
    spoken_for = {place + step for place, name, _look in named for step in range(len(name.split()))}
    colors = [match for match in _meant(words, COLORS) if match[0] not in spoken_for]  # "rose gold" is no rose
    wear = [entry for *_, entry in _meant(words, WEAR)]
    covers = [match for match in named if match[1] in COVERS]
    if len(covers) < len(named):  # "iron with rust" is rusty iron
        named = [match for match in named if match[1] not in COVERS]
        wear += [WEAR[COVERS[name]] for _position, name, _look in covers]
    base, second = _base_and_second(words, named)
    if base is None:
        base = replace(MATERIALS["plastic"], roughness=(0.45, 0.55)) if colors else MATERIALS["clay"]
    finish, tone = 1.0, 1.0
    for *_, factor in _meant(words, FINISH):
        finish *= factor
    for *_, factor in _meant(words, TONE):
        tone *= factor
    base = _colored(base, colors[0][2] if colors else "")
    return SurfaceSpec(_finished(base, finish, tone), second, tuple(dict.fromkeys(wear)), bool(named or colors))


def _meant(words: list[str], table: Mapping[str, T]) -> list[tuple[int, str, T]]:
    """As :func:`.prompt_words.find_words`, without what the prompt says it shall not have."""
    return [match for match in find_words(words, table) if not (match[0] and words[match[0] - 1] in _DENYING)]


def _base_and_second(words: list[str], named: list[tuple[int, str, Swatch]]) -> tuple[Swatch | None, Swatch | None]:
    """The material, and the one beside it. "Oak planks" are planks of oak; "oak and brass" are two materials."""
    if not named:
        return None, None
    first, *others = named
    base = first[2]
    for position, _name, swatch in others:
        if _JOINING.intersection(words[first[0] : position]):
            return base, swatch if swatch is not base else None
        base = replace(swatch, dark=base.dark, light=base.light, metallic=base.metallic, roughness=base.roughness)
        base = replace(base, opacity=first[2].opacity)
    return base, None


def _colored(swatch: Swatch, color: str) -> Swatch:
    """The material in a colour; its own contrast stays."""
    if not color:
        return swatch
    dark, light = srgb(swatch.dark), srgb(swatch.light)
    contrast = min(max(_luma(dark) / max(_luma(light), 1e-3), 0.25), 0.95)
    target = srgb(color)
    if not swatch.tinted:
        target = _mixed(light, target, 0.65)
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


def _mixed(first: Color, second: Color, factor: float) -> Color:
    red, green, blue = (a + (b - a) * factor for a, b in zip(first, second, strict=True))
    return (red, green, blue)
