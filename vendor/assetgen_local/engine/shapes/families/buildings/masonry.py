"""Round towers of stone, their openings and flags: what towers and castles are made of."""

from __future__ import annotations

import math

import numpy as np

from ....array_types import Array
from ...model import ModelPart, made_of, part
from ...prompt_spec import PromptSpec
from ...solid import Solid
from ...solids import ball, cylinder, lathe, loft, plate, ring, rounded


def round_tower(
    spec: PromptSpec, stone: str, tag: str, radius: float, high: float, pointed: bool, windows: int
) -> list[ModelPart]:
    """A round tower; names of its parts begin with ``tag``."""
    segments = spec.round(48)
    line = [(0, 0), (1.25, 0), (1.22, 0.05), (1.06, 0.13), (0.97, 0.86), (1.2, 0.93), (1.2, 1), (0, 1)]
    profile = [(radius * r, high * z) for r, z in line]
    parts = [part(f"{tag}walls", stone, lathe(rounded(profile, radius * 0.06), segments))]
    band = [ring(radius * 1.0, radius * 0.05, segments, 8).moved(z=high * z) for z in (0.4, 0.66)]
    parts.append(made_of(spec, f"{tag}bands", "stone", *band))
    if pointed:
        line = [(0, 0), (1.42, -0.05 / radius), (1.4, 0.08 / radius), (0.72, 1.3), (0.22, 2.6), (0, 3.4)]
        roof = lathe(rounded(line, 0.15), segments).scaled(radius).moved(z=high)
        finial = ball(radius * 0.1, spec.round(14)).moved(z=high + radius * 3.42)
        parts.append(made_of(spec, f"{tag}roof", "dark blue slate", roof))
        parts.append(made_of(spec, f"{tag}finial", "gold", finial))
    else:
        count = max(6, round(radius * 7))
        rim = _arc(radius * 0.98, radius * 1.2, 2 * math.pi / count * 0.56, spec.steps(4))
        tooth = plate(rim, radius * 0.42, radius * 0.03).moved(z=high - 0.02)
        merlon = [tooth.turned("z", 360 * i / count) for i in range(count)]
        parts.append(part(f"{tag}battlements", stone, *merlon))
    frames, panes = [], []
    for index in range(windows):
        z, turn = high * (0.2 + 0.58 * (index + 0.5) / max(windows, 1)), index * 137.5 - 20
        wall = radius * float(np.interp(z / high, [0.13, 0.86], [1.06, 0.97]))
        frames.append(arched(radius * 0.3, radius * 0.62, radius * 0.16).moved(y=-wall, z=z).turned("z", turn))
        pane = arched(radius * 0.2, radius * 0.5, radius * 0.2).moved(y=-wall - 0.001, z=z + radius * 0.05)
        panes.append(pane.turned("z", turn))
    if frames:
        parts += [
            made_of(spec, f"{tag}window_frames", "stone", *frames),
            made_of(spec, f"{tag}windows", "black glass", *panes),
        ]
    if spec.has("door") and not tag:
        frame, leaf = arched(0.78, 1.42, 0.32), arched(0.6, 1.3, 0.4)
        frame, leaf = (solid.scaled(radius).moved(y=-radius * 1.13) for solid in (frame, leaf))
        parts += [made_of(spec, "door_frame", "stone", frame), made_of(spec, "door", "planks", leaf)]
    if spec.has("flag", False) and not tag:
        top = high + (radius * 3.4 if pointed else 0)
        parts += [
            part("flagpole", "steel", cylinder(0.05, 2.2, spec.round(12), 0.02).moved(z=top - 0.1)),
            made_of(spec, "flag", "red cloth", flag(spec).moved(z=top + 1.3)),
        ]
    return parts


def _arc(inner: float, outer: float, angle: float, steps: int) -> Array:
    angles = np.linspace(-angle / 2, angle / 2, steps + 1)
    out = np.column_stack((np.cos(angles) * outer, np.sin(angles) * outer))
    return np.concatenate((out, np.column_stack((np.cos(angles) * inner, np.sin(angles) * inner))[::-1]))


def arched(width: float, high: float, depth: float) -> Solid:
    """An upright plate with a round top, in the middle of the XZ plane."""
    angles = np.linspace(0, math.pi, 9)
    rim = [
        (width / 2, 0.0),
        *[(math.cos(a) * width / 2, high - width / 2 + math.sin(a) * width / 2) for a in angles],
        (-width / 2, 0.0),
    ]
    return plate(np.array(rim), depth, depth * 0.1).turned("x", 90).moved(y=depth / 2)


def flag(spec: PromptSpec) -> Solid:
    """A flag in the wind, its pole at x = 0."""
    x = np.linspace(0.03, 1.2, spec.steps(10) + 1)
    wave = 0.08 * np.sin(x * 5) * x
    rings = [
        np.array([(px, py - 0.012, 0), (px, py - 0.012, 0.7), (px, py + 0.012, 0.7), (px, py + 0.012, 0)])
        for px, py in zip(x, wave, strict=True)
    ]
    return loft(np.stack(rings))
