"""Says what kind of body a model has, and where its joints are.

A biped stands on two legs beside each other and has two arms that stand out; a quadruped stands on four legs in two
pairs and has a head at one end. Models stand upright (+Z) and face any of the four sides.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from ..array_types import Array
from . import biped, quadruped
from .legs import find_legs
from .measures import NotThisBodyError
from .voxel_paths import VoxelGraph
from .voxels import Volume

BIPED, QUADRUPED, OTHERS = "biped", "quadruped", "others"

_PAIR = 0.5  # the smaller leg of a pair has at least this part of the larger one's voxels


@dataclass(frozen=True, slots=True)
class Body:
    """What was found out about a model.

    Attributes:
        kind: ``biped``, ``quadruped``, or ``others`` for what has no skeleton of ours.
        reason: Why it is neither, in a sentence; else empty.
        quarters: Quarter turns around +Z, anticlockwise, that made the model face -Y.
        inside: Its volume, turned so.
        joints: Places of the joints by name, turned so: +X is the body's left. Empty for ``others``.
    """

    kind: str
    reason: str
    quarters: int
    inside: VoxelGraph
    joints: dict[str, Array] = field(default_factory=dict)

    def to_world(self, points: Array) -> Array:
        """Turns points, shape (..., 3), back to where the model stands."""
        return turned(points, -self.quarters)

    def to_body(self, points: Array) -> Array:
        """Turns points of the model, shape (..., 3), so that it faces -Y."""
        return turned(points, self.quarters)


def turned(points: Array, quarters: int) -> Array:
    """Points turned around +Z, anticlockwise; exact."""
    x, y, z = points[..., 0], points[..., 1], points[..., 2]
    for _ in range(quarters % 4):
        x, y = -y, x
    return np.stack((x, y, z), axis=-1)


def examine(triangles: Array) -> Body:
    """Finds out what a model is.

    Args:
        triangles: Its surface, shape (m, 3, 3), +Z up.
    """
    inside = VoxelGraph.from_volume(Volume.from_triangles(triangles))
    legs = find_legs(inside)
    if len(legs.members) == 2:
        quarters, measure, kind = biped.facing(inside, legs), biped.measure, BIPED
    elif len(legs.members) == 4:
        quarters, measure, kind = quadruped.facing(inside, legs), quadruped.measure, QUADRUPED
    else:
        return Body(OTHERS, _stands_on(len(legs.members)), 0, inside)
    if min(leg.sum() for leg in legs.members) < _PAIR * max(leg.sum() for leg in legs.members):
        return Body(OTHERS, "what it stands on is not legs of one size", 0, inside)
    if quarters:
        inside = VoxelGraph.from_volume(Volume.from_triangles(turned(triangles, quarters)))
        legs = find_legs(inside)
        if len(legs.members) not in (2, 4):  # other voxels, at the very edge of what counts as a leg
            return Body(OTHERS, _stands_on(len(legs.members)), 0, inside)
    try:
        joints = measure(inside, legs)
    except NotThisBodyError as error:
        return Body(OTHERS, str(error), quarters, inside)
    return Body(kind, "", quarters, inside, joints)


def _stands_on(count: int) -> str:
    if count == 1:
        return "it has no separate legs near the ground"
    return f"it stands on {count} pieces, and bodies with two or four legs can be rigged"
