"""Builds a surface (see :mod:`.prompt`) out of shader nodes: pattern, colours, wear, relief. Paints objects with it."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import bpy
import numpy as np

from ..array_types import Picture
from ..images.arrays import fill, to_srgb
from ..mesh.measure import Bounds
from ..mesh.texels import texels_of
from ..shaders import nodes
from ..shaders.nodes import NodeGraph, Value
from ..shaders.patterns import growth, minerals
from ..shaders.patterns.base import Pattern
from . import bake, normal_maps
from .library import Swatch
from .modifiers import Wear
from .pbr_material import PbrMaps
from .prompt import SurfaceSpec, linear

PATTERNS: dict[str, Callable[[NodeGraph, Value, float], Pattern]] = {
    name: function
    for module in (minerals, growth)
    for name, function in vars(module).items()
    if getattr(function, "__module__", "") == module.__name__ and not name.startswith("_")
}
"""Name → pattern: the public functions of these modules."""

_RELIEF = 0.012  # height of a full-strength bump, relative to the model's largest side

_BITS = ((12, 12, 8), (12, 12, 16))  # of both values in red, green and blue
_HEIGHTS = (-1.0, 3.0)  # more than all layers together reach
_WORKING_SIZE = 1024  # of maps that only help to make others


def painted(
    target: Any, shaders: Sequence[Shader], size: int, *, pbr: bool, report: Callable[[float, str], None]
) -> PbrMaps:
    """The maps of an object, opaque and without own light.

    Args:
        target: An object with identity transform and UVs; its material slots are replaced.
        shaders: The surface of each slot, in order.
        size: Pixels of the maps, a power of two.
        pbr: Roughness, metalness and normals beside the base colour.
        report: Takes a fraction and a few words.
    """
    for index, shader in enumerate(shaders):
        if index == len(target.data.materials):
            target.data.materials.append(None)
        target.data.materials[index] = shader.material
        shader.show()
    report(0.35, "Painting the surface")
    packed, coverage = bake.bake("EMIT", target, size)
    linear, orm = unpacked(packed)
    color = to_srgb(fill(linear, coverage))
    if not pbr:
        return PbrMaps(color)
    report(0.65, "Shaping the relief")
    orm = fill(orm, coverage)
    texels = texels_of(target.data, min(size, _WORKING_SIZE))
    position = texels.picture(texels.positions(target.data))
    normal = normal_maps.normals(orm[..., 0] * np.float32(shaders[0].relief), position, texels.coverage)
    orm[..., 0] = 1.0  # where glTF has occlusion, which these maps do not carry
    return PbrMaps(color, orm, normal, 1.0, 1.0)


def unpacked(picture: Picture) -> tuple[Picture, Picture]:
    """Linear colour, and height, roughness and metalness, from a picture of what :meth:`Shader.show` emits."""
    first, second = nodes.unpacked(_BITS, picture)
    lowest, highest = _HEIGHTS
    linear = np.square(np.stack((first[..., 0], first[..., 1], second[..., 1]), axis=2))
    return linear, np.stack((second[..., 2] * (highest - lowest) + lowest, second[..., 0], first[..., 2]), axis=2)


class ShadingLayer(NamedTuple):
    """What a point of the surface is like: colour, roughness, metalness, height, opacity and own light."""

    color: Value
    roughness: Value
    metallic: Value
    height: Value
    opacity: Value = 1.0
    glow: Value = 0.0


class Shader:
    """One surface as a material that can be baked, channel by channel.

    Args:
        surface: What it looks like.
        box: The model's box in world space; the patterns are scaled to it.
        seed: Moves the patterns, so that another seed is another piece of the same material.
    """

    def __init__(self, surface: SurfaceSpec, box: Bounds, seed: int) -> None:
        self.material: Any = bpy.data.materials.new("Surface")
        self._graph = NodeGraph(self.material)
        self._geometry = self._graph.node("ShaderNodeNewGeometry")
        self._size = max(float(box.size.max()), 1e-9)
        centred = self._graph.vector_math("SUBTRACT", self._geometry.outputs["Position"], tuple(map(float, box.centre)))
        inputs = {0: centred, "Scale": 1.0 / self._size}
        scaled = self._graph.node("ShaderNodeVectorMath", inputs, operation="SCALE").outputs[0]
        # Not around zero: noise is mirrored there.
        numbers = random.Random(seed)
        offset = tuple(numbers.uniform(3.0, 40.0) for _ in range(3))
        self.position = self._graph.vector_math("ADD", scaled, offset)
        self._layer = self._whole(surface)
        swatches = [swatch for swatch in (surface.swatch, surface.second) if swatch is not None]
        self.sees_through = any(swatch.opacity < 1.0 for swatch in swatches)
        self.glow = max(swatch.glow for swatch in swatches)

    def show(self) -> None:
        """Makes the material emit all but opacity and glow at once, for :func:`unpacked`.

        A bake evaluates the whole pattern for every pixel, which takes longer than all else. Colours are roots, so
        that dark ones are as fine as light ones.
        """
        graph, layer = self._graph, self._layer
        red, green, blue = graph.parts(graph.node("ShaderNodeGamma", {0: layer.color, 1: 0.5}).outputs[0])
        first = graph.vector(red, green, layer.metallic)
        second = graph.vector(layer.roughness, blue, graph.span(layer.height, *_HEIGHTS))
        graph.emit(graph.packed(_BITS, first, second))

    def show_lit(self) -> None:
        """Makes the material reflect light, for pictures that need no baked textures."""
        layer = self._layer
        bump = self._graph.node("ShaderNodeBump", {"Height": layer.height, "Distance": self.relief})
        inputs = {"Base Color": layer.color, "Roughness": layer.roughness, "Metallic": layer.metallic}
        for name, value in (inputs | {"Normal": bump.outputs[0]}).items():
            self._graph.plug(self._graph.surface().inputs[name], value)

    def show_opacity_and_glow(self) -> None:
        """Makes the material emit opacity as red, and as green how much of :attr:`glow` a point gives off."""
        share = self._graph.math("DIVIDE", self._layer.glow, max(self.glow, 1e-6))
        inputs = {0: self._layer.opacity, 1: share, 2: 0.0}
        self._graph.emit(self._graph.node("ShaderNodeCombineColor", inputs).outputs[0])

    @property
    def relief(self) -> float:
        """Blender units that a height of 1 stands for."""
        return _RELIEF * self._size

    def _whole(self, surface: SurfaceSpec) -> ShadingLayer:
        layer = self._base(surface.swatch)
        if surface.second is not None:
            spread = self._graph.noise(self.position, 2.2, detail=3)
            mask = self._graph.span(spread, 0.49, 0.52, smooth=True)
            layer = self._over(layer, self._base(surface.second), mask)
        for wear in surface.wear:
            layer = self._worn(layer, wear)
        return layer

    def _base(self, swatch: Swatch) -> ShadingLayer:
        graph = self._graph
        pattern = PATTERNS[swatch.pattern](graph, self.position, swatch.scale)
        tone = graph.math("ADD", pattern.tone, 0.0, clamp=True)
        color = graph.mix(tone, linear(swatch.dark), linear(swatch.light))
        if swatch.accent:
            color = graph.mix(pattern.accent, color, linear(swatch.accent))
        roughness = graph.span(tone, 0.0, 1.0, swatch.roughness[0], swatch.roughness[1])
        height = graph.math("MULTIPLY", pattern.height, swatch.relief)
        apart: Value = pattern.accent if swatch.accent else 0.0
        opacity: Value = graph.blend(apart, swatch.opacity, 1.0) if swatch.opacity < 1.0 else 1.0
        glow: Value = graph.math("MULTIPLY", apart, swatch.glow) if swatch.glow else 0.0
        return ShadingLayer(color, roughness, swatch.metallic, height, opacity, glow)

    def _over(self, below: ShadingLayer, above: ShadingLayer, mask: Value) -> ShadingLayer:
        colors, *others = zip(below, above, strict=True)
        return ShadingLayer(self._graph.mix(mask, *colors), *(self._graph.blend(mask, *pair) for pair in others))

    def _worn(self, layer: ShadingLayer, wear: Wear) -> ShadingLayer:
        graph = self._graph
        mask = getattr(self, wear.pattern)(wear.amount)
        tone = graph.span(graph.noise(self.position, 30, detail=6, roughness=0.7), 0.3, 0.7, 0.55, 1.25)
        if wear.color:
            color = graph.mix(1.0, linear(wear.color), tone, "MULTIPLY")
        else:
            color = graph.mix(0.4, layer.color, (0.7, 0.67, 0.62))
        metallic: Value = wear.metallic if wear.color else layer.metallic
        raised = graph.math("ADD", layer.height, graph.math("MULTIPLY", tone, wear.relief))
        opacity = 1.0 if wear.color else layer.opacity
        return self._over(layer, ShadingLayer(color, wear.roughness, metallic, raised, opacity), mask)

    def patches(self, amount: float) -> Value:
        """Irregular spots, more of them in hollows than on edges."""
        spots = self._graph.noise(self.position, 4.5, detail=9, roughness=0.66, distortion=0.5)
        fine = self._graph.noise(self.position, 35, detail=4)
        spread = self._graph.span(self._graph.blend(0.25, spots, fine), 0.32, 0.68)
        value = self._graph.math("SUBTRACT", spread, self._edge_bias(0.6))
        start = 0.8 - amount * 0.75
        return self._graph.span(value, start, start + 0.16, smooth=True)

    def edges(self, amount: float) -> Value:
        """Where the surface bends outwards, broken up by noise; and faintly where much is touched, for round things."""
        rough = self._graph.noise(self.position, 14, detail=7, roughness=0.7)
        value = self._graph.math("ADD", self._edge_bias(4.0), self._graph.math("MULTIPLY", rough, 0.6))
        bare = self._graph.span(value, 0.62 - amount * 0.3, 0.75 - amount * 0.25, smooth=True)
        rubbed = self._graph.noise(self.position, 5.5, detail=9, roughness=0.72)
        rubbed = self._graph.span(rubbed, 0.57 - amount * 0.2, 0.72 - amount * 0.2, 0.0, 0.75, smooth=True)
        return self._graph.math("MAXIMUM", bare, rubbed)

    def tops(self, amount: float) -> Value:
        """What faces the sky."""
        up = self._graph.parts(self._geometry.outputs["Normal"])[2]
        rough = self._graph.noise(self.position, 7, detail=8, roughness=0.65)
        value = self._graph.math("ADD", up, self._graph.span(rough, 0.3, 0.7, -0.5, 0.5))
        return self._graph.span(value, 0.75 - amount, 0.95 - amount, smooth=True)

    def scratches(self, amount: float) -> Value:
        """Thin lines in several directions."""
        total: Value = 0.0
        for axis in range(3):
            stretch = [26.0, 26.0, 26.0]
            stretch[axis] = 1.6
            along = self._graph.vector_math("MULTIPLY", self.position, tuple(stretch))
            lines = self._graph.noise(along, 1.0, detail=2, distortion=0.4)
            ridge = self._graph.math("ABSOLUTE", self._graph.math("SUBTRACT", lines, 0.5))
            total = self._graph.math("MAXIMUM", total, self._graph.span(ridge, 0.0, 0.006 + amount * 0.012, 1.0, 0.0))
        some = self._graph.span(self._graph.noise(self.position, 5, detail=4), 0.45, 0.55)
        return self._graph.math("MULTIPLY", total, some)

    def cracks(self, amount: float) -> Value:
        """A net of fine breaks."""
        bent = self._graph.noise(self.position, 9, detail=5)
        moved = self._graph.vector_math("ADD", self.position, self._graph.math("MULTIPLY", bent, 0.18))
        edge = self._graph.cells(moved, 5.5, "DISTANCE_TO_EDGE").outputs["Distance"]
        return self._graph.span(edge, 0.004, 0.012 + amount * 0.02, 1.0, 0.0, smooth=True)

    def chips(self, amount: float) -> Value:
        """Sharply bounded flakes that have come off, most of them where the surface bends outwards."""
        bent = self._graph.noise(self.position, 22, detail=3)
        moved = self._graph.vector_math("ADD", self.position, self._graph.math("MULTIPLY", bent, 0.06))
        spots = self._graph.noise(moved, 7.5, detail=3, roughness=0.45)
        value = self._graph.math("ADD", spots, self._edge_bias(1.2))
        return self._graph.span(value, 0.69 - amount * 0.3, 0.71 - amount * 0.3)

    def dents(self, amount: float) -> Value:
        """Single round dents of different size."""
        node = self._graph.cells(self.position, 5.0)
        size = self._graph.span(self._graph.math("MULTIPLY", node.outputs["Color"], 1.0), 0.3, 1.0, 0.0, 0.3 + amount)
        ratio = self._graph.math("DIVIDE", node.outputs["Distance"], self._graph.math("ADD", size, 0.02))
        return self._graph.span(ratio, 0.3, 1.0, 1.0, 0.0, smooth=True)

    def _edge_bias(self, strength: float) -> Value:
        """Above zero on outward edges, below in hollows; needs a mesh that is not too coarse."""
        bent = self._graph.math("SUBTRACT", self._geometry.outputs["Pointiness"], 0.5)
        return self._graph.math("MULTIPLY", bent, strength)
