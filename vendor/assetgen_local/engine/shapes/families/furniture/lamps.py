"""Table, floor and street lamps, and lanterns."""

from __future__ import annotations

from ...model import ModelPart, made_of, part
from ...prompt_spec import PromptSpec
from ...solids import circle, curve, lathe, ring, rounded, tube, wire


def lamp(spec: PromptSpec) -> list[ModelPart]:
    """Table, floor and street lamps, and lanterns."""
    if spec.noun == "lantern":
        return _lantern(spec)
    if spec.noun in ("streetlight", "lamppost", "street lamp", "streetlamp") or spec.says("street"):
        return _street_lamp(spec)
    tall = spec.noun == "floor lamp" or spec.says("standing", "story")
    metal = spec.surface("base", "brass", main=True)
    segments = spec.round(36)
    height = 1.35 if tall else 0.3
    if tall or spec.choose("foot", True, False):
        foot = [(0, 0), (0.13, 0), (0.13, 0.012), (0.1, 0.022), (0.03, 0.035), (0.014, 0.06), (0.01, 0.12)]
        foot += [(0.01, height), (0, height)]
        base = lathe(foot, segments, 0.012)
    else:
        belly = [(0.075, 0.015), (0.06, 0.03), (0.1, 0.09), (0.115, 0.15), (0.07, 0.22), (0.022, 0.255)]
        side = curve([*belly, (0.016, height)], spec.steps(5))
        base = lathe([(0, 0), (0.07, 0), (0.078, 0.008), *side, (0, height)], segments)
    if tall:
        base = base.scaled(1.25, 1.25, 1.0)
    shade_high, low_r, top_r = (0.26, 0.19, 0.12) if not tall else (0.3, 0.24, 0.16)
    z = height - 0.03
    shell = [(low_r, z), (top_r, z + shade_high), (top_r - 0.005, z + shade_high), (low_r - 0.005, z)]
    shade = lathe(rounded(shell, 0.002, closed=True, steps=1), segments, loop=True)
    rims = [ring(r - 0.0025, 0.0045, segments, 8).moved(z=at) for r, at in ((low_r, z), (top_r, z + shade_high))]
    glow = curve([(0.02, 0.185), (0.034, 0.15), (0.03, 0.11), (0.015, 0.07), (0.015, 0.02)], spec.steps(3))
    bulb = lathe([(0, 0.19), *glow, (0, 0.02)], spec.round(20)).moved(z=z)
    top = z + shade_high
    strut = tube([(0, 0, top - 0.03), (top_r - 0.004, 0, top - 0.005)], 0.003, spec.round(6))
    spider = [strut.turned("z", turn) for turn in (0, 120, 240)]
    stem = tube([(0, 0, height - 0.02), (0, 0, z + shade_high - 0.02)], 0.006, spec.round(10))
    return [
        part("base", metal, base),
        made_of(spec, "stem", metal, stem, *spider),
        made_of(spec, "shade", "cream matte silk", shade),
        made_of(spec, "rims", "brass", *rims),
        made_of(spec, "bulb", "pale yellow glass", bulb),
    ]


def _street_lamp(spec: PromptSpec) -> list[ModelPart]:
    iron = spec.surface("post", "black cast iron", main=True)
    segments = spec.round(24)
    foot = [
        (0, 0), (0.2, 0), (0.2, 0.1), (0.15, 0.16), (0.14, 0.5), (0.09, 0.6), (0.06, 0.75), (0.05, 2.6),
        (0.075, 2.64), (0.05, 2.7), (0.05, 2.8), (0, 2.8),
    ]  # fmt: skip
    parts = [part("post", iron, lathe(foot, segments, 0.03))]
    heads = max(1, spec.count("lamp", spec.number("light", 1), 4))
    away = 0.45 if heads > 1 else 0.0
    glass = lathe([(0, 0), (0.1, 0), (0.17, 0.38), (0, 0.38)], 6, 0.01)
    roof = lathe([(0, 0.37), (0.21, 0.37), (0.2, 0.4), (0.08, 0.52), (0.05, 0.54), (0.02, 0.6), (0, 0.62)], 6)
    bar = tube([(0.1, 0, -0.01), (0.17, 0, 0.39)], 0.011, spec.round(6))
    cup = lathe([(0, -0.08), (0.05, -0.06), (0.12, -0.01), (0.12, 0.012), (0, 0.012)], 6)
    frame = [roof, cup, *(bar.turned("z", turn) for turn in range(0, 360, 60))]
    z = 2.8
    for index, (x, y) in enumerate(circle(heads, away)):
        if heads > 1:
            arm = wire([(0, 0, 2.5), (x * 0.6, y * 0.6, 2.45), (x, y, 2.6), (x, y, z)], 0.022, spec.round(10))
            parts.append(part(f"arm_{index + 1}", iron, arm))
        parts += [
            made_of(spec, f"light_{index + 1}", "pale yellow glass", glass.moved(x, y, z)),
            part(f"head_{index + 1}", iron, *(solid.moved(x, y, z) for solid in frame)),
        ]
    return parts


def _lantern(spec: PromptSpec) -> list[ModelPart]:
    metal = spec.surface("frame", "bronze", main=True)
    segments = spec.round(28)
    base = lathe([(0, 0), (0.1, 0), (0.1, 0.02), (0.08, 0.035), (0.075, 0.05), (0, 0.05)], segments, 0.006)
    line = [
        (0, 0.24), (0.085, 0.24), (0.11, 0.245), (0.11, 0.255), (0.05, 0.3), (0.045, 0.33), (0.055, 0.335),
        (0.03, 0.35), (0, 0.35),
    ]  # fmt: skip
    roof = lathe(line, segments, 0.006)
    belly = curve([(0.07, 0.06), (0.08, 0.14), (0.07, 0.23)], spec.steps(5))
    glass = lathe([(0, 0.045), (0.066, 0.045), *belly, (0, 0.245)], segments)
    bar = wire([(0.083, 0, 0.03), (0.095, 0, 0.14), (0.083, 0, 0.25)], 0.005, spec.round(8))
    bars = [bar.turned("z", turn) for turn in (45, 135, 225, 315)]
    loop = [(0.1, 0, 0.25), (0.115, 0, 0.36), (0, 0, 0.45), (-0.115, 0, 0.36), (-0.1, 0, 0.25)]
    grip = wire(loop, 0.005, spec.round(8), spec.steps(6))
    hoops = [ring(0.088, 0.004, segments, 6).moved(z=z) for z in (0.1, 0.19)]
    parts = [
        part("base", metal, base),
        made_of(spec, "roof", metal, roof),
        part("bars", metal, *bars, *hoops),
        made_of(spec, "glass", "pale yellow glass", glass),
    ]
    return [*parts, made_of(spec, "handle", metal, grip)] if spec.has("handle") else parts
