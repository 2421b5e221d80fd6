"""Chairs, armchairs, thrones, stools, benches and sofas."""

from __future__ import annotations

import numpy as np

from ...model import ModelPart, both_sides, made_of, part
from ...prompt_spec import PromptSpec
from ...solid import Solid
from ...solids import ball, box, cylinder, lathe, loft, rectangle, rounded, tube, wire
from .legs import legs_under


def chair(spec: PromptSpec) -> list[ModelPart]:
    """Chairs, armchairs, thrones, stools, benches and sofas."""
    noun = spec.noun
    soft = noun in ("armchair", "sofa", "couch") or spec.says("upholstered", "comfortable", "cosy", "cozy")
    if soft:
        return _sofa(spec, 0.62 if noun not in ("sofa", "couch") else 1.7)
    wood = spec.surface("chair", "oak", main=True)
    long = noun == "bench"
    width = 1.3 if long else 0.46 * (1.25 if noun == "throne" else 1)
    depth, seat, thick = 0.44 if noun != "throne" else 0.52, 0.45 if noun != "stool" else 0.6, 0.021
    if noun == "throne":
        thick = 0.03
    circle = spec.says("round") or (noun == "stool" and not spec.says("square"))
    count = spec.count("leg", 4, 12)
    splay = spec.vary("splay", 0.0, 0.05) if noun != "throne" else 0.0
    legs = legs_under(spec, count, width, depth, seat, thick, splay, on_circle=circle) if count else []
    parts = [made_of(spec, f"leg_{i + 1}", wood, leg) for i, leg in enumerate(legs)]
    board = _saddle(width, depth)
    if circle:
        line = [(0, -0.012), (width * 0.48, -0.012), (width / 2, 0.028), (width * 0.46, 0.034), (0, 0.022)]
        board = lathe(rounded(line, 0.015), spec.round(40))
    parts.append(made_of(spec, "seat", wood, board.moved(z=seat)))
    if spec.has("cushion", noun == "throne" or spec.says("padded")):
        pad = box(width * 0.86, depth * 0.84, 0.06, 0.028, 3)
        bulge = 1 - (2 * pad.points[:, 0] / width) ** 2 * 0.5 - (2 * pad.points[:, 1] / depth) ** 2 * 0.5
        pad.points[:, 2] *= 0.6 + 0.6 * bulge.clip(0, 1)
        parts.append(made_of(spec, "cushion", "red velvet", pad.moved(z=seat + 0.02)))
    if count == 4 and spec.choose("stretcher", True, False, True) and noun != "throne":
        low, out = seat * 0.34, splay * 0.42
        y, x = depth / 2 - thick * 1.5 + out, width / 2 - thick * 1.5 + out
        bars = [tube([(s * x, -y, low), (s * x, y, low)], thick * 0.55, spec.round(8)) for s in (1, -1)]
        bars.append(tube([(-x, 0, low), (x, 0, low)], thick * 0.5, spec.round(8)))
        parts.append(made_of(spec, "stretchers", wood, *bars))
    if spec.has("back", noun != "stool"):
        parts += _back(spec, width, depth, seat, thick, wood)
    if spec.has("arm", noun == "throne" or (long and spec.choose("arms", True, False))):
        x, y = width / 2 - thick, depth / 2
        path = [(x, y - 0.01, seat + 0.21), (x * 1.03, 0, seat + 0.225), (x * 1.03, -y - 0.01, seat + 0.2)]
        rest = wire(path, [thick * 0.9, thick * 1.15, thick * 1.3], spec.round(12))
        post = wire([(x, -y + 0.05, seat), (x * 1.03, -y + 0.035, seat + 0.2)], thick * 0.75, spec.round(10))
        parts += both_sides("arm", spec.surface("arm", wood), rest, post)
    return parts


def _saddle(width: float, depth: float) -> Solid:
    """A seat board that is a little hollow."""
    rim = rectangle(width, depth, 0.05, 4)
    levels = [
        (0.7, -0.012),
        (0.98, -0.012),
        (1, 0),
        (1, 0.018),
        (0.97, 0.028),
        (0.75, 0.022),
        (0.4, 0.014),
        (0.08, 0.012),
    ]
    return loft(np.stack([np.column_stack((rim * share, np.full(len(rim), height))) for share, height in levels]))


