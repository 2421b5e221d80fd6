"""Shader nodes with less ceremony: every method adds a node and returns the socket that the next one takes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ..array_types import Picture

Value = Any
"""A socket, or a number, or a tuple of numbers."""

Pair = tuple[float, float]
Color = tuple[float, float, float]
"""Linear red, green, blue."""

Bits = tuple[int, int, int]
"""Of the numbers of a vector; all that are packed into one have 24, which a 32-bit float tells apart."""


class NodeGraph:
    """The node tree of one material, or world. Sockets have numbers where their names differ between versions.

    Args:
        material: Whose tree it is.
        output: Kind of the node that gives out the result.
        kept: Build on the nodes that it has, instead of anew.
    """

    def __init__(self, material: Any, output: str = "ShaderNodeOutputMaterial", *, kept: bool = False) -> None:
        if material.node_tree is None:  # from 5.0 on a material always has its nodes
            material.use_nodes = True
            kept = False
        self.material, self.tree = material, material.node_tree
        if not kept:
            self.tree.nodes.clear()
        there = next((node for node in self.tree.nodes if node.bl_idname == output), None)
        self.output = there or self.tree.nodes.new(output)
        self._surface: Any = None

    def node(self, kind: str, inputs: Mapping[str | int, Value] | None = None, **settings: Any) -> Any:
        """A node with these properties, and these values or sockets at its inputs."""
        node = self.tree.nodes.new(kind)
        for name, value in settings.items():
            setattr(node, name, value)
        for place, value in (inputs or {}).items():
            self.plug(node.inputs[place], value)
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

    def emit(self, color: Value, strength: Value = 1.0) -> None:
        """Makes the material show exactly this colour, without light: what EMIT bakes read."""
        # Else Cycles takes every face for a lamp, and sorts them all before it begins.
        self.material.cycles.emission_sampling = "NONE"
        emission = self.node("ShaderNodeEmission", {"Color": color, "Strength": strength})
        self.tree.links.new(emission.outputs[0], self.output.inputs["Surface"])

    def math(self, operation: str, first: Value, second: Value = 0.0, *, clamp: bool = False) -> Value:
        """A scalar operation."""
        return self.node("ShaderNodeMath", {0: first, 1: second}, operation=operation, use_clamp=clamp).outputs[0]

    def vector_math(self, operation: str, *vectors: Value) -> Value:
        """A vector operation with a vector result; vectors that are not given are zero."""
        return self.node("ShaderNodeVectorMath", dict(enumerate(vectors)), operation=operation).outputs[0]

    def span(
        self, value: Value, low: float, high: float, to_low: float = 0.0, to_high: float = 1.0, *, smooth: bool = False
    ) -> Value:
        """Maps low..high to to_low..to_high and clamps."""
        inputs = dict(enumerate((value, low, high, to_low, to_high)))
        form = "SMOOTHSTEP" if smooth else "LINEAR"
        return self.node("ShaderNodeMapRange", inputs, clamp=True, interpolation_type=form).outputs[0]

    def mix(self, factor: Value, first: Value, second: Value, mode: str = "MIX") -> Value:
        """Mixes two colours."""
        inputs = {0: factor, 6: first, 7: second}
        return self.node("ShaderNodeMix", inputs, data_type="RGBA", blend_type=mode, clamp_factor=True).outputs[2]

    def blend(self, factor: Value, first: Value, second: Value) -> Value:
        """Mixes two numbers."""
        inputs = {0: factor, 2: first, 3: second}
        return self.node("ShaderNodeMix", inputs, data_type="FLOAT", clamp_factor=True).outputs[0]

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

    def parts(self, vector: Value) -> Any:
        """The three numbers of a vector: the outputs of one node."""
        return self.node("ShaderNodeSeparateXYZ", {0: vector}).outputs

    def vector(self, x: Value, y: Value, z: Value = 0.0) -> Value:
        """A vector of numbers."""
        return self.node("ShaderNodeCombineXYZ", {0: x, 1: y, 2: z}).outputs[0]

    def packed(self, bits: Sequence[Bits], *vectors: Value) -> Value:
        """One vector of several, whose numbers are from 0 to 1 and get so many bits each.

        A bake keeps 24 bits in each channel, and a second bake would take as long as the first.
        """
        whole: Value = (0.0, 0.0, 0.0)
        for room, vector in zip(bits, vectors, strict=True):
            clamped = self.vector_math("MINIMUM", self.vector_math("MAXIMUM", vector), (1.0, 1.0, 1.0))
            steps = tuple(float((1 << count) - 1) for count in room)
            part = self.vector_math("FLOOR", self.vector_math("MULTIPLY_ADD", clamped, steps, (0.5, 0.5, 0.5)))
            whole = self.vector_math("MULTIPLY_ADD", whole, tuple(float(1 << count) for count in room), part)
        return whole

    def boards(
        self, vector: Value, scale: float, size: Pair, *, mortar: float, smooth: float, tones: Pair, **settings: Any
    ) -> Any:
        """A brick node: how bright each brick is, between two tones, and where the mortar is."""
        inputs = {"Vector": vector, "Scale": scale, "Mortar Size": mortar, "Mortar Smooth": smooth}
        inputs |= {"Brick Width": size[0], "Row Height": size[1]} | {i: (t, t, t) for i, t in enumerate(tones, 1)}
        return self.node("ShaderNodeTexBrick", inputs, **settings).outputs

    def noise(
        self, vector: Value, scale: float, *, detail: float = 4.0, roughness: float = 0.55, distortion: float = 0.0
    ) -> Value:
        """Fractal noise around 0.5."""
        inputs = {"Vector": vector, "Scale": scale, "Detail": detail, "Roughness": roughness, "Distortion": distortion}
        return self.node("ShaderNodeTexNoise", inputs).outputs[0]

    def cells(self, vector: Value, scale: float, feature: str = "F1", randomness: float = 1.0) -> Any:
        """A Voronoi node: outputs ``Distance`` and, except for edges, ``Color``."""
        inputs = {"Vector": vector, "Scale": scale, "Randomness": randomness}
        return self.node("ShaderNodeTexVoronoi", inputs, feature=feature)

    def wave(
        self, vector: Value, scale: float, *, distortion: float = 0.0, detail_scale: float = 1.0, **settings: Any
    ) -> Value:
        """Bands along X between 0 and 1, or what else the node's settings say."""
        inputs = {"Vector": vector, "Scale": scale, "Distortion": distortion, "Detail Scale": detail_scale}
        return self.node("ShaderNodeTexWave", inputs, **settings).outputs[1]


def unpacked(bits: Sequence[Bits], values: Picture) -> list[Picture]:
    """The vectors again that :meth:`NodeGraph.packed` made one of, (..., 3)."""
    whole, parts = np.rint(values).astype(np.int32), []
    for count in np.array(bits[::-1], np.int32):
        parts.append((whole & ((1 << count) - 1)).astype(np.float32) / np.float32((1 << count) - 1))
        whole >>= count
    return parts[::-1]
