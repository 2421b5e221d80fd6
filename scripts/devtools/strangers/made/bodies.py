"""Bodies as rows of thick lines, with numpy alone. Blender's axes: +Z up, facing -Y; a person is 1.8 high."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Point = tuple[float, float, float]

_ELBOW = 0.29
"""From the shoulder."""


class Line(NamedTuple):
    """A thick line with round ends: from, to, and the radius at each end."""

    start: Point
    end: Point
    thick: float
    thin: float


def surface(lines: Sequence[Line], around: int = 16) -> tuple[Array, Array]:
    """Points (n, 3) and quads (m, 4) of closed pieces, one for each line; they reach into each other."""
    points, quads, count = [], [], 0
    for line in lines:
        some, faces = _capsule(line, around)
        points.append(some)
        quads.append(faces + count)
        count += len(some)
    return np.concatenate(points), np.concatenate(quads)


def _capsule(line: Line, around: int) -> tuple[Array, Array]:
    start, end = np.array(line.start), np.array(line.end)
    along = (end - start) / np.linalg.norm(end - start)
    side = np.cross(along, np.eye(3)[int(np.abs(along).argmin())])
    side /= np.linalg.norm(side)
    third = np.cross(along, side)
    rounds = np.linspace(-0.49, 0, 5) * np.pi
    rings = [(start + along * line.thick * np.sin(up), line.thick * np.cos(up)) for up in rounds]
    rings += [(end - along * line.thin * np.sin(up), line.thin * np.cos(up)) for up in rounds[::-1]]
    turns = np.arange(around) * 2 * np.pi / around
    circle = np.cos(turns)[:, None] * side + np.sin(turns)[:, None] * third
    points = np.concatenate([middle + circle * radius for middle, radius in rings])
    here = (np.arange(len(rings) - 1)[:, None] * around + np.arange(around)).ravel()
    beside = here - here % around + (here + 1) % around
    return points, np.stack((here, beside, beside + around, here + around), axis=1)


def person(arms: float = 0.0, stance: float = 0.13) -> list[Line]:
    """Somebody of 1.8.

    Args:
        arms: How far down they are, in degrees: 0 for a T.
        stance: How far each leg is from the middle; the feet, of 0.06, touch at 0.06.
    """
    lines = [
        Line((0, 0, 1.0), (0, 0, 1.32), 0.15, 0.16),
        Line((0, 0, 1.4), (0, 0, 1.55), 0.07, 0.06),
        Line((0, -0.01, 1.62), (0, -0.01, 1.68), 0.11, 0.11),
        Line((-0.12, 0, 1.4), (0.12, 0, 1.4), 0.08, 0.08),
    ]
    for side in (1, -1):
        shoulder, elbow, hand, tip = (_on_arm(arms, side, far) for far in (0, _ELBOW, 0.54, 0.68))
        lines += [
            Line(_point(shoulder), _point(elbow), 0.065, 0.05),
            Line(_point(elbow), _point(hand), 0.05, 0.038),
            Line(_point(hand), _point(tip), 0.042, 0.035),
            Line((stance * side * 0.9, 0, 0.95), (stance * side, 0, 0.5), 0.1, 0.065),
            Line((stance * side, 0, 0.5), (stance * side, 0.02, 0.1), 0.065, 0.05),
            Line((stance * side, 0.03, 0.06), (stance * side, -0.14, 0.06), 0.06, 0.055),
        ]
    return lines


def joints_of(arms: float = 0.0, stance: float = 0.13) -> dict[str, Point]:
    """Where the limbs of :func:`person` begin and bend, by the names of the bones that begin there."""
    joints: dict[str, Point] = {"Neck": (0, 0, 1.4)}
    for name, side in (("L", 1), ("R", -1)):
        shoulder, elbow = (_point(_on_arm(arms, side, far)) for far in (0, _ELBOW))
        thigh, knee = (stance * side * 0.9, 0, 0.95), (stance * side, 0, 0.5)
        joints |= {f"{name}_Upperarm": shoulder, f"{name}_Forearm": elbow, f"{name}_Thigh": thigh, f"{name}_Calf": knee}
    return joints


def hand_of(arms: float, side: int = 1) -> Array:
    """Where a hand of :func:`person` is."""
    return _on_arm(arms, side, 0.62)


def _on_arm(arms: float, side: int, far: float) -> Array:
    turn = np.radians(arms)
    return np.array((0.19 * side, 0, 1.4)) + np.array((np.cos(turn) * side, 0, -np.sin(turn))) * far


def beast(*, head: float = 1.35, tail: float = 0.55, front: float = 0.08, hind: float = 0.08) -> list[Line]:
    """A four-legged animal, 0.95 at the shoulder.

    Args:
        head: How high its muzzle is.
        tail: How high the tip of its tail is.
        front: Radius of its front legs.
        hind: Of its hind legs.
    """
    lines = [
        Line((0, -0.42, 0.8), (0, 0.42, 0.8), 0.2, 0.19),
        Line((0, -0.5, 0.85), (0, -0.8, (head + 1.0) / 2 + 0.08), 0.13, 0.1),
        Line((0, -0.8, (head + 1.0) / 2 + 0.08), (0, -1.02, head), 0.1, 0.06),
        Line((0, 0.55, 0.82), (0, 0.85, tail), 0.05, 0.035),
    ]
    for side in (0.13, -0.13):
        for place, radius in ((-0.42, front), (0.42, hind)):
            lines += [
                Line((side, place, 0.72), (side, place + 0.02, 0.4), radius * 1.2, radius * 0.8),
                Line((side, place + 0.02, 0.4), (side, place, 0.07), radius * 0.75, radius * 0.7),
                Line((side, place, 0.05), (side, place - 0.06, 0.05), 0.05, 0.05),
            ]
    return lines


def _point(values: Array) -> Point:
    return (float(values[0]), float(values[1]), float(values[2]))
