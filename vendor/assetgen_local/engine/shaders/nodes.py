"""Shader nodes with less ceremony: every method adds a node and returns the socket that the next one takes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

Value = Any
"""A socket, or a number, or a tuple of numbers."""

Color = tuple[float, float, float]
"""Linear red, green, blue."""


class NodeGraph:
    """The node tree of one material. Sockets are addressed by index where their names differ between versions."""

    def __init__(self, material: Any) -> None:
        if material.node_tree is None:  # from 5.0 on a material always has its nodes
            material.use_nodes = True
        self.material, self.tree = material, material.node_tree
        self.tree.nodes.clear()
        self.output = self.tree.nodes.new("ShaderNodeOutputMaterial")
        self._surface: Any = None

    def node(self, kind: str, **settings: Any) -> Any:
        """A bare node with these properties."""
        node = self.tree.nodes.new(kind)
        for name, value in settings.items():
            setattr(node, name, value)
        return node

    def plug(self, socket: Any, value: Value) -> None:
        """Links an output to an input, or sets the input's value."""
        if hasattr(value, "is_linked"):
            self.tree.links.new(value, socket)
        elif isinstance(value, Sequence) and len(value) == 3 and len(socket.default_value) == 4:
            socket.default_value = (*value, 1.0)
        else:
            socket.default_value = value

    def surface(self) -> Any:
        """The Principled node, made on first use and linked to the output."""
        if self._surface is None:
            self._surface = self.node("ShaderNodeBsdfPrincipled")
            self.tree.links.new(self._surface.outputs[0], self.output.inputs["Surface"])
        return self._surface

    def emit(self, color: Value) -> None:
        """Makes the material show exactly this colour, without light: what EMIT bakes read."""
        # Else Cycles takes every face for a lamp, and sorts them all before it begins.
        self.material.cycles.emission_sampling = "NONE"
        emission = self.node("ShaderNodeEmission")
        self.plug(emission.inputs["Color"], color)
        self.tree.links.new(emission.outputs[0], self.output.inputs["Surface"])

    def math(self, operation: str, first: Value, second: Value = 0.0, *, clamp: bool = False) -> Value:
        """A scalar operation."""
        node = self.node("ShaderNodeMath", operation=operation, use_clamp=clamp)
        self.plug(node.inputs[0], first)
        self.plug(node.inputs[1], second)
        return node.outputs[0]

    def vector_math(self, operation: str, first: Value, second: Value = (0.0, 0.0, 0.0)) -> Value:
        """A vector operation with a vector result."""
        node = self.node("ShaderNodeVectorMath", operation=operation)
        self.plug(node.inputs[0], first)
        self.plug(node.inputs[1], second)
        return node.outputs[0]

    def span(
        self, value: Value, low: float, high: float, to_low: float = 0.0, to_high: float = 1.0, *, smooth: bool = False
    ) -> Value:
        """Maps low..high to to_low..to_high and clamps."""
        node = self.node("ShaderNodeMapRange", clamp=True, interpolation_type="SMOOTHSTEP" if smooth else "LINEAR")
        for socket, given in zip(node.inputs, (value, low, high, to_low, to_high), strict=False):
            self.plug(socket, given)
        return node.outputs[0]

    def mix(self, factor: Value, first: Value, second: Value, mode: str = "MIX") -> Value:
        """Mixes two colours."""
        node = self.node("ShaderNodeMix", data_type="RGBA", blend_type=mode, clamp_factor=True)
        self.plug(node.inputs[0], factor)
        self.plug(node.inputs[6], first)
        self.plug(node.inputs[7], second)
        return node.outputs[2]

    def blend(self, factor: Value, first: Value, second: Value) -> Value:
        """Mixes two numbers."""
        node = self.node("ShaderNodeMix", data_type="FLOAT", clamp_factor=True)
        self.plug(node.inputs[0], factor)
        self.plug(node.inputs[2], first)
        self.plug(node.inputs[3], second)
        return node.outputs[0]

    def ramp(self, value: Value, stops: Sequence[tuple[float, Color]]) -> Value:
        """A colour ramp with two or more stops."""
        node = self.node("ShaderNodeValToRGB")
        elements = node.color_ramp.elements
        while len(elements) < len(stops):
            elements.new(1.0)
        for element, (position, color) in zip(elements, stops, strict=True):
            element.position = position
            element.color = (*color, 1.0)
        self.plug(node.inputs[0], value)
        return node.outputs[0]

    def noise(
        self, vector: Value, scale: float, *, detail: float = 4.0, roughness: float = 0.55, distortion: float = 0.0
    ) -> Value:
        """Fractal noise around 0.5."""
        node = self.node("ShaderNodeTexNoise")
        self.plug(node.inputs["Vector"], vector)
        for name, value in (("Scale", scale), ("Detail", detail), ("Roughness", roughness), ("Distortion", distortion)):
            self.plug(node.inputs[name], value)
        return node.outputs[0]

    def cells(self, vector: Value, scale: float, feature: str = "F1", randomness: float = 1.0) -> Any:
        """A Voronoi node: outputs ``Distance`` and, except for edges, ``Color``."""
        node = self.node("ShaderNodeTexVoronoi", feature=feature)
        self.plug(node.inputs["Vector"], vector)
        self.plug(node.inputs["Scale"], scale)
        self.plug(node.inputs["Randomness"], randomness)
        return node

    def wave(
        self,
        vector: Value,
        scale: float,
        *,
        kind: str = "BANDS",
        axis: str = "X",
        distortion: float = 0.0,
        detail_scale: float = 1.0,
        profile: str = "SIN",
    ) -> Value:
        """Bands or rings between 0 and 1."""
        node = self.node("ShaderNodeTexWave", wave_type=kind, wave_profile=profile)
        setattr(node, "rings_direction" if kind == "RINGS" else "bands_direction", axis)
        self.plug(node.inputs["Vector"], vector)
        for name, value in (("Scale", scale), ("Distortion", distortion), ("Detail Scale", detail_scale)):
            self.plug(node.inputs[name], value)
        return node.outputs[1]
