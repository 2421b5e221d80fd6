"""Changes what a picture shows by words: colours, materials as patterns over its light and shade, tone."""

from __future__ import annotations

import colorsys
import zlib

import numpy as np
from mathutils import Matrix

from ..array_types import Mask, Picture
from ..errors import EngineError
from ..images.foreground import foreground
from ..images.resample import smooth
from ..materials.library import MATERIALS, Swatch
from ..materials.modifiers import COLORS, TONE
from ..materials.prompt import find_words, srgb, surface_of, tokens
from ..mesh.connected import at_rim, regions

_LUMA = np.array((0.2126, 0.7152, 0.0722), np.float32)
_CELLS = {"cells", "scales", "leather", "facets", "speckled", "skin"}
_GRIDS = {"bricks", "tiles"}
_FIBRES = {"wood", "planks", "bark", "brushed", "fur"}


def subject_of(picture: Picture) -> Mask:
    """What a picture shows; all of it where nothing stands out."""
    try:
        return foreground(picture)
    except EngineError:
        return np.ones(picture.shape[:2], bool)


def enclosed(mask: Mask) -> Mask:
    """The mask with its holes: all that is not joined to the picture's border outside of it."""
    outside = regions(~mask)
    return np.asarray(~at_rim(outside)[outside], bool)


def restyled(picture: Picture, mask: Mask, prompt: str) -> Picture:
    """The subject as the words say; with words that say nothing known, in stronger colours.

    Args:
        picture: RGBA 0..1 on the sRGB curve.
        mask: What is changed.
        prompt: Words; colours and materials as a texture prompt has them.
    """
    words = tokens(prompt)
    named, colored, toned = (bool(find_words(words, table)) for table in (MATERIALS, COLORS, TONE))
    result = picture.copy()
    light = luma(picture)
    surface, seed = surface_of(prompt), zlib.crc32(prompt.encode())
    if named:
        result[..., :3] = _material(light, mask, surface.swatch, seed)
    elif colored:
        result[..., :3] = _tinted(light, mask, np.array(srgb(find_words(words, COLORS)[0][2]), np.float32))
    if surface.second is not None:
        height, width = light.shape
        here = _noise(np.random.default_rng(seed + 1), height, width, 5, 5) > 0.5
        result[here, :3] = _material(light, mask, surface.second, seed + 1)[here]
    if toned and not named:
        factor = float(np.prod([entry for *_, entry in find_words(words, TONE)]))
        result[..., :3] **= 1.0 / max(factor, 0.2)
    if not (named or colored or toned):
        middle = light[..., None]
        result[..., :3] = np.clip(0.5 + (middle + (picture[..., :3] - middle) * 1.45 - 0.5) * 1.18, 0, 1)
    result[~mask] = picture[~mask]
    return np.clip(result, 0, 1)


def taken_words(prompt: str) -> frozenset[str]:
    """The words that :func:`restyled` heeds: a flat picture has neither gloss nor wear."""
    words, heeded = tokens(prompt), set[str]()
    for table in (MATERIALS, COLORS, TONE):
        for place, name, _entry in find_words(words, table):
            heeded.update(words[place : place + len(name.split())])
    return surface_of(prompt).taken & heeded


def luma(picture: Picture) -> Picture:
    """How bright each pixel looks."""
    return np.asarray(picture[..., :3] @ _LUMA, np.float32)


def turned(picture: Picture, mask: Mask, turn: float) -> Picture:
    """The subject with its hues turned round by a part of the circle; grey subjects get a colour first."""
    colors = picture[..., :3]
    if float(np.ptp(colors[mask], axis=1).mean()) < 0.08 and turn:
        new = _tinted(luma(picture), mask, np.array(colorsys.hsv_to_rgb(turn, 0.65, 0.85), np.float32))
    else:
        matrix = np.array(Matrix.Rotation(-turn * 2 * np.pi, 3, (1.0, 1.0, 1.0)), np.float32)
        new = np.clip(colors @ matrix, 0, 1)
    result = picture.copy()
    result[..., :3] = np.where(mask[..., None], new, colors)
    return result


