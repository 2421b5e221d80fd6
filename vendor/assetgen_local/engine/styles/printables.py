"""Small objects to print: a key ring, a fridge magnet and a keycap, from the model as one closed body."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..array_types import Array
from ..errors import EngineError
from ..materials import pbr_material, transfer
from ..mesh import collapse
from ..mesh.build import new_object
from ..mesh.measure import bounds, coordinates
from ..mesh.surface_nets import surface, tightened
from ..shapes.solid import Solid, fans
from ..shapes.solids import circle, loft, ring, stacked
from .surface_samples import band_around, samples_of

_STEPS = 112  # along the longest side of the closed body
_SAMPLES = 1024
_MOST_FACES = 24_000
_TEXTURE = 1024

_RING, _TUBE = 0.085, 0.024  # radii of the key ring's eyelet, as parts of the model's longest side
_TOWARDS_MIDDLE = 0.8  # how much height the eyelet gives up for a place nearer to the middle

_STEM_RADIUS, _CROSS, _ARM, _SOCKET = 2.75 / 18, 2.05 / 18, 0.65 / 18, 4.0 / 18
"""Of an MX stem, as parts of the width of a one-unit cap, which is 18 mm: outer radius, half the length and half the
width of the cross's arms, depth.
"""

_THINNEST = 2.0  # steps of the field that a magnet has at least between front and back
_CAP_HEIGHT, _CAP_TOP, _CAP_WALL, _CAP_SUNK = 0.5, 0.74, 1.4 / 18, 0.03
_FEET, _NARROWEST = 0.1, 0.6
"""The cap's top is as wide as the lowest part of the model, but not less than this part of the model's own width."""


def keyring(whole: Any) -> list[Any]:
    """The model with an eyelet on top, whose hole goes from the front to the back."""
    body = _closed(whole)
    longest = float(bounds([body]).size.max())
    points = coordinates(body.data).astype(float)
    middle = (points.min(axis=0) + points.max(axis=0)) / 2
    off = np.linalg.norm((points - middle)[:, :2], axis=1)
    top = points[(points[:, 2] - _TOWARDS_MIDDLE * off).argmax()]
    radius, tube = _RING * longest, _TUBE * longest
    # The tube's lower part lies inside the body.
    centre = np.add(top, (0.0, 0.0, radius - tube * 0.6))
    metal = pbr_material.plain_material("Metal", (0.75, 0.75, 0.77), 0.25, 1.0)
    return [body, _object("ring", ring(radius, tube, 48, 20).turned("x", 90).moved(*centre), metal)]


def magnet(whole: Any) -> list[Any]:
    """The front half of the model on a flat back."""
    return [_closed(whole, flat_back=True)]


def keycap(whole: Any) -> list[Any]:
    """The model on top of a hollow cap with a socket for a cross-shaped stem."""
    body = _closed(whole)
    box = bounds([body])
    points = coordinates(body.data)
    feet = points[points[:, 2] < box.low[2] + _FEET * box.size[2]]
    width = max(float(np.ptp(feet, axis=0)[:2].max()), float(box.size[:2].max()) * _NARROWEST) / _CAP_TOP
    foot = box.low[2] - (_CAP_HEIGHT - _CAP_SUNK) * width
    middle = (feet.min(axis=0) + feet.max(axis=0)) / 2
    centre = np.array((middle[0], middle[1], foot))
    plastic = pbr_material.plain_material("Plastic", (0.82, 0.81, 0.78), 0.45)
    parts = [body]
    for name, rings in (("cap", _cap_rings()), ("stem", _stem_rings())):
        rings = rings * width + centre
        solid = loft(rings, start=rings[0].mean(axis=0), end=rings[-1].mean(axis=0))
        parts.append(_object(name, solid, plastic))
    collapse.smooth_shading(parts[1:], np.radians(35))
    return parts


def _cap_rings() -> Array:
    """From the ceiling inside over the rim at the bottom to the top, in widths of the cap."""
    flat = circle(96, 1.0)
    flat *= 0.5 / (np.abs(flat) ** 6).sum(axis=1, keepdims=True) ** (1 / 6)
    ceiling, wall, round_ = _CAP_HEIGHT - _CAP_WALL, 2 * _CAP_WALL, 0.02
    inner_top = _CAP_TOP + (1 - _CAP_TOP) * _CAP_WALL / _CAP_HEIGHT - wall
    levels = [
        (inner_top, ceiling),
        (1 - wall, 0.0),
        (1 - wall / 2, 0.0),
        (1.0, round_),
        (_CAP_TOP + 2 * round_ * (1 - _CAP_TOP), _CAP_HEIGHT - round_ * 1.5),
        (_CAP_TOP - round_, _CAP_HEIGHT - round_ * 0.4),
        (_CAP_TOP - 3 * round_, _CAP_HEIGHT),
    ]
    return stacked(flat, levels)


def _stem_rings() -> Array:
    """From the end of the socket over its mouth to where the stem goes into the cap, in widths of the cap."""
    corners = [np.arctan2(*pair) for pair in ((_ARM, _CROSS), (_ARM, _ARM), (_CROSS, _ARM))]
    quarter = np.sort(np.concatenate((corners, np.linspace(0, np.pi / 2, 12, endpoint=False))))
    angles = np.concatenate([quarter + turn * np.pi / 2 for turn in range(4)])
    cos, sin = np.maximum(np.abs(np.cos(angles)), 1e-9), np.maximum(np.abs(np.sin(angles)), 1e-9)
    # The farther of the two bars that make the cross.
    bars = [np.minimum(along / cos, across / sin) for along, across in ((_CROSS, _ARM), (_ARM, _CROSS))]
    rim = np.stack((np.cos(angles), np.sin(angles)), axis=1)
    cross = stacked(rim * np.maximum(*bars)[:, None], [(1.0, _SOCKET), (1.0, 0.0)])
    return np.concatenate((cross, stacked(rim, [(_STEM_RADIUS, 0.0), (_STEM_RADIUS, _CAP_HEIGHT - _CAP_WALL / 2)])))


def _closed(whole: Any, *, flat_back: bool = False) -> Any:
    """The model as one closed body with its look baked on; with ``flat_back`` only its front half."""
    samples = samples_of(whole, _SAMPLES)
    step = float(np.ptp(samples.points, axis=0).max()) / _STEPS
    band = band_around(samples, whole, step, step)
    field = band.solid()
    cut = float(np.mean((samples.points[:, 1].min(), samples.points[:, 1].max())))
    if flat_back:
        cut = max(cut, float(samples.points[:, 1].min()) + _THINNEST * step)
        across = (cut - (band.low[1] + np.arange(band.shape[1]) * step)) / step
        field = np.minimum(field, across[None, :, None].astype(np.float32))
    vertices, faces = surface(field)
    if not len(faces):
        raise EngineError("The model has no surface that a body could be made of.")
    flat = np.abs(vertices[:, 1] * step + band.low[1] - cut) < 0.3 * step
    vertices = tightened(vertices, faces, 0.4, 6) * step + band.low
    if flat_back:
        vertices[flat, 1] = cut
        vertices[:, 1] = np.minimum(vertices[:, 1], cut)
    body = new_object("model", vertices, faces)
    diagonal = bounds([body]).diagonal
    collapse.collapse_to([body], _MOST_FACES, diagonal, shell=0)
    collapse.smooth_shading([body], collapse.SHARP_ANGLE)
    transfer.bake_onto(whole, [body], _TEXTURE, diagonal)
    return body


def _object(name: str, solid: Solid, material: Any) -> Any:
    scene_object = new_object(name, solid.points, fans(solid))
    scene_object.data.materials.append(material)
    return scene_object
