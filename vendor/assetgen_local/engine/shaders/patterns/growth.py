"""What grows, and what is spun, woven, knitted or tanned of it: wood, bark, leaves, scales; cloth, wool, leather."""

from __future__ import annotations

from ..nodes import NodeGraph, Value
from .base import Pattern, around, bend, bent, checked, stretched


def wood(graph: NodeGraph, position: Value, scale: float) -> Pattern:
    """Growth rings cut along the height, with fibres."""
    moved = graph.vector_math("ADD", position, stretched(graph, bend(graph, position, 2.2 * scale), (0.10, 0.10, 0.02)))
    flat = stretched(graph, moved, (1.0, 1.0, 0.08))
    rings = graph.wave(
        flat, 7 * scale, distortion=2.0, detail_scale=1.6, wave_type="RINGS", rings_direction="Z", wave_profile="SAW"
    )
    fibres = graph.noise(stretched(graph, moved, (110 * scale, 110 * scale, 5 * scale)), 1.0, detail=4)
    tone = graph.blend(0.35, graph.span(rings, 0.0, 1.0, 0.15, 1.0), graph.span(fibres, 0.3, 0.7))
    return Pattern(tone, graph.blend(0.6, rings, fibres))


def fine_wood(graph: NodeGraph, position: Value, scale: float) -> Pattern:
    """Dense wood: hardly any rings, fine pores along the height and a slow figure: ebony, walnut, mahogany, cherry."""
    moved = bent(graph, position, 1.8 * scale, 0.16)
    figure = graph.noise(stretched(graph, moved, (9 * scale, 9 * scale, 0.9 * scale)), 1.0, detail=5, distortion=1.4)
    pores = graph.noise(stretched(graph, moved, (150 * scale, 150 * scale, 9 * scale)), 1.0, detail=3)
    tone = graph.blend(0.4, graph.span(figure, 0.3, 0.7), graph.span(pores, 0.3, 0.66))
    return Pattern(tone, graph.blend(0.7, figure, pores))


def birch(graph: NodeGraph, position: Value, scale: float) -> Pattern:
    """Pale wood with short dark flecks: birch, beech, maple."""
    base = fine_wood(graph, position, scale)
    flecks = graph.cells(stretched(graph, bent(graph, position, 9, 0.02), (70 * scale, 70 * scale, 13 * scale)), 1.0)
    some = graph.math("GREATER_THAN", graph.math("MULTIPLY", flecks.outputs["Color"], 1.0), 0.6)
    mark = graph.math("MULTIPLY", graph.span(flecks.outputs["Distance"], 0.1, 0.3, 1.0, 0.0), some)
    return Pattern(graph.span(base.tone, 0.0, 1.0, 0.3, 1.0), base.height, graph.math("MULTIPLY", mark, 0.6))


def bamboo(graph: NodeGraph, position: Value, scale: float) -> Pattern:
    """Canes side by side, with a knot now and then."""
    flat = around(graph, position)
    cane = graph.wave(flat, 3.2 * scale)
    knots = graph.wave(flat, 1.1 * scale, bands_direction="Y", distortion=0.3)
    knot = graph.span(knots, 0.965, 0.995, smooth=True)
    fibres = graph.noise(stretched(graph, position, (80 * scale, 80 * scale, 4 * scale)), 1.0, detail=3)
    tone = graph.blend(0.4, graph.span(cane, 0.0, 0.5, 0.1, 1.0), graph.span(fibres, 0.3, 0.7))
    return Pattern(tone, graph.math("ADD", graph.span(cane, 0.0, 0.7), knot), knot)


def planks(graph: NodeGraph, position: Value, scale: float) -> Pattern:
    """Boards along the height, each with its own grain, and dark joints."""
    grain = wood(graph, position, scale * 0.8)
    inputs = {"Vector": around(graph, position), "Axis": (0, 0, 1), "Angle": 1.5707963}
    turned = graph.node("ShaderNodeVectorRotate", inputs, rotation_type="AXIS_ANGLE").outputs[0]
    shades, joint = graph.boards(
        turned, 7.0 * scale, (3.6, 0.6), mortar=0.014, smooth=0.2, tones=(0.35, 1.0), offset=0.37, offset_frequency=2
    )
    tone = graph.math("MULTIPLY", grain.tone, shades)
    height = graph.math("SUBTRACT", graph.math("MULTIPLY", grain.height, 0.4), joint)
    return Pattern(tone, height, joint)