def _tinted(light: Picture, mask: Mask, target: Picture, contrast: float = 1.0) -> Picture:
    """A colour, or one for every pixel, in the subject's light and shade; more ``contrast`` than 1 is for metals."""
    mean = float(light[mask].mean()) if mask.any() else 0.5
    shade = np.clip(light / max(mean, 0.05), 0.25, 1.8)[..., None]  # around 1, without the subject's own mean
    if contrast != 1:
        shade = np.clip(1 + (shade - 1) * contrast, 0.2, 2.0)
    return np.clip(np.where(shade <= 1, target * shade, target + (1 - target) * (shade - 1) * 0.6), 0, 1)


def _material(light: Picture, mask: Mask, swatch: Swatch, seed: int) -> Picture:
    height, width = light.shape
    tone = pattern(swatch.pattern, height, width, seed, swatch.scale)[..., None]
    color = np.array(srgb(swatch.dark), np.float32) * (1 - tone) + np.array(srgb(swatch.light), np.float32) * tone
    return _tinted(light, mask, color, 1.6 if swatch.metallic else 1.0)


def pattern(kind: str, height: int, width: int, seed: int, scale: float = 1.0) -> Picture:
    """The flat counterpart of a material's pattern, 0..1, (height, width)."""
    numbers = np.random.default_rng(seed)
    clouds = _noise(numbers, height, width, 5 * scale, 5 * scale)
    fine = _noise(numbers, height, width, 40 * scale, 40 * scale)
    x, y = np.meshgrid(np.linspace(0, 1, width), np.linspace(0, height / width, height))
    if kind in _FIBRES:
        fibres = _noise(numbers, height, width, 3 * scale, 60 * scale)
        rings = 0.5 + 0.5 * np.sin((x * 9 + clouds * 1.6) * scale * 2 * np.pi)
        mixed = 0.5 * fibres + 0.5 * rings if kind in ("wood", "planks") else 0.75 * fibres + 0.25 * clouds
    elif kind in _GRIDS:
        row = np.floor(y * 14 * scale)
        across = (x * 7 * scale + 0.5 * (row % 2)) % 1.0
        joint = (across < 0.05) | ((y * 14 * scale) % 1.0 < 0.1)
        mixed = np.where(joint, 0.0, 0.5 + 0.35 * clouds + 0.15 * fine)
    elif kind == "weave":
        mixed = 0.5 + 0.25 * (np.sin(x * 180 * scale) - np.sin(y * 180 * scale))
    elif kind in _CELLS:
        mixed = _voronoi(numbers, x, y, 22 * scale)
    elif kind in ("marble", "veins"):
        vein = np.abs(np.sin((x + y) * 9 * scale + clouds * 9))
        mixed = np.clip(vein * 2.2, 0, 1)
    else:
        mixed = 0.6 * clouds + 0.4 * fine
    return np.clip(mixed, 0, 1).astype(np.float32)


def _noise(numbers: np.random.Generator, height: int, width: int, rows: float, columns: float) -> Picture:
    total = np.zeros((height, width), np.float32)
    for octave in range(3):
        shape = tuple(int(max(2, count * 2**octave)) for count in (rows, columns))
        total += smooth(numbers.random(shape, np.float32), height, width) / 2**octave
    return np.clip((total / 1.75 - 0.3) / 0.4, 0, 1)  # the octaves' weights in sum


def _voronoi(numbers: np.random.Generator, x: Picture, y: Picture, count: float) -> Picture:
    """Cells with dark gaps, each with its own tone."""
    size = int(count * max(1.0, float(y.max()))) + 3
    jitter, tones = numbers.random((size, size, 2)), numbers.random((size, size))
    px, py = x * count, y * count
    nearest, second, tone = np.full(x.shape, 9.0), np.full(x.shape, 9.0), np.zeros(x.shape)
    for dx in (-1, 0, 1):
        for dy in (-1, 0, 1):
            cx, cy = np.floor(px).astype(int) + dx, np.floor(py).astype(int) + dy
            spot = jitter[cy % size, cx % size]
            away = np.hypot(cx + spot[..., 0] - px, cy + spot[..., 1] - py)
            closer = away < nearest
            second = np.where(closer, nearest, np.minimum(second, away))
            tone = np.where(closer, tones[cy % size, cx % size], tone)
            nearest = np.where(closer, away, nearest)
    return np.asarray(np.clip((second - nearest) * 4, 0, 1) * (0.45 + 0.55 * tone), np.float32)
