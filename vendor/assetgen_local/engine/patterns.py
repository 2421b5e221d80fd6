"""Procedural patterns in shader nodes. Positions come in model units: the model's largest side is 1, its middle is 0.

Every pattern gives three sockets or numbers: a tone (0: the material's dark colour, 1: its light one), a height (0 to
1, for bumps) and a mask of what has the accent colour.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from .graph import Graph, Value


@dataclass(frozen=True, slots=True)
class Pattern:
    """The outputs of a pattern."""

    tone: Value
    height: Value
    accent: Value = 0.0


def _stretched(graph: Graph, position: Value, stretch: tuple[float, float, float]) -> Value:
    return graph.vector_math("MULTIPLY", position, stretch)


def smooth(graph: Graph, position: Value, scale: float) -> Pattern:
    """Nearly even: plastics, glazes, rubber."""
    return Pattern(graph.noise(position, 6 * scale, detail=2), graph.noise(position, 60 * scale, detail=3))


def brushed(graph: Graph, position: Value, scale: float) -> Pattern:
    """Fine lines along the model's height."""
    lines = graph.noise(_stretched(graph, position, (90 * scale, 90 * scale, 3 * scale)), 1.0, detail=3)
    clouds = graph.noise(position, 4 * scale, detail=4)
    tone = graph.blend(0.5, graph.span(lines, 0.3, 0.7), graph.span(clouds, 0.3, 0.7))
    return Pattern(tone, lines)


def hammered(graph: Graph, position: Value, scale: float) -> Pattern:
    """Shallow dents, as from a hammer."""
    dents = graph.cells(position, 26 * scale, "SMOOTH_F1").outputs["Distance"]
    clouds = graph.noise(position, 5 * scale, detail=5)
    return Pattern(graph.span(clouds, 0.25, 0.75), graph.span(dents, 0.0, 0.6))


def wood(graph: Graph, position: Value, scale: float) -> Pattern:
    """Growth rings cut along the height, with fibres."""
    bent = graph.vector_math("ADD", position, _stretched(graph, bend(graph, position, 2.2 * scale), (0.10, 0.10, 0.02)))
    flat = _stretched(graph, bent, (1.0, 1.0, 0.08))
    rings = graph.wave(flat, 7 * scale, kind="RINGS", axis="Z", distortion=2.0, detail_scale=1.6, profile="SAW")
    fibres = graph.noise(_stretched(graph, bent, (110 * scale, 110 * scale, 5 * scale)), 1.0, detail=4)
    tone = graph.blend(0.35, graph.span(rings, 0.0, 1.0, 0.15, 1.0), graph.span(fibres, 0.3, 0.7))
    return Pattern(tone, graph.blend(0.6, rings, fibres))


def planks(graph: Graph, position: Value, scale: float) -> Pattern:
    """Boards along the height, each with its own grain, and dark joints."""
    grain = wood(graph, position, scale * 0.8)
    width = 7.0 * scale
    board = graph.node("ShaderNodeTexBrick", offset=0.37, offset_frequency=2)
    turned = graph.node("ShaderNodeVectorRotate", rotation_type="AXIS_ANGLE")
    graph.plug(turned.inputs["Vector"], _around(graph, position))
    turned.inputs["Axis"].default_value = (0, 0, 1)
    turned.inputs["Angle"].default_value = 1.5707963
    graph.plug(board.inputs["Vector"], turned.outputs[0])
    for name, value in (
        ("Scale", width), ("Mortar Size", 0.014), ("Mortar Smooth", 0.2), ("Brick Width", 3.6), ("Row Height", 0.6),
    ):  # fmt: skip
        graph.plug(board.inputs[name], value)
    for index, shade in ((1, 0.35), (2, 1.0)):
        board.inputs[index].default_value = (shade, shade, shade, 1.0)
    joint = board.outputs[1]
    tone = graph.math("MULTIPLY", grain.tone, board.outputs[0])
    height = graph.math("SUBTRACT", graph.math("MULTIPLY", grain.height, 0.4), joint)
    return Pattern(tone, height, joint)


def stone(graph: Graph, position: Value, scale: float) -> Pattern:
    """Rough, with clouds of tone at several sizes."""
    clouds = graph.noise(position, 5 * scale, detail=7, roughness=0.62, distortion=0.6)
    grain = graph.noise(position, 55 * scale, detail=4, roughness=0.7)
    return Pattern(graph.span(graph.blend(0.3, clouds, grain), 0.3, 0.7), graph.blend(0.5, clouds, grain))


def speckled(graph: Graph, position: Value, scale: float) -> Pattern:
    """Grains of different tone, some of another colour."""
    grains = graph.cells(position, 85 * scale)
    clouds = graph.noise(position, 7 * scale, detail=5)
    tone = graph.blend(0.4, graph.math("MULTIPLY", grains.outputs["Color"], 1.0), graph.span(clouds, 0.3, 0.7))
    spots = graph.span(graph.cells(position, 47 * scale).outputs["Color"], 0.72, 0.78)
    return Pattern(tone, grains.outputs["Distance"], spots)


