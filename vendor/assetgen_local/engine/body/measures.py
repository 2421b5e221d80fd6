"""Measures that both kinds of bodies need. Bodies face -Y here and +X is their left."""

from __future__ import annotations

import numpy as np

from ..array_types import Array
from .voxel_paths import VoxelGraph

_THICK = 0.4  # of the largest ball inside: no limb is so thick
_SAMPLES = 4000  # voxels
_TURN = np.radians(3)
_CLEARLY = 0.08  # of the volume: how much more another plane mirrors


class NotThisBodyError(ValueError):
    """The model has not the limbs that this kind of body has; the message says what is missing."""


def middle(inside: VoxelGraph, chosen: Array, axis: int, value: float) -> Array:
    """The middle of those chosen voxels that lie around a coordinate; of the nearest ones where there are none."""
    centres = inside.volume.centres[chosen if chosen.any() else slice(None)]
    away = np.abs(centres[:, axis] - value)
    return np.asarray(centres[away <= max(2 * inside.volume.cell, float(away.min()) + inside.volume.cell)].mean(axis=0))


def mirrored(point: Array, plane: float) -> Array:
    """The point on the other side of the plane x = ``plane``."""
    return np.array([2 * plane - point[0], point[1], point[2]])


def along(line: Array, shares: Array) -> Array:
    """Points at parts of the length of a line of points, (k, 3)."""
    ways = np.concatenate(([0.0], np.cumsum(np.linalg.norm(np.diff(line, axis=0), axis=1))))
    wanted = np.asarray(shares) * ways[-1]
    return np.stack([np.interp(wanted, ways, column) for column in line.T], axis=1)


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


def likeness(inside: VoxelGraph, axis: int, plane: float | None = None) -> float:
    """How much of the volume has its mirror image in it, across an axis, at a plane or else the middle, 0 to 1."""
    centres = inside.volume.centres
    if plane is None:
        plane = float(centres[:, axis].min() + centres[:, axis].max()) / 2
    image = centres.copy()
    image[:, axis] = 2 * plane - image[:, axis]
    return float((inside.volume.at(image) >= 0).mean())


def outline_likeness(inside: VoxelGraph, plane: float) -> float:
    """How much of the outline from the front has its mirror image in it, 0 to 1: steps do not matter there."""
    volume = inside.volume
    outline = volume.solid.any(axis=1)
    places = np.argwhere(outline)
    image = np.floor(2 * (plane - volume.origin[0]) / volume.cell - places[:, 0] - 0.5).astype(int)
    within = (image >= 0) & (image < len(outline))
    return float(outline[image[within], places[within, 1]].sum() / len(places))


def askew(inside: VoxelGraph) -> float:
    """By how much a body is to be turned about +Z for the plane that mirrors it best to lie along an axis.

    Returns:
        Radians, from minus to plus an eighth of a turn; 0 where a plane along an axis mirrors it about as well.
    """
    centres = inside.volume.centres[:: max(1, len(inside.volume.centres) // _SAMPLES)]
    middle = inside.volume.centres[:, :2].mean(axis=0)

    def share(angle: float) -> float:
        normal = np.array([np.cos(angle), np.sin(angle)])
        image = centres.copy()
        image[:, :2] -= 2 * ((centres[:, :2] - middle) @ normal)[:, None] * normal
        return float((inside.volume.at(image) >= 0).mean())

    angles = np.arange(0, np.pi, _TURN)
    shares = [share(angle) for angle in angles]
    best = int(np.argmax(shares))
    if shares[best] < max(shares[0], shares[len(shares) // 2]) + _CLEARLY:
        return 0.0
    angle = max(angles[best] + np.linspace(-2, 2, 5) * _TURN / 3, key=share)
    return float(-((angle + np.pi / 4) % (np.pi / 2) - np.pi / 4))


def core_size(inside: VoxelGraph, chosen: Array) -> Array:
    """How far what is thick of some voxels reaches along x, y and z, which no limb is, shape (3,)."""
    thick = chosen & (inside.depth > _THICK * inside.depth[chosen].max())
    return np.ptp(np.percentile(inside.volume.centres[thick], (5, 95), axis=0), axis=0) + inside.volume.cell


def inwards(inside: VoxelGraph, point: Array, reach: float, plane: float | None) -> Array:
    """A point outside, or in a voxel that the surface only passes through, moved to the middle of what is around it.

    Args:
        inside: The body.
        point: Where to begin.
        reach: How far it may move.
        plane: The x that it keeps, for a joint in the middle of the body.
    """
    centres, number = inside.volume.centres, int(inside.volume.at(point[None])[0])
    own = np.arange(len(centres)) < len(centres) - inside.volume.added
    if number >= 0 and own[number] and np.abs(centres[number] - point).max() <= 0.5 * inside.volume.cell:
        return point
    away = np.linalg.norm(centres - point, axis=1)
    allowed = own if plane is None else own & (np.abs(centres[:, 0] - plane) < inside.volume.cell)
    allowed = allowed if allowed.any() else own
    near = allowed & (away <= max(reach, float(away[allowed].min()) + inside.volume.cell))
    # Deep, and not far: twice the way into the body is worth a way along it.
    result: Array = centres[np.where(near, 2 * inside.depth - away, -np.inf).argmax()].copy()
    if plane is not None and abs(result[0] - plane) < inside.volume.cell:
        result[0] = plane
    return result
