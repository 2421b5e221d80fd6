"""Heads of people, with hair and beards, and what they wear on them."""

from __future__ import annotations

import numpy as np

from ...field import DistanceField
from ...model import ModelPart, both_sides, made_of, part
from ...prompt_spec import PromptSpec
from ...solid import Solid
from ...solids import at_height, ball, circle, curve, lathe, loft, ring, tube
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
    parts = [part("head", skin, face.surface(step * 0.62))]
    eye = [ball(0.0155, spec.round(16)).moved(0.031, -0.0655, 1.652)]
    iris = [ball((0.0085, 0.006, 0.0085), spec.round(14)).moved(0.031, -0.0775, 1.652)]
    brow = [tube(curve([(0.014, -0.089, 1.675), (0.032, -0.088, 1.681), (0.05, -0.073, 1.674)], 3), 0.0042, 8)]
    if spec.noun == "alien":
        eye = [ball((0.034, 0.02, 0.022), spec.round(20)).turned("y", -25).moved(0.036, -0.07, 1.665)]
        iris, brow = [], []
    if kind.hat != "bubble":
        parts += both_sides("eye", "black glass" if spec.noun == "alien" else "white porcelain", *eye)
        if iris:
            parts += both_sides("iris", spec.surface("eye", "dark blue glass"), *iris)
            parts += both_sides("brow", spec.surface("hair", kind.hair or "brown fur"), *brow)
    if kind.hair and spec.has("hair") and not spec.says("bald") and kind.hat not in ("helmet", "bubble", "hood"):
        parts.append(made_of(spec, "hair", kind.hair, _hair(spec, step * 0.75)))
    if spec.has("beard", kind.beard):
        beard = DistanceField(0.03)
        beard.limb((0.045, -0.045, 1.6), (0.0, -0.088, 1.56), 0.028, 0.03, both=True)
        beard.limb((0, -0.085, 1.555), (0, -0.1, 1.44 if spec.noun in ("wizard", "dwarf") else 1.52), 0.045, 0.014)
        beard.limb((0.008, -0.108, 1.604), (0.04, -0.092, 1.592), 0.01, 0.006, both=True, blend=0.01)
        parts.append(made_of(spec, "beard", kind.hair or "brown fur", beard.surface(step * 0.75)))
    low = np.array((0.0, 0.0, _HEAD_LOW))  # stays where it is: a head of another size grows from the neck
    return [
        ModelPart(entry.name, entry.surface, entry.solid.with_points((entry.solid.points - low) * kind.head + low))
        for entry in (*parts, *hat(spec, kind, step))
    ]


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


def hat(spec: PromptSpec, kind: Kind, step: float) -> list[ModelPart]:
    """What a person has on the head, empty for nothing."""
    segments = spec.round(40)
    if kind.hat == "pointed":
        brim = [
            (0, 1.715), (0.19, 1.7), (0.195, 1.708), (0.1, 1.728), (0.085, 1.78), (0.055, 1.9), (0.02, 2.02),
            (0, 2.06),
        ]  # fmt: skip
        cone = lathe(brim, segments, 0.01)
        bend = np.clip((cone.points[:, 2] - 1.76) / 0.3, 0, 1) ** 2
        cone.points[:, 1] += bend * 0.07 + 0.015
        return [
            made_of(spec, "hat", kind.top, cone),
            made_of(spec, "hat_band", "gold", ring(0.094, 0.008, segments, 8, 0.014).moved(y=0.015, z=1.742)),
        ]
    if kind.hat == "brim":
        line = [(0, 1.71), (0.2, 1.698), (0.202, 1.706), (0.098, 1.722), (0.086, 1.8), (0.06, 1.822), (0, 1.81)]
        return [made_of(spec, "hat", "sand matte silk", lathe(line, segments, 0.012).moved(y=0.015))]
    if kind.hat == "cap":
        dome = DistanceField(0.02).ball((0, 0.02, 1.71), (0.094, 0.108, 0.07))
        dome.block((0, -0.1, 1.712), (0.14, 0.13, 0.012), 0.005)
        return [made_of(spec, "hat", spec.surface("cap", "red matte silk"), dome.surface(step * 0.6))]
    if kind.hat == "toque":
        line = [(0, 1.72), (0.09, 1.72), (0.092, 1.79), (0.125, 1.84), (0.12, 1.9), (0.06, 1.92), (0, 1.925)]
        return [made_of(spec, "hat", "white matte silk", lathe(line, segments, 0.03).moved(y=0.012))]
    if kind.hat == "crown":
        high = 0.045 + 0.03 * np.abs(((np.arange(64) / 8) % 1.0) - 0.5) * 2
        r = 0.082
        lines = [(r, 0 * high), (r + 0.012, high), (r + 0.006, high), (r - 0.006, 0 * high)]
        rings = [at_height(circle(64, q) * (1, 1.1), z) for q, z in lines]
        band = loft(np.stack(rings), loop=True).moved(y=0.015, z=1.728)
        jewels = [ball(0.009, 12).moved(x, y * 1.1 + 0.015, 1.748) for x, y in circle(8, r + 0.006)]
        return [made_of(spec, "crown", "polished gold", band), part("jewels", "red crystal", *jewels)]
    if kind.hat == "helmet":
        shell = DistanceField(0.02)
        shell.ball((0, 0.012, 1.672), (0.106, 0.124, 0.12))
        shell.limb((0, 0.012, 1.64), (0, 0.012, 1.58), 0.105, 0.1, flat=1.1)
        if spec.noun == "knight":
            shell.block((0, -0.1, 1.658), (0.15, 0.1, 0.016), 0.005, cut=True, blend=0.006)
            shell.limb((0, -0.115, 1.7), (0, -0.105, 1.57), 0.02, 0.03)
        else:
            shell.block((0, -0.11, 1.6), (0.13, 0.16, 0.17), 0.03, cut=True, blend=0.012)
        surface = spec.surface("helmet", "olive paint" if spec.noun == "soldier" else "steel")
        parts = [part("helmet", surface, shell.surface(step * 0.62))]
        if spec.noun == "knight" and spec.has("plume"):
            line = curve([(0, -0.05, 1.785), (0, 0.03, 1.86), (0, 0.13, 1.84), (0, 0.19, 1.72)], 5)
            radii = np.concatenate((np.linspace(0.012, 0.034, 8), np.linspace(0.034, 0.014, 8)))
            parts.append(made_of(spec, "plume", "red fur", tube(line, radii, 10)))
        return parts
    if kind.hat == "hood":
        hood = DistanceField(0.03).ball((0, 0.02, 1.665), (0.098, 0.118, 0.118))
        hood.limb((0, 0.02, 1.6), (0, 0.02, 1.47), 0.085, 0.1)
        hood.block((0, -0.11, 1.652), (0.12, 0.13, 0.042), 0.012, cut=True, blend=0.01)
        return [made_of(spec, "hood", kind.top, hood.surface(step * 0.62))]
    if kind.hat == "bubble":
        collar = ring(0.115, 0.022, segments, 10).moved(y=0.01, z=1.5)
        shell = ball((0.15, 0.155, 0.155), spec.round(36)).moved(y=0.008, z=1.645)
        visor = ball((0.118, 0.07, 0.088), spec.round(32)).moved(y=-0.098, z=1.65)
        return [
            made_of(spec, "helmet", "white plastic", shell),
            made_of(spec, "visor", "polished gold", visor),
            part("collar", "steel", collar),
        ]
    return []
