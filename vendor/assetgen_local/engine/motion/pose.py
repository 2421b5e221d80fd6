"""Poses: rotations of a figure's bones, solved from directions of arms and places of feet."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from ..array_types import Array
from ..mesh.turns import between, turn, unit
from .figure import Figure

_STRETCHED = 0.9995  # of a leg's length; a leg is never longer
_STRAIGHT = 0.05  # of a leg's length: a leg that is bent by less at rest bends as legs usually do


@dataclass(slots=True)
class Pose:
    """A figure in some pose, built from the root outwards.

    Attributes:
        figure: Whose pose it is.
        offset: Where the root is, from its place at rest.
        rotations: Role → rotation from rest in the body's space, for the bones turned so far.
        heads: Role → where the bone begins now, for the bones placed so far.
    """

    figure: Figure
    offset: Array
    rotations: dict[str, Array] = field(default_factory=dict)
    heads: dict[str, Array] = field(default_factory=dict)

    def set(self, role: str, rotation: Array, *, absolute: bool = False) -> None:
        """Turns a bone: relative to its parent's rotation, or to its own rest pose."""
        parent = self.figure.parents[role]
        if not parent:
            self.heads[role] = self.figure.heads[role] + self.offset
            self.rotations[role] = rotation
            return
        self.place(role)
        self.rotations[role] = rotation if absolute else self.rotations[parent] @ rotation

    def place(self, role: str) -> Array:
        """Where a bone begins; its parent must have been turned."""
        parent = self.figure.parents[role]
        arm = self.figure.heads[role] - self.figure.heads[parent]
        self.heads[role] = self.heads[parent] + self.rotations[parent] @ arm
        return self.heads[role]

    def rest(self) -> None:
        """Gives every bone that was not turned the rotation of its parent."""
        for role in self.figure.names:
            if role not in self.rotations:
                self.set(role, np.eye(3))

    def point_along(self, role: str, child: str, direction: Array, base: Array) -> None:
        """Turns a bone so that it points from its head to its child's in a direction, twisting as little as possible.

        Args:
            role: The bone.
            child: The bone at its end.
            direction: In the body's space.
            base: A rotation that the twist is compared with.
        """
        along = self.figure.heads[child] - self.figure.heads[role]
        self.set(role, between(base @ along, direction) @ base, absolute=True)

    def reach(self, upper: str, lower: str, end: str, target: Array, pole: Array) -> None:
        """Bends two bones so that a third one begins at a target, or as near to it as they are long.

        Args:
            upper: The bone at the hip or shoulder.
            lower: The bone at the knee or elbow.
            end: The bone at the ankle or wrist.
            target: Where to.
            pole: Where the knee or elbow points, unless it is bent to another side at rest already.
        """
        heads = self.figure.heads
        base = self.rotations[self.figure.parents[upper]]
        rest, line = heads[lower] - heads[upper], unit(heads[end] - heads[upper])
        start = self.place(upper)
        first = float(np.linalg.norm(heads[lower] - heads[upper]))
        second = float(np.linalg.norm(heads[end] - heads[lower]))
        way = target - start
        length = float(np.clip(np.linalg.norm(way), abs(first - second) * 1.001 + 1e-9, (first + second) * _STRETCHED))
        along = unit(way)
        pole = base @ (rest - (rest @ line) * line) + _STRAIGHT * (first + second) * pole
        across = unit(pole - (pole @ along) * along)
        cos = np.clip((first**2 + length**2 - second**2) / (2 * first * length), -1.0, 1.0)
        knee = start + first * (cos * along + np.sqrt(1 - cos**2) * across)
        self.point_along(upper, lower, knee - start, base)
        self.point_along(lower, end, start + along * length - knee, self.rotations[upper])

    def lift(self, height: float) -> None:
        """Moves everything up."""
        up = np.array([0.0, 0.0, height])
        self.offset = self.offset + up
        self.heads = {role: head + up for role, head in self.heads.items()}

    def lowest(self) -> float:
        """Height of the lowest point of the skin in this pose; all bones must have been turned."""
        figure = self.figure
        height = np.zeros(len(figure.points))
        for column, role in enumerate(figure.names):
            moved = (figure.points - figure.heads[role]) @ self.rotations[role][2] + self.heads[role][2]
            height += figure.weights[:, column] * moved
        return float(height.min())


def stand_foot(pose: Pose, target: Array, rotation: Array, sole: Array, ankle: Array) -> Array:
    """The target of an ankle, raised so that the foot, rotated there, does not reach below the floor.

    Args:
        pose: Whose foot.
        target: Where the ankle should be.
        rotation: Of the foot.
        sole: Points of the foot at rest, shape (n, 3).
        ankle: The ankle at rest.
    """
    if not len(sole):
        return target
    below = float(((sole - ankle) @ rotation[2]).min())
    return np.array([target[0], target[1], max(target[2], pose.figure.floor - below)])


def trunk(pose: Pose, roles: tuple[str, ...], bend: tuple[float, float, float]) -> None:
    """Bends a chain of bones, each by its part of the whole."""
    part = [angle / len(roles) for angle in bend]
    for role in roles:
        pose.set(role, turn(*part))


def relative(pose: Pose) -> Mapping[str, Array]:
    """Role → rotation relative to the parent's, in the body's space."""
    parents = pose.figure.parents
    return {
        role: pose.rotations[parents[role]].T @ rotation if parents[role] else rotation
        for role, rotation in pose.rotations.items()
    }
