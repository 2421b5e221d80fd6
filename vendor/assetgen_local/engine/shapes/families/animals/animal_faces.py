"""Eyes, noses, ears, horns and tusks of animals."""

from __future__ import annotations

import math

import numpy as np

from ....array_types import Array
from ...model import ModelPart, both_sides, part
from ...prompt_spec import PromptSpec
from ...solid import Solid
from ...solids import ball, curve, lathe, tube
from .beasts import Beast


def face(spec: PromptSpec, beast: Beast, middle: Array, fur: str, tag: str) -> list[ModelPart]:
    """Eyes, nose, ears and what else an animal has on its head; ``middle`` is the head's middle.

    All of it is built in sizes of the head, around its middle.
    """
    h = beast.head
    snout, muzzle = beast.snout / h, beast.muzzle / h

    def one(name: str, surface: str, *solids: Solid) -> ModelPart:
        return part(name + tag, surface, *(solid.scaled(h).moved(*middle) for solid in solids))

    def pair(name: str, surface: str, *solids: Solid) -> list[ModelPart]:
        both = both_sides(name, surface, *(solid.scaled(h) for solid in solids))
        return [ModelPart(entry.name + tag, surface, entry.solid.moved(*middle)) for entry in both]

    def tapered(points: list[tuple[float, float, float]], first: float, last: float, around: int) -> Solid:
        line = curve(points, spec.steps(5))
        return tube(line, np.linspace(first, last, len(line)), spec.round(around))

    def shown(name: str, noun: str = "") -> bool:
        return name in beast.extra and spec.has(noun or name)

    eye = ball(0.17, spec.round(18)).moved(0.5, -0.68, 0.28)
    parts = pair("eye", spec.surface("eye", "black glass"), eye)
    if "trunk" not in beast.extra:
        size = muzzle * (0.5 if spec.noun != "pig" else 0.95)
        tip = (0, -0.7 - snout - muzzle * 0.75, -0.3 - snout * 0.35 + muzzle * 0.35)
        skin = "pink skin" if spec.noun in ("pig", "rabbit", "bunny", "mouse") else "black leather"
        nose = ball((size, size * 0.6, size * 0.7), spec.round(16)).moved(*tip)
        parts.append(one("nose", spec.surface("nose", skin), nose))
    if spec.has("ear"):
        parts += pair("ear", spec.surface("ear", fur), _ear(spec, beast))
    if shown("trunk"):
        line = curve([(0, -0.7, -0.2), (0, -1.15, -0.6), (0, -1.25, -1.5), (0, -1.45, -2.1), (0, -1.8, -2.2)],
                     spec.steps(6))  # fmt: skip
        parts.append(one("trunk", fur, tube(line, np.linspace(0.42, 0.17, len(line)), spec.round(18))))
    if shown("tusks", "tusk"):
        tusk = tapered([(0.3, -0.7, -0.45), (0.42, -1.2, -0.95), (0.4, -1.8, -0.85)], 0.11, 0.03, 12)
        parts += pair("tusk", spec.surface("tusk", "ivory"), tusk)
    if shown("horns", "horn"):
        horn = tapered([(0.4, 0.0, 0.7), (0.85, -0.1, 0.95), (1.05, -0.25, 1.45)], 0.15, 0.03, 12)
        parts += pair("horn", spec.surface("horn", "bone"), horn)
    if "knobs" in beast.extra:
        line = [(0.3, 0, 0.7), (0.34, 0.01 / h, 1.1), (0.36, 0.01 / h, 1.35)]
        parts += pair("knob", "dark fur", tube(line, [0.1, 0.1, 0.17], spec.round(12)))
    if shown("horn"):
        spike = lathe([(0, 0), (0.15, 0), (0.11, 0.6), (0.02, 2.1), (0, 2.15)], spec.round(14)).turned("x", 32)
        parts.append(one("horn", spec.surface("horn", "polished gold"), spike.moved(0, -0.55, 0.6)))
    if shown("antlers", "antler"):
        main = curve([(0.3, 0, 0.75), (0.8, 0.5, 1.7), (1.3, 0.3, 2.6), (1.1, -0.1, 3.4)], spec.steps(5))
        tines = []
        for root in (main[int(len(main) * at)] for at in (0.25, 0.5, 0.75)):
            path = root + np.array([(0, 0, 0), (0.15, -0.5, 0.45), (0.1, -0.65, 0.85)])
            tines.append(tube(path, [0.085, 0.07, 0.03], spec.round(8)))
        beam = tube(main, np.linspace(0.12, 0.04, len(main)), spec.round(10))
        parts += pair("antler", spec.surface("antler", "bone"), beam, *tines)
    if "beard" in beast.extra:
        beard = lathe([(0, -1.1), (0.1, -0.8), (0.22, -0.35), (0, -0.2)], spec.round(14))
        parts.append(one("beard", fur, beard.moved(0, -1 - snout * 0.6, -0.45)))
    return parts


def _ear(spec: PromptSpec, beast: Beast) -> Solid:
    """The left ear, in sizes of the head, seen from the head's middle."""
    h, e = beast.head, beast.ear / beast.head
    if beast.ears in ("round", "disc"):
        r = e * (0.9 if beast.ears == "round" else 0.75)
        up = 0.72 + (e * 0.3 if beast.ears == "disc" else 0)
        return ball((r, r * 0.4, r), spec.round(20)).moved(0.66, 0.05, up)
    if beast.ears == "fan":
        solid = ball((e * 0.62, 0.035 / h, e * 0.75), spec.round(32))
        solid.points[:, 1] += (solid.points[:, 0] / e + 0.6) ** 2 * 0.12 / h
        return solid.turned("z", 25).moved(0.75 + e * 0.5, 0.25, -0.1)
    paths = {
        "pointed": [(0.48, 0.1, 0.6), (0.6, 0.08, 0.7 + e * 0.6), (0.68, 0.02 / h, 0.7 + e * 1.15)],
        "flop": [(0.55, 0.1, 0.68), (0.95, 0.02, 0.55), (1.08, -0.1, 0.5 - e * 0.95)],
        "side": [(0.6, 0.15, 0.5), (0.75 + e * 0.5, 0.2, 0.55), (0.8 + e, 0.2, 0.4)],
        "tall": [(0.3, 0.15, 0.7), (0.4, 0.25, 0.8 + e * 0.5), (0.5, 0.45, 0.8 + e)],
    }
    line = curve(paths[beast.ears], spec.steps(5))
    share = np.linspace(0, 1, len(line))
    wide = {"pointed": 0.42, "flop": 0.42, "side": 0.34, "tall": 0.17}[beast.ears] * e
    if beast.ears == "pointed":
        radii = wide * (1.05 - 0.95 * share)
    else:
        radii = wide * (0.55 + 0.75 * np.sin(share * math.pi * 0.85))
    up = (0, 1, 0) if beast.ears == "side" else (1, 0, 0)
    flat = 0.35 if beast.ears == "flop" else 0.42
    return tube(line, np.maximum(radii, 0.008 / h), spec.round(16), flat=flat, up=up)
