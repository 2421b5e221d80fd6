"""Tables and desks."""

from __future__ import annotations

from ...model import ModelPart, made_of, part
from ...prompt_spec import PromptSpec
from ...solids import ball, box, lathe, ring, rounded
from .legs import legs_under


def table(spec: PromptSpec) -> list[ModelPart]:
    """Tables and desks, round or with corners."""
    wood = spec.surface("table", "oak", main=True)
    low = spec.says("coffee")
    width, depth, height = (1.1, 0.6, 0.42) if low else (1.5, 0.8, 0.74)
    if spec.noun == "nightstand" and not low:
        width, depth, height = 0.5, 0.42, 0.55
    circle = spec.says("round", "circular")
    count = spec.count("leg", 4, 12)
    if circle:
        width = depth = 1.1 if not low else 0.85
    thick, board = 0.034, 0.036
    if circle:
        rim = [(0, 0), (width / 2 - 0.012, 0), (width / 2, 0.012), (width / 2, board), (0, board)]
        top = lathe(rounded(rim, 0.01), spec.round(56))
    else:
        top = box(width, depth, board, 0.011, 3)
    parts = [made_of(spec, "top", wood, top.moved(z=height - board))]
    inset = 0.0 if count == 1 else 0.05
    splay = spec.vary("splay", 0, 0.04) if circle else 0.0
    size = (width - inset, depth - inset, height - board + 0.004)
    legs = legs_under(spec, count, *size, thick, splay, on_circle=circle) if count else []
    parts += [made_of(spec, f"leg_{i + 1}", wood, leg) for i, leg in enumerate(legs)]
    if count == 4 and not circle:
        x, y = width / 2 - thick * 1.5 - inset / 2, depth / 2 - thick * 1.5 - inset / 2
        rails = [box(2 * x, 0.022, 0.085, 0.004).moved(y=s * y, z=height - board - 0.082) for s in (1, -1)]
        rails += [box(0.022, 2 * y, 0.0847, 0.004).moved(x=s * x, z=height - board - 0.0822) for s in (1, -1)]
        parts.append(made_of(spec, "apron", wood, *rails))
    elif circle and count > 1:
        parts.append(
            made_of(
                spec, "apron", wood, ring(width * 0.38, 0.012, spec.round(40), 8, 0.04).moved(z=height - board - 0.035)
            )
        )
    usual = {"desk": 3, "nightstand": 2}.get(spec.noun, 3 if spec.has("drawer", False) else 0)
    drawers = spec.count("drawer", usual, 8)
    if drawers and not circle:
        x0 = width / 2 - 0.25 if spec.noun != "nightstand" else 0.0
        wide, tall = (0.38, 0.5) if spec.noun != "nightstand" else (width - 0.14, height - 0.16)
        parts.append(
            part("cabinet", wood, box(wide, depth - 0.14, tall, 0.008).moved(x=x0, z=height - board - tall + 0.003))
        )
        for i in range(drawers):
            z = height - board - 0.02 - (i + 1) * (tall - 0.03) / drawers
            front = box(wide - 0.03, 0.03, (tall - 0.03) / drawers - 0.014, 0.006).moved(x=x0, y=-depth / 2 + 0.07, z=z)
            knob = ball(0.014, spec.round(14)).moved(x=x0, y=-depth / 2 + 0.042, z=z + (tall - 0.03) / drawers / 2)
            parts += [
                made_of(spec, f"drawer_{i + 1}", wood, front),
                made_of(spec, f"knob_{i + 1}", "brass", knob),
            ]
    return parts