def _back(spec: PromptSpec, width: float, depth: float, seat: float, thick: float, wood: str) -> list[ModelPart]:
    """Two posts that lean back, with slats, spindles or a panel between them."""
    top = seat + (0.95 if spec.noun == "throne" else 0.3 if spec.noun == "bench" else spec.vary("back", 0.42, 0.55))
    y, lean = depth / 2 - thick * 1.2, 0.11 if spec.noun != "throne" else 0.05
    x = width / 2 - thick * 1.4

    def at(share: float, z_share: float) -> tuple[float, float, float]:
        bow = lean * max(z_share, 0.0) ** 1.4 + (1 - share * share) * 0.018 * z_share
        return x * share, y + bow, seat + (top - seat) * z_share

    radii = [thick, thick, thick * 0.9, thick * 0.7]
    posts = [wire([at(s, z) for z in (-0.08, 0.4, 0.75, 1.0)], radii, spec.round(12)) for s in (1, -1)]
    parts = [part("back_posts", spec.surface("back", wood), *posts)]
    if spec.noun == "throne":
        knobs = [ball(thick * 1.7, spec.round(16)).moved(*at(s, 1.03)) for s in (1, -1)]
        parts.append(made_of(spec, "finials", "polished gold", *knobs))
    asked_for = next((word for word in ("slat", "spindle") if spec.has(word, False)), "")
    style = asked_for or spec.choose("back style", "slat", "spindle", "panel")
    if spec.noun == "throne":
        style = "panel"
    shares = np.linspace(-1, 1, spec.steps(10) + 1)

    def rail(z_share: float, half: float, thin: float = thick * 0.45, around: int = 12, reach: float = 1.0) -> Solid:
        return tube([at(s, z_share) for s in shares * reach], thin, spec.round(around), flat=half / thin, up=(0, 1, 0))

    if style == "panel":
        panel = rail(0.55, (top - seat) * 0.36, thick * 0.5, 16, 0.92)
        parts.append(made_of(spec, "back", "red velvet" if spec.noun == "throne" else wood, panel))
        return [*parts, part("top_rail", spec.surface("back", wood), rail(0.95, thick * 1.5))]
    if style == "slat":
        count = spec.count("slat", 3, 9)
        drop, half = 0.7 / max(count, 2), min(0.03, 0.17 / max(count, 1))
        rails = [rail(0.95 - drop * i if count > 1 else 0.6, half) for i in range(count)]
        return [*parts, made_of(spec, "slats", wood, *rails)] if rails else parts
    count = spec.count("spindle", 5 if spec.noun != "bench" else 12, 24)
    bars = [
        wire([at(s, -0.02), at(s, 0.5), at(s, 0.93)], [thick * 0.4, thick * 0.55, thick * 0.35], spec.round(8))
        for s in np.linspace(-0.75, 0.75, count)
    ]
    return [
        *parts,
        part("top_rail", spec.surface("back", wood), rail(0.95, thick * 1.4)),
        made_of(spec, "spindles", wood, *bars),
    ]


def _sofa(spec: PromptSpec, inner: float) -> list[ModelPart]:
    cloth = spec.surface(spec.noun, "linen", main=True)
    base, arm, depth = 0.3, 0.17, 0.82
    seats = max(1, round(inner / 0.6))
    width = inner + 2 * arm
    body = box(width - 0.02, depth - 0.04, 0.2, 0.03, 3).moved(z=0.12)
    back = box(inner + 2 * arm - 0.06, 0.22, 0.74, 0.09, 4).turned("x", -7).moved(y=depth / 2 - 0.14, z=0.14)
    parts = [part("frame", cloth, body), made_of(spec, "back", cloth, back)]
    for index in range(seats):
        x = (index - (seats - 1) / 2) * inner / seats
        pad = box(inner / seats - 0.01, depth - 0.2, 0.19, 0.065, 4)
        bulge = 1 - (pad.points[:, 0] * 2 * seats / inner) ** 2 * 0.5 - (pad.points[:, 1] * 2 / depth) ** 2
        pad.points[:, 2] *= 1 + 0.16 * bulge
        parts.append(made_of(spec, f"cushion_{index + 1}", cloth, pad.moved(x=x, y=-0.08, z=base - 0.02)))
        rest = box(inner / seats - 0.02, 0.17, 0.44, 0.075, 4).turned("x", -9)
        rest = rest.moved(x=x, y=depth / 2 - 0.29, z=base + 0.12)
        parts.append(made_of(spec, f"pillow_{index + 1}", cloth, rest))
    rest = box(arm, depth, 0.5, 0.075, 4).moved(x=width / 2 - arm / 2, z=0.12)
    parts += both_sides("arm", spec.surface("arm", cloth), rest)
    legs = [
        cylinder(0.018, 0.14, spec.round(14), 0.006, 0.03).moved(x=sx * (width / 2 - 0.09), y=sy * (depth / 2 - 0.1))
        for sx in (1, -1)
        for sy in (1, -1)
    ]
    return [*parts, made_of(spec, "legs", "walnut", *legs)]
