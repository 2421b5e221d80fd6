"""What a body stands on: the pieces that are separate near the ground, and how far up they stay separate."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..array_types import Array
from .voxel_paths import VoxelGraph

_STEP = 0.02  # of the height
_HIGHEST = 0.7
_GROUND = 0.1  # a leg comes down to within this part of the height
_SMALLEST = 0.002  # of all voxels
_SHORTEST = 0.08  # of the height: what is separate for less are heels and claws


@dataclass(frozen=True, slots=True)
class Legs:
    """The legs of a body.

    Attributes:
        members: For each leg a mask of its voxels, below ``top``.
        top: Height at which they grow together.
    """

    members: list[Array]
    top: float

    def middles(self, inside: VoxelGraph) -> Array:
        """The middle of each leg, shape (legs, 3)."""
        centres = inside.volume.centres
        return np.array([centres[leg].mean(axis=0) for leg in self.members])


def find_legs(inside: VoxelGraph) -> Legs:
    """The legs: four if there are four, else two, else whatever is there for the longest stretch."""
    height = inside.volume.centres[:, 2]
    floor, total = float(height.min()), float(np.ptp(height)) + inside.volume.cell
    levels = np.arange(2 * _STEP, _HIGHEST, _STEP)
    sections = []
    for level in levels:
        sections.append(_standing(inside, height, floor, floor + level * total, total))
        if len(sections[-1]) <= 1 and level > _GROUND:
            break  # above the ground pieces only grow together
    counts = [len(masks) for masks in sections]
    for count_of_legs in (4, 2, *sorted(set(counts) - {2, 4}, reverse=True)):
        last = _longest_run(counts, count_of_legs)
        if last is not None:
            return Legs(sections[last], floor + float(levels[last]) * total)
    return Legs(sections[0], floor + float(levels[0]) * total)


def _standing(inside: VoxelGraph, height: Array, floor: float, level: float, total: float) -> list[Array]:
    label = inside.labels(height < level)
    masks = [label == piece for piece in range(min(int(label.max()) + 1, 12))]
    least = max(_SMALLEST * len(height), 4)
    return [mask for mask in masks if mask.sum() >= least and height[mask].min() < floor + _GROUND * total]


def _longest_run(counts: list[int], count_of_legs: int) -> int | None:
    """The last index of the longest run of this count, if it is long enough."""
    best: tuple[int, int] = (0, -1)
    length = 0
    for index, count in enumerate(counts):
        length = length + 1 if count == count_of_legs else 0
        best = max(best, (length, index), key=lambda run: run[0])
    return best[1] if best[0] * _STEP >= _SHORTEST else None
