"""The measures of an animal on four legs, and what lies on its head and body: eyes, ears, horns; manes and stripes."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from ....array_types import Array
from ...field import DistanceField
from ...model import ModelPart, both_sides, made_of, part
from ...prompt_spec import PromptSpec
from ...solid import Solid, joined
from ...solids import ball, curve, lathe, tube


@dataclass(frozen=True, slots=True)
class Beast:
    """Measures of a four-legged animal; the height of the back is 1."""

    fur: str = "brown fur"
    long: float = 1.05
    chest: float = 0.21
    belly: float = 0.18
    leg: float = 0.62
    thick: float = 0.07
    neck: float = 0.28
    rise: float = 50.0
    head: float = 0.15
    snout: float = 0.17
    muzzle: float = 0.075
    ears: str = "pointed"
    ear: float = 0.13
    tail: str = "long"
    extra: str = ""

    def has(self, extra: str) -> bool:
        """Whether ``extra``, words with spaces between them, names this."""
        return extra in self.extra.split()


def face(spec: PromptSpec, beast: Beast, middle: Array, fur: str, tag: str) -> list[ModelPart]:
    """Eyes, nose, ears and what else an animal has on its head; ``middle`` is the head's middle.

    All of it is built in sizes of the head, around its middle.
    """
    h = beast.head
    snout, muzzle = beast.snout / h, beast.muzzle / h

    def tapered(points: list[tuple[float, float, float]], first: float, last: float, around: int) -> Solid:
        line = curve(points, spec.steps(5))
        return tube(line, np.linspace(first, last, len(line)), spec.round(around))

    def shown(name: str, noun: str = "") -> bool:
        return beast.has(name) and spec.has(noun or name)

    eye = ball(0.17, spec.round(18)).moved(0.5, -0.68, 0.28)
    parts = both_sides("eye", spec.surface("eye", "black glass"), eye)
    if not beast.has("trunk"):
        size = muzzle * (0.5 if spec.noun != "pig" else 0.95)
        tip = (0, -0.7 - snout - muzzle * 0.75, -0.3 - snout * 0.35 + muzzle * 0.35)
        skin = "pink skin" if spec.noun in ("pig", "rabbit", "bunny", "mouse") else "black leather"
        nose = ball((size, size * 0.6, size * 0.7), spec.round(16)).moved(*tip)
        parts.append(made_of(spec, "nose", skin, nose))
    if spec.has("ear"):
        parts += both_sides("ear", spec.surface("ear", fur), _ear(spec, beast))
    if shown("trunk"):
        line = curve([(0, -0.7, -0.2), (0, -1.15, -0.6), (0, -1.25, -1.5), (0, -1.45, -2.1), (0, -1.8, -2.2)],
                     spec.steps(6))  # fmt: skip
        parts.append(part("trunk", fur, tube(line, np.linspace(0.42, 0.17, len(line)), spec.round(18))))
    if shown("tusks", "tusk"):
        tusk = tapered([(0.3, -0.7, -0.45), (0.42, -1.2, -0.95), (0.4, -1.8, -0.85)], 0.11, 0.03, 12)
        parts += both_sides("tusk", spec.surface("tusk", "ivory"), tusk)
    if shown("horns", "horn"):
        horn = tapered([(0.4, 0.0, 0.7), (0.85, -0.1, 0.95), (1.05, -0.25, 1.45)], 0.15, 0.03, 12)
        parts += both_sides("horn", spec.surface("horn", "bone"), horn)
    if beast.has("knobs"):
        line = [(0.3, 0, 0.7), (0.34, 0.01 / h, 1.1), (0.36, 0.01 / h, 1.35)]
        parts += both_sides("knob", "dark fur", tube(line, [0.1, 0.1, 0.17], spec.round(12)))
    if shown("horn"):
        spike = lathe([(0, 0), (0.15, 0), (0.11, 0.6), (0.02, 2.1), (0, 2.15)], spec.round(14)).turned("x", 32)
        parts.append(made_of(spec, "horn", "polished gold", spike.moved(0, -0.55, 0.6)))
    if shown("antlers", "antler"):
        main = curve([(0.3, 0, 0.75), (0.8, 0.5, 1.7), (1.3, 0.3, 2.6), (1.1, -0.1, 3.4)], spec.steps(5))
        tines = []
        for root in (main[int(len(main) * at)] for at in (0.25, 0.5, 0.75)):
            path = root + np.array([(0, 0, 0), (0.15, -0.5, 0.45), (0.1, -0.65, 0.85)])
            tines.append(tube(path, [0.085, 0.07, 0.03], spec.round(8)))
        beam = tube(main, np.linspace(0.12, 0.04, len(main)), spec.round(10))
        parts += both_sides("antler", spec.surface("antler", "bone"), beam, *tines)
    if beast.has("beard"):
        beard = lathe([(0, -1.1), (0.1, -0.8), (0.22, -0.35), (0, -0.2)], spec.round(14))
        parts.append(part("beard", fur, beard.moved(0, -1 - snout * 0.6, -0.45)))
    return [ModelPart(entry.name + tag, entry.surface, entry.solid.scaled(h).moved(*middle)) for entry in parts]


def _ear(spec: PromptSpec, beast: Beast) -> Solid:
    """The left ear, in sizes of the head, seen from the head's middle."""
    h, e = beast.head, beast.ear / beast.head
    if beast.ears in ("round", "disc"):
        r = e * (0.9 if beast.ears == "round" else 0.75)
        up = 0.72 + (e * 0.3 if beast.ears == "disc" else 0)
        return ball((r, r * 0.4, r), spec.round(20)).moved(0.66, 0.05, up)
    if beast.ears == "fan":
        solid = ball((e * 0.62, 0.035 / h, e * 0.75), spec.round(32))
        solid.points[:, 1] += (solid.points[:, 0] / e + 0.6) ** 2 * 0.12 / h
        return solid.turned("z", 25).moved(0.75 + e * 0.5, 0.25, -0.1)
    paths = {
        "pointed": [(0.48, 0.1, 0.6), (0.6, 0.08, 0.7 + e * 0.6), (0.68, 0.02 / h, 0.7 + e * 1.15)],
        "flop": [(0.55, 0.1, 0.68), (0.95, 0.02, 0.55), (1.08, -0.1, 0.5 - e * 0.95)],
        "side": [(0.6, 0.15, 0.5), (0.75 + e * 0.5, 0.2, 0.55), (0.8 + e, 0.2, 0.4)],
        "tall": [(0.3, 0.15, 0.7), (0.4, 0.25, 0.8 + e * 0.5), (0.5, 0.45, 0.8 + e)],
    }
    line = curve(paths[beast.ears], spec.steps(5))
    share = np.linspace(0, 1, len(line))
    wide = {"pointed": 0.42, "flop": 0.42, "side": 0.34, "tall": 0.17}[beast.ears] * e
    if beast.ears == "pointed":
        radii = wide * (1.05 - 0.95 * share)
    else:
        radii = wide * (0.55 + 0.75 * np.sin(share * math.pi * 0.85))
    up = (0, 1, 0) if beast.ears == "side" else (1, 0, 0)
    flat = 0.35 if beast.ears == "flop" else 0.42
    return tube(line, np.maximum(radii, 0.008 / h), spec.round(16), flat=flat, up=up)


