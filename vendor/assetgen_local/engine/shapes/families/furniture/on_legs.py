"""What stands on legs: chairs, armchairs, thrones, stools, benches and sofas, tables and desks."""

from __future__ import annotations

import math

import numpy as np

from ...model import ModelPart, both_sides, made_of, part
from ...prompt_spec import PromptSpec
from ...solid import Solid, at_corners
from ...solids import ball, box, circle, cylinder, lathe, loft, rectangle, ring, stacked, tube, wire


def chair(spec: PromptSpec) -> list[ModelPart]:
    """Chairs, armchairs, thrones, stools, benches and sofas."""
    noun = spec.noun
    if noun in ("armchair", "sofa", "couch") or spec.says("upholstered", "comfortable", "cosy", "cozy"):
        return _sofa(spec, 0.62 if noun not in ("sofa", "couch") else 1.7)
    wood = spec.surface("chair", "oak", main=True)
    long = noun == "bench"
    width = 1.3 if long else 0.46 * (1.25 if noun == "throne" else 1)
    depth, thick = (0.44, 0.021) if noun != "throne" else (0.52, 0.03)
    seat = 0.45 if noun != "stool" else 0.6
    circle = spec.says("round") or (noun == "stool" and not spec.says("square"))
    count = spec.count("leg", 4, 12)
    splay = spec.vary("splay", 0.0, 0.05) if noun != "throne" else 0.0
    parts = _legs(spec, wood, (width, depth, seat), thick, splay, on_circle=circle)
    board = _saddle(width, depth)
    if circle:
        line = [(0, -0.012), (width * 0.48, -0.012), (width / 2, 0.028), (width * 0.46, 0.034), (0, 0.022)]
        board = lathe(line, spec.round(40), 0.015)
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
    levels = [(0.7, -0.012), (0.98, -0.012), (1, 0), (1, 0.018), (0.97, 0.028), (0.75, 0.022), (0.4, 0.014)]
    return loft(stacked(rim, [*levels, (0.08, 0.012)]))


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
    style = "panel" if spec.noun == "throne" else asked_for or spec.choose("back style", "slat", "spindle", "panel")
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
    leg = cylinder(0.018, 0.14, spec.round(14), 0.006, 0.03)
    return [*parts, made_of(spec, "legs", "walnut", *at_corners(leg, width / 2 - 0.09, depth / 2 - 0.1))]


