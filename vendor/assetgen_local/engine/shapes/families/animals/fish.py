"""Fish, sharks, whales and dolphins."""

from __future__ import annotations

import math

import numpy as np

from ...model import ModelPart, both_sides, part
from ...prompt_spec import PromptSpec
from ...solid import Solid
from ...solids import ball, circle, curve, loft

_KINDS: dict[str, tuple[str, float, float]] = {  # skin, half width, half height or 0 for what the seed says
    "shark": ("grey rubber", 0.13, 0.15), "whale": ("blue rubber", 0.24, 0.24), "dolphin": ("grey rubber", 0.13, 0.16),
    "goldfish": ("orange scales", 0.12, 0.0), "clownfish": ("orange plastic", 0.12, 0.0),
    "tuna": ("blue scales", 0.13, 0.19), "salmon": ("pink scales", 0.12, 0.0),
}  # fmt: skip


def fish(spec: PromptSpec) -> list[ModelPart]:
    """Fish, sharks, whales and dolphins, swimming towards -Y."""
    noun = spec.noun
    usual, slim, tall = _KINDS.get(noun, ("turquoise scales", 0.12, 0.0))
    tall = tall or spec.vary("tall", 0.21, 0.29)
    skin = spec.surface("body", usual, main=True)
    fin_skin = spec.surface("fin", skin)
    sea = noun in ("shark", "whale", "dolphin")
    out, above = circle(spec.round(32), 1.0).T
    rings = []
    for t in np.linspace(-1, 1, spec.steps(30) + 1)[1:-1]:
        s = (t + 1) / 2
        thick = (math.sin(math.pi * s**0.62) ** 0.8) * (1 - 0.1 * s) + 0.12 * s * (s > 0.5)
        wide, high = max(slim * thick * (1.15 - 0.5 * s), 0.012), max(tall * thick, 0.03)
        rims = above * high * np.where(above > 0, 0.95, 1.05)
        rings.append(np.column_stack((out * wide, 0 * out + t * 0.62, rims)))
    body = loft(np.stack(rings), start=(0, -0.625, 0), end=(0, 0.64, 0))

    def fin(points: list[tuple[float, float, float]], base: list[tuple[float, float, float]]) -> Solid:
        """A thin blade between a line on the body and its outer edge."""
        edge = curve(points, spec.steps(4))
        root = curve(base, max(1, round(spec.steps(4) * (len(points) - 1) / (len(base) - 1))))
        shares = np.linspace(0, 1, len(edge)), np.linspace(0, 1, len(root))
        root = np.stack([np.interp(*shares, column) for column in root.T], axis=1)
        across = np.cross(edge[-1] - edge[0], edge[len(edge) // 2] - root[len(root) // 2])
        across = across / np.linalg.norm(across)
        rows_ = []
        for share, half in ((0.0, 0.016), (0.35, 0.012), (0.75, 0.007), (1.0, 0.003)):
            line = root + (edge - root) * share
            wave = 0.006 * share * np.cos(np.arange(len(line)) * math.pi)[:, None] * across if not sea else 0.0
            rows_.append(np.concatenate((line + across * half + wave, (line - across * half + wave)[::-1])))
        return loft(np.stack(rows_))

    up, back = tall * 0.9, 0.6
    tail_high = tall * (1.15 if not sea else 1.3) + 0.06
    outer = [(0.34, 1), (0.2, 0.35), (0.16, 0), (0.2, -0.35), (0.34, -1)]
    tail = fin([(0, back + y, tail_high * z) for y, z in outer], [(0, back - 0.05, z) for z in (0.035, 0.0, -0.035)])
    if noun in ("whale", "dolphin"):
        tail = tail.turned("y", 90)
    edge = [(0, -0.28, up), (0, -0.1, up + 0.15), (0, 0.15, up + 0.1), (0, 0.32, up * 0.6)]
    root = [(0, -0.3, up * 0.6), (0, 0.0, up * 0.72), (0, 0.3, up * 0.3)]
    if sea:
        edge = [(0, -0.12, up * 1.02), (0, 0.02, up + 0.2), (0, 0.17, up + 0.24), (0, 0.12, up * 0.8)]
        root = [(0, -0.12, up * 0.75), (0, 0.14, up * 0.55)]
    top = fin(edge, root)
    outside = [(slim * 0.9, -0.2, -0.03), (slim + 0.17, -0.03, -0.12), (slim + 0.2, 0.08, -0.14)]
    inside = [(slim * 0.6, -0.22, -0.03), (slim * 0.6, -0.08, -0.05)]
    side = fin([*outside, (slim * 0.8, -0.07, -0.06)], inside)
    edge = [(0, 0.12, -up * 0.85), (0, 0.26, -up - 0.07), (0, 0.33, -up * 0.7)]
    low = fin(edge, [(0, 0.1, -up * 0.6), (0, 0.3, -up * 0.3)])
    parts = [part("body", skin, body)]
    if spec.has("tail"):
        parts.append(part("tail", fin_skin, tail))
    if spec.has("fin"):
        parts += [part("top_fin", fin_skin, top), *both_sides("fin", fin_skin, side), part("low_fin", fin_skin, low)]
    at = -0.43
    width = float(np.interp(at, [ring[0, 1] for ring in rings], [ring[:, 0].max() for ring in rings]))
    size = 0.035 if not sea else 0.02
    eye = ball((size * 0.55, size, size), spec.round(20)).moved(width * 0.93, at, tall * 0.2)
    pupil = ball((size * 0.4, size * 0.55, size * 0.55), spec.round(16))
    pupil = pupil.moved(width * 0.93 + size * 0.28, at - 0.003, tall * 0.2)
    parts += [
        *both_sides("eye", "white porcelain" if not sea else "black glass", eye),
        *both_sides("pupil", spec.surface("eye", "black glass"), pupil),
    ]
    if noun == "clownfish":
        for index, y in enumerate((-0.3, 0.02, 0.34)):
            away = [abs(ring_[0, 1] - y) for ring_ in rings]
            reach = max(0.045, sorted(away)[2])  # three at least: a coarse body has none so near
            band = np.stack([ring_ * (1.03, 1, 1.02) for ring_, off in zip(rings, away, strict=True) if off <= reach])
            parts.append(part(f"band_{index + 1}", "white plastic", loft(band)))
    return parts
