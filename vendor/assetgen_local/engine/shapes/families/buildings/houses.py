"""Houses, cottages, cabins, huts and barns."""

from __future__ import annotations

import math

import numpy as np

from ...model import ModelPart, made_of, part
from ...prompt_spec import PromptSpec
from ...solid import Solid, joined
from ...solids import ball, box, cylinder, loft, plate, tube


def _window(width: float, high: float) -> tuple[Solid, Solid]:
    """Frame and pane, facing -Y, standing at the origin."""
    bar = 0.05
    sides = [box(bar, 0.12, high, 0.01).moved(x=s * (width - bar) / 2) for s in (1, -1)]
    beams = [box(width - bar, 0.118, bar, 0.01).moved(z=z) for z in (0.001, high - bar - 0.001)]
    cross = [
        box(width - bar * 1.5, 0.09, bar * 0.6, 0.008).moved(z=high / 2 - bar * 0.3),
        box(bar * 0.6, 0.088, high - bar * 1.5, 0.008).moved(z=bar * 0.75),
    ]
    sill = box(width + 0.12, 0.2, 0.06, 0.012).moved(z=-0.055)
    return joined([*sides, *beams, *cross, sill]), box(width - bar, 0.06, high - bar, 0).moved(z=bar / 2)


def house(spec: PromptSpec) -> list[ModelPart]:
    """Houses, cottages, cabins and barns with a gable roof."""
    walls = {"cabin": "planks", "barn": "red planks", "hut": "clay", "cottage": "cream plaster", "shed": "planks"}
    wall = spec.surface("wall", walls.get(spec.noun, "white plaster"), main=True)
    stories = max(1, spec.count("story", 2 if spec.noun in ("villa",) else 1, 6))
    width, depth = (5.0, 4.0) if spec.noun not in ("hut", "shed") else (3.2, 2.8)
    if spec.noun == "barn":
        width, depth = 5.0, 6.5
    story = 2.5
    high = stories * story
    rise = width * (0.44 if spec.noun != "villa" else 0.25)
    gable = np.array([(-width / 2, 0.12), (width / 2, 0.12), (width / 2, high), (0, high + rise), (-width / 2, high)])
    body = plate(gable, depth, 0.03).turned("x", 90).moved(y=depth / 2)
    parts = [
        part("walls", wall, body),
        made_of(spec, "foundation", "concrete", box(width + 0.16, depth + 0.16, 0.3, 0.03)),
    ]
    parts += _roof(spec, width, depth, high, rise)
    trim = spec.surface("frame", "white paint")
    door_wide, door_high = (1.0, 2.0) if spec.noun != "barn" else (2.4, 2.3)
    front = -depth / 2
    if spec.has("door"):
        leaf = box(door_wide, 0.1, door_high, 0.02).moved(y=front - 0.02, z=0.3)
        halves = [
            box(door_wide * 0.34, 0.05, door_high * h, 0.015).moved(y=front - 0.065, z=0.3 + door_high * z)
            for z, h in ((0.08, 0.36), (0.52, 0.38))
        ]
        panels = [panel.moved(x=s * door_wide * 0.23) for s in (1, -1) for panel in halves]
        jamb = box(0.1, 0.16, door_high + 0.06, 0.015).moved(y=front - 0.03, z=0.28)
        casing = [jamb.moved(x=s * (door_wide / 2 + 0.04)) for s in (1, -1)]
        casing.append(box(door_wide + 0.28, 0.18, 0.12, 0.02).moved(y=front - 0.03, z=0.3 + door_high))
        parts += [made_of(spec, "door", "walnut", leaf, *panels), part("door_frame", trim, *casing)]
        knob = ball(0.05, spec.round(14)).moved(x=door_wide * 0.38, y=front - 0.12, z=1.25)
        wide, y = door_wide + 0.7, front - 0.55
        steps = [box(wide - 0.3 * i, 0.35, 0.15, 0.02).moved(y=y + 0.3 * i, z=0.15 * i) for i in range(2)]
        parts += [made_of(spec, "knob", "brass", knob), made_of(spec, "steps", "concrete", *steps)]
    parts += _windows(spec, width, depth, story, stories, trim)
    if spec.has("chimney", spec.noun not in ("barn", "shed")):
        for index in range(spec.count("chimney", 1, 4)):
            x, y = (width * 0.26 if index % 2 == 0 else -width * 0.26), depth * (0.22 if index < 2 else -0.2)
            stack = box(0.62, 0.62, rise * 0.95 + 0.5, 0.02).moved(x=x, y=y, z=high)
            top = high + rise * 0.95 + 0.5
            caps = [
                box(0.78, 0.78, 0.12, 0.03).moved(x=x, y=y, z=top - 0.06),
                cylinder(0.17, 0.3, spec.round(18), 0.03, 0.14).moved(x=x, y=y, z=top),
            ]
            parts += [
                made_of(spec, f"chimney_{index + 1}", "brick", stack),
                part(f"chimney_top_{index + 1}", spec.surface("chimney", "terracotta"), *caps),
            ]
    return parts


