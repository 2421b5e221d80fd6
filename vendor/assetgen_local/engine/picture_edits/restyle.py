"""Changes what a picture shows by words: colours, materials as patterns over its light and shade, tone."""

from __future__ import annotations

import colorsys
import zlib

import numpy as np
from mathutils import Matrix

from ..array_types import Mask, Picture
from ..images.resample import smooth
from ..materials.library import MATERIALS
from ..materials.modifiers import COLORS, TONE, WEAR, Wear
from ..materials.prompt import SurfaceSpec, find_words, srgb, surface_of, tokens
from ..materials.shading import Shader, painted
from ..mesh.build import new_object, remove, set_uv
from ..mesh.connected import at_rim, regions
from ..mesh.measure import bounds

_LUMA = np.array((0.2126, 0.7152, 0.0722), np.float32)
_SQUARE = np.array(((0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)))
_LARGEST_WALL = 1024  # pixels


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
    if named:
        surface = surface_of(prompt)
        colors = _painted(surface, light.shape, zlib.crc32(prompt.encode()))
        result[..., :3] = _tinted(light, mask, colors, 1.6 if surface.swatch.metallic else 1.0)
    elif colored:
        result[..., :3] = _tinted(light, mask, np.array(srgb(find_words(words, COLORS)[0][2]), np.float32))
    if toned and not named:
        factor = float(np.prod([entry for *_, entry in find_words(words, TONE)]))
        result[..., :3] **= 1.0 / max(factor, 0.2)
    if not (named or colored or toned):
        middle = light[..., None]
        result[..., :3] = np.clip(0.5 + (middle + (picture[..., :3] - middle) * 1.45 - 0.5) * 1.18, 0, 1)
    result[~mask] = picture[~mask]
    return np.clip(result, 0, 1)


def taken_words(prompt: str) -> frozenset[str]:
    """The words that :func:`restyled` heeds: a flat picture has no gloss, and only a material wears."""
    words, heeded = tokens(prompt), set[str]()
    wear: dict[str, Wear] = WEAR if find_words(words, MATERIALS) else {}
    for table in (MATERIALS, COLORS, TONE, wear):
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


def _painted(surface: SurfaceSpec, shape: tuple[int, ...], seed: int) -> Picture:
    """A wall of a surface, seen from the front: sRGB, (height, width, 3) in a picture of this shape."""
    places = np.array([(x * shape[1] / shape[0], 0.0, z) for x, z in _SQUARE])
    wall = new_object("wall", places, np.arange(4)[None])
    set_uv(wall.data, _SQUARE)
    painter = Shader(surface, bounds([wall]), seed)
    size = min(_LARGEST_WALL, 1 << (max(shape) - 1).bit_length())
    colors = painted(wall, [painter], size, pbr=False, report=lambda _share, _words: None).color
    remove([wall])
    return smooth(colors, *shape)
