"""A picture as the texture of a body that it shows: once for the front and once for the back, beside each other."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..array_types import Array, Mask
from ..images.arrays import as_normals, poisson
from ..images.resample import blurred, smooth, square_of
from ..materials.pbr_material import PbrMaps
from ..materials.projection import maps_of
from ..mesh.build import set_uv
from ..mesh.measure import coordinates, corners, face_normals, face_of_corner
from .subject import Subject

_RIM = 1 / 64  # of the texture, around each side
_SOFT = 32  # pixels of the softened picture, a power of two
_SPREAD_STEPS = 12
_RELIEF = 1.2  # steepness of the relief where the picture goes from black to white within a pixel
_SLOPE_PIXELS = 192
_BY_PICTURE, _BY_GEOMETRY = (0.05, 0.45), (0.3, 0.85)  # where ``texture_alignment`` takes soft colours, see _facing


def unwrap(objects: Sequence[Any], shape: tuple[int, ...]) -> None:
    """UVs straight through the body: what faces the front into one half of the texture, the rest into the other.

    Args:
        objects: In pixels of the outline, x right and z up, as :func:`.inflate.inflated` gives them.
        shape: Of the outline: height and width in pixels.
    """
    height, width = shape
    for scene_object in objects:
        mesh = scene_object.data
        places = np.clip(coordinates(mesh)[corners(mesh)][:, (0, 2)] / (width, height), 0.0, 1.0)
        behind = (face_normals(mesh)[:, 1] > 0)[face_of_corner(mesh)]
        set_uv(mesh, np.where(behind[:, None], _in_panel(places, shape, 1), _in_panel(places, shape, 0)))


def maps(colors: Array, subject: Subject, size: int, *, pbr: bool, by_geometry: bool) -> PbrMaps:
    """The texture that fits the UVs of :func:`unwrap`.

    Args:
        colors: Of the picture, sRGB, (height, width, 3) like the subject's mask.
        subject: What the picture shows.
        size: Width and height of the maps, pixels; a power of two.
        pbr: Roughness and metalness maps, and normals from the picture's fine light and dark.
        by_geometry: Where the surface turns away from the viewer, take soft colours instead of stretched detail.
    """
    seen = picture(colors, subject, size, by_geometry=by_geometry)
    side = _side(seen, subject.mask.shape)
    color = np.concatenate((side, side), axis=_axis(subject.mask.shape))
    return maps_of(color, pbr=pbr, normal=_relief(color) if pbr else None)


def picture(colors: Array, subject: Subject, size: int, *, by_geometry: bool = False) -> Array:
    """The subject's box as a square of ``size`` pixels in which no background is left, sRGB, bottom row first.

    Args:
        colors: Of the picture, sRGB, (height, width, 3) like the subject's mask.
        subject: What the picture shows.
        size: A power of two.
        by_geometry: Soft colours wherever the surface turns away, and not only next to the outline.
    """
    coverage = subject.clean()
    facing = smooth(_facing(subject, _BY_GEOMETRY if by_geometry else _BY_PICTURE), size, size)[..., None]
    soft = smooth(_spread(colors, coverage, _SOFT), size, size)
    return _spread(colors, coverage, size) * facing + soft * (1 - facing)


def _axis(shape: tuple[int, ...]) -> int:
    """Wide sides lie above each other, tall ones beside each other."""
    return 0 if shape[1] >= shape[0] else 1


def _in_panel(places: Array, shape: tuple[int, ...], panel: int) -> Array:
    """From 0 to 1 in the picture to 0 to 1 in the texture."""
    inner: Array = _RIM + places * (1 - 2 * _RIM)
    axis = 1 - _axis(shape)
    inner[:, axis] = (inner[:, axis] + panel) / 2
    return inner


def _side(square: Array, shape: tuple[int, ...]) -> Array:
    """The square of a side as its half of the texture, with a rim of repeated pixels."""
    size = square.shape[0]
    rows, columns = (size // 2, size) if _axis(shape) == 0 else (size, size // 2)
    rim_y, rim_x = round(rows * _RIM), round(columns * _RIM)
    inner = smooth(square, rows - 2 * rim_y, columns - 2 * rim_x)
    return np.pad(inner, ((rim_y, rim_y), (rim_x, rim_x), (0, 0)), "edge")


def _spread(colors: Array, coverage: Mask, size: int) -> Array:
    """A square of the picture where what is outside of the subject has soft colours of the nearest pixels inside."""
    filled, inside = square_of(colors, coverage, size)
    return np.where(inside[..., None], filled, blurred(filled, _SPREAD_STEPS))


def _facing(subject: Subject, window: tuple[float, float]) -> Array:
    """How much of the picture's detail the inflated surface shows: all where it faces the viewer, none at the outline.

    ``window`` are the cosines of the angle to the viewer where it shows nothing, and where it shows everything.
    """
    u = poisson(np.pad(subject.outline(_SLOPE_PIXELS), 1))
    slope_y, slope_x = np.gradient(u)
    steep = slope_x**2 + slope_y**2
    facing = np.sqrt(2 * u / np.maximum(2 * u + steep, 1e-9))
    return np.clip((facing[1:-1, 1:-1] - window[0]) / (window[1] - window[0]), 0.0, 1.0).astype(np.float32)


def _relief(color: Array) -> Array:
    """Normals of a relief in which the picture's fine dark lines are grooves; +X along u, +Y along v, 0..1."""
    light = color.mean(axis=2)
    fine = blurred(light, 1) - blurred(light, 8)
    steep_y, steep_x = np.gradient(np.clip(fine, -0.15, 0.15) * _RELIEF)
    return as_normals(np.stack((-steep_x, -steep_y, np.ones_like(light)), axis=2))
