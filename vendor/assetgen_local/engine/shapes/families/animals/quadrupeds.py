"""Animals on four legs; heads towards -Y, feet on the floor."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import pairwise

import numpy as np

from ....array_types import Array
from ...field import DistanceField
from ...model import ModelPart, part
from ...prompt_spec import PromptSpec
from .animal_features import Beast, face, marks

_HORSE = Beast(
    "brown pelt", 1.1, 0.23, 0.21, 0.72, 0.055, 0.6, 50, 0.13, 0.34, 0.07, "pointed", 0.1, "brush", "mane hooves"
)
_CAT = Beast("orange pelt", 1.45, 0.21, 0.2, 0.5, 0.058, 0.12, 42, 0.21, 0.025, 0.075, "pointed", 0.15, "upright")
_DEER = Beast(
    "tan fur", 0.95, 0.19, 0.16, 0.72, 0.042, 0.45, 62, 0.12, 0.17, 0.055, "pointed", 0.14, "stub", "antlers hooves"
)


BEASTS: dict[str, Beast] = {
    "dog": Beast("brown fur", 1.05, 0.25, 0.18, 0.58, 0.075, 0.24, 46, 0.18, 0.22, 0.085, "flop", 0.19),
    "puppy": Beast("tan fur", 0.9, head=0.21, ears="flop", ear=0.18, snout=0.1, thick=0.085),
    "cat": _CAT,
    "kitten": replace(_CAT, head=0.27, long=1.1, fur="grey pelt"),
    "horse": _HORSE,
    "pony": replace(_HORSE, leg=0.56, thick=0.08, fur="tan fur"),
    "unicorn": replace(_HORSE, fur="white pelt", extra="mane horn hooves"),
    "donkey": replace(_HORSE, fur="grey fur", ear=0.22),
    "zebra": replace(_HORSE, fur="white pelt", extra="mane stripes hooves"),
    "cow": Beast("white pelt", 1.2, 0.29, 0.28, 0.55, 0.075, 0.26, 32, 0.16, 0.2, 0.1, "side", 0.13, "brush",
                 "horns udder patches hooves"),
    "bull": Beast("dark brown fur", 1.2, 0.33, 0.28, 0.55, 0.085, 0.24, 30, 0.17, 0.2, 0.11, "side", 0.13, "brush",
                  "horns hooves"),
    "pig": Beast("pink skin", 1.15, 0.3, 0.32, 0.4, 0.075, 0.1, 15, 0.22, 0.16, 0.1, "flop", 0.13, "curl", "hooves"),
    "sheep": Beast("white wool", 1.05, 0.34, 0.34, 0.45, 0.055, 0.18, 35, 0.15, 0.16, 0.08, "side", 0.13, "stub",
                   "wool hooves"),
    "goat": Beast("white pelt", 1.0, 0.22, 0.23, 0.6, 0.052, 0.3, 48, 0.13, 0.18, 0.07, "side", 0.13, "stub",
                  "horns beard hooves"),
    "elephant": Beast("grey leather", 1.15, 0.42, 0.42, 0.5, 0.14, 0.12, 25, 0.27, 0.04, 0.13, "fan", 0.42, "thin",
                      "trunk tusks"),
    "giraffe": Beast("tan fur", 0.9, 0.2, 0.17, 0.74, 0.05, 1.05, 66, 0.12, 0.2, 0.06, "side", 0.12, "brush",
                     "knobs patches hooves"),
    "lion": Beast("tan fur", 1.15, 0.23, 0.18, 0.6, 0.075, 0.2, 35, 0.18, 0.12, 0.09, "round", 0.08, "brush", "ruff"),
    "tiger": Beast("orange pelt", 1.2, 0.23, 0.19, 0.58, 0.075, 0.2, 32, 0.18, 0.11, 0.09, "round", 0.08, "long",
                   "stripes"),
    "leopard": replace(_CAT, fur="tan fur", tail="long", ears="round", ear=0.07, extra="patches"),
    "bear": Beast("dark brown fur", 1.1, 0.36, 0.36, 0.5, 0.12, 0.16, 22, 0.23, 0.16, 0.1, "round", 0.1, "stub"),
    "wolf": Beast("grey fur", 1.1, 0.22, 0.17, 0.62, 0.06, 0.28, 38, 0.16, 0.2, 0.065, "pointed", 0.13, "bushy"),
    "fox": Beast("orange pelt", 1.05, 0.17, 0.15, 0.55, 0.045, 0.24, 40, 0.15, 0.18, 0.045, "pointed", 0.16, "bushy"),
    "deer": _DEER,
    "reindeer": replace(_DEER, chest=0.22, fur="brown fur", thick=0.05),
    "camel": Beast("tan fur", 1.05, 0.25, 0.22, 0.68, 0.06, 0.5, 55, 0.13, 0.2, 0.08, "round", 0.06, "thin", "humps"),
    "rabbit": Beast("grey fur", 0.75, 0.2, 0.27, 0.36, 0.06, 0.1, 50, 0.2, 0.08, 0.08, "tall", 0.4, "puff"),
    "bunny": Beast("white pelt", 0.72, 0.2, 0.27, 0.36, 0.06, 0.1, 50, 0.22, 0.08, 0.08, "tall", 0.42, "puff"),
    "mouse": Beast("grey fur", 0.85, 0.18, 0.26, 0.3, 0.045, 0.08, 20, 0.19, 0.2, 0.045, "disc", 0.2, "thin"),
}  # fmt: skip


def animal(spec: PromptSpec) -> list[ModelPart]:
    """Four legs, head and tail, with the measures of the animal that is named."""
    beast = BEASTS.get(spec.noun, BEASTS["dog"])
    fur = spec.surface("fur", beast.fur, main=True)
    step = 0.021 / spec.detail
    half, back = beast.long / 2, 1.0
    chest = np.array((0.0, -half + beast.chest * 0.6, back - beast.chest))
    rump = np.array((0.0, half - beast.belly * 0.6, back - beast.belly * 1.02))
    body = DistanceField(0.1)
    body.limb(tuple(chest), tuple(rump), beast.chest, beast.belly)
    body.ball((0, rump[1] - 0.02, rump[2] - 0.01), (beast.belly * 0.95, beast.belly * 1.12, beast.belly * 1.08))
    body.ball((0, chest[1], chest[2] - 0.03), (beast.chest * 0.95, beast.chest * 1.1, beast.chest * 1.12))
    if beast.has("humps"):
        for y in (-0.14, 0.2):
            body.ball((0, y, back + 0.03), (0.11, 0.13, 0.19))
    if beast.has("wool"):
        numbers = spec.numbers("wool")
        for index in range(46):
            a, t = index * 2.4, (index + 0.5) / 46
            y = chest[1] + (rump[1] - chest[1]) * t
            place = (math.cos(a) * beast.chest * 0.86, y, chest[2] + math.sin(a) * beast.chest * 0.86)
            body.ball(place, numbers.uniform(0.085, 0.12), blend=0.03)
    count = spec.count("leg", 4, 8)
    rows = max(1, math.ceil(count / 2))
    for row in range(rows):
        share = row / max(rows - 1, 1)
        y = chest[1] + 0.02 + (rump[1] - chest[1] - 0.02) * share
        _leg(body, beast, y, share > 0.5, both=count % 2 == 0 or row < rows - 1)
    angle = math.radians(beast.rise)
    base = chest + np.array((0, -beast.chest * 0.35, beast.chest * 0.45))
    crown = base + np.array((0, -math.cos(angle), math.sin(angle))) * (beast.neck + beast.head * 0.6)
    body.limb(tuple(base), tuple(crown), beast.chest * 0.62, beast.head * 0.72)
    parts: list[ModelPart] = []
    middles = _heads(spec, body, beast, base, crown)
    if spec.has("tail"):
        _tail(body, beast, rump)
    body.block((0, 0, -0.5), (6, 6, 1.0), 0.002, blend=0.01, cut=True)
    parts.append(part("body", fur, body.surface(step)))
    for number, middle in enumerate(middles):
        tag = "" if len(middles) == 1 else f"_{number + 1}"
        parts += face(spec, beast, middle, fur, tag)
    return parts + marks(spec, beast, parts[0].solid, rump, base, crown, step)


def _leg(body: DistanceField, beast: Beast, y: float, hind: bool, both: bool) -> None:
    t, top = beast.thick, beast.leg + 0.1
    x = (beast.belly if hind else beast.chest) * 0.62
    if not both:
        x = 0.0
    knee = (x, y - 0.03, beast.leg * 0.6) if hind else (x, y + 0.02, beast.leg * 0.55)
    hock = (x, y + (0.1 if hind else 0.0), beast.leg * 0.33)
    foot = (x, y + (0.03 if hind else -0.01), t * 0.6)
    body.limb((x * 0.95, y, top), knee, t * (2.0 if hind else 1.6), t * 1.05, both=both, blend=0.07)
    body.limb(knee, hock, t * 1.05, t * 0.78, both=both, blend=0.04)
    body.limb(hock, foot, t * 0.78, t * 0.72, both=both, blend=0.04)
    if not beast.has("hooves"):
        body.ball((foot[0], foot[1] - t * 0.65, t * 0.5), (t * 1.05, t * 1.5, t * 0.72), both=both, blend=0.04)
        return
    fetlock, hoof = (foot[0], foot[1], t * 1.2), (foot[0], foot[1] - t * 0.4, 0.0)
    body.limb(fetlock, hoof, t * 0.7, t * 1.12, both=both, blend=0.03)


def _heads(spec: PromptSpec, body: DistanceField, beast: Beast, base: Array, crown: Array) -> list[Array]:
    """The heads' middles; "three-headed" has three, on necks beside each other."""
    count = max(1, spec.count("head", 1, 5))
    middles = []
    for index in range(count):
        x = (index - (count - 1) / 2) * beast.head * 2.6
        middle = crown + np.array((x, abs(x) * 0.25, -abs(x) * 0.1))
        if count > 1:
            body.limb(tuple(base), tuple(middle), beast.chest * 0.5, beast.head * 0.7)
        h = beast.head
        body.ball(tuple(middle), (h * 0.9, h, h * 0.92), blend=0.06)
        nose = middle + np.array((0, -h * 0.7 - beast.snout, -h * 0.3 - beast.snout * 0.35))
        body.limb(tuple(middle + np.array((0, -h * 0.4, -h * 0.18))), tuple(nose), h * 0.62, beast.muzzle, blend=0.05)
        middles.append(middle)
    return middles