def marks(
    spec: PromptSpec, beast: Beast, body: Solid, rump: Array, base: Array, crown: Array, step: float
) -> list[ModelPart]:
    """What lies on an animal's body: mane, ruff, udder, stripes or patches."""
    parts: list[ModelPart] = []
    if beast.has("mane") and spec.has("mane"):
        mane = DistanceField(0.03)
        for t in np.linspace(0.0, 1.12, 9):
            place = base + (crown - base) * t + (0, 0.055 + 0.02 * t, beast.head * (0.62 - 0.1 * t))
            mane.ball(tuple(place), (0.035, 0.085, 0.095))
        usual = "black fur" if spec.noun != "unicorn" else "pink fur"
        parts.append(made_of(spec, "mane", usual, mane.surface(step * 0.7)))
    if beast.has("ruff") and spec.has("mane"):
        mane, numbers = DistanceField(0.04), spec.numbers("mane")
        for index in range(40):
            a, ring_at = index * 2.4, index % 4
            out = beast.head * (1.0 + 0.15 * (ring_at == 1))
            ahead, up = beast.head * (0.05 + 0.42 * ring_at), -0.03 - 0.03 * ring_at
            place = crown + np.array((math.cos(a) * out, ahead, math.sin(a) * out + up))
            mane.ball(tuple(place), numbers.uniform(0.075, 0.105))
        parts.append(made_of(spec, "mane", "brown fur", mane.surface(step * 0.8)))
    if beast.has("udder"):
        udder = ball((0.1, 0.12, 0.09), spec.round(20))
        parts.append(part("udder", "pink skin", udder.moved(0, rump[1] - 0.12, rump[2] - beast.belly * 0.98)))
    for name, noun, color in (("stripes", "stripe", "black fur"), ("patches", "patch", "dark brown leather")):
        if beast.has(name) and spec.has(noun):
            parts.append(part(name, spec.surface(name[:-1], color), _painted(spec, body, name)))
    return parts


