"""Measures that both kinds of bodies need. Bodies face -Y here and +X is their left."""

from __future__ import annotations

import numpy as np

from ..array_types import Array
from .voxel_paths import VoxelGraph


class NotThisBodyError(ValueError):
    """The model has not the limbs that this kind of body has; the message says what is missing."""


def middle(inside: VoxelGraph, chosen: Array, axis: int, value: float) -> Array:
    """The middle of those chosen voxels that lie around a coordinate; of the nearest ones where there are none."""
    centres = inside.volume.centres[chosen]
    away = np.abs(centres[:, axis] - value)
    point: Array = centres[away <= max(2 * inside.volume.cell, float(away.min()) + inside.volume.cell)].mean(axis=0)
    return point


def mirrored(point: Array, plane: float) -> Array:
    """The point on the other side of the plane x = ``plane``."""
    return np.array([2 * plane - point[0], point[1], point[2]])


def symmetric(joints: dict[str, Array], plane: float, tolerance: float) -> dict[str, Array]:
    """Joints named ``*.L`` and ``*.R`` made mirror images, where they nearly are; the rest stays as found.

    Args:
        joints: By name.
        plane: The body's middle, x.
        tolerance: Pairs farther from each other's mirror image are in another pose, not inexact.
    """
    pairs = [(name, name[:-1] + "R") for name in joints if name.endswith(".L")]
    apart = [np.linalg.norm(joints[left] - mirrored(joints[right], plane)) for left, right in pairs]
    if not pairs or max(apart) > tolerance:
        return joints
    result = dict(joints)
    for left, right in pairs:
        result[left] = (joints[left] + mirrored(joints[right], plane)) / 2
        result[right] = mirrored(result[left], plane)
    return result


def likeness(inside: VoxelGraph, axis: int) -> float:
    """How much of the volume has its mirror image in the volume, 0 to 1, for a mirror in the middle across an axis."""
    solid = inside.volume.solid
    filled = np.flatnonzero(solid.any(axis=tuple(other for other in range(3) if other != axis)))
    index: list[slice] = [slice(None)] * 3
    index[axis] = slice(int(filled[0]), int(filled[-1]) + 1)
    part = solid[tuple(index)]
    return float((part & np.flip(part, axis)).sum() / max(part.sum(), 1))