def marble(graph: Graph, position: Value, scale: float) -> Pattern:
    """Thin veins through an even body."""
    bent = graph.vector_math("ADD", position, _stretched(graph, bend(graph, position, 2.4 * scale), (0.55, 0.55, 0.55)))
    ridge = graph.math("ABSOLUTE", graph.math("SUBTRACT", graph.noise(bent, 2.6 * scale, detail=8), 0.5))
    veins = graph.span(ridge, 0.0, 0.055, 1.0, 0.0, smooth=True)
    clouds = graph.noise(position, 3 * scale, detail=4)
    strength = graph.math("MULTIPLY", veins, graph.span(clouds, 0.35, 0.65, 0.25, 1.0))
    return Pattern(graph.span(clouds, 0.3, 0.7), veins, strength)


def veins(graph: Graph, position: Value, scale: float) -> Pattern:
    """Glowing cracks between dark plates."""
    bent = graph.vector_math("ADD", position, _stretched(graph, bend(graph, position, 5 * scale), (0.12, 0.12, 0.12)))
    edge = graph.cells(bent, 7 * scale, "DISTANCE_TO_EDGE").outputs["Distance"]
    body = stone(graph, position, scale)
    return Pattern(body.tone, graph.span(edge, 0.0, 0.2), graph.span(edge, 0.02, 0.09, 1.0, 0.0, smooth=True))


def bricks(graph: Graph, position: Value, scale: float) -> Pattern:
    """Rows of bricks in mortar, around the model."""
    return _masonry(graph, position, 5.0 * scale, width=0.62, row=0.25, offset=0.5, mortar=0.02)


def tiles(graph: Graph, position: Value, scale: float) -> Pattern:
    """Square tiles in a grid, around the model."""
    return _masonry(graph, position, 5.0 * scale, width=0.5, row=0.5, offset=0.0, mortar=0.012)


def _masonry(
    graph: Graph, position: Value, scale: float, *, width: float, row: float, offset: float, mortar: float
) -> Pattern:
    node = graph.node("ShaderNodeTexBrick", offset=offset)
    graph.plug(node.inputs["Vector"], _around(graph, position))
    for name, value in (
        ("Scale", scale), ("Mortar Size", mortar), ("Mortar Smooth", 0.3), ("Brick Width", width), ("Row Height", row),
    ):  # fmt: skip
        graph.plug(node.inputs[name], value)
    for index, shade in ((1, 0.1), (2, 0.9)):
        node.inputs[index].default_value = (shade, shade, shade, 1.0)
    grain = graph.noise(position, 40, detail=5)
    tone = graph.blend(0.3, node.outputs[0], graph.span(grain, 0.3, 0.7))
    height = graph.math("SUBTRACT", graph.math("MULTIPLY", grain, 0.25), node.outputs[1])
    return Pattern(tone, height, node.outputs[1])


def _around(graph: Graph, position: Value) -> Value:
    """Wraps a flat pattern around the model: (along the side that the surface faces, height, 0)."""
    split = graph.node("ShaderNodeSeparateXYZ")
    graph.plug(split.inputs[0], position)
    normal = graph.node("ShaderNodeSeparateXYZ")
    graph.plug(normal.inputs[0], graph.node("ShaderNodeNewGeometry").outputs["True Normal"])
    faces_x = graph.math("GREATER_THAN", *(graph.math("ABSOLUTE", normal.outputs[i]) for i in (0, 1)))
    faces_up = graph.math("GREATER_THAN", graph.math("ABSOLUTE", normal.outputs[2]), 0.8)
    join = graph.node("ShaderNodeCombineXYZ")
    graph.plug(join.inputs[0], graph.blend(faces_x, split.outputs[0], split.outputs[1]))
    flat = graph.blend(faces_x, split.outputs[1], split.outputs[0])
    graph.plug(join.inputs[1], graph.blend(faces_up, split.outputs[2], flat))
    return join.outputs[0]


def patchy(graph: Graph, position: Value, scale: float) -> Pattern:
    """Crusts and stains: rust, moss, soil."""
    large = graph.noise(position, 6 * scale, detail=8, roughness=0.68, distortion=0.8)
    small = graph.noise(position, 45 * scale, detail=5, roughness=0.7)
    tone = graph.span(graph.blend(0.4, large, small), 0.32, 0.66)
    return Pattern(tone, graph.blend(0.55, large, small), graph.span(large, 0.52, 0.62, smooth=True))


def bark(graph: Graph, position: Value, scale: float) -> Pattern:
    """Deep furrows along the height."""
    bent = graph.vector_math("ADD", position, _stretched(graph, bend(graph, position, 6 * scale), (0.05, 0.05, 0.05)))
    edge = graph.cells(_stretched(graph, bent, (1, 1, 0.25)), 16 * scale, "DISTANCE_TO_EDGE").outputs["Distance"]
    furrows = graph.span(edge, 0.0, 0.22, smooth=True)
    rough = graph.noise(_stretched(graph, bent, (1, 1, 0.3)), 50 * scale, detail=5)
    return Pattern(graph.math("MULTIPLY", furrows, graph.span(rough, 0.25, 0.7)), graph.blend(0.3, furrows, rough))


