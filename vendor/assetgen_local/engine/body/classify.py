"""Says what kind of body a model has, how sure that is, and where its joints are.

Each kind has a template (:mod:`.templates`): the legs that fit it best are looked for first, then which way the body
faces, then the rest of its limbs. What speaks for and against it makes the confidence; a body that is not sure enough
is ``others``. Joints are moved into the body where they lie outside. Models stand upright (+Z) and face any side.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from ..array_types import Array
from . import biped, quadruped
from .front import biped_front, quadruped_front
from .legs import Legs, find_legs
from .measures import NotThisBodyError, askew, inwards
from .slices import Slices
from .templates import BIPED_ARMS, DOUBTS, LEAST_CONFIDENCE, LEAST_LIKELY, WEIGHTS
from .voxel_paths import VoxelGraph
from .voxels import RESOLUTION, Volume

BIPED, QUADRUPED, OTHERS = "biped", "quadruped", "others"

_SURE = 0.7  # what is surer needs no look at another pose, and no second one
_COARSER = 90  # voxels for that: limbs are still there in them, what only the places of voxels have made is not
_SURER = 0.1  # by how much another look is surer at least
_UNLIKE = 0.6  # times as alike as two of them: four legs may be two and the ends of a cape
_STUB = 0.15  # of their width: legs are longer
_STRAIGHT = 0.8  # what is surer stands along an axis

_LEGS = ((QUADRUPED, 4), (BIPED, 2))
_CUTS: tuple[dict[str, int], ...] = ({}, {"clefts": True}, {"gown": 0}, {"gown": 1})
_UNDER_A_GOWN = 0.6  # how sure what is not seen is, below a clear neck and clear, long arms
_STANDS_ON = {BIPED: "the two things that it stands on", QUADRUPED: "the four things that it stands on"}


@dataclass(frozen=True, slots=True)
class Body:
    """What was found out about a model.

    Attributes:
        kind: ``biped``, ``quadruped``, or ``others`` for what has no skeleton of ours.
        reason: Why it is neither, in a sentence; else empty.
        turn: What turns points of the model so that it faces -Y, a rotation about +Z, shape (3, 3).
        inside: Its volume, turned so.
        joints: Places of the joints by name, turned so: +X is the body's left. Empty where ``likely`` is ``others``.
        confidence: How sure the kind is, 0 to 1.
        likely: The kind, or of ``others`` the one whose limbs were found nevertheless; ``others`` under a gown.
        unseen: Joints of limbs that are not to be seen: they are where such limbs usually are, and move nothing.
    """

    kind: str
    reason: str
    turn: Array
    inside: VoxelGraph
    joints: dict[str, Array] = field(default_factory=dict)
    confidence: float = 0.0
    likely: str = OTHERS
    unseen: frozenset[str] = frozenset()

    def to_world(self, points: Array) -> Array:
        """Turns points, shape (..., 3), back to where the model stands."""
        return np.asarray(points @ self.turn)

    def to_body(self, points: Array) -> Array:
        """Turns points of the model, shape (..., 3), so that it faces -Y."""
        return np.asarray(points @ self.turn.T)

    def is_surer(self, other: Body) -> bool:
        """Whether it is a body where the other one is none or not as sure; two of four legs make a biped, too."""
        if self.kind == other.kind:
            return self.kind != OTHERS and self.confidence > other.confidence + _SURER
        return other.kind == OTHERS or (self.kind == QUADRUPED and other.confidence <= _SURE)


def examine_poses(poses: Sequence[Array]) -> tuple[Body, int]:
    """What a model is, in the pose in which that is surest, and which one this is; the first unless another is better.

    Args:
        poses: Its surface in each pose, shape (m, 3, 3), +Z up.
    """
    best, number = examine(poses[0]), 0
    for index, pose in enumerate(poses[1:], 1):
        if best.kind != OTHERS and best.confidence > _SURE:
            break
        if (other := examine(pose)).is_surer(best):
            best, number = other, index
    return best, number


def examine(triangles: Array) -> Body:
    """Finds out what a model is.

    Args:
        triangles: Its surface, shape (m, 3, 3), +Z up.
    """
    turn = np.eye(3)
    body = _examine(triangles, turn)
    if body.confidence < _STRAIGHT and (angle := askew(body.inside)):
        turn = _about_z(angle)
        other = _examine(triangles, turn)  # what looks like limbs from aside is no more than that
        body = other if other.kind == OTHERS or other.is_surer(body) else body
    if body.kind != OTHERS and body.confidence < _SURE:
        again = _examine(triangles, turn, _COARSER)
        return again if again.kind == OTHERS else body
    return body


def _about_z(angle: float) -> Array:
    """The rotation by an angle in radians, anticlockwise; exact for quarter turns."""
    sine, cosine = np.round((np.sin(angle), np.cos(angle)), 15)
    return np.array([[cosine, -sine, 0.0], [sine, cosine, 0.0], [0.0, 0.0, 1.0]])


def _examine(triangles: Array, turn: Array, resolution: int = RESOLUTION) -> Body:
    """What a model is that faces along an axis once it is turned; its limbs may touch where that is surer, or hide."""
    inside = VoxelGraph.from_volume(Volume.from_triangles(triangles @ turn.T, resolution))
    slices = Slices.from_graph(inside)
    best = Body(OTHERS, "it has no separate legs near the ground", turn, inside)
    for cut in _CUTS:
        gown = "gown" in cut
        if gown and (best.kind != OTHERS or not slices.flares()):
            break
        split = Slices.from_graph(inside, **cut) if cut else slices
        arms = slices if gown or best.kind != OTHERS else split  # what is a body keeps the arms that are seen at once
        found = find_legs(inside, split)
        bodies: list[Body] = []
        caped = {2, 4} <= found.keys() and found[4].likeness < _UNLIKE * found[2].likeness
        for kind, count in _LEGS[gown:]:  # no beast wears a gown; of a beast's legs two would make a biped, too
            if count in found and (kind == QUADRUPED or caped or all(one.kind != QUADRUPED for one in (best, *bodies))):
                bodies.append(_fit(inside, slices, arms, kind, found[count], turn, gown))
        bodies.sort(key=lambda body: (body.kind == OTHERS, -body.confidence))
        best = next((body for body in bodies if not cut or body.is_surer(best)), best)
        if best.confidence > _SURE:
            break
    return best


def weighted(evidence: Mapping[str, float]) -> dict[str, float]:
    """What speaks for a body, each 0 to 1, as it counts: the product is how sure it is."""
    return {name: value ** WEIGHTS.get(name, 1.0) for name, value in evidence.items()}


def _fit(inside: VoxelGraph, slices: Slices, arms: Slices, kind: str, legs: Legs, turn: Array, gown: bool) -> Body:
    """The body with the joints of one kind, its legs under a gown or to be seen."""
    quarters = (biped_front if kind == BIPED else quadruped_front)(inside, legs)
    quarter_turns = _about_z(quarters * np.pi / 2)
    inside, turn = inside.turned(quarters), quarter_turns @ turn
    slices, arms = slices.turned(quarter_turns), arms.turned(quarter_turns)
    legs = legs.turned(inside)
    slender = (legs.slenderness(inside) - _STUB) / 0.9
    shortness = {"legs": min(legs.likeness / 0.4, 1.0), "slender": float(np.clip(slender, 0, 1))}
    weaker = min(shortness, key=lambda name: shortness[name])  # both, for short legs would count twice
    evidence = {weaker: shortness[weaker], "alone": float(np.clip(2.2 - legs.others, 0.1, 1.0))}
    joints: dict[str, Array] = {}
    unseen: set[str] = set()
    if evidence[weaker] * evidence["alone"] >= LEAST_CONFIDENCE**2.5:
        try:
            joints, more, unseen = (biped if kind == BIPED else quadruped).measure(inside, legs, slices, arms)
        except NotThisBodyError as error:
            return Body(OTHERS, str(error), turn, inside)
        head = more.pop("face") if kind == QUADRUPED else more["neck"]
        clear = more.pop("clear", 0.0)
        evidence |= more
        if gown:
            evidence |= {"gown": _UNDER_A_GOWN * clear, "trunk": 1.0}  # half a gown is thicker than a leg
        for name in {weaker, "mirror"} & evidence.keys():  # below a head that is clear short legs and a pose say less
            evidence[name] **= 1.6 - 1.2 * head
    counted = weighted(evidence)
    confidence = float(np.prod(list(counted.values())))
    reason = f"{_STANDS_ON[kind]} {DOUBTS[min(counted, key=lambda name: counted[name])]}"
    sure = confidence >= LEAST_CONFIDENCE
    if not sure and (confidence < LEAST_LIKELY or evidence.get("arms", 1.0) <= BIPED_ARMS.merged):
        return Body(OTHERS, reason, turn, inside, {}, confidence)
    reach = 0.06 * float(np.ptp(inside.volume.centres[:, 2]))
    joints = {
        name: point
        if "_tip" in name or "_top" in name
        else inwards(inside, point, reach, None if "." in name else legs.plane)
        for name, point in joints.items()
    }
    said = (kind, "") if sure else (OTHERS, reason)
    return Body(*said, turn, inside, joints, confidence, OTHERS if gown else kind, frozenset(unseen))
