"""Robots: symmetric, in T-pose, feet on the floor, of human proportions."""

from __future__ import annotations

import numpy as np

from ...field import DistanceField
from ...model import ModelPart, both_sides, made_of, part
from ...prompt_spec import PromptSpec
from ...solids import ball, box, cylinder, lathe, ring, tube


def robot(spec: PromptSpec) -> list[ModelPart]:
    """A robot with two arms and two legs, jointed, in T-pose."""
    paint = spec.surface("body", "grey paint", main=True)
    dark, joint = spec.surface("joint", "dark rubber"), spec.surface("metal", "steel")
    light = spec.surface("eye", "turquoise glass")
    seg = spec.round(24)
    bulky = spec.noun == "mech" or spec.says("heavy", "bulky", "battle")
    w = 1.25 if bulky else 1.0
    boxy = spec.choose("form", True, False) or spec.says("boxy", "square", "retro")
    torso = box(0.42 * w, 0.27, 0.4, 0.05, 3)
    if not boxy:
        line = [(0, 0), (0.13, 0), (0.17, 0.1), (0.225, 0.28), (0.2, 0.38), (0.09, 0.41), (0, 0.41)]
        torso = lathe(line, spec.round(40), 0.05).scaled(w, 0.72, 1.0)
    waist = [cylinder(0.105, 0.045, seg, 0.012).moved(z=z) for z in (0.985, 1.035)]
    hips = box(0.29 * w, 0.21, 0.15, 0.045, 3).moved(z=0.85)
    parts = [part("torso", paint, torso.moved(z=1.07)), part("waist", dark, *waist), part("hips", paint, hips)]
    chest_y = -0.137 if boxy else -0.15
    gauge = cylinder(0.045, 0.025, seg, 0.006).turned("x", 90).moved(y=chest_y + 0.01, z=1.34)
    gauges = [gauge.moved(x) for x in (-0.09, 0.09)]
    panel = box(0.2, 0.03, 0.1, 0.012).moved(y=chest_y + 0.004, z=1.16)
    parts += [made_of(spec, "panel", "dark steel", panel), part("gauges", light, *gauges)]
    button = ball((0.013, 0.01, 0.013), 12).moved(y=chest_y - 0.012, z=1.215)
    buttons = [button.moved(x) for x in (-0.06, -0.02, 0.02, 0.06)]
    parts.append(made_of(spec, "buttons", "red plastic", *buttons))
    parts += _robot_head(spec, paint, dark, light, joint, boxy)
    shoulder = 0.27 * w
    upper = lathe([(0, 0), (0.05, 0), (0.058, 0.05), (0.05, 0.16), (0, 0.16)], seg, 0.014).moved(z=0.05)
    line = [(0, 0), (0.05, 0), (0.068, 0.06), (0.058, 0.18), (0.045, 0.2), (0, 0.2)]
    lower = lathe(line, seg, 0.014).moved(z=0.265)
    rings = [ring(0.05, 0.008, seg, 8).moved(z=z) for z in (0.085, 0.11)]
    upper, lower, *rings = (solid.turned("y", 90).moved(shoulder, 0, 1.4) for solid in (upper, lower, *rings))
    sizes = {0.0: 0.075 if not bulky else 0.1, 0.235: 0.052, 0.475: 0.04}
    joints = [ball(radius, seg).moved(shoulder + at, 0, 1.4) for at, radius in sizes.items()]
    palm = box(0.07, 0.09, 0.05, 0.016).moved(shoulder + 0.525, 0, 1.375)
    paths = [
        [(0.55, y, 1.4), (0.6 + out, y * 1.1, 1.406), (0.645 + out, y * 1.1, 1.394)]
        for y, out in ((-0.03, 0.0), (0.0, 0.012), (0.03, 0.0))
    ]
    paths.append([(0.52, -0.045, 1.395), (0.55, -0.075, 1.39), (0.59, -0.08, 1.388)])
    claws = [tube(path, 0.0125, spec.round(10)).moved(x=shoulder) for path in paths]
    pad = box(0.15, 0.19, 0.13, 0.045, 3).moved(shoulder + 0.01, 0, 1.385)
    parts += [
        *both_sides("upper_arm", joint, upper, *rings),
        *both_sides("lower_arm", paint, lower),
        *both_sides("arm_joints", dark, *joints),
        *both_sides("shoulder", paint, pad),
        *both_sides("hand", paint, palm),
        *both_sides("fingers", joint, *claws),
    ]
    x = 0.105 * w
    thigh = lathe([(0, 0), (0.06, 0), (0.075, 0.08), (0.066, 0.27), (0, 0.29)], seg, 0.02).moved(x, 0, 0.55)
    line = [(0, 0), (0.055, 0), (0.08, 0.1), (0.088, 0.22), (0.06, 0.33), (0, 0.34)]
    shin = lathe(line, seg, 0.025).moved(x, 0.005, 0.13)
    balls = [ball(r, seg).moved(x, y, z) for r, y, z in ((0.07, 0, 0.85), (0.06, 0, 0.51), (0.05, 0.005, 0.115))]
    cap = ball((0.052, 0.045, 0.06), seg).moved(x, -0.042, 0.515)
    foot = box(0.15 * w, 0.3, 0.085, 0.035, 3)
    foot.points[:, 2] *= np.where(foot.points[:, 1] < 0, 1 + 0.9 * foot.points[:, 1], 1.0)
    foot = foot.moved(x, -0.045, 0.012)
    sole = box(0.155 * w, 0.31, 0.022, 0.008).moved(x, -0.045)
    parts += [
        *both_sides("thigh", joint, thigh),
        *both_sides("shin", paint, shin),
        *both_sides("leg_joints", dark, *balls),
        *both_sides("knee", paint, cap),
        *both_sides("foot", paint, foot),
        *both_sides("sole", dark, sole),
    ]
    if spec.has("backpack", False) or spec.has("jetpack", False):
        line = [(0, 0), (0.05, 0), (0.07, 0.06), (0.07, 0.3), (0.03, 0.38), (0, 0.38)]
        tank = lathe(line, seg, 0.02)
        tanks = [tank.moved(x, 0.2, 1.06) for x in (0.085, -0.085)]
        parts.append(made_of(spec, "jetpack", "red paint", *tanks))
    return parts