def bark(graph: NodeGraph, position: Value, scale: float) -> Pattern:
    """Deep furrows along the height."""
    moved = bent(graph, position, 6 * scale, 0.05)
    edge = graph.cells(stretched(graph, moved, (1, 1, 0.25)), 16 * scale, "DISTANCE_TO_EDGE").outputs["Distance"]
    furrows = graph.span(edge, 0.0, 0.22, smooth=True)
    rough = graph.noise(stretched(graph, moved, (1, 1, 0.3)), 50 * scale, detail=5)
    return Pattern(graph.math("MULTIPLY", furrows, graph.span(rough, 0.25, 0.7)), graph.blend(0.3, furrows, rough))


def cells(graph: NodeGraph, position: Value, scale: float) -> Pattern:
    """Overlapping blotches, each with its own tone."""
    node = graph.cells(position, 18 * scale)
    edge = graph.cells(position, 18 * scale, "DISTANCE_TO_EDGE").outputs["Distance"]
    tone = graph.blend(0.35, node.outputs["Color"], graph.span(node.outputs["Distance"], 0.0, 0.7, 1.0, 0.2))
    return Pattern(tone, graph.span(edge, 0.0, 0.2), graph.span(edge, 0.0, 0.03, 1.0, 0.0))


def scales(graph: NodeGraph, position: Value, scale: float) -> Pattern:
    """Bulging scales with dark gaps."""
    node = graph.cells(position, 24 * scale, randomness=0.7)
    edge = graph.cells(position, 24 * scale, "DISTANCE_TO_EDGE", 0.7).outputs["Distance"]
    bulge = graph.span(node.outputs["Distance"], 0.0, 0.75, 1.0, 0.0, smooth=True)
    tone = graph.blend(0.3, bulge, node.outputs["Color"])
    return Pattern(tone, bulge, graph.span(edge, 0.0, 0.09, 1.0, 0.0, smooth=True))


def feathers(graph: NodeGraph, position: Value, scale: float) -> Pattern:
    """Long overlapping blades, light at the rim."""
    moved = stretched(graph, bent(graph, position, 7 * scale, 0.03), (1.0, 1.0, 0.45))
    node = graph.cells(moved, 15 * scale, randomness=0.75)
    vanes = graph.noise(stretched(graph, position, (150 * scale, 150 * scale, 30 * scale)), 1.0, detail=3)
    blade = graph.span(node.outputs["Distance"], 0.1, 0.75, 1.0, 0.0, smooth=True)
    tone = graph.blend(0.35, graph.blend(0.4, blade, node.outputs["Color"]), graph.span(vanes, 0.3, 0.7))
    return Pattern(tone, graph.blend(0.25, blade, vanes))


def skin(graph: NodeGraph, position: Value, scale: float) -> Pattern:
    """Soft mottling with fine pores and a little redness."""
    mottled = graph.noise(position, 9 * scale, detail=6)
    pores = graph.cells(position, 110 * scale, "SMOOTH_F1").outputs["Distance"]
    redness = graph.span(graph.noise(position, 3.5 * scale, detail=3), 0.5, 0.75, 0.0, 0.45)
    return Pattern(graph.span(mottled, 0.3, 0.7), pores, redness)


def weave(graph: NodeGraph, position: Value, scale: float) -> Pattern:
    """Threads over and under each other."""
    flat = bent(graph, around(graph, position), 6 * scale, 0.012)
    thread = graph.blend(checked(graph, flat, 34 * scale, 2), *(_threads(graph, flat, 34 * scale, i) for i in (0, 1)))
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
    ribs = graph.wave(flat, 11 * scale, bands_direction="DIAGONAL", distortion=0.6, detail_scale=4.0)
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
    over = checked(graph, flat, count, 2)
    strip = graph.blend(over, _threads(graph, flat, count, 0), _threads(graph, flat, count, 1))
    lines = (graph.noise(stretched(graph, flat, along), scale, detail=3) for along in ((150, 12, 0), (12, 150, 0)))
    fibres = graph.blend(over, *lines)
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
    return Pattern(graph.blend(0.35, bulge, loops.outputs["Color"]), bulge)


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
    leaning = bent(graph, position, 4 * scale, 0.35)
    strands = graph.noise(stretched(graph, leaning, (95 * scale, 95 * scale, 12 * scale)), 1.0, detail=3)
    tufts = graph.noise(stretched(graph, leaning, (1.0, 1.0, 0.4)), 13 * scale, detail=4)
    tone = graph.span(graph.blend(0.4, strands, tufts), 0.36, 0.62)
    return Pattern(tone, graph.blend(0.3, strands, tufts), graph.span(tufts, 0.62, 0.72))
