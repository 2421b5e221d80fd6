"""A model before it is in Blender: named parts, each a solid with the words for its surface."""

from __future__ import annotations

from dataclasses import dataclass

from .names import singular
from .prompt_spec import PromptSpec
from .solid import Solid, joined


@dataclass(frozen=True, slots=True)
class ModelPart:
    """Part of a model.

    Attributes:
        name: As a person calls it.
        surface: Words for its surface, as a texture prompt has them.
        solid: Its shape, +Z up, the front towards -Y.
    """

    name: str
    surface: str
    solid: Solid


def part(name: str, surface: str, *solids: Solid) -> ModelPart:
    """A part of any number of solids; without any it is left out of the model."""
    return ModelPart(name, surface, solids[0] if len(solids) == 1 else joined(solids))


def made_of(spec: PromptSpec, name: str, default: str, *solids: Solid) -> ModelPart:
    """A part whose surface the prompt may describe by the part's noun, the last word of its name.

    Args:
        spec: The prompt.
        name: Of the part; a number at its end does not count: ``window_frames`` and ``frame_2`` are of the noun frame.
        default: What it is made of when the prompt does not say.
        solids: Its shape.
    """
    noun = singular(name.rstrip("_0123456789").rpartition("_")[2])
    return part(name, spec.surface(noun, default), *solids)


def both_sides(name: str, surface: str, *solids: Solid) -> list[ModelPart]:
    """A part on the model's left (+X), and its mirror image on the right."""
    left = part(f"left_{name}", surface, *solids)
    return [left, ModelPart(f"right_{name}", surface, left.solid.mirrored())]
