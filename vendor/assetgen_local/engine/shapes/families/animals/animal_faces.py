"""Eyes, noses, ears, horns and tusks of animals."""

from __future__ import annotations

import math

import numpy as np

from ....array_types import Array
from ...model import ModelPart, made_of, part
from ...prompt_spec import PromptSpec
from ...solid import Solid
from ...solids import ball, curve, lathe, tube
from .beasts import Beast


def face(spec: PromptSpec, beast: Beast, middle: Array, fur: str, tag: str, step: float) -> list[ModelPart]:
    """Eyes, nose, ears and what else an animal has on its head; ``middle`` is the head's middle."""
    h = beast.head
    parts: list[ModelPart] = []
    mirror = np.array((2 * middle[0], 0, 0))

    def pair(name: str, surface: str, *solids: Solid) -> list[ModelPart]:
        left = part(f"left_{name}{tag}", surface, *solids)
        other = left.solid.mirrored()
        return [left, ModelPart(f"right_{name}{tag}", surface, other.with_points(other.points + mirror))]

    eye = ball(h * 0.17, spec.round(18)).moved(*(middle + np.array((h * 0.5, -h * 0.68, h * 0.28))))
    parts += pair("eye", spec.surface("eye", "black glass"), eye)
    tip = middle + np.array(
        (
            0,
            -h * 0.7 - beast.snout - beast.muzzle * 0.75,
            -h * 0.3 - beast.snout * 0.35 + beast.muzzle * 0.35,
        )
    )
    nose_size = beast.muzzle * (0.5 if spec.noun != "pig" else 0.95)
    nose = ball((nose_size, nose_size * 0.6, nose_size * 0.7), spec.round(16)).moved(*tip)
    if "trunk" not in beast.extra:
        parts.append(
            made_of(
                spec,
                f"nose{tag}",
                "pink skin" if spec.noun in ("pig", "rabbit", "bunny", "mouse") else "black leather",
                nose,
            )
        )
    if spec.has("ear"):
        parts += pair("ear", spec.surface("ear", fur), _ear(spec, beast).moved(*middle))
    if "trunk" in beast.extra and spec.has("trunk"):
        line = curve(
            [
                (0, -h * 0.7, -h * 0.2),
                (0, -h * 1.15, -h * 0.6),
                (0, -h * 1.25, -h * 1.5),
                (0, -h * 1.45, -h * 2.1),
                (0, -h * 1.8, -h * 2.2),
            ],
            spec.steps(6),
        )
        parts.append(
            part(
                f"trunk{tag}",
                fur,
                tube(line, np.linspace(h * 0.42, h * 0.17, len(line)), spec.round(18)).moved(*middle),
            )
        )
    if "tusks" in beast.extra and spec.has("tusk"):
        line = curve(
            [(h * 0.3, -h * 0.7, -h * 0.45), (h * 0.42, -h * 1.2, -h * 0.95), (h * 0.4, -h * 1.8, -h * 0.85)],
            spec.steps(5),
        )
        parts += pair(
            "tusk",
            spec.surface("tusk", "ivory"),
            tube(line, np.linspace(h * 0.11, h * 0.03, len(line)), spec.round(12)).moved(*middle),
        )
    if "horns" in beast.extra and spec.has("horn"):
        reach = [(h * 0.4, 0.0, h * 0.7), (h * 0.85, -h * 0.1, h * 0.95), (h * 1.05, -h * 0.25, h * 1.45)]
        parts += pair(
            "horn",
            spec.surface("horn", "bone"),
            tube(
                curve(reach, spec.steps(5)), np.linspace(h * 0.15, h * 0.03, 2 * spec.steps(5) + 1), spec.round(12)
            ).moved(*middle),
        )
    if "knobs" in beast.extra:
        parts += pair(
            "knob",
            "dark fur",
            tube(
                [(h * 0.3, 0, h * 0.7), (h * 0.34, 0.01, h * 1.1), (h * 0.36, 0.01, h * 1.35)],
                [h * 0.1, h * 0.1, h * 0.17],
                spec.round(12),
            ).moved(*middle),
        )
    if "horn" in beast.extra and spec.has("horn"):
        spike = lathe(
            [(0, 0), (h * 0.15, 0), (h * 0.11, h * 0.6), (h * 0.02, h * 2.1), (0, h * 2.15)], spec.round(14)
        ).turned("x", 32)
        parts.append(
            made_of(spec, f"horn{tag}", "polished gold", spike.moved(*(middle + np.array((0, -h * 0.55, h * 0.6)))))
        )
    if "antlers" in beast.extra and spec.has("antler"):
        main = curve(
            [
                (h * 0.3, 0, h * 0.75),
                (h * 0.8, h * 0.5, h * 1.7),
                (h * 1.3, h * 0.3, h * 2.6),
                (h * 1.1, -h * 0.1, h * 3.4),
            ],
            spec.steps(5),
        )
        tines = [
            tube(
                [
                    main[int(len(main) * at)],
                    main[int(len(main) * at)] + (h * 0.15, -h * 0.5, h * 0.45),
                    main[int(len(main) * at)] + (h * 0.1, -h * 0.65, h * 0.85),
                ],
                [h * 0.085, h * 0.07, h * 0.03],
                spec.round(8),
            )
            for at in (0.25, 0.5, 0.75)
        ]
        parts += pair(
            "antler",
            spec.surface("antler", "bone"),
            *[
                s.moved(*middle)
                for s in (tube(main, np.linspace(h * 0.12, h * 0.04, len(main)), spec.round(10)), *tines)
            ],
        )
    if "beard" in beast.extra:
        parts.append(
            part(
                f"beard{tag}",
                fur,
                lathe([(0, -h * 1.1), (h * 0.1, -h * 0.8), (h * 0.22, -h * 0.35), (0, -h * 0.2)], spec.round(14)).moved(
                    *(middle + np.array((0, -h - beast.snout * 0.6, -h * 0.45)))
                ),
            )
        )
    return parts


