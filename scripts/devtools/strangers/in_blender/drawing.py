"""Small pictures of models without a renderer: points on the surfaces, the nearest in front."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from . import measures, scene
from .measures import Array
from .scene import Mesh

SIDE = 150
"""Pixels of a picture's sides."""

PAPER = 0.94
_FINER = 2
_VIEW = np.array((0.55, -1.0, 0.42)) / np.linalg.norm((0.55, -1.0, 0.42))
"""Towards the camera, from the front right and above, as in the engine's own previews."""

_RIGHT = np.cross((0.0, 0.0, 1.0), _VIEW) / np.linalg.norm(np.cross((0.0, 0.0, 1.0), _VIEW))
_UP = np.cross(_VIEW, _RIGHT)
_POINTS = 160_000
_BONE, _JOINT = np.array((0.85, 0.1, 0.1)), np.array((0.5, 0.05, 0.05))
_PART_COLORS = np.array(
    [
        *((230, 75, 60), (60, 130, 200), (85, 175, 85), (245, 190, 60), (150, 95, 180), (60, 190, 190)),
        *((235, 130, 50), (135, 100, 75), (235, 130, 180), (130, 135, 145), (170, 200, 70), (40, 75, 120)),
    ]
)


def draw(found: Sequence[Mesh], *, by_part: bool = False, bones: Sequence[tuple[Array, Array]] = ()) -> Array:
    """A picture (SIDE, SIDE, 3) of bytes, top row first, filled by the model.

    Args:
        found: The model.
        by_part: Each object in a colour of its own.
        bones: Lines from joint to joint that are drawn over it.
    """
    triangles = scene.all_triangles(found)
    points, chosen = measures.spread_points(triangles, _POINTS)
    flat = points @ np.stack((_RIGHT, _UP), axis=1)
    low, high = flat.min(axis=0), flat.max(axis=0)
    side = SIDE * _FINER
    scale = (side - 8) / max(float((high - low).max()), 1e-12)
    middle = (low + high) / 2
    normals = measures.normals_of(triangles)
    normals /= np.maximum(np.linalg.norm(normals, axis=1), 1e-30)[:, None]
    light = 0.5 + 0.5 * np.abs(normals @ (_VIEW * 0.75 + _UP * 0.45 + _RIGHT * 0.25)).clip(0, 1)
    shown = _colors(found, points, chosen, by_part) * light[chosen][:, None]
    canvas = np.full((side, side, 3), PAPER)
    order = np.argsort(points @ _VIEW, kind="stable")
    places, shown = _places(flat, middle, scale, side)[order], shown[order]
    for right, down in ((1, 1), (0, 1), (1, 0), (0, 0)):
        canvas[(places[:, 1] + down).clip(0, side - 1), (places[:, 0] + right).clip(0, side - 1)] = shown
    if len(bones):
        canvas = canvas * 0.55 + 0.42
        _draw_bones(canvas, bones, middle, scale)
    small = canvas.reshape(SIDE, _FINER, SIDE, _FINER, 3).mean(axis=(1, 3))
    return np.asarray((small.clip(0, 1) * 255).astype(np.uint8))


def _places(flat: Array, middle: Array, scale: float, side: int) -> Array:
    """Columns and rows of points in the picture's plane."""
    moved = (flat - middle) * (scale, -scale) + side / 2
    return np.asarray(moved.astype(int))


def _draw_bones(canvas: Array, bones: Sequence[tuple[Array, Array]], middle: Array, scale: float) -> None:
    side = len(canvas)
    for start, end in bones:
        along = np.linspace(0, 1, 2 * side)[:, None]
        line = _places((start + (end - start) * along) @ np.stack((_RIGHT, _UP), axis=1), middle, scale, side)
        for thick, part, color in ((1, line, _BONE), (3, line[:1], _JOINT), (3, line[-1:], _JOINT)):
            for column, row in part.clip(thick, side - 1 - thick):
                canvas[row - thick : row + thick + 1, column - thick : column + thick + 1] = color


def _colors(found: Sequence[Mesh], points: Array, chosen: Array, by_part: bool) -> Array:
    """Of points (n, 3) on the triangles with these numbers, (n, 3), sRGB 0..1."""
    colors = np.empty((len(points), 3))
    start = 0
    for part, mesh in enumerate(found):
        rows = np.flatnonzero((chosen >= start) & (chosen < start + len(mesh.faces)))
        faces = chosen[rows] - start
        colors[rows] = _PART_COLORS[part % len(_PART_COLORS)] / 255 if by_part else _look_at(mesh, points[rows], faces)
        start += len(mesh.faces)
    return colors


def _look_at(mesh: Mesh, points: Array, faces: Array) -> Array:
    """What the materials show at points (n, 3) on these triangles, (n, 3)."""
    colors = np.empty((len(points), 3))
    slots = dict(enumerate(mesh.slots)) or {0: None}
    shares = measures.shares_of(points, mesh.triangles[faces])
    for number, material in slots.items():
        of_it = np.flatnonzero(mesh.materials[faces].clip(0, max(slots)) == number)
        look = scene.look_of(material)
        colors[of_it] = look.color
        if look.picture is not None and mesh.uvs is not None:
            places = np.einsum("nk,nkc->nc", shares[of_it], mesh.uvs[faces[of_it]])
            colors[of_it] *= scene.sample(look.picture, places)
        # As the engine has them: vertex colours that no material shows are shown where no picture is.
        if mesh.colors is not None and (look.is_painted or look.picture is None):
            painted = np.einsum("nk,nkc->nc", shares[of_it], mesh.colors[faces[of_it]])
            colors[of_it] = painted * (colors[of_it] if look.is_painted else 1.0)
    return colors
