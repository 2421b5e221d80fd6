"""Pictures onto a model: seen from the front, or from four sides, and blended by where the surface faces.

A model's front faces -Y and its own left is +X, so the views front, left, back, right look from -Y, +X, +Y and -X. With
one picture, the back gets the front's picture too, as seen through the model (mirrored).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from ..array_types import Array, Mask, Picture
from ..images.arrays import fill
from ..images.foreground import subject_of
from ..images.picture_files import read_rgba
from ..images.resample import at_most, square_of
from ..mesh.measure import Bounds, coordinates, triangle_corners
from ..mesh.texels import texels_of
from . import outline
from .pbr_material import PbrMaps

_ROUGHNESS = 0.65  # a picture says nothing about it
_LARGEST, _WORKING_SIZE = 1280, 1024  # pixels along a side: what is looked at, and what is shown of it
_SOFT_SIZE = 32


@dataclass(frozen=True, slots=True)
class ProjectedView:
    """A picture and where it is seen from.

    Attributes:
        sharp: The picture, cut to what it shows, its background replaced by the colours next to it; sRGB curve.
        soft: The same without detail, for where the surface does not face the viewer.
        towards: Unit vector from the model to the viewer.
        right: Unit vector that points right in the picture.
        both_sides: Also seen from behind.
        rims: Where what the picture shows begins and ends in each of its rows, 0 to 1, bottom row first, (rows, 2).
        outline: The same of the model, where the picture shall follow it, (levels, 2).
    """

    sharp: Picture
    soft: Picture
    towards: Array
    right: Array
    both_sides: bool
    rims: Array
    outline: Array | None = None


VIEWS = {"front": (0, -1, 0), "left": (1, 0, 0), "back": (0, 1, 0), "right": (-1, 0, 0)}
"""Sides of a model → from it towards the viewer."""

_BY_PICTURE, _BY_GEOMETRY = (0.0, 0.3), (0.1, 0.45)
"""``texture_alignment``: the cosines to the viewer from which on detail of the picture shows, and shows fully. Where
the surface turns away, the picture would be stretched over it; there its soft colours follow the geometry.
"""


def views_of(images: Mapping[str, Any]) -> list[ProjectedView]:
    """The views of an image prompt, from the task's images by field; none for a prompt in words.

    Raises:
        EngineError: A picture cannot be read.
    """
    one, many = images.get("image"), images.get("images") or []
    paths = [Path(one)] if one else [Path(path) for path in many]
    return [_view(path, side, both_sides=len(paths) == 1) for path, side in zip(paths, VIEWS, strict=False)]


def _view(path: Path, side: str, *, both_sides: bool) -> ProjectedView:
    pixels = at_most(read_rgba(path), _LARGEST)
    subject = subject_of(pixels)
    rows, columns = np.flatnonzero(subject.any(axis=1)), np.flatnonzero(subject.any(axis=0))
    cut = np.s_[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
    return view_of(pixels[cut][..., :3], subject[cut], side, both_sides=both_sides)


def view_of(colors: Picture, coverage: Mask, side: str, *, both_sides: bool) -> ProjectedView:
    """A view from a picture that is already cut to what it shows.

    Args:
        colors: On the sRGB curve, (height, width, 3), bottom row first.
        coverage: Pixels that show the model, (height, width).
        side: ``front``, ``left``, ``back`` or ``right``.
        both_sides: Also seen from behind, through the model.
    """
    towards = np.array(VIEWS[side], float)
    right = np.array((-towards[1], towards[0], 0.0))
    (sharp, seen), (soft, _) = (square_of(colors, coverage, size) for size in (_WORKING_SIZE, _SOFT_SIZE))
    return ProjectedView(sharp, soft, towards, right, both_sides, outline.rims(seen))


def fitted(view: ProjectedView, mesh: Any, box: Bounds) -> ProjectedView:
    """The view with its picture pulled sideways, row by row, so that its outline meets the model's.

    Args:
        view: As :func:`views_of` gives it.
        mesh: The whole model, world space.
        box: Of the model.
    """
    places = _in_picture(coordinates(mesh), view, box)[triangle_corners(mesh)]
    return replace(view, outline=outline.outline(places))


def bake_views(target: Any, views: list[ProjectedView], box: Bounds, size: int, *, by_geometry: bool) -> Picture:
    """The base colour map of a mesh that looks like the views.

    Args:
        target: A mesh object with identity transform and UVs.
        views: As :func:`views_of` gives them.
        box: Of the whole model.
        size: Pixels of the map.
        by_geometry: ``texture_alignment``, see :data:`_BY_GEOMETRY`.
    """
    low, high = _BY_GEOMETRY if by_geometry else _BY_PICTURE
    texels = texels_of(target.data, size)
    points, normals = texels.positions(target.data), texels.normals(target.data)
    color = np.zeros((len(points), 3), np.float32)
    total = np.zeros((len(points), 1), np.float32)
    for view in views:
        front = normals @ view.towards
        facing = np.abs(front) if view.both_sides else front
        # A little of everything everywhere, so that what faces no viewer has a colour too.
        weight = (np.clip(facing, 0.0, 1.0) ** 3 + 1e-3)[:, None].astype(np.float32)
        along = _in_picture(points, view, box)
        seen = outline.is_seen(along, points @ view.towards, front, box.diagonal)
        direct = (np.clip((facing - low) / (high - low), 0.0, 1.0) * seen)[:, None].astype(np.float32)
        if view.outline is not None:
            along = outline.followed(along, view.outline, view.rims)
        color += weight * (_sampled(view.sharp, along) * direct + _sampled(view.soft, along) * (1.0 - direct))
        total += weight
    return fill(texels.picture(color / total), texels.coverage)


def _in_picture(points: Picture, view: ProjectedView, box: Bounds) -> Picture:
    """Where points are in the picture, 0 to 1 from the lower left; the model's box fills the picture."""
    corners = np.array([box.low, box.high]) @ view.right
    across = (points @ view.right - corners.min()) / max(float(np.ptp(corners)), 1e-9)
    up = (points[:, 2] - box.low[2]) / max(float(box.size[2]), 1e-9)
    return np.stack((across, up), axis=1).astype(np.float32)


def _sampled(picture: Picture, along: Picture) -> Picture:
    """Bilinear."""
    size = picture.shape[0]
    place = np.clip(along * size - 0.5, 0, size - 1.001)
    low = place.astype(int)
    part = place - low
    (x, y), (u, v) = low.T, part.T[:, :, None]
    mixed = (picture[y, x] * (1 - u) + picture[y, x + 1] * u) * (1 - v)
    mixed += (picture[y + 1, x] * (1 - u) + picture[y + 1, x + 1] * u) * v
    return np.asarray(mixed, np.float32)


def maps_of(color: Picture, *, pbr: bool, normal: Picture | None = None) -> PbrMaps:
    """The maps of a surface with a picture's colours: no metal, evenly rough, and no relief where none is given."""
    if not pbr:
        return PbrMaps(color, roughness=_ROUGHNESS)
    shape = (*color.shape[:2], 3)
    orm = np.full(shape, (1.0, _ROUGHNESS, 0.0), np.float32)
    return PbrMaps(color, orm, np.full(shape, (0.5, 0.5, 1.0), np.float32) if normal is None else normal, 1.0, 1.0)
