"""Tables and desks."""

from __future__ import annotations

from ...model import Part, part
from ...prompt_spec import Wish
from ...solids import ball, box, lathe, ring, rounded
from .legs import legs_under


def table(wish: Wish) -> list[Part]:
    """Tables and desks, round or with corners."""
    wood = wish.surface("table", "oak", main=True)
    low = wish.says("coffee")
    width, depth, height = (
        (1.1, 0.6, 0.42) if low else (0.5, 0.42, 0.55) if wish.noun == "nightstand" else (1.5, 0.8, 0.74)
    )
    circle = wish.says("round", "circular")
    count = wish.count("leg", 4, 12)
    if circle:
        width = depth = 1.1 if not low else 0.85
    thick, board = 0.034, 0.036
    if circle:
        top = lathe(
            rounded([(0, 0), (width / 2 - 0.012, 0), (width / 2, 0.012), (width / 2, board), (0, board)], 0.01),
            wish.round(56),
        )
    else:
        top = box(width, depth, board, 0.011, 3)
    parts = [part("top", wish.surface("top", wood), top.moved(z=height - board))]
    inset = 0.0 if count == 1 else 0.05
    legs = (
        legs_under(
            wish,
            count,
            width - inset,
            depth - inset,
            height - board + 0.004,
            thick,
            wish.vary("splay", 0, 0.04) if circle else 0.0,
            on_circle=circle,
        )
        if count
        else []
    )
    parts += [part(f"leg_{i + 1}", wish.surface("leg", wood), leg) for i, leg in enumerate(legs)]
    if count == 4 and not circle:
        x, y = width / 2 - thick * 1.5 - inset / 2, depth / 2 - thick * 1.5 - inset / 2
        rails = [box(2 * x, 0.022, 0.085, 0.004).moved(y=s * y, z=height - board - 0.082) for s in (1, -1)]
        rails += [box(0.022, 2 * y, 0.0847, 0.004).moved(x=s * x, z=height - board - 0.0822) for s in (1, -1)]
        parts.append(part("apron", wish.surface("apron", wood), *rails))
    elif circle and count > 1:
        parts.append(
            part(
                "apron",
                wish.surface("apron", wood),
                ring(width * 0.38, 0.012, wish.round(40), 8, 0.04).moved(z=height - board - 0.035),
            )
        )
    drawers = wish.count(
        "drawer", {"desk": 3, "nightstand": 2}.get(wish.noun, 3 if wish.has("drawer", False) else 0), 8
    )
    if drawers and not circle:
        x0 = width / 2 - 0.25 if wish.noun != "nightstand" else 0.0
        wide, tall = (0.38, 0.5) if wish.noun != "nightstand" else (width - 0.14, height - 0.16)
        parts.append(
            part("cabinet", wood, box(wide, depth - 0.14, tall, 0.008).moved(x=x0, z=height - board - tall + 0.003))
        )
        for i in range(drawers):
            z = height - board - 0.02 - (i + 1) * (tall - 0.03) / drawers
            front = box(wide - 0.03, 0.03, (tall - 0.03) / drawers - 0.014, 0.006).moved(x=x0, y=-depth / 2 + 0.07, z=z)
            knob = ball(0.014, wish.round(14)).moved(x=x0, y=-depth / 2 + 0.042, z=z + (tall - 0.03) / drawers / 2)
            parts += [
                part(f"drawer_{i + 1}", wish.surface("drawer", wood), front),
                part(f"knob_{i + 1}", wish.surface("knob", "brass"), knob),
            ]
    return parts
