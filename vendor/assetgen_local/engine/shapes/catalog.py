"""Builds what a prompt asks for: the family's builder, then size, proportions and what was not wanted."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from ..array_types import Array
from .families.animals import birds, fish, quadrupeds
from .families.buildings import castles, houses
from .families.furniture import chairs, lamps, tables
from .families.nature import crystals, mushrooms, rocks, trees
from .families.objects import abstract, barrels, bottles, crates, mugs, shields, swords
from .families.people import people, robots
from .families.vehicles import cars, rockets
from .model import ModelPart
from .names import singular
from .prompt_spec import PromptSpec
from .solid import outward

BUILDERS: Mapping[str, Callable[[PromptSpec], list[ModelPart]]] = {
    "chair": chairs.chair,
    "table": tables.table,
    "lamp": lamps.lamp,
    "mug": mugs.mug,
    "bottle": bottles.bottle,
    "barrel": barrels.barrel,
    "tree": trees.tree,
    "rock": rocks.rock,
    "crystal": crystals.crystal,
    "mushroom": mushrooms.mushroom,
    "house": houses.house,
    "tower": castles.tower,
    "sword": swords.sword,
    "shield": shields.shield,
    "crate": crates.crate,
    "car": cars.car,
    "rocket": rockets.rocket,
    "character": people.character,
    "robot": robots.robot,
    "animal": quadrupeds.animal,
    "fish": fish.fish,
    "bird": birds.bird,
}
"""Family → its builder. Builders work in metres at a convenient size, +Z up, the front towards -Y."""


def build_parts(spec: PromptSpec) -> list[ModelPart]:
    """The parts of the thing, standing on z = 0; its largest side is 1, times the size that the words ask for."""
    parts = _wanted(BUILDERS.get(spec.family, abstract.abstract)(spec), spec)
    low, high = _box(parts)
    factors = np.array(spec.stretch) / float((high - low).max()) * spec.size
    return [_placed(entry, factors, float(low[2])) for entry in parts]


def _wanted(parts: Sequence[ModelPart], spec: PromptSpec) -> list[ModelPart]:
    """Leaves out the parts that the prompt does not want, but never all."""
    kept = [entry for entry in parts if not spec.lacks(*map(singular, entry.name.split("_")))]
    return kept or list(parts)


def _box(parts: Sequence[ModelPart]) -> tuple[Array, Array]:
    return (
        np.min([entry.solid.points.min(axis=0) for entry in parts], axis=0),
        np.max([entry.solid.points.max(axis=0) for entry in parts], axis=0),
    )


def _placed(entry: ModelPart, factors: Array, floor: float) -> ModelPart:
    points = (entry.solid.points - (0.0, 0.0, floor)) * factors
    return ModelPart(entry.name, entry.surface, outward(entry.solid.with_points(points)))
