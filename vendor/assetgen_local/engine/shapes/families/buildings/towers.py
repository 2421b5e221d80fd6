"""Towers of all kinds, castles and fortresses, lighthouses and skyscrapers."""

from __future__ import annotations

import math

import numpy as np

from ...model import ModelPart, made_of, part
from ...prompt_spec import PromptSpec
from ...solid import Solid
from ...solids import ball, box, circle, cylinder, lathe, loft, plate, ring


def tower(spec: PromptSpec) -> list[ModelPart]:
    """Round towers with battlements or a pointed roof, castles, lighthouses, skyscrapers."""
    if spec.noun == "skyscraper":
        return skyscraper(spec)
    if spec.noun == "lighthouse":
        return lighthouse(spec)
    stone = spec.surface("tower", "stone", main=True)
    if spec.noun in ("castle", "fortress"):
        return castle(spec, stone)
    pointed = spec.says("wizard", "pointed", "cone", "fairy", "magic", "witch") or (spec.has("roof", False))
    return round_tower(spec, stone, "", 1.6, 8.0, pointed, spec.count("window", 5, 24))


def castle(spec: PromptSpec, stone: str) -> list[ModelPart]:
    """Towers joined by walls with a gate, around a keep."""
    parts: list[ModelPart] = []
    size, high = 9.0, 4.2
    towers = spec.count("tower", 4, 8) or 4
    places = circle(towers, size, math.pi / 4 if towers == 4 else math.pi / 2 + math.pi / towers)
    pointed = spec.says("fairy", "magic", "princess", "pointed") or spec.choose("roofs", True, False)
    for index, (x, y) in enumerate(places):
        for entry in round_tower(spec, stone, f"tower_{index + 1}_", 1.7, 7.2, pointed, 3):
            parts.append(ModelPart(entry.name, entry.surface, entry.solid.moved(x, y)))
        nx, ny = places[(index + 1) % len(places)]
        length, turn = math.hypot(nx - x, ny - y), math.degrees(math.atan2(ny - y, nx - x))
        count = max(3, round(length / 1.3))
        tooth = box(0.62, 0.5, 0.75, 0.05).moved(y=-0.4, z=high - 0.05)
        teeth = [tooth.moved((i + 0.5 - count / 2) * length / count) for i in range(count)]
        wall = box(length, 1.3, high, 0.06)
        built = [solid.turned("z", turn).moved((x + nx) / 2, (y + ny) / 2) for solid in (wall, *teeth)]
        parts.append(part(f"wall_{index + 1}", stone, *built))
    front = min(places, key=lambda place: place[1])[1]
    house, frame, leaf = box(4.4, 1.7, 5.4, 0.08).moved(y=0.1), arched(3.0, 3.6, 1.9), arched(2.4, 3.2, 2.05)
    teeth = [box(0.62, 1.6, 0.7, 0.05).moved(x=(i - 1.5) * 1.15, y=0.1, z=5.35) for i in range(4)]
    parts += [
        part("gatehouse", stone, *[s.moved(y=front) for s in (house, *teeth)]),
        made_of(spec, "gate_frame", "stone", frame.moved(y=front)),
        made_of(spec, "gate", "planks", leaf.moved(y=front)),
        *round_tower(spec, stone, "keep_", 2.6, 11.0, pointed, 8),
    ]
    if spec.has("flag", True):
        pole = cylinder(0.07, 2.4, spec.round(10), 0.02)
        parts += _flag(spec, 11.0 + (2.6 * 3.4 if pointed else 0.0), pole, (1.4, 1.4, 1.3))
    return parts