def _ear(spec: PromptSpec, beast: Beast) -> Solid:
    """The left ear, seen from the head's middle."""
    h, e = beast.head, beast.ear
    if beast.ears in ("round", "disc"):
        r = e * (0.9 if beast.ears == "round" else 0.75)
        return ball((r, r * 0.4, r), spec.round(20)).moved(
            h * 0.66, h * 0.05, h * 0.72 + (e * 0.3 if beast.ears == "disc" else 0)
        )
    if beast.ears == "fan":
        solid = ball((e * 0.62, 0.035, e * 0.75), spec.round(32))
        bend = (solid.points[:, 0] / e + 0.6) ** 2 * 0.12
        solid.points[:, 1] += bend
        return solid.turned("z", 25).moved(h * 0.75 + e * 0.5, h * 0.25, -h * 0.1)
    paths = {
        "pointed": [
            (h * 0.48, h * 0.1, h * 0.6),
            (h * 0.6, h * 0.08, h * 0.7 + e * 0.6),
            (h * 0.68, 0.02, h * 0.7 + e * 1.15),
        ],
        "flop": [
            (h * 0.55, h * 0.1, h * 0.68),
            (h * 0.95, h * 0.02, h * 0.55),
            (h * 1.08, -h * 0.1, h * 0.5 - e * 0.95),
        ],
        "side": [
            (h * 0.6, h * 0.15, h * 0.5),
            (h * 0.75 + e * 0.5, h * 0.2, h * 0.55),
            (h * 0.8 + e, h * 0.2, h * 0.4),
        ],
        "tall": [
            (h * 0.3, h * 0.15, h * 0.7),
            (h * 0.4, h * 0.25, h * 0.8 + e * 0.5),
            (h * 0.5, h * 0.45, h * 0.8 + e),
        ],
    }
    line = curve(paths[beast.ears], spec.steps(5))
    share = np.linspace(0, 1, len(line))
    wide = {"pointed": 0.42, "flop": 0.42, "side": 0.34, "tall": 0.17}[beast.ears] * e
    if beast.ears == "pointed":
        radii = wide * (1.05 - 0.95 * share)
    else:
        radii = wide * (0.55 + 0.75 * np.sin(share * math.pi * 0.85))
    return tube(
        line,
        np.maximum(radii, 0.008),
        spec.round(16),
        flat=0.42 if beast.ears != "flop" else 0.35,
        up=(0, 1, 0) if beast.ears in ("side",) else (1, 0, 0),
    )