def _painted(spec: PromptSpec, body: Solid, kind: str) -> Solid:
    """Stripes or patches: thin closed scales on top of the skin, cut from the body's own faces."""
    quads = body.corners.reshape(-1, 4)
    middle = body.points[quads].mean(axis=1)
    if kind == "stripes":
        pattern = np.sin(middle[:, 1] * 44 + 2.2 * np.sin(middle[:, 2] * 9) + np.sign(middle[:, 0]) * 0.5) > 0.45
        chosen = pattern & (middle[:, 2] > 0.28) & (np.abs(middle[:, 0]) > 0.02)
    else:
        number = {"giraffe": 170, "leopard": 120}.get(spec.noun, 16)
        reach = {"giraffe": 0.075, "leopard": 0.04}.get(spec.noun, 0.17)
        picked = spec.numbers("patches").sample(range(len(middle)), min(number, len(middle)))
        centres = middle[picked]
        near = np.min(np.linalg.norm(middle[:, None, :] - centres[None], axis=2), axis=1)
        chosen = (near < reach) & (middle[:, 2] > 0.3)
    kept = _without_pinches(quads[chosen])
    return _scales(body, kept) if len(kept) else joined(())


def _scales(body: Solid, quads: Array) -> Solid:
    """Closed plates over these faces: their outside just above the skin, their inside just below."""
    normals = np.zeros_like(body.points)
    p = body.points[quads]
    face_normals = np.cross(p[:, 2] - p[:, 0], p[:, 3] - p[:, 1])
    for corner in range(4):
        np.add.at(normals, quads[:, corner], face_normals)
    normals /= np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), 1e-12)
    used, index = np.unique(quads, return_inverse=True)
    index = index.reshape(quads.shape)
    count = len(used)
    border = _border(index)
    walls = np.column_stack((border[:, 1], border[:, 0], border[:, 0] + count, border[:, 1] + count))
    outer, inner = body.points[used] + normals[used] * 0.004, body.points[used] - normals[used] * 0.012
    rim = np.unique(border)
    outer[rim] = body.points[used[rim]] + normals[used[rim]] * 0.0008
    faces = np.concatenate((index, index[:, ::-1] + count, walls))
    return Solid(np.concatenate((outer, inner)), faces.ravel().astype(np.int32), np.full(len(faces), 4, np.int32))


def _without_pinches(quads: Array) -> Array:
    """Leaves out faces around points at which two regions of faces only touch."""
    while len(quads):
        starts = np.bincount(_border(quads)[:, 0], minlength=int(quads.max()) + 1)
        doomed = (starts > 1)[quads].any(axis=1)
        if not doomed.any():
            break
        quads = quads[~doomed]
    return quads


def _border(quads: Array) -> Array:
    """The edges that only one face has, (n, 2), in the direction that they have there."""
    edges = np.concatenate([quads[:, [i, (i + 1) % 4]] for i in range(4)])
    size = int(quads.max()) + 1
    return np.asarray(edges[~np.isin(edges @ (1, size), edges @ (size, 1))])