def lighthouse(spec: PromptSpec) -> list[ModelPart]:
    """A lighthouse in stripes, with a gallery and a lantern."""
    segments, bands = spec.round(48), spec.count("stripe", 6, 20) or 1
    high, foot, top = 9.0, 1.7, 1.05
    colors = (spec.surface("lighthouse", "white paint", main=True), spec.surface("stripe", "red paint"))
    stripes: tuple[list[Solid], list[Solid]] = ([], [])
    for index in range(bands):
        z = [0.5 + high * (index + i) / bands for i in (0, 1)]
        r = [foot + (top - foot) * ((v - 0.5) / high) ** 0.8 for v in z]
        line = [(0, z[0] + 0.002), (r[0], z[0] + 0.002), (r[1], z[1]), (0, z[1])]
        stripes[index % 2].append(lathe(line, segments, 0.02))
    z = high + 0.5
    base = lathe([(0, 0), (2.4, 0), (2.4, 0.3), (2.0, 0.5), (0, 0.52)], segments, 0.08)
    line = [(0, -0.05), (top, -0.05), (1.5, 0.12), (1.5, 0.24), (0, 0.24)]
    deck = lathe(line, segments, 0.04).moved(z=z)
    rail = [ring(1.42, 0.03, segments, 8).moved(z=z + h) for h in (0.5, 0.75)]
    posts = [cylinder(0.03, 0.6, 8).moved(x, y, z + 0.2) for x, y in circle(16, 1.42)]
    glass = cylinder(0.75, 1.3, spec.round(24), 0.03).moved(z=z + 0.2)
    bars = [cylinder(0.035, 1.3, 8).moved(x, y, z + 0.2) for x, y in circle(8, 0.77)]
    line = [(0, 1.48), (0.98, 1.45), (0.98, 1.56), (0.6, 1.95), (0.12, 2.2), (0.08, 2.5), (0, 2.65)]
    dome = lathe(line, segments, 0.12).moved(z=z)
    frames = [
        arched(0.5, 0.85, 0.3).moved(y=-(foot + (top - foot) * ((h - 0.5) / high) ** 0.8) + 0.02, z=h).turned("z", turn)
        for h, turn in zip(np.linspace(2.6, 7.4, spec.count("window", 4, 12)), np.arange(20) * 90.0, strict=False)
    ]
    return [
        part("stripes", colors[0], *stripes[0]),
        made_of(spec, "base", "stone", base),
        made_of(spec, "deck", "dark steel", deck, *rail, *posts),
        made_of(spec, "lantern", "yellow glass", glass),
        part("bars", "black iron", *bars),
        part("dome", spec.surface("roof", "red paint"), dome),
        part("stripes_2", colors[1], *stripes[1]),
        made_of(spec, "windows", "black glass", *frames),
        made_of(spec, "door", "planks", arched(0.95, 1.7, 0.4).moved(y=-foot + 0.02, z=0.45)),
    ]


def skyscraper(spec: PromptSpec) -> list[ModelPart]:
    """A tower of floors and glass in three steps."""
    concrete, glass = spec.surface("skyscraper", "concrete", main=True), spec.surface("window", "deep teal glass")
    floors = spec.count("story", 24, 60) or 24
    z, width = 0.6, 6.0
    core, panes = [box(width + 1.2, width + 1.2, 0.6, 0.06)], []
    for share, factor in ((0.55, 1.0), (0.3, 0.8), (0.15, 0.58)):
        rows = max(1, round(floors * share))
        side = width * factor
        for _row in range(rows):
            panes.append(box(side - 0.25, side - 0.25, 0.62, 0.0).moved(z=z + 0.19))
            core.append(box(side, side, 0.24, 0.03).moved(z=z))
            z += 0.8
        core.append(box(side + 0.12, side + 0.12, 0.3, 0.04).moved(z=z - 0.01))
        for x in np.linspace(-0.5, 0.5, 7) * (side - 0.22):
            fin = box(0.16, 0.22, rows * 0.8 - 0.02, 0.02).moved(x=float(x), y=-side / 2 + 0.06, z=z - rows * 0.8)
            core += [fin.turned("z", turn) for turn in (0, 90, 180, 270)]
        z += 0.15
    line = [(0, -0.1), (0.3, -0.1), (0.22, 0.8), (0.08, 1.0), (0.05, 3.6), (0, 3.9)]
    mast = lathe(line, spec.round(16)).moved(z=z)
    return [part("structure", concrete, *core), part("windows", glass, *panes), made_of(spec, "mast", "steel", mast)]


