"""Manes, stripes and patches of animals."""

from __future__ import annotations

import math

import numpy as np

from ....array_types import Array
from ...field import DistanceField
from ...model import ModelPart, made_of, part
from ...prompt_spec import PromptSpec
from ...solid import Solid
from ...solids import ball
from .beasts import Beast


def marks(
    spec: PromptSpec, beast: Beast, body: Solid, rump: Array, base: Array, crown: Array, step: float
) -> list[ModelPart]:
    """What lies on an animal's body: mane, ruff, udder, stripes or patches."""
    parts: list[ModelPart] = []
    if "mane" in beast.extra and spec.has("mane"):
        mane = DistanceField(0.03)
        for t in np.linspace(0.0, 1.12, 9):
            place = base + (crown - base) * t + (0, 0.055 + 0.02 * t, beast.head * (0.62 - 0.1 * t))
            mane.ball(tuple(place), (0.035, 0.085, 0.095))
        parts.append(
            made_of(spec, "mane", "black fur" if spec.noun != "unicorn" else "pink fur", mane.surface(step * 0.7))
        )
    if "ruff" in beast.extra and spec.has("mane"):
        mane, numbers = DistanceField(0.04), spec.numbers("mane")
        for index in range(40):
            a, ring_at = index * 2.4, index % 4
            out = beast.head * (1.0 + 0.15 * (ring_at == 1))
            ahead, up = beast.head * (0.05 + 0.42 * ring_at), -0.03 - 0.03 * ring_at
            place = crown + np.array((math.cos(a) * out, ahead, math.sin(a) * out + up))
            mane.ball(tuple(place), numbers.uniform(0.075, 0.105))
        parts.append(made_of(spec, "mane", "brown fur", mane.surface(step * 0.8)))
    if "udder" in beast.extra:
        udder = ball((0.1, 0.12, 0.09), spec.round(20))
        parts.append(part("udder", "pink skin", udder.moved(0, rump[1] - 0.12, rump[2] - beast.belly * 0.98)))
    for name, noun, color in (("stripes", "stripe", "black fur"), ("patches", "patch", "dark brown leather")):
        if name in beast.extra and spec.has(noun):
            solid = _painted(spec, body, name)
            if solid is not None:
                parts.append(part(name, spec.surface(name[:-1], color), solid))
    return parts


def _painted(spec: PromptSpec, body: Solid, kind: str) -> Solid | None:
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
    return _scales(body, kept) if len(kept) else None


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
    edges = np.concatenate([index[:, [i, (i + 1) % 4]] for i in range(4)])
    key = set(map(tuple, edges.tolist()))
    border = np.array([edge for edge in edges.tolist() if (edge[1], edge[0]) not in key])
    walls = np.column_stack((border[:, 1], border[:, 0], border[:, 0] + count, border[:, 1] + count))
    outer, inner = body.points[used] + normals[used] * 0.004, body.points[used] - normals[used] * 0.012
    rim = np.unique(border)
    outer[rim] = body.points[used[rim]] + normals[used[rim]] * 0.0008
    faces = np.concatenate((index, index[:, ::-1] + count, walls))
    return Solid(np.concatenate((outer, inner)), faces.ravel().astype(np.int32), np.full(len(faces), 4, np.int32))


def _without_pinches(quads: Array) -> Array:
    """Leaves out faces around points at which two regions of faces only touch."""
    while len(quads):
        edges = np.concatenate([quads[:, [i, (i + 1) % 4]] for i in range(4)])
        size = int(quads.max()) + 1
        key, back = edges[:, 0].astype(np.int64) * size + edges[:, 1], edges[:, 1].astype(np.int64) * size + edges[:, 0]
        starts = np.bincount(edges[~np.isin(back, key), 0], minlength=size)
        doomed = (starts > 1)[quads].any(axis=1)
        if not doomed.any():
            break
        quads = quads[~doomed]
    return quads
