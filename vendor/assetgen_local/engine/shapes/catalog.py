"""Builds what a prompt asks for: the family's builder, then size, proportions and what was not wanted."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from .families.animals import birds, fish, quadrupeds
from .families.buildings import houses, towers
from .families.furniture import lamps, on_legs
from .families.nature import growth, minerals
from .families.objects import abstract, arms, containers, vessels
from .families.people import people, robots
from .families.vehicles import cars, rockets
from .model import ModelPart
from .names import singular
from .prompt_spec import PromptSpec

BUILDERS: Mapping[str, Callable[[PromptSpec], list[ModelPart]]] = {
    "chair": on_legs.chair,
    "table": on_legs.table,
    "lamp": lamps.lamp,
    "mug": vessels.mug,
    "bottle": vessels.bottle,
    "barrel": containers.barrel,
    "tree": growth.tree,
    "rock": minerals.rock,
    "crystal": minerals.crystal,
    "mushroom": growth.mushroom,
    "house": houses.house,
    "tower": towers.tower,
    "sword": arms.sword,
    "shield": arms.shield,
    "crate": containers.crate,
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
    points = np.concatenate([entry.solid.points for entry in parts])
    floor = float(points[:, 2].min())
    factors = np.array(spec.stretch) / float(np.ptp(points, axis=0).max()) * spec.size
    return [ModelPart(entry.name, entry.surface, entry.solid.moved(z=-floor).scaled(*factors)) for entry in parts]


def _wanted(parts: Sequence[ModelPart], spec: PromptSpec) -> list[ModelPart]:
    """Leaves out the parts that are empty, and those that the prompt does not want, but never all."""
    parts = [entry for entry in parts if len(entry.solid.points)]
    kept = [entry for entry in parts if not spec.lacks(*map(singular, entry.name.split("_")))]
    return kept or parts
