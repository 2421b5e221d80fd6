"""Surfaces as materials that are lit, for pictures that need no baked textures."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..materials.prompt import surface_of
from ..materials.shading import Shader
from ..mesh.measure import Bounds


class LitShader(Shader):
    """A surface as the render engine shades it, instead of channel by channel for a bake."""

    def show_lit(self) -> None:
        """Makes the material reflect light: colour, roughness, metalness and bumps."""
        surface = self._graph.surface()
        layer = self._layer
        bump = self._graph.node("ShaderNodeBump", {"Height": layer.height, "Distance": self.relief})
        for name, value in (
            ("Base Color", layer.color),
            ("Roughness", layer.roughness),
            ("Metallic", layer.metallic),
            ("Normal", bump.outputs[0]),
        ):
            self._graph.plug(surface.inputs[name], value)


def assign_shaders(scene_object: Any, surfaces: Sequence[str], box: Bounds, seed: int) -> None:
    """Fills the object's material slots with these surfaces."""
    for index, words in enumerate(surfaces):
        shader = LitShader(surface_of(words), box, seed + index)
        shader.show_lit()
        scene_object.data.materials[index] = shader.material
