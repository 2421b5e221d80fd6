"""Animals on four legs; heads towards -Y, feet on the floor."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np

from ....array_types import Array
from ...field import DistanceField
from ...model import ModelPart, part
from ...prompt_spec import PromptSpec
from .animal_faces import face
from .animal_marks import marks
from .beasts import BEASTS, Beast


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
    if "humps" in beast.extra:
        for y in (-0.14, 0.2):
            body.ball((0, y, back + 0.03), (0.11, 0.13, 0.19))
    if "wool" in beast.extra:
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
        _leg(
            body,
            beast,
            chest[1] + 0.02 + (rump[1] - chest[1] - 0.02) * share,
            share > 0.5,
            both=count % 2 == 0 or row < rows - 1,
        )
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
    knee = (x, y + (0.05 if hind else 0.02) * 1.0, beast.leg * 0.55)
    hock = (x, y + (0.1 if hind else 0.0), beast.leg * 0.33)
    foot = (x, y + (0.03 if hind else -0.01), t * 0.6)
    body.limb(
        (x * 0.95, y, top),
        knee if not hind else (x, y - 0.03, beast.leg * 0.6),
        t * (2.0 if hind else 1.6),
        t * 1.05,
        both=both,
        blend=0.07,
    )
    body.limb(knee if not hind else (x, y - 0.03, beast.leg * 0.6), hock, t * 1.05, t * 0.78, both=both, blend=0.04)
    body.limb(hock, foot, t * 0.78, t * 0.72, both=both, blend=0.04)
    if not beast.hoof:
        body.ball((foot[0], foot[1] - t * 0.65, t * 0.5), (t * 1.05, t * 1.5, t * 0.72), both=both, blend=0.04)
    else:
        body.limb(
            (foot[0], foot[1], t * 1.2), (foot[0], foot[1] - t * 0.4, 0.0), t * 0.7, t * 1.12, both=both, blend=0.03
        )


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
    line = paths[beast.tail]
    for (a, b, r), (c, d, s) in pairwise(line):
        body.limb(
            tuple(start + np.array((0, a, b))),
            tuple(start + np.array((0, c, d))),
            max(t * r, 0.022),
            max(t * s, 0.02),
            blend=0.03,
        )