def _tail(body: DistanceField, beast: Beast, rump: Array) -> None:
    start = rump + np.array((0, beast.belly * 0.9, beast.belly * 0.6))
    t = beast.thick
    paths: dict[str, list[tuple[float, float, float]]] = {  # out, up, radius
        "long": [(0, 0, 0.6), (0.16, 0.02, 0.5), (0.3, 0.12, 0.42), (0.36, 0.3, 0.36)],
        "upright": [(0, 0, 0.7), (0.14, 0.06, 0.65), (0.2, 0.3, 0.6), (0.13, 0.55, 0.55), (0.18, 0.7, 0.4)],
        "brush": [(0, 0, 0.5), (0.12, -0.06, 0.45), (0.18, -0.28, 0.55), (0.17, -0.48, 0.9), (0.16, -0.58, 0.3)],
        "bushy": [(0, 0, 0.7), (0.16, -0.1, 1.2), (0.34, -0.16, 1.5), (0.5, -0.12, 0.9), (0.58, -0.08, 0.3)],
        "thin": [(0, 0, 0.4), (0.1, -0.12, 0.3), (0.14, -0.32, 0.25), (0.15, -0.42, 0.35)],
        "stub": [(0, 0, 0.8), (0.06, 0.03, 0.6)],
        "puff": [(0.02, -0.05, 1.3), (0.06, -0.04, 1.3)],
        "curl": [(0, 0, 0.35), (0.07, 0.04, 0.3), (0.1, 0.1, 0.28), (0.05, 0.13, 0.25), (0.03, 0.08, 0.22)],
    }
    for (a, b, r), (c, d, s) in pairwise(paths[beast.tail]):
        first, last = start + np.array((0, a, b)), start + np.array((0, c, d))
        body.limb(first, last, max(t * r, 0.022), max(t * s, 0.02), blend=0.03)