def round_tower(
    spec: PromptSpec, stone: str, tag: str, radius: float, high: float, pointed: bool, windows: int
) -> list[ModelPart]:
    """A round tower; names of its parts begin with ``tag``."""
    segments = spec.round(48)
    line = [(0, 0), (1.25, 0), (1.22, 0.05), (1.06, 0.13), (0.97, 0.86), (1.2, 0.93), (1.2, 1), (0, 1)]
    profile = [(radius * r, high * z) for r, z in line]
    parts = [part(f"{tag}walls", stone, lathe(profile, segments, radius * 0.06))]
    band = [ring(radius * 1.0, radius * 0.05, segments, 8).moved(z=high * z) for z in (0.4, 0.66)]
    parts.append(made_of(spec, f"{tag}bands", "stone", *band))
    if pointed:
        line = [(0, 0), (1.42, -0.05 / radius), (1.4, 0.08 / radius), (0.72, 1.3), (0.22, 2.6), (0, 3.4)]
        roof = lathe(line, segments, 0.15).scaled(radius).moved(z=high)
        finial = ball(radius * 0.1, spec.round(14)).moved(z=high + radius * 3.42)
        parts += [made_of(spec, f"{tag}roof", "dark blue slate", roof), made_of(spec, f"{tag}finial", "gold", finial)]
    else:
        count = max(6, round(radius * 7))
        reach = math.pi / count * 0.56
        angles = np.linspace(-reach, reach, spec.steps(4) + 1)
        bow = np.column_stack((np.cos(angles), np.sin(angles)))
        rim = np.concatenate((bow * (radius * 1.2), bow[::-1] * (radius * 0.98)))
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
    parts += [
        made_of(spec, f"{tag}window_frames", "stone", *frames),
        made_of(spec, f"{tag}windows", "black glass", *panes),
    ]
    if spec.has("door") and not tag:
        frame, leaf = arched(0.78, 1.42, 0.32), arched(0.6, 1.3, 0.4)
        frame, leaf = (solid.scaled(radius).moved(y=-radius * 1.13) for solid in (frame, leaf))
        parts += [made_of(spec, "door_frame", "stone", frame), made_of(spec, "door", "planks", leaf)]
    if spec.has("flag", False) and not tag:
        pole = cylinder(0.05, 2.2, spec.round(12), 0.02)
        parts += _flag(spec, high + (radius * 3.4 if pointed else 0.0), pole, (1.0, 1.0, 1.0))
    return parts


def arched(width: float, high: float, depth: float) -> Solid:
    """An upright plate with a round top, in the middle of the XZ plane."""
    angles = np.linspace(0, math.pi, 9)
    bow = np.column_stack((np.cos(angles), np.sin(angles))) * width / 2 + (0.0, high - width / 2)
    rim = np.concatenate(([(width / 2, 0.0)], bow, [(-width / 2, 0.0)]))
    return plate(rim, depth, depth * 0.1).turned("x", 90).moved(y=depth / 2)


def _flag(spec: PromptSpec, top: float, pole: Solid, size: tuple[float, float, float]) -> list[ModelPart]:
    """A flag in the wind, on a pole that stands on top of something."""
    x = np.linspace(0.03, 1.2, spec.steps(10) + 1)
    wave = 0.08 * np.sin(x * 5) * x
    rim = np.array([(0, -0.012, 0), (0, -0.012, 0.7), (0, 0.012, 0.7), (0, 0.012, 0)])
    cloth = loft(rim + np.column_stack((x, wave, 0 * x))[:, None]).scaled(*size)
    return [
        part("flagpole", "steel", pole.moved(z=top - 0.1)),
        made_of(spec, "flag", "red cloth", cloth.moved(z=top + 1.3)),
    ]
