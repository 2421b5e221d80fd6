"""Even and worked surfaces: plastics, glazes, brushed and hammered metal, facets."""

from __future__ import annotations

from ..nodes import NodeGraph, Value
from .base import Pattern, around, stretched


def smooth(graph: NodeGraph, position: Value, scale: float) -> Pattern:
    """Nearly even: plastics, glazes, rubber."""
    return Pattern(graph.noise(position, 6 * scale, detail=2), graph.noise(position, 60 * scale, detail=3))


def stippled(graph: NodeGraph, position: Value, scale: float) -> Pattern:
    """Even in colour, with a fine moulded grain: rubber, foam."""
    dots = graph.cells(position, 95 * scale, "SMOOTH_F1").outputs["Distance"]
    return Pattern(graph.noise(position, 5 * scale, detail=4), graph.span(dots, 0.1, 0.6, 1.0, 0.0, smooth=True))


def brushed(graph: NodeGraph, position: Value, scale: float) -> Pattern:
    """Fine lines along the model's height."""
    lines = graph.noise(stretched(graph, position, (90 * scale, 90 * scale, 3 * scale)), 1.0, detail=3)
    clouds = graph.noise(position, 4 * scale, detail=4)
    tone = graph.blend(0.5, graph.span(lines, 0.3, 0.7), graph.span(clouds, 0.3, 0.7))
    return Pattern(tone, lines)


def forged(graph: NodeGraph, position: Value, scale: float) -> Pattern:
    """Worked with a hammer while hot: broad dents under a dark, grainy scale."""
    dents = graph.cells(position, 13 * scale, "SMOOTH_F1").outputs["Distance"]
    grain = graph.noise(position, 48 * scale, detail=5, roughness=0.65)
    tone = graph.blend(0.55, graph.span(dents, 0.1, 0.7), graph.span(grain, 0.3, 0.7))
    return Pattern(tone, graph.blend(0.2, graph.span(dents, 0.0, 0.6), grain))


def hammered(graph: NodeGraph, position: Value, scale: float) -> Pattern:
    """Shallow dents, as from a hammer."""
    dents = graph.cells(position, 26 * scale, "SMOOTH_F1").outputs["Distance"]
    clouds = graph.noise(position, 5 * scale, detail=5)
    return Pattern(graph.span(clouds, 0.25, 0.75), graph.span(dents, 0.0, 0.6))


def spangled(graph: NodeGraph, position: Value, scale: float) -> Pattern:
    """Flat crystals that each mirror differently: zinc on steel."""
    flakes = graph.cells(position, 15 * scale)
    lines = graph.noise(stretched(graph, position, (60 * scale, 60 * scale, 8 * scale)), 1.0, detail=2)
    return Pattern(graph.blend(0.15, flakes.outputs["Color"], lines), graph.noise(position, 30 * scale))


def facets(graph: NodeGraph, position: Value, scale: float) -> Pattern:
    """Flat faces at different angles."""
    node = graph.cells(position, 8 * scale)
    return Pattern(node.outputs["Color"], node.outputs["Distance"])


def carbon(graph: NodeGraph, position: Value, scale: float) -> Pattern:
    """Broad fibres woven two over two under a clear coat."""
    flat = around(graph, position)
    cells = graph.vector_math("FLOOR", stretched(graph, flat, (26 * scale, 26 * scale, 0.0)))
    diagonal = graph.math("ADD", graph.parts(cells)[0], graph.parts(cells)[1])
    turned = graph.math("LESS_THAN", graph.math("FLOORED_MODULO", diagonal, 4.0), 1.5)
    across = graph.wave(flat, 70 * scale, axis="X")
    along = graph.wave(flat, 70 * scale, axis="Y")
    fibres = graph.blend(turned, across, along)
    shade = graph.span(turned, 0.0, 1.0, 0.1, 0.75)
    return Pattern(graph.blend(0.25, shade, fibres), graph.math("MULTIPLY", fibres, 0.3))
