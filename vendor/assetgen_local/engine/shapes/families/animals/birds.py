"""Birds on their feet; heads towards -Y."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from ....array_types import Array
from ...field import DistanceField
from ...model import ModelPart, both_sides, made_of, part
from ...prompt_spec import PromptSpec
from ...solid import Solid
from ...solids import ball, curve, loft, tube


@dataclass(frozen=True, slots=True)
class Feathers:
    """Measures of a bird: body radii, where the head is, its size, beak, legs, tail, surfaces."""

    color: str = "blue wool"
    body: tuple[float, float, float] = (0.13, 0.2, 0.14)
    tilt: float = 25.0
    neck: float = 0.12
    head: float = 0.095
    beak: tuple[float, float, float] = (0.03, 0.09, 0.03)
    leg: float = 0.14
    tail: float = 0.24
    belly: str = "cream wool"
    bill: str = "orange plastic"


_CHICKEN = Feathers(
    "white wool", (0.16, 0.21, 0.17), 20, 0.18, 0.08, (0.022, 0.05, 0.022), 0.13, 0.2, "white wool", "yellow plastic"
)

BIRDS: dict[str, Feathers] = {
    "owl": Feathers("brown fur", (0.17, 0.15, 0.22), 75, 0.13, 0.145, (0.022, 0.04, 0.04), 0.07, 0.14, "tan fur",
                    "yellow plastic"),
    "duck": Feathers("yellow wool", (0.16, 0.24, 0.14), 10, 0.17, 0.1, (0.05, 0.1, 0.016), 0.09, 0.12, "yellow wool"),
    "goose": Feathers("white wool", (0.17, 0.28, 0.16), 12, 0.36, 0.085, (0.035, 0.1, 0.025), 0.14, 0.14, "white wool"),
    "swan": Feathers("white wool", (0.17, 0.3, 0.15), 8, 0.45, 0.08, (0.03, 0.1, 0.022), 0.08, 0.16, "white wool"),
    "eagle": Feathers("dark brown fur", (0.14, 0.24, 0.15), 30, 0.13, 0.095, (0.03, 0.09, 0.04), 0.12, 0.3,
                      "dark brown fur", "yellow plastic"),
    "penguin": Feathers("black fur", (0.17, 0.15, 0.27), 88, 0.16, 0.11, (0.02, 0.08, 0.02), 0.03, 0.06, "white wool"),
    "chicken": _CHICKEN,
    "rooster": replace(_CHICKEN, color="orange wool", body=(0.16, 0.2, 0.17), tilt=30, neck=0.22, leg=0.16, tail=0.3,
                       belly="red wool"),
    "parrot": Feathers("red wool", (0.12, 0.18, 0.14), 60, 0.12, 0.1, (0.035, 0.06, 0.055), 0.06, 0.42, "red wool",
                       "grey plastic"),
    "crow": Feathers("black fur", bill="black plastic", belly="black fur"),
    "raven": Feathers("black fur", bill="black plastic", belly="black fur", beak=(0.03, 0.12, 0.035)),
    "robin": Feathers("brown fur", belly="orange wool", bill="black plastic"),
    "sparrow": Feathers("brown fur", belly="tan fur", bill="black plastic"),
    "pigeon": Feathers("grey fur", belly="grey fur"),
    "hen": replace(_CHICKEN, color="brown fur", belly="brown fur"),
}  # fmt: skip


def bird(spec: PromptSpec) -> list[ModelPart]:
    """Birds on their feet, with folded wings, or spread ones when the prompt has them fly."""
    kind = BIRDS.get(spec.noun, Feathers())
    feathers = spec.surface("body", kind.color, main=True)
    step = 0.0135 / spec.detail
    wide, long, high = kind.body
    middle = np.array((0.0, 0.0, kind.leg + max(high, long * math.sin(math.radians(kind.tilt)) * 0.8) + 0.02))
    upright = kind.tilt > 70

    def at(y: float, z: float) -> Array:
        """A place in the middle of the body, in its own half lengths and half heights."""
        return np.asarray(middle + np.array((0, long * y, high * z)))

    head = at(-0.15, 0.75) if upright else at(-0.8, 0.45)
    head[2] += kind.neck
    shape = DistanceField(0.06)
    shape.ball(middle, (wide, long, high))
    shape.limb(at(-0.05 if upright else -0.55, 0.3), head, wide * 0.62, kind.head * 0.72)
    shape.ball(head, (kind.head * 0.95, kind.head, kind.head * 0.95), blend=0.03)
    shape.limb(at(0.5, 0), at(1.05, -0.6 if upright else -0.05), wide * 0.7, wide * 0.3)
    belly = DistanceField(0.04).ball(at(-0.22, -0.08), (wide * 0.86, long * 0.88, high * 0.88))
    parts = [part("body", feathers, shape.surface(step)), made_of(spec, "belly", kind.belly, belly.surface(step))]
    bx, by, bz = kind.beak
    hooked = spec.noun in ("eagle", "parrot", "owl")
    line = curve([(0, 0, 0), (0, -by * 0.6, -bz * 0.1), (0, -by, -bz * (1.1 if hooked else 0.3))], spec.steps(4))
    thick = max(bx, bz)
    beak = tube(line, np.linspace(thick, thick * 0.18, len(line)), spec.round(14))
    beak = beak.scaled(bx / thick, 1.0, bz / thick if spec.noun == "duck" else 1.0)
    parts.append(made_of(spec, "beak", kind.bill, beak.moved(0, -kind.head * 0.88, -kind.head * 0.12).moved(*head)))
    h = kind.head
    owl = spec.noun == "owl"
    size = h * (0.36 if owl else 0.2)
    spot = np.array((0.42, -0.8, 0.2) if owl else (0.62, -0.66, 0.25)) * h
    if owl:

        def round_(radius: float, flat: float, out: float, around: int) -> Solid:
            solid = ball((size * radius, size * flat, size * radius), spec.round(around))
            return solid.moved(*(head + spot * (1, out, 1)))

        line = [(h * 0.5, -0.02, h * 0.7), (h * 0.62, -0.01, h * 1.1), (h * 0.72, 0.0, h * 1.4)]
        parts += [
            *both_sides("disc", "tan fur", round_(1.45, 0.7, 0.92, 24)),
            *both_sides("iris", spec.surface("eye", "yellow glass"), round_(1, 0.6, 1.05, 20)),
            *both_sides("eye", "black glass", round_(0.55, 0.35, 1.3, 18)),
            *both_sides("tuft", feathers, tube(line, [0.035, 0.022, 0.005], 10).moved(*head)),
        ]
    else:
        parts += both_sides("eye", spec.surface("eye", "black glass"), ball(size, spec.round(16)).moved(*(head + spot)))
    if spec.has("wing"):
        spread = spec.says("flying", "spread", "soaring", "winged")
        spread = spread or (spec.noun == "eagle" and not spec.says("sitting", "standing"))
        parts += both_sides("wing", spec.surface("wing", feathers), *wing(spec, kind, middle, spread, upright))
    parts += _bird_extras(spec, kind, middle, head, feathers, upright)
    return parts


def _bird_extras(
    spec: PromptSpec, kind: Feathers, middle: Array, head: Array, feathers: str, upright: bool
) -> list[ModelPart]:
    wide, long, high = kind.body
    is_hen = spec.noun in ("chicken", "rooster", "hen")
    parts: list[ModelPart] = []
    if spec.has("tail"):
        root = middle + np.array((0, long * 0.85, -high * (0.0 if not upright else 0.65)))
        drop = 0.7 if is_hen else -0.75 if upright else -0.12
        blades = []
        for index in range(-2, 3):
            ahead = np.array((0.075 * index * kind.tail * 3, 1.0, drop)) / math.hypot(1, drop)
            start = root + np.array((0.012 * index, -0.04, 0.004 * (index % 2)))
            blades.append(flat_feather(spec, start, root + ahead * (1, kind.tail, kind.tail)))
        parts.append(made_of(spec, "tail", feathers, *blades))
    if is_hen and spec.has("comb"):
        comb = [ball((0.014, 0.032, 0.034), spec.round(14)).moved(0, y, kind.head * 0.95) for y in (-0.04, 0.0, 0.04)]
        comb.append(ball((0.014, 0.02, 0.034), spec.round(14)).moved(0, -kind.head * 0.9, -kind.head * 0.75))
        parts.append(part("comb", "red skin", *(solid.moved(*head) for solid in comb)))
    if spec.has("leg") and spec.has("foot"):
        x, y = wide * 0.5, middle[1] + 0.01
        shin = [(x, y, middle[2] - high * 0.55), (x, y + 0.01, kind.leg * 0.6), (x, y, 0.016)]
        bones = [tube(shin, 0.012, spec.round(10))]
        for angle in (-125, -90, -55, 90):
            reach = 0.085 if angle < 0 else 0.045
            toe = tube([(0, 0, 0.014), (reach * 0.5, 0, 0.017), (reach, 0, 0.01)], [0.011, 0.01, 0.007], spec.round(8))
            bones.append(toe.turned("z", angle).moved(x, y))
        parts += both_sides("leg", spec.surface("leg", kind.bill), *bones)
    return parts


def wing(spec: PromptSpec, kind: Feathers, middle: Array, spread: bool, upright: bool) -> list[Solid]:
    """The left wing as rows of feathers."""
    wide, long, high = kind.body
    solids = []
    if not spread:
        angle = -18.0 if not upright else -72.0
        for index, (shift, size) in enumerate(((0.0, 1.0), (0.28, 0.86), (0.5, 0.72))):
            reach = long * 1.05 if not upright else high * 0.95
            radii = (wide * 0.2, reach * size * 0.9, high * 0.52 * size if not upright else long * 0.7 * size)
            feather = ball(radii, spec.round(24))
            feather.points[:, 2] *= 1 - 0.45 * np.clip(feather.points[:, 1] / reach, 0, 1)
            y = middle[1] + reach * shift * 0.62 * (1 if not upright else 0.1)
            z = middle[2] + high * 0.08 - (0 if not upright else reach * shift * 0.5)
            solids.append(feather.turned("x", angle).moved(wide * (0.88 + 0.04 * index), y, z))
        return solids
    root = middle + np.array((wide * 0.5, -long * 0.1, high * 0.5))
    bone = curve(root + np.array([(0, 0, 0), (0.28, -0.1, 0.16), (0.62, 0.02, 0.2)]), spec.steps(5))
    solids.append(tube(bone, np.linspace(0.055, 0.022, len(bone)), spec.round(12)))
    for t in np.linspace(0, 1, 9):
        start = bone[int(t * (len(bone) - 1))]
        angle = math.radians(80 - 72 * t**1.6)
        reach = 0.2 + 0.2 * math.sin(math.pi * (0.25 + 0.6 * t))
        end = start + np.array((math.cos(angle), math.sin(angle), -0.08)) * reach
        solids.append(flat_feather(spec, start, end))
    return solids


def flat_feather(spec: PromptSpec, start: Array, end: Array) -> Solid:
    """A flat feather from one point to another."""
    ahead = end - start
    side = np.cross(ahead, (0, 0, 1.0))
    side = side / np.linalg.norm(side)
    rings = []
    for t in np.linspace(0, 1, spec.steps(6) + 1):
        half = 0.042 * (0.6 + 0.6 * math.sin(math.pi * (0.15 + 0.72 * t)))
        place = start + ahead * t + (0, 0, 0.012 * math.sin(math.pi * t))
        up = np.array((0, 0, 0.007))
        rings.append(np.array([place + side * half, place + up, place - side * half, place - up]))
    return loft(np.stack(rings), end=end + ahead * 0.08)
