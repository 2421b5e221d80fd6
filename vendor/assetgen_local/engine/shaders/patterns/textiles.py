"""What is spun, woven, knitted or tanned: cloth, denim, wool, leather, fur."""

from __future__ import annotations

from ..nodes import NodeGraph, Value
from .base import Pattern, around, bend, bent, stretched


def weave(graph: NodeGraph, position: Value, scale: float) -> Pattern:
    """Threads over and under each other."""
    flat = bent(graph, around(graph, position), 6 * scale, 0.012)
    cells = graph.vector_math("FLOOR", stretched(graph, flat, (34 * scale, 34 * scale, 0.0)))
    turned = graph.math("FLOORED_MODULO", graph.math("ADD", graph.parts(cells)[0], graph.parts(cells)[1]), 2.0)
    across, along = _threads(graph, flat, 34 * scale, 0), _threads(graph, flat, 34 * scale, 1)
    thread = graph.blend(graph.math("GREATER_THAN", turned, 0.5), across, along)
    fibre = graph.noise(position, 120 * scale, detail=3)
    clouds = graph.noise(position, 5 * scale, detail=5)
    tone = graph.blend(0.35, thread, graph.span(graph.blend(0.5, clouds, fibre), 0.32, 0.68))
    return Pattern(tone, thread)


def _threads(graph: NodeGraph, flat: Value, count: float, index: int) -> Value:
    """1 on the middle of each of ``count`` threads, 0 between them."""
    place = graph.math("FRACT", graph.math("MULTIPLY", graph.parts(flat)[index], count))
    away = graph.math("ABSOLUTE", graph.math("SUBTRACT", place, 0.5))
    return graph.span(away, 0.08, 0.48, 1.0, 0.0, smooth=True)


def twill(graph: NodeGraph, position: Value, scale: float) -> Pattern:
    """Diagonal ribs, the warp blue and the weft pale: denim."""
    flat = bent(graph, around(graph, position), 8 * scale, 0.01)
    ribs = graph.wave(flat, 11 * scale, axis="DIAGONAL", distortion=0.6, detail_scale=4.0)
    threads = _threads(graph, flat, 60 * scale, 0)
    wash = graph.noise(position, 4 * scale, detail=6)
    tone = graph.blend(0.45, graph.math("MULTIPLY", ribs, threads), graph.span(wash, 0.35, 0.7))
    return Pattern(tone, graph.blend(0.4, ribs, threads))


def knit(graph: NodeGraph, position: Value, scale: float) -> Pattern:
    """Rows of V-shaped stitches: wool."""
    flat = bent(graph, around(graph, position), 5 * scale, 0.02)
    count = 17 * scale
    across = graph.math("MULTIPLY", graph.parts(flat)[0], count)
    side = graph.math("ABSOLUTE", graph.math("SUBTRACT", graph.math("FRACT", across), 0.5))
    slanted = graph.math("ADD", graph.math("MULTIPLY", graph.parts(flat)[1], count * 1.25), side)
    place = graph.math("ABSOLUTE", graph.math("SUBTRACT", graph.math("FRACT", slanted), 0.5))
    stitch = graph.math("MULTIPLY", graph.span(place, 0.1, 0.48, 1.0, 0.0, smooth=True),
                        graph.span(side, 0.0, 0.14, 0.35, 1.0, smooth=True))  # fmt: skip
    gap = graph.span(side, 0.4, 0.5, 1.0, 0.45)
    stitch = graph.math("MULTIPLY", stitch, gap)
    fuzz = graph.noise(position, 140 * scale, detail=3)
    tone = graph.blend(0.3, stitch, graph.span(fuzz, 0.3, 0.7))
    return Pattern(tone, graph.blend(0.15, stitch, fuzz))


def plaited(graph: NodeGraph, position: Value, scale: float) -> Pattern:
    """Broad strips over and under each other: wicker, burlap."""
    flat = bent(graph, around(graph, position), 4 * scale, 0.02)
    count = 14 * scale
    cells = graph.vector_math("FLOOR", stretched(graph, flat, (count, count, 0.0)))
    turned = graph.math("FLOORED_MODULO", graph.math("ADD", graph.parts(cells)[0], graph.parts(cells)[1]), 2.0)
    over = graph.math("GREATER_THAN", turned, 0.5)
    strip = graph.blend(over, _threads(graph, flat, count, 0), _threads(graph, flat, count, 1))
    x, y = graph.parts(flat)[0], graph.parts(flat)[1]
    fibres = graph.blend(
        over,
        graph.noise(stretched(graph, graph.vector(x, y), (150, 12, 0)), scale, detail=3),
        graph.noise(stretched(graph, graph.vector(x, y), (12, 150, 0)), scale, detail=3),
    )
    return Pattern(graph.math("MULTIPLY", strip, graph.span(fibres, 0.25, 0.7)), strip)


def felt(graph: NodeGraph, position: Value, scale: float) -> Pattern:
    """Matted short fibres in all directions: felt, velvet, suede."""
    fibres = graph.noise(bent(graph, position, 20 * scale, 0.08), 75 * scale, detail=5, roughness=0.75, distortion=1.2)
    nap = graph.noise(position, 5 * scale, detail=4)
    tone = graph.blend(0.5, graph.span(fibres, 0.3, 0.7), graph.span(nap, 0.38, 0.62))
    return Pattern(tone, fibres)


def tufted(graph: NodeGraph, position: Value, scale: float) -> Pattern:
    """Small loops side by side: carpet, towels, sheepskin."""
    loops = graph.cells(bent(graph, position, 9 * scale, 0.03), 36 * scale)
    bulge = graph.span(loops.outputs["Distance"], 0.05, 0.7, 1.0, 0.0, smooth=True)
    tone = graph.blend(0.35, bulge, loops.outputs["Color"])
    return Pattern(tone, bulge)


def leather(graph: NodeGraph, position: Value, scale: float) -> Pattern:
    """Small irregular cells with creases between them."""
    moved = bent(graph, position, 12 * scale, 0.05)
    fine = graph.span(graph.cells(moved, 44 * scale, "DISTANCE_TO_EDGE").outputs["Distance"], 0.0, 0.22, smooth=True)
    folds = graph.cells(bent(graph, position, 5 * scale, 0.3), 7 * scale, "DISTANCE_TO_EDGE").outputs["Distance"]
    creases = graph.span(folds, 0.0, 0.035, smooth=True)
    clouds = graph.noise(position, 4 * scale, detail=6)
    pressed = graph.math("MULTIPLY", graph.span(fine, 0, 1, 0.45, 1), graph.span(creases, 0, 1, 0.55, 1))
    return Pattern(graph.math("MULTIPLY", graph.span(clouds, 0.2, 0.68), pressed), graph.blend(0.35, fine, creases))


def fur(graph: NodeGraph, position: Value, scale: float) -> Pattern:
    """Many strands, in tufts that lean differently."""
    lean = stretched(graph, bend(graph, position, 4 * scale), (0.35, 0.35, 0.35))
    leaning = graph.vector_math("ADD", position, lean)
    strands = graph.noise(stretched(graph, leaning, (95 * scale, 95 * scale, 12 * scale)), 1.0, detail=3)
    tufts = graph.noise(stretched(graph, leaning, (1.0, 1.0, 0.4)), 13 * scale, detail=4)
    tone = graph.span(graph.blend(0.4, strands, tufts), 0.36, 0.62)
    return Pattern(tone, graph.blend(0.3, strands, tufts), graph.span(tufts, 0.62, 0.72))