def weave(graph: Graph, position: Value, scale: float) -> Pattern:
    """Threads over and under each other."""
    around = _around(graph, position)
    across = graph.wave(around, 26 * scale, axis="X", distortion=0.4)
    along = graph.wave(around, 26 * scale, axis="Y", distortion=0.4)
    threads = graph.math("ABSOLUTE", graph.math("SUBTRACT", across, along))
    clouds = graph.noise(position, 9 * scale, detail=5)
    return Pattern(graph.blend(0.45, graph.span(clouds, 0.3, 0.7), threads), threads)


def leather(graph: Graph, position: Value, scale: float) -> Pattern:
    """Small irregular cells with creases between them."""
    bent = graph.vector_math("ADD", position, _stretched(graph, bend(graph, position, 14 * scale), (0.02, 0.02, 0.02)))
    edge = graph.cells(bent, 60 * scale, "DISTANCE_TO_EDGE").outputs["Distance"]
    cells = graph.span(edge, 0.0, 0.2, smooth=True)
    clouds = graph.noise(position, 4 * scale, detail=6)
    return Pattern(graph.math("MULTIPLY", graph.span(clouds, 0.25, 0.72), graph.span(cells, 0, 1, 0.6, 1)), cells)


def fur(graph: Graph, position: Value, scale: float) -> Pattern:
    """Many strands, in tufts that lean differently."""
    lean = _stretched(graph, bend(graph, position, 5 * scale), (0.25, 0.25, 0.25))
    leaning = graph.vector_math("ADD", position, lean)
    strands = graph.noise(_stretched(graph, leaning, (130 * scale, 130 * scale, 22 * scale)), 1.0, detail=3)
    tufts = graph.noise(position, 11 * scale, detail=4)
    tone = graph.span(graph.blend(0.45, strands, tufts), 0.32, 0.66)
    return Pattern(tone, strands, graph.span(tufts, 0.62, 0.72))


def cells(graph: Graph, position: Value, scale: float) -> Pattern:
    """Overlapping blotches, each with its own tone."""
    node = graph.cells(position, 18 * scale)
    edge = graph.cells(position, 18 * scale, "DISTANCE_TO_EDGE").outputs["Distance"]
    tone = graph.blend(0.35, node.outputs["Color"], graph.span(node.outputs["Distance"], 0.0, 0.7, 1.0, 0.2))
    return Pattern(tone, graph.span(edge, 0.0, 0.2), graph.span(edge, 0.0, 0.03, 1.0, 0.0))


def scales(graph: Graph, position: Value, scale: float) -> Pattern:
    """Bulging scales with dark gaps."""
    node = graph.cells(position, 24 * scale, randomness=0.7)
    edge = graph.cells(position, 24 * scale, "DISTANCE_TO_EDGE", 0.7).outputs["Distance"]
    bulge = graph.span(node.outputs["Distance"], 0.0, 0.75, 1.0, 0.0, smooth=True)
    tone = graph.blend(0.3, bulge, node.outputs["Color"])
    return Pattern(tone, bulge, graph.span(edge, 0.0, 0.09, 1.0, 0.0, smooth=True))


def facets(graph: Graph, position: Value, scale: float) -> Pattern:
    """Flat faces at different angles."""
    node = graph.cells(position, 8 * scale)
    return Pattern(node.outputs["Color"], node.outputs["Distance"])


def sand(graph: Graph, position: Value, scale: float) -> Pattern:
    """Fine grains on soft ripples."""
    ripples = graph.wave(position, 4.5 * scale, axis="Z", distortion=6.0, detail_scale=1.2)
    grains = graph.noise(position, 190 * scale, detail=2, roughness=0.8)
    return Pattern(graph.blend(0.55, ripples, graph.span(grains, 0.25, 0.75)), graph.blend(0.45, ripples, grains))


def skin(graph: Graph, position: Value, scale: float) -> Pattern:
    """Soft mottling with fine pores and a little redness."""
    mottled = graph.noise(position, 9 * scale, detail=6)
    pores = graph.cells(position, 110 * scale, "SMOOTH_F1").outputs["Distance"]
    redness = graph.span(graph.noise(position, 3.5 * scale, detail=3), 0.5, 0.75, 0.0, 0.45)
    return Pattern(graph.span(mottled, 0.3, 0.7), pores, redness)


def bend(graph: Graph, position: Value, scale: float) -> Value:
    """A vector of noise around 0, to bend other patterns with."""
    node = graph.node("ShaderNodeTexNoise")
    graph.plug(node.inputs["Vector"], position)
    graph.plug(node.inputs["Scale"], scale)
    graph.plug(node.inputs["Detail"], 3.0)
    return graph.vector_math("SUBTRACT", node.outputs[1], (0.5, 0.5, 0.5))


PATTERNS: dict[str, Callable[[Graph, Value, float], Pattern]] = {
    function.__name__: function
    for function in (
        smooth, brushed, hammered, wood, planks, stone, speckled, marble, veins, bricks, tiles, patchy, bark, weave,
        leather, fur, cells, scales, facets, sand, skin,
    )
}  # fmt: skip
