"""What is quarried, cast, laid or forged: stone, concrete, bricks, tiles, sand, lava; metals, plastics and glazes."""

from __future__ import annotations

from ..nodes import NodeGraph, Pair, Value
from .base import Pattern, around, bent, checked, stretched


def stone(graph: NodeGraph, position: Value, scale: float) -> Pattern:
    """Rough, with clouds of tone at several sizes."""
    clouds = graph.noise(position, 5 * scale, detail=7, roughness=0.62, distortion=0.6)
    grain = graph.noise(position, 55 * scale, detail=4, roughness=0.7)
    return Pattern(graph.span(graph.blend(0.3, clouds, grain), 0.3, 0.7), graph.blend(0.5, clouds, grain))


def rocky(graph: NodeGraph, position: Value, scale: float) -> Pattern:
    """Broken faces with dark clefts between them."""
    moved = bent(graph, position, 4 * scale, 0.22)
    edge = graph.cells(moved, 4.5 * scale, "DISTANCE_TO_EDGE").outputs["Distance"]
    face = graph.cells(moved, 4.5 * scale).outputs["Color"]
    body = stone(graph, position, scale * 1.3)
    cleft = graph.span(edge, 0.0, 0.055, 1.0, 0.0, smooth=True)
    tone = graph.math("SUBTRACT", graph.blend(0.3, body.tone, face), graph.math("MULTIPLY", cleft, 0.45), clamp=True)
    height = graph.blend(0.45, graph.span(edge, 0.0, 0.25, smooth=True), body.height)
    return Pattern(tone, height)


def strata(graph: NodeGraph, position: Value, scale: float) -> Pattern:
    """Layers that were laid down one on the other, a little folded."""
    moved = bent(graph, position, 2.2 * scale, 0.09)
    layers = graph.noise(stretched(graph, moved, (0.35, 0.35, 15 * scale)), 1.0, detail=6, roughness=0.6)
    grain = graph.noise(position, 75 * scale, detail=3, roughness=0.75)
    tone = graph.blend(0.25, graph.span(layers, 0.32, 0.66), graph.span(grain, 0.3, 0.7))
    return Pattern(tone, graph.blend(0.4, layers, grain))


def cleft(graph: NodeGraph, position: Value, scale: float) -> Pattern:
    """Thin sheets that split off in steps: slate."""
    moved = bent(graph, position, 3 * scale, 0.12)
    layers = graph.noise(stretched(graph, moved, (1.4 * scale, 1.4 * scale, 7 * scale)), 1.0, detail=4)
    steps = graph.math("MULTIPLY", graph.math("FLOOR", graph.math("MULTIPLY", layers, 11.0)), 1 / 11)
    grain = graph.noise(stretched(graph, position, (30, 30, 70)), scale, detail=4)
    tone = graph.blend(0.3, graph.span(steps, 0.3, 0.7), graph.span(grain, 0.3, 0.7))
    return Pattern(tone, graph.blend(0.15, graph.span(steps, 0.2, 0.8), grain))


def pitted(graph: NodeGraph, position: Value, scale: float) -> Pattern:
    """Even and grainy, with small holes: concrete, limestone, bone."""
    body = stone(graph, position, scale * 1.2)
    node = graph.cells(position, 34 * scale)
    some = graph.math("GREATER_THAN", graph.math("MULTIPLY", node.outputs["Color"], 1.0), 0.62)
    hole = graph.math("MULTIPLY", graph.span(node.outputs["Distance"], 0.1, 0.26, 1.0, 0.0, smooth=True), some)
    tone = graph.math("SUBTRACT", body.tone, graph.math("MULTIPLY", hole, 0.8), clamp=True)
    return Pattern(tone, graph.math("SUBTRACT", graph.math("MULTIPLY", body.height, 0.5), hole))


def speckled(graph: NodeGraph, position: Value, scale: float) -> Pattern:
    """Grains of different tone, some of another colour, some black: granite."""
    grains = graph.cells(position, 42 * scale)
    fine = graph.cells(position, 110 * scale).outputs["Color"]
    clouds = graph.noise(position, 7 * scale, detail=5)
    tone = graph.blend(0.3, graph.math("MULTIPLY", grains.outputs["Color"], 1.0), graph.span(clouds, 0.3, 0.7))
    tone = graph.blend(0.35, tone, fine)
    dark = graph.span(graph.cells(position, 60 * scale).outputs["Color"], 0.2, 0.26, 1.0, 0.0)
    tone = graph.math("SUBTRACT", tone, graph.math("MULTIPLY", dark, 0.75), clamp=True)
    spots = graph.span(graph.cells(position, 33 * scale).outputs["Color"], 0.72, 0.76)
    return Pattern(tone, grains.outputs["Distance"], graph.math("MULTIPLY", spots, 0.75))


def aggregate(graph: NodeGraph, position: Value, scale: float) -> Pattern:
    """Pebbles of their own tones, bedded in something dark: gravel, cobbles, asphalt."""
    node = graph.cells(position, 13 * scale, randomness=0.85)
    edge = graph.cells(position, 13 * scale, "DISTANCE_TO_EDGE", 0.85).outputs["Distance"]
    top = graph.span(edge, 0.02, 0.3, smooth=True)
    grain = graph.noise(position, 70 * scale, detail=4)
    tone = graph.blend(0.3, node.outputs["Color"], graph.span(grain, 0.3, 0.7))
    return Pattern(tone, graph.blend(0.12, top, grain), graph.span(edge, 0.02, 0.08, 1.0, 0.0, smooth=True))


