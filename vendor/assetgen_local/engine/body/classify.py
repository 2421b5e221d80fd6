"""Says what kind of body a model has, how sure that is, and where its joints are.

Each kind has a template (:mod:`.templates`): the legs that fit it best are looked for first, then which way the body
faces, then the rest of its limbs. What speaks for and against it makes the confidence; a body that is not sure enough,
or whose joints do not lie in it, is ``others``. Models stand upright (+Z) and face any of the four sides.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from ..array_types import Array
from . import biped, quadruped
from .front import biped_front, quadruped_front
from .legs import Legs, find_legs
from .measures import NotThisBodyError, inwards, share_inside
from .slices import Slices
from .templates import DOUBTS, LEAST_CONFIDENCE, LEAST_INSIDE
from .voxel_paths import VoxelGraph
from .voxels import Volume

BIPED, QUADRUPED, OTHERS = "biped", "quadruped", "others"

_STANDS_ON = {BIPED: "the two things that it stands on", QUADRUPED: "the four things that it stands on"}


@dataclass(frozen=True, slots=True)
class Body:
    """What was found out about a model.

    Attributes:
        kind: ``biped``, ``quadruped``, or ``others`` for what has no skeleton of ours.
        reason: Why it is neither, in a sentence; else empty.
        quarters: Quarter turns around +Z, anticlockwise, that made the model face -Y.
        inside: Its volume, turned so.
        joints: Places of the joints by name, turned so: +X is the body's left. Empty for ``others``.
        confidence: How sure the kind is, 0 to 1.
    """

    kind: str
    reason: str
    quarters: int
    inside: VoxelGraph
    joints: dict[str, Array] = field(default_factory=dict)
    confidence: float = 0.0

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


def examine_poses(poses: Sequence[Array]) -> tuple[Body, int]:
    """What a model is, in the pose in which that is surest, and which one this is; the first unless another is better.

    Args:
        poses: Its surface in each pose, shape (m, 3, 3), +Z up.
    """
    best, number = examine(poses[0]), 0
    for index, pose in enumerate(poses[1:], 1):
        if best.kind != OTHERS and best.confidence > 0.6:
            break
        other = examine(pose)
        if other.kind != OTHERS and (best.kind == OTHERS or other.confidence > best.confidence + 0.1):
            best, number = other, index
    return best, number


def examine(triangles: Array) -> Body:
    """Finds out what a model is.

    Args:
        triangles: Its surface, shape (m, 3, 3), +Z up.
    """
    inside = VoxelGraph.from_volume(Volume.from_triangles(triangles))
    slices = Slices.from_graph(inside)
    found = {kind: find_legs(inside, slices, count) for kind, count in ((QUADRUPED, 4), (BIPED, 2))}
    bodies = [_fit(inside, kind, legs) for kind, legs in found.items() if legs is not None]
    if not bodies:
        return Body(OTHERS, "it has no separate legs near the ground", 0, inside)
    return max(bodies, key=lambda body: (body.kind != OTHERS, body.confidence))


def _fit(inside: VoxelGraph, kind: str, legs: Legs) -> Body:
    """The body with the joints of one kind."""
    quarters = (biped_front if kind == BIPED else quadruped_front)(inside, legs)
    inside = inside.turned(quarters)
    legs = legs.turned(inside, quarters)
    evidence = {
        "legs": min(legs.likeness / 0.4, 1.0),
        "slender": float(np.clip(legs.slenderness(inside) - 0.4, 0, 1)),
    }
    joints: dict[str, Array] = {}
    if _confidence(evidence) >= LEAST_CONFIDENCE:
        try:
            joints, more = (biped if kind == BIPED else quadruped).measure(inside, Slices.from_graph(inside), legs)
        except NotThisBodyError as error:
            return Body(OTHERS, str(error), quarters, inside)
        evidence |= more
    confidence = _confidence(evidence)
    if confidence < LEAST_CONFIDENCE:
        reason = f"{_STANDS_ON[kind]} {DOUBTS[min(evidence, key=lambda name: evidence[name])]}"
        return Body(OTHERS, reason, quarters, inside, {}, confidence)
    reach = 0.06 * float(np.ptp(inside.volume.centres[:, 2]))
    joints = {
        name: point
        if "_tip" in name or "_top" in name
        else inwards(inside, point, reach, None if "." in name else legs.plane)
        for name, point in joints.items()
    }
    if (share := share_inside(inside, joints)) < LEAST_INSIDE:
        reason = f"only {share:.0%} of the joints of a {kind} would lie inside of it"
        return Body(OTHERS, reason, quarters, inside, {}, confidence)
    return Body(kind, "", quarters, inside, joints, confidence)


def _confidence(evidence: dict[str, float]) -> float:
    return float(np.prod(list(evidence.values())))
