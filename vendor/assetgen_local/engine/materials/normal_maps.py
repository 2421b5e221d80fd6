"""Normal maps from heights, and one normal map on top of another: the arithmetic, in numpy; and the axes they go by.

Cycles can bake bumps too, but evaluates the whole pattern three times for it, which takes most of a task's time.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from ..array_types import Mask, Picture
from ..images.arrays import as_normals, enlarged, fill
from ..mesh.build import UV, copy_of, remove
from ..mesh.measure import corner_normals, values
from ..mesh.operators import apply_modifiers
from ..mesh.texels import Texels

_STEEPEST = 4.0  # rise over run; more is an artefact of one sample per pixel


def normals(height: Picture, position: Picture, coverage: Mask) -> Picture:
    """The tangent-space normal map of a relief: +X along u, +Y along v, 0..1.

    Args:
        height: Of the relief above the surface, (pixels, pixels), in the unit of ``position``; filled around the faces.
        position: Of the surface, (fewer or as many pixels, the same, 3): it changes evenly over a face.
        coverage: Pixels of ``position`` that a face covers.
    """
    ratio = height.shape[0] // position.shape[0]
    metric = enlarged(_metric(position, coverage) / np.float32(ratio * ratio), height.shape[0])
    uu, uv, vv = metric[..., 0], metric[..., 1], metric[..., 2]
    rise_u = (np.roll(height, -1, 1) - np.roll(height, 1, 1)) * np.float32(0.5)
    rise_v = (np.roll(height, -1, 0) - np.roll(height, 1, 0)) * np.float32(0.5)
    # The gradient on the surface, from its components along u and v, which need be neither of unit length nor square.
    vectors = np.empty((*height.shape, 3), np.float32)
    vectors[..., 0] = -rise_u / np.sqrt(uu)
    vectors[..., 1] = (uv / uu * rise_u - rise_v) / np.sqrt(np.maximum(vv - uv * uv / uu, uu * 1e-4))
    steepness = np.hypot(vectors[..., 0], vectors[..., 1])
    vectors[..., :2] *= np.minimum(1.0, _STEEPEST / np.maximum(steepness, 1e-9))[..., None]
    vectors[..., 2] = 1.0
    return as_normals(vectors)


def _metric(position: Picture, coverage: Mask) -> Picture:
    """How far one step along u and v goes on the surface: the products u·u, u·v and v·v, for every pixel."""
    ahead = coverage & np.roll(coverage, -1, 1) & np.roll(coverage, -1, 0)
    run_u = np.roll(position, -1, 1) - position
    run_v = np.roll(position, -1, 0) - position
    products = [(run_u * run_u).sum(axis=2), (run_u * run_v).sum(axis=2), (run_v * run_v).sum(axis=2)]
    metric = fill(np.stack(products, axis=2), ahead)
    metric[..., ::2] = np.maximum(metric[..., ::2], 1e-30)
    return metric


@contextmanager
def triangulated(target: Any) -> Iterator[Any]:
    """A copy of an object's mesh with the triangles that a viewer cuts its faces into."""
    copy = copy_of(target, "triangulated")
    apply_modifiers("TRIANGULATE", [(copy, {"keep_custom_normals": True})])
    yield copy.data
    remove([copy])


def in_tangent_space(normals: Picture, mesh: Any, texels: Texels) -> Picture:
    """Normals in the mesh's own space as a normal map has them, 0..1.

    Args:
        normals: Of the pixels, (n, 3).
        mesh: Has triangles, and the UVs that the pixels are of.
        texels: Which pixels they are.
    """
    mesh.calc_tangents(uvmap=UV)
    sides = values(mesh.loops, "bitangent_sign")
    along, up = texels.at(values(mesh.loops, "tangent", 3)), texels.at(corner_normals(mesh))
    # By the inverse of the matrix with these, which need be neither of unit length nor square, and of their product.
    lean, rise, part = _dot(along, up), _dot(normals, up), _dot(normals, along)
    across = _dot(normals, np.cross(up, along)) * sides[texels.loops[:, 0]]
    right, ahead = part * _dot(up, up) - rise * lean, rise * _dot(along, along) - part * lean
    return as_normals(np.stack((right, across, ahead), axis=1))


def _dot(first: Picture, second: Picture) -> Picture:
    return np.asarray(np.einsum("ij,ij->i", first, second))


def combined(coarse: Picture, fine: Picture) -> Picture:
    """One normal map on top of another of the same UVs."""
    first, second = coarse * 2.0 - 1.0, fine * 2.0 - 1.0
    flat = first[..., :2] + second[..., :2]
    return as_normals(np.concatenate((flat, first[..., 2:] * second[..., 2:]), axis=2))