def _robot_head(spec: PromptSpec, paint: str, dark: str, light: str, joint: str, boxy: bool) -> list[ModelPart]:
    seg = spec.round(24)
    neck = [cylinder(0.05, 0.03, seg, 0.01).moved(z=z) for z in (1.465, 1.5)]
    if boxy:
        head = box(0.25, 0.22, 0.2, 0.04, 3).moved(z=1.53)
        face = box(0.2, 0.04, 0.12, 0.016).moved(y=-0.1, z=1.575)
    else:
        head = DistanceField(0.02).ball((0, 0, 1.64), (0.125, 0.125, 0.115)).surface(0.012 / spec.detail)
        face = ball((0.095, 0.05, 0.062), spec.round(28)).moved(y=-0.092, z=1.64)
    front = -0.126 if boxy else -0.132
    count = spec.count("eye", 2, 7)
    places = [(i - (count - 1) / 2) * min(0.09, 0.16 / max(count, 1)) for i in range(count)]
    size = 0.026 if count > 1 else 0.04
    eye = cylinder(size, 0.02, spec.round(20), 0.005).turned("x", 90).moved(y=front + 0.012, z=1.65)
    eyes = [eye.moved(x, abs(x) * 0.1) for x in places]
    ears = [cylinder(0.045, 0.04, seg, 0.012).turned("y", 90).moved(0.115, 0, 1.635)]
    parts = [
        part("neck", dark, *neck),
        part("head", paint, head),
        made_of(spec, "face", "black glass", face),
        *both_sides("ear", joint, *ears),
        part("eyes", light, *eyes),
    ]
    total = spec.count("antenna", 1, 4)
    for index in range(total):
        x = (index - (total - 1) / 2) * 0.12
        rod = tube([(x, 0, 1.7), (x * 1.2, 0, 1.78), (x * 1.5, 0, 1.83)], 0.007, spec.round(8))
        tip = ball(0.02, spec.round(14)).moved(x * 1.5, 0, 1.842)
        parts.append(part(f"antenna_{index + 1}", joint, rod))
        parts.append(part(f"antenna_tip_{index + 1}", spec.surface("antenna", "red plastic"), tip))
    return parts
