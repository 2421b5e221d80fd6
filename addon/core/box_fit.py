"""Where a box goes: onto a spot, beside another box, or into one. Numbers only, no Blender."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

Box = Sequence[float]
"""min x, y, z, max x, y, z."""

Vector = tuple[float, float, float]

GAP = 0.1
"""The gap between a box and what it stands beside, as a share of its own width."""

_ELONGATED = 1.05
"""How much longer one side of a box must be than the other to say which way the box lies."""

_FLAT = 1e-9


class BoxFit(NamedTuple):
    """How a box is put into another one: turned about Z, then scaled, then moved.

    Attributes:
        turns: Quarter turns, counterclockwise as seen from above.
        scale: Along x, y and z of the room.
        offset: Added last.
    """

    turns: int
    scale: Vector
    offset: Vector


def stand_on(box: Box, spot: Sequence[float]) -> Vector:
    """The move that takes the middle of a box's underside to a spot."""
    return (spot[0] - _middle(box, 0), spot[1] - _middle(box, 1), spot[2] - box[2])


def stand_beside(box: Box, other: Box) -> Vector:
    """The move that takes a box to the side of another one, along X: in one row with it, and on the same floor."""
    gap = GAP * (box[3] - box[0])
    return (other[3] + gap - box[0], _middle(other, 1) - _middle(box, 1), other[2] - box[2])


def fit_into(box: Box, room: Box, *, stretch: bool = False) -> BoxFit:
    """What puts a box into a room: lying as the room lies, as large as there is room for, on its floor, in its middle.

    A side without extent limits nothing. Where there is no extent at all, nothing is scaled.

    Args:
        box: Around what is put there.
        room: What it goes into.
        stretch: Whether each side is made as long as the room's, instead of all by the same factor.
    """
    turns = 1 if _lies_across(box, room) else 0
    turned = _turned(box) if turns else tuple(box)
    sizes, rooms = _size(turned), _size(room)
    factors = [side / size if size > _FLAT and side > _FLAT else 0.0 for size, side in zip(sizes, rooms, strict=True)]
    even = min(filter(None, factors), default=1.0)
    x, y, z = (factor or even for factor in factors) if stretch else (even, even, even)
    scaled = [side * factor for side, factor in zip(turned, (x, y, z, x, y, z), strict=True)]
    spot = (_middle(room, 0), _middle(room, 1), room[2])
    return BoxFit(turns, (x, y, z), stand_on(scaled, spot))


def _lies_across(box: Box, room: Box) -> bool:
    """Whether a box is long where the room is wide, both clearly so: a quarter turn makes it fit better then."""
    (width, depth, _), (room_width, room_depth, _) = _size(box), _size(room)
    if min(width, depth, room_width, room_depth) < 0 or not (width or depth) or not (room_width or room_depth):
        return False
    one, other = _elongation(width, depth), _elongation(room_width, room_depth)
    least = math.log(_ELONGATED)
    return one * other < 0 and min(abs(one), abs(other)) > least


def _elongation(width: float, depth: float) -> float:
    """Above 0 for what is wider than deep, below 0 for what is deeper than wide."""
    return math.log(max(width, _FLAT) / max(depth, _FLAT))


def _turned(box: Box) -> tuple[float, ...]:
    """A box after a quarter turn about the origin."""
    return (-box[4], box[0], box[2], -box[1], box[3], box[5])


def _size(box: Box) -> Vector:
    return (box[3] - box[0], box[4] - box[1], box[5] - box[2])


def _middle(box: Box, axis: int) -> float:
    return (box[axis] + box[axis + 3]) / 2
