"""People: symmetric, in T-pose, feet on the floor, of human proportions."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ...field import DistanceField
from ...model import ModelPart, both_sides, made_of, part
from ...prompt_spec import PromptSpec
from ...solid import Solid
from ...solids import ball, box, curve, lathe, loft, ring, tube
from .heads import head
from .people_kinds import KINDS, Kind


def character(spec: PromptSpec) -> list[ModelPart]:
    """A person in T-pose, dressed as the word says."""
    kind = KINDS.get(spec.noun, Kind())
    for word in ("helmet", "crown", "hood", "cap", "hat"):
        if spec.has(word, False):
            kind = replace(kind, hat=word if word != "hat" else kind.hat or "brim")
    if spec.lacks("hat", kind.hat):
        kind = replace(kind, hat="")
    step = 0.0165 / spec.detail
    girth = kind.girth * (1.12 if spec.says("strong", "muscular", "heavy") else 1.0)
    top = spec.surface("shirt", kind.top, main=True)
    parts = _body(spec, kind, girth, step, top)
    parts += head(spec, kind, step)
    if spec.has("cape", kind.cape):
        parts.append(made_of(spec, "cape", "red matte silk", _cape(spec, girth)))
    if kind.robe and spec.has("robe"):
        line = curve([(0.165 * girth, 1.02), (0.19 * girth, 0.85), (0.235, 0.62), (0.265, 0.47)], spec.steps(6))
        inner = line[::-1] - (0.012, 0.0)
        skirt = lathe([*line, *inner], spec.round(48), 0.004, loop=True)
        x, y, z = skirt.points.T
        fold = 1 + 0.06 * np.sin(np.arctan2(y, x) * 12) * np.clip((0.95 - z) / 0.9, 0, 1)
        skirt.points[:, :2] *= np.column_stack((fold, fold * 0.82))
        parts.append(part("skirt", spec.surface("robe", top), skirt))
    return parts


def _body(spec: PromptSpec, kind: Kind, girth: float, step: float, top: str) -> list[ModelPart]:
    """Clothes are bodies of their own, so that their borders are clean; hands, feet and neck come out of them."""
    g = girth
    torso = DistanceField(0.07)
    torso.limb((0, 0.0, 1.0), (0, 0.005, 1.08), 0.145 * g, 0.135 * g, flat=0.72)
    torso.limb((0, 0.005, 1.1), (0, 0.0, 1.32), 0.135 * g, 0.165 * g, flat=0.7)
    torso.ball((0.085 * g, -0.035, 1.31), (0.1 * g, 0.075 * g, 0.085), both=True)
    torso.limb((0.05, 0.01, 1.42), (0.165 * g, 0.01, 1.425), 0.062, 0.072 * g, both=True)
    torso.limb((0, 0.008, 1.42), (0, 0.004, 1.475), 0.08, 0.062, blend=0.05)
    if kind.hair != "brown fur" and spec.noun in ("woman", "princess", "queen", "witch"):
        torso.ball((0.075, -0.085, 1.29), (0.068, 0.06, 0.065), both=True, blend=0.05)
    sleeve = DistanceField(0.05)
    arm = 0.9 + 0.1 * g
    sleeve.limb((0.15 * g, 0.01, 1.425), (0.27, 0.012, 1.42), 0.073 * g, 0.06 * arm)
    sleeve.limb((0.25, 0.012, 1.42), (0.46, 0.014, 1.42), 0.059 * arm, 0.047 * arm)
    sleeve.limb((0.46, 0.014, 1.42), (0.66, 0.008, 1.42), 0.048 * arm, 0.038 * arm)
    hips = DistanceField(0.06)
    w = max(1.0, g)  # stout legs stand further apart
    hips.limb((0, 0.01, 0.99), (0, 0.012, 0.93), 0.143 * g, 0.158 * g, flat=0.76)
    hips.ball((0.075, 0.06, 0.92), (0.085 * g, 0.08, 0.09), both=True)
    hips.limb((0.088 * g, 0.012, 0.9), (0.1 * w, 0.004, 0.52), 0.096 * g, 0.066 * g, both=True, blend=0.035)
    hips.limb((0.1 * w, 0.004, 0.52), (0.104 * w, 0.022, 0.33), 0.064 * g, 0.062 * g, both=True, blend=0.05)
    hips.limb((0.104 * w, 0.02, 0.33), (0.106 * w, 0.022, 0.11), 0.06 * g, 0.046 * g, both=True, blend=0.05)
    shoe = DistanceField(0.04)
    shoe.limb((0.106 * w, 0.035, 0.075), (0.106 * w, 0.024, 0.15), 0.05, 0.052)
    shoe.limb((0.106 * w, 0.045, 0.045), (0.112 * w, -0.13, 0.034), 0.05, 0.046)
    shoe.limb((0.112 * w, -0.1, 0.036), (0.115 * w, -0.16, 0.03), 0.048, 0.036)
    shoe.block((0.1, 0, -0.3), (1.0, 1.0, 0.6), 0.002, blend=0.008, cut=True)
    hand = _hand(step * 0.6)
    armoured = kind.top == "steel"
    legs = spec.surface("trouser", spec.described("pant", spec.described("leg", kind.legs)))
    shoes = spec.surface("shoe", spec.described("boot", kind.shoes))
    bare = "white matte silk" if spec.noun == "astronaut" else spec.surface("skin", kind.skin)
    gloves = spec.surface("glove", spec.surface("hand", "dark steel" if armoured else bare))
    if spec.about.get("") and kind.legs == kind.top:
        legs = spec.surface("trouser", kind.legs, main=True)
    parts = [
        part("torso", top, torso.surface(step)),
        *both_sides("arm", spec.surface("sleeve", top), sleeve.surface(step)),
        part("legs", legs, hips.surface(step)),
        *both_sides("hand", gloves, hand),
        *both_sides("foot", shoes, shoe.surface(step * 0.85)),
    ]
    waist = [(np.cos(a) * 0.15 * g, np.sin(a) * 0.113 * g + 0.008, 0.995) for a in np.arange(40) * np.pi / 20]
    belt = tube(waist, 0.009, 8, flat=2.4, loop=True)
    buckle = box(0.05, 0.02, 0.045, 0.006).moved(y=-0.113 * g, z=0.973)
    if not kind.robe:
        parts += [made_of(spec, "belt", "brown leather", belt), made_of(spec, "buckle", "brass", buckle)]
    if armoured:
        plates = [
            ball((0.1, 0.1, 0.075), spec.round(24)).moved(0.2 * g, 0.01, 1.46),
            ring(0.058, 0.012, spec.round(20), 8).turned("y", 90).moved(0.47, 0.014, 1.42),
        ]
        parts += both_sides("pauldron", spec.surface("armor", "steel"), *plates)
        cap = ball((0.06, 0.05, 0.075), spec.round(20)).moved(0.1 * w, -0.045, 0.53)
        parts += both_sides("knee", spec.surface("armor", "steel"), cap)
    if spec.noun == "astronaut":
        pack = box(0.36, 0.16, 0.46, 0.05, 3).moved(y=0.2, z=1.02)
        parts += [
            made_of(spec, "backpack", "white plastic", pack),
            part("panel", "grey plastic", box(0.16, 0.06, 0.12, 0.015).moved(y=-0.155, z=1.2)),
        ]
    return parts


def _hand(step: float) -> Solid:
    """The left hand, palm down, fingers along +X."""
    shape = DistanceField(0.02)
    shape.limb((0.63, 0.008, 1.42), (0.7, 0.008, 1.42), 0.031, 0.03)
    shape.block((0.735, 0.006, 1.418), (0.1, 0.08, 0.034), 0.016)
    for y, long in ((-0.026, 0.078), (-0.008, 0.09), (0.011, 0.084), (0.029, 0.065)):
        shape.limb((0.77, y, 1.418), (0.785 + long * 0.95, y * 1.12, 1.412), 0.0105, 0.0082, blend=0.008)
    shape.limb((0.71, -0.028, 1.414), (0.75, -0.062, 1.408), 0.0135, 0.012, blend=0.016)
    shape.limb((0.75, -0.062, 1.408), (0.782, -0.074, 1.406), 0.0115, 0.009, blend=0.01)
    return shape.surface(step)


def _cape(spec: PromptSpec, girth: float) -> Solid:
    """A cloth that hangs from the shoulders, in folds."""
    across, rings = np.linspace(-1, 1, spec.steps(24) + 1), []
    for down in np.linspace(0, 1, spec.steps(14) + 1):
        half = (0.17 + 0.17 * down) * girth
        y = 0.1 * girth + 0.02 + 0.13 * down**1.4 + 0.022 * down * np.sin(across * 11) - 0.09 * across**2 * (1 - down)
        z = 1.45 - 1.28 * down - 0.01 * across**2
        front = np.column_stack((across * half, y - 0.006, z))
        back = np.column_stack((across * half, y + 0.006, z))
        rings.append(np.concatenate((front, back[::-1])))
    return loft(np.stack(rings))
