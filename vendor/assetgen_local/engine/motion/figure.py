"""A rigged model as numbers: its bones by role at rest, and some of its skin to see where it touches the floor."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..array_types import Array
from ..body.classify import BIPED
from ..errors import EngineError
from ..mesh.measure import world_coordinates
from ..rigging.skeleton import kind_of, roles_of

_POINTS = 4_000  # of the skin, spread over it, and as many that are the lowest: those meet the floor
_NO_RIG = "The model has no skeleton of a rig task; rig it first."


@dataclass(frozen=True, slots=True)
class Figure:
    """A rig at rest, turned so that it faces -Y.

    Attributes:
        armature: The armature object.
        kind: ``biped`` or ``quadruped``.
        names: Role → name of the bone, parents before children.
        parents: Role → role of the parent, empty for the root.
        heads: Role → where the bone begins, shape (3,).
        to_rig: Rotation from here to the armature's own space.
        points: Some vertices of the skin, shape (n, 3).
        weights: Their weights, by the order of ``names``, shape (n, bones).
    """

    armature: Any
    kind: str
    names: Mapping[str, str]
    parents: Mapping[str, str]
    heads: Mapping[str, Array]
    to_rig: Array
    points: Array
    weights: Array

    @classmethod
    def from_rig(cls, armature: Any, meshes: Sequence[Any]) -> Figure:
        """Reads a rig and the meshes bound to it.

        Raises:
            EngineError: Its bones are not those of one of our skeletons.
        """
        bones = armature.data.bones
        roles = roles_of(bones.keys())
        kind = kind_of(roles)
        if kind is None:
            raise EngineError(_NO_RIG)
        of_name = {name: role for role, name in roles.items()}
        names = {of_name[bone.name]: bone.name for bone in bones if bone.name in of_name}
        left, right = ("thigh.L", "thigh.R") if kind == BIPED else ("hind_upper.L", "hind_upper.R")
        place = {role: np.array(bones[name].head_local, float) for role, name in names.items()}
        across = place[left] - place[right]
        across = np.array([across[0], across[1], 0.0]) / max(float(np.hypot(across[0], across[1])), 1e-12)
        up = np.array([0.0, 0.0, 1.0])
        to_rig = np.stack((across, np.cross(up, across), up), axis=1)
        parents = {
            role: next((of_name[bone.name] for bone in bones[name].parent_recursive if bone.name in of_name), "")
            for role, name in names.items()
        }
        points, weights = _skin(meshes, list(names.values()))
        heads = {role: to_rig.T @ head for role, head in place.items()}
        return cls(armature, kind, names, parents, heads, to_rig, points @ to_rig, weights)

    @property
    def floor(self) -> float:
        """Height of the lowest point at rest."""
        return float(self.points[:, 2].min())

    def sole(self, *roles: str) -> Array:
        """Points that follow mostly these bones, shape (n, 3); may be none."""
        columns = [list(self.names).index(role) for role in roles if role in self.names]
        points: Array = self.points[self.weights[:, columns].sum(axis=1) > 0.5]
        return points


def _skin(meshes: Sequence[Any], names: Sequence[str]) -> tuple[Array, Array]:
    places = [world_coordinates(mesh) for mesh in meshes]
    heights = np.concatenate(places)[:, 2]
    chosen = np.arange(len(heights)) % max(1, len(heights) // _POINTS) == 0
    chosen[np.argsort(heights, kind="stable")[:_POINTS]] = True
    points, weights = [], []
    for mesh, own in zip(meshes, places, strict=True):
        groups = mesh.vertex_groups
        column = {groups[name].index: index for index, name in enumerate(names) if name in groups}
        vertices, chosen = np.flatnonzero(chosen[: len(own)]), chosen[len(own) :]
        row = np.zeros((len(vertices), len(names)))
        for place, vertex in enumerate(vertices.tolist()):
            for entry in mesh.data.vertices[vertex].groups:
                if entry.group in column:
                    row[place, column[entry.group]] += entry.weight
        points.append(own[vertices])
        weights.append(row)
    every, shares = np.concatenate(points), np.concatenate(weights)
    bound = shares.sum(axis=1) > 1e-6
    if not bound.any():
        raise EngineError(_NO_RIG)
    return every[bound], shares[bound] / shares[bound].sum(axis=1)[:, None]
