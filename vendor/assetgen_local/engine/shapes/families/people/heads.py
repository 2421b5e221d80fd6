"""Heads of people, with hair and beards."""

from __future__ import annotations

import numpy as np

from ...field import DistanceField
from ...model import ModelPart, both_sides, made_of, part
from ...prompt_spec import PromptSpec
from ...solid import Solid
from ...solids import ball, curve, tube
from .hats import hat
from .people_kinds import Kind

_HEAD_LOW = 1.5  # metres, where the head begins; the whole is 1.75 high


def head(spec: PromptSpec, kind: Kind, step: float) -> list[ModelPart]:
    """Face, eyes, hair, beard and hat."""
    skin = spec.surface("skin", spec.described("face", spec.described("head", kind.skin)))
    face = DistanceField(0.035)
    face.limb((0, 0.012, 1.44), (0, 0.0, 1.55), 0.054, 0.05)
    face.ball((0, 0.008, 1.66), (0.08, 0.098, 0.1))
    face.limb((0, -0.035, 1.595), (0, -0.058, 1.578), 0.048, 0.026)
    face.limb((0, -0.092, 1.648), (0, -0.104, 1.622), 0.008, 0.014, blend=0.018)
    face.ball((0.03, -0.073, 1.653), (0.021, 0.018, 0.013), cut=True, both=True, blend=0.018)
    face.ball((0.0, -0.09, 1.588), (0.024, 0.012, 0.006), blend=0.008)
    face.ball((0.082, 0.014, 1.64), (0.011, 0.019, 0.028), both=True, blend=0.01)
    if kind.ears:
        face.limb((0.082, 0.014, 1.65), (0.14, 0.04, 1.72), 0.017, 0.006, both=True, blend=0.01, flat=0.7)
    s = kind.head
    middle = np.array((0.0, 0.0, _HEAD_LOW))

    def grown(solid: Solid) -> Solid:
        return solid.with_points((solid.points - middle) * s + middle)

    parts = [part("head", skin, grown(face.surface(step * 0.62)))]
    eye = [ball(0.0155, spec.round(16)).moved(0.031, -0.0655, 1.652)]
    iris = [ball((0.0085, 0.006, 0.0085), spec.round(14)).moved(0.031, -0.0775, 1.652)]
    brow = [tube(curve([(0.014, -0.089, 1.675), (0.032, -0.088, 1.681), (0.05, -0.073, 1.674)], 3), 0.0042, 8)]
    if spec.noun == "alien":
        eye = [ball((0.034, 0.02, 0.022), spec.round(20)).turned("y", -25).moved(0.036, -0.07, 1.665)]
        iris, brow = [], []
    if kind.hat != "bubble":
        parts += both_sides("eye", "black glass" if spec.noun == "alien" else "white porcelain", *map(grown, eye))
        if iris:
            parts += both_sides("iris", spec.surface("eye", "dark blue glass"), *map(grown, iris))
            parts += both_sides("brow", spec.surface("hair", kind.hair or "brown fur"), *map(grown, brow))
    if kind.hair and spec.has("hair") and not spec.says("bald") and kind.hat not in ("helmet", "bubble", "hood"):
        parts.append(made_of(spec, "hair", kind.hair, grown(_hair(spec, step * 0.75))))
    if spec.has("beard", kind.beard):
        beard = DistanceField(0.03)
        beard.limb((0.045, -0.045, 1.6), (0.0, -0.088, 1.56), 0.028, 0.03, both=True)
        beard.limb((0, -0.085, 1.555), (0, -0.1, 1.44 if spec.noun in ("wizard", "dwarf") else 1.52), 0.045, 0.014)
        beard.limb((0.008, -0.108, 1.604), (0.04, -0.092, 1.592), 0.01, 0.006, both=True, blend=0.01)
        parts.append(made_of(spec, "beard", kind.hair or "brown fur", grown(beard.surface(step * 0.75))))
    return parts + [ModelPart(entry.name, entry.surface, grown(entry.solid)) for entry in hat(spec, kind, step)]


def _hair(spec: PromptSpec, step: float) -> Solid:
    long = spec.noun in ("woman", "girl", "princess", "queen", "witch", "elf") or spec.says("long haired", "ponytail")
    hair = DistanceField(0.03)
    hair.ball((0, 0.028, 1.69), (0.088, 0.095, 0.085))
    hair.limb((0.05, -0.05, 1.735), (0.076, 0.0, 1.7), 0.026, 0.02, both=True)
    hair.limb((-0.03, -0.078, 1.742), (0.04, -0.07, 1.745), 0.02, 0.024)
    hair.ball((0, 0.06, 1.63), (0.068, 0.05, 0.07))
    if long:
        hair.limb((0.05, 0.06, 1.66), (0.062, 0.085, 1.46), 0.045, 0.028, both=True)
        hair.limb((0, 0.085, 1.66), (0, 0.105, 1.42), 0.055, 0.03)
    hair.ball((0, -0.085, 1.655), (0.06, 0.06, 0.07), cut=True, blend=0.025)
    return hair.surface(step)
