"""Hats, helmets, crowns and hoods."""

from __future__ import annotations

import numpy as np

from ...field import DistanceField
from ...model import ModelPart, made_of, part
from ...prompt_spec import PromptSpec
from ...solids import ball, curve, lathe, loft, ring, rounded, tube
from .people_kinds import Kind


def hat(spec: PromptSpec, kind: Kind, step: float) -> list[ModelPart]:
    """What a person has on the head, empty for nothing."""
    if spec.lacks("hat", kind.hat):
        return []
    segments = spec.round(40)
    if kind.hat == "pointed":
        brim = [
            (0, 1.715), (0.19, 1.7), (0.195, 1.708), (0.1, 1.728), (0.085, 1.78), (0.055, 1.9), (0.02, 2.02),
            (0, 2.06),
        ]  # fmt: skip
        cone = lathe(rounded(brim, 0.01), segments)
        bend = np.clip((cone.points[:, 2] - 1.76) / 0.3, 0, 1) ** 2
        cone.points[:, 1] += bend * 0.07 + 0.015
        return [
            made_of(spec, "hat", kind.top, cone),
            made_of(spec, "hat_band", "gold", ring(0.094, 0.008, segments, 8, 0.014).moved(y=0.015, z=1.742)),
        ]
    if kind.hat == "brim":
        line = [(0, 1.71), (0.2, 1.698), (0.202, 1.706), (0.098, 1.722), (0.086, 1.8), (0.06, 1.822), (0, 1.81)]
        return [made_of(spec, "hat", "sand matte silk", lathe(rounded(line, 0.012), segments).moved(y=0.015))]
    if kind.hat == "cap":
        dome = DistanceField(0.02).ball((0, 0.02, 1.71), (0.094, 0.108, 0.07))
        dome.block((0, -0.1, 1.712), (0.14, 0.13, 0.012), 0.005)
        return [made_of(spec, "hat", spec.surface("cap", "red matte silk"), dome.surface(step * 0.6))]
    if kind.hat == "toque":
        line = [(0, 1.72), (0.09, 1.72), (0.092, 1.79), (0.125, 1.84), (0.12, 1.9), (0.06, 1.92), (0, 1.925)]
        return [made_of(spec, "hat", "white matte silk", lathe(rounded(line, 0.03), segments).moved(y=0.012))]
    if kind.hat == "crown":
        angles = np.arange(64) * np.pi / 32
        high = 0.045 + 0.03 * np.abs(((np.arange(64) / 8) % 1.0) - 0.5) * 2
        r = 0.082
        lines = [(r, 0 * high), (r + 0.012, high), (r + 0.006, high), (r - 0.006, 0 * high)]
        rings = [np.column_stack((np.cos(angles) * q, np.sin(angles) * q * 1.1, z)) for q, z in lines]
        band = loft(np.stack(rings), loop=True).moved(y=0.015, z=1.728)
        places = [(np.cos(a) * (r + 0.006), np.sin(a) * (r + 0.006) * 1.1) for a in np.arange(8) * np.pi / 4]
        jewels = [ball(0.009, 12).moved(x, y + 0.015, 1.748) for x, y in places]
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
            plume = tube(line, radii, 10)
            parts.append(made_of(spec, "plume", "red fur", plume))
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