def table(spec: PromptSpec) -> list[ModelPart]:
    """Tables and desks, round or with corners."""
    wood = spec.surface("table", "oak", main=True)
    low = spec.says("coffee")
    width, depth, height = (1.1, 0.6, 0.42) if low else (1.5, 0.8, 0.74)
    if spec.noun == "nightstand" and not low:
        width, depth, height = 0.5, 0.42, 0.55
    circle = spec.says("round", "circular")
    count = spec.count("leg", 4, 12)
    thick, board = 0.034, 0.036
    if circle:
        width = depth = 1.1 if not low else 0.85
        rim = [(0, 0), (width / 2 - 0.012, 0), (width / 2, 0.012), (width / 2, board), (0, board)]
        top = lathe(rim, spec.round(56), 0.01)
    else:
        top = box(width, depth, board, 0.011, 3)
    parts = [made_of(spec, "top", wood, top.moved(z=height - board))]
    inset = 0.0 if count == 1 else 0.05
    splay = spec.vary("splay", 0, 0.04) if circle else 0.0
    size = (width - inset, depth - inset, height - board + 0.004)
    parts += _legs(spec, wood, size, thick, splay, on_circle=circle)
    if count == 4 and not circle:
        x, y = width / 2 - thick * 1.5 - inset / 2, depth / 2 - thick * 1.5 - inset / 2
        rails = [box(2 * x, 0.022, 0.085, 0.004).moved(y=s * y, z=height - board - 0.082) for s in (1, -1)]
        rails += [box(0.022, 2 * y, 0.0847, 0.004).moved(x=s * x, z=height - board - 0.0822) for s in (1, -1)]
        parts.append(made_of(spec, "apron", wood, *rails))
    elif circle and count > 1:
        apron = ring(width * 0.38, 0.012, spec.round(40), 8, 0.04).moved(z=height - board - 0.035)
        parts.append(made_of(spec, "apron", wood, apron))
    usual = {"desk": 3, "nightstand": 2}.get(spec.noun, 3 if spec.has("drawer", False) else 0)
    drawers = spec.count("drawer", usual, 8)
    if drawers and not circle:
        x0 = width / 2 - 0.25 if spec.noun != "nightstand" else 0.0
        wide, tall = (0.38, 0.5) if spec.noun != "nightstand" else (width - 0.14, height - 0.16)
        z, each = height - board, (tall - 0.03) / drawers
        parts.append(part("cabinet", wood, box(wide, depth - 0.14, tall, 0.008).moved(x=x0, z=z - tall + 0.003)))
        front = box(wide - 0.03, 0.03, each - 0.014, 0.006).moved(x=x0, y=-depth / 2 + 0.07)
        knob = ball(0.014, spec.round(14)).moved(x=x0, y=-depth / 2 + 0.042, z=each / 2)
        for i in range(drawers):
            low = z - 0.02 - (i + 1) * each
            parts.append(made_of(spec, f"drawer_{i + 1}", wood, front.moved(z=low)))
            parts.append(made_of(spec, f"knob_{i + 1}", "brass", knob.moved(z=low)))
    return parts


def _legs(
    spec: PromptSpec, wood: str, size: tuple[float, float, float], thick: float, splay: float, *, on_circle: bool
) -> list[ModelPart]:
    """Legs under a board at the top of this size: in the corners when there are four, else on a circle."""
    (width, depth, height), count = size, spec.count("leg", 4, 12)
    if count == 0:
        return []
    if count == 1:
        foot = [(0, 0), (width * 0.36, 0), (width * 0.36, 0.018), (thick * 1.5, 0.05), (thick, 0.09)]
        foot += [(thick, height), (0, height)]
        return [made_of(spec, "leg_1", wood, lathe(foot, spec.round(28), 0.02))]
    if count == 4 and not on_circle:
        places = [(sx * (width / 2 - thick * 1.5), sy * (depth / 2 - thick * 1.5)) for sx in (1, -1) for sy in (1, -1)]
    else:
        turn = math.pi / count + (math.pi / 2 if count % 2 else 0.0)
        places = [(x * width * 0.38, y * depth * 0.38) for x, y in circle(count, 1.0, turn)]
    turned = spec.choose("leg style", True, False) or spec.says("round", "turned", "victorian")
    legs = []
    for x, y in places:
        lean = np.array((x, y, 0)) / math.hypot(x, y) * splay
        foot, top = np.array((x, y, 0)) + lean, np.array((x, y, height))
        if turned:
            shape = [
                (0, 0.62), (0.05, 0.62), (0.16, 0.78), (0.3, 0.7), (0.55, 0.92), (0.72, 1.0), (0.76, 0.82),
                (0.8, 1.12), (0.84, 0.86), (1.0, 1.1),
            ]  # fmt: skip
            at, radius = zip(*shape, strict=True)
            steps = np.linspace(0, 1, spec.steps(16) + 1)
            path = foot + (top - foot) * steps[:, None]
            legs.append(tube(path, np.interp(steps, at, radius) * thick * 0.82, spec.round(12)))
        else:
            post = box(thick * 1.7, thick * 1.7, height, thick * 0.35)
            share = 1 - post.points[:, 2:3] / height
            post.points[:, :2] = post.points[:, :2] * (1 - 0.32 * share) + np.array((x, y)) + lean[:2] * share
            legs.append(post)
    return [made_of(spec, f"leg_{i + 1}", wood, leg) for i, leg in enumerate(legs)]