def _roof(spec: PromptSpec, width: float, depth: float, high: float, rise: float) -> list[ModelPart]:
    """Two slopes with rows of tiles, and the ridge."""
    default = {"hut": "sand fur", "barn": "slate", "cabin": "brown planks"}.get(spec.noun, "terracotta")
    surface = spec.surface("roof", default)
    slope = math.hypot(width / 2, rise)
    over, long = 0.45, depth + 0.8
    rows = spec.steps(11)
    run = (slope + over) / rows
    outline = [(0.0, 0.06)]
    for row in range(1, rows + 1):  # from the ridge down, each row of tiles a little proud of the next
        outline += [(run * row, 0.06 + 0.05), (run * row, 0.06)]
    outline = [*outline[:-1], (slope + over, 0.1), (slope + over, -0.05), (0.0, -0.05)]
    rim = np.array(outline)
    slab = np.stack([np.column_stack((rim[:, 0], np.full(len(rim), y), rim[:, 1])) for y in (-long / 2, long / 2)])
    tilt = math.degrees(math.atan2(rise, width / 2))
    right = loft(slab).turned("y", tilt).moved(z=high + rise + 0.07)
    ridge = tube([(0, -long / 2 - 0.02, 0), (0, 0, 0), (0, long / 2 + 0.02, 0)], 0.13, spec.round(14))
    ridge = ridge.moved(z=high + rise + 0.1)
    return [part("roof", surface, right, right.mirrored()), part("ridge", surface, ridge)]


def _windows(spec: PromptSpec, width: float, depth: float, story: float, stories: int, trim: str) -> list[ModelPart]:
    """As many windows as asked for: the front first, then the sides and the back."""
    count = spec.count("window", 2 + 6 * stories if spec.noun not in ("barn", "shed", "hut") else 4, 48)
    crowded = count > 8 * stories
    places: list[tuple[float, float, float, float]] = []
    for level in range(stories):
        z = level * story + 1.25
        for turn in (0, 90, 180, -90):
            reach, span = (depth / 2, width) if turn % 180 == 0 else (width / 2, depth)
            slots = (-0.3, 0.0, 0.3) if crowded and (turn or level) else (-0.3, 0.3)
            places += [(turn, reach, s * span, z) for s in slots]
    order = sorted(range(len(places)), key=lambda i: (places[i][0] != 0, i % 2, i))
    chosen = [places[i] for i in order[:count]]
    frame, pane = _window(0.85, 1.05)
    frames = [frame.moved(x=x, y=-reach, z=z).turned("z", turn) for turn, reach, x, z in chosen]
    panes = [pane.moved(x=x, y=-reach - 0.005, z=z).turned("z", turn) for turn, reach, x, z in chosen]
    return [part("window_frames", trim, *frames), made_of(spec, "windows", "glass", *panes)]