def marble(graph: NodeGraph, position: Value, scale: float) -> Pattern:
    """Thin veins through an even body."""
    moved = bent(graph, position, 2.4 * scale, 0.55)
    ridge = graph.math("ABSOLUTE", graph.math("SUBTRACT", graph.noise(moved, 2.6 * scale, detail=8), 0.5))
    lines = graph.span(ridge, 0.0, 0.055, 1.0, 0.0, smooth=True)
    clouds = graph.noise(position, 3 * scale, detail=4)
    strength = graph.math("MULTIPLY", lines, graph.span(clouds, 0.35, 0.65, 0.25, 1.0))
    return Pattern(graph.span(clouds, 0.3, 0.7), lines, strength)


def banded(graph: NodeGraph, position: Value, scale: float) -> Pattern:
    """Flowing bands of tone through a polished body: jade, malachite, agate."""
    moved = bent(graph, position, 2.0 * scale, 0.9)
    bands = graph.wave(moved, 2.6 * scale, distortion=3.0, detail_scale=1.4, wave_type="RINGS", rings_direction="Z")
    clouds = graph.noise(position, 6 * scale, detail=6)
    return Pattern(graph.blend(0.35, bands, graph.span(clouds, 0.3, 0.7)), clouds, graph.span(bands, 0.93, 1.0))


def veins(graph: NodeGraph, position: Value, scale: float) -> Pattern:
    """Glowing cracks between dark plates."""
    moved = bent(graph, position, 5 * scale, 0.12)
    edge = graph.cells(moved, 7 * scale, "DISTANCE_TO_EDGE").outputs["Distance"]
    body = stone(graph, position, scale)
    return Pattern(body.tone, graph.span(edge, 0.0, 0.2), graph.span(edge, 0.02, 0.09, 1.0, 0.0, smooth=True))


def frosted(graph: NodeGraph, position: Value, scale: float) -> Pattern:
    """Clear with white cracks and frozen bubbles: ice."""
    moved = bent(graph, position, 5 * scale, 0.2)
    edge = graph.cells(moved, 3.4 * scale, "DISTANCE_TO_EDGE").outputs["Distance"]
    cracks = graph.span(edge, 0.0, 0.03, 1.0, 0.0, smooth=True)
    bubbles = graph.span(graph.cells(position, 40 * scale).outputs["Distance"], 0.08, 0.2, 0.6, 0.0)
    clouds = graph.noise(position, 3 * scale, detail=6, roughness=0.65)
    return Pattern(graph.span(clouds, 0.3, 0.7), clouds, graph.math("MAXIMUM", cracks, bubbles))


def bricks(graph: NodeGraph, position: Value, scale: float) -> Pattern:
    """Rows of bricks in mortar, around the model."""
    return _masonry(graph, position, scale, (0.62, 0.25), mortar=0.02, offset=0.5)


def tiles(graph: NodeGraph, position: Value, scale: float) -> Pattern:
    """Square tiles in a grid, around the model."""
    return _masonry(graph, position, scale, (0.5, 0.5), mortar=0.012, offset=0.0)


def _masonry(graph: NodeGraph, position: Value, scale: float, size: Pair, **look: float) -> Pattern:
    tones, joint = graph.boards(around(graph, position), 5.0 * scale, size, smooth=0.3, tones=(0.1, 0.9), **look)
    grain = graph.noise(position, 40, detail=5)
    tone = graph.blend(0.3, tones, graph.span(grain, 0.3, 0.7))
    return Pattern(tone, graph.math("SUBTRACT", graph.math("MULTIPLY", grain, 0.25), joint), joint)


def patchy(graph: NodeGraph, position: Value, scale: float) -> Pattern:
    """Crusts and stains: rust, moss, soil."""
    large = graph.noise(position, 6 * scale, detail=8, roughness=0.68, distortion=0.8)
    small = graph.noise(position, 45 * scale, detail=5, roughness=0.7)
    tone = graph.span(graph.blend(0.4, large, small), 0.32, 0.66)
    return Pattern(tone, graph.blend(0.55, large, small), graph.span(large, 0.52, 0.62, smooth=True))


def sand(graph: NodeGraph, position: Value, scale: float) -> Pattern:
    """Fine grains on soft ripples."""
    ripples = graph.wave(position, 4.5 * scale, bands_direction="Z", distortion=6.0, detail_scale=1.2)
    grains = graph.noise(position, 190 * scale, detail=2, roughness=0.8)
    return Pattern(graph.blend(0.55, ripples, graph.span(grains, 0.25, 0.75)), graph.blend(0.45, ripples, grains))


def drifted(graph: NodeGraph, position: Value, scale: float) -> Pattern:
    """Soft drifts with single glittering grains: snow, salt."""
    drifts = graph.noise(position, 3.2 * scale, detail=5, roughness=0.5)
    glitter = graph.span(graph.cells(position, 150 * scale).outputs["Color"], 0.9, 0.96)
    return Pattern(graph.span(drifts, 0.35, 0.65), graph.blend(0.12, drifts, glitter), glitter)


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
    over = checked(graph, flat, 26 * scale, 4)
    fibres = graph.blend(over, *(graph.wave(flat, 70 * scale, bands_direction=axis) for axis in "YX"))
    shade = graph.span(over, 0.0, 1.0, 0.75, 0.1)
    return Pattern(graph.blend(0.25, shade, fibres), graph.math("MULTIPLY", fibres, 0.3))
