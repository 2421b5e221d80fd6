"""Made things whose lower half is one piece: figures in gowns, and what is like them. glTF axes: +Y up, facing +Z."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from itertools import pairwise

import numpy as np

from .figures import joined, limb
from .meshes import Shape

_Point = Sequence[float]
_AROUND = 32


def turned(outline: Sequence[tuple[float, float]], name: str = "turned") -> Shape:
    """A closed thing as from a lathe: radius and height of its outline, from below."""
    rings = np.array([(0.0, outline[0][1]), *outline, (0.0, outline[-1][1])])
    angle = np.linspace(0, 2 * np.pi, _AROUND, endpoint=False)
    flat = np.stack((np.cos(angle), np.zeros(_AROUND), np.sin(angle)), axis=1)
    positions = (rings[:, 0, None, None] * flat + rings[:, 1, None, None] * (0, 1, 0)).reshape(-1, 3)
    ring, place = (grid.ravel() for grid in np.mgrid[: len(rings) - 1, :_AROUND])
    low, after = ring * _AROUND, (place + 1) % _AROUND
    one, other = low + place, low + after
    corners = ((one, one + _AROUND, other), (other, one + _AROUND, other + _AROUND))
    return Shape(positions, np.concatenate([np.stack(each, axis=1) for each in corners]), name=name)


def both(*places: _Point, radius: float) -> list[Shape]:
    """A bent rod through these places on the left, and its mirror image."""
    ends = [[np.array(end) * (side, 1, 1) for end in rod] for rod in pairwise(places) for side in (1, -1)]
    return [limb(start, end, radius) for start, end in ends]


def in_gown(hem: float = 0.26, *arm: _Point, hollow: bool = False) -> list[Shape]:
    """A figure in a gown to the floor, so wide there; its left arm goes through these places."""
    skirt = [(hem, 0), (0.93 * hem, 0.08), (0.3 * hem + 0.09, 0.75), (0.13, 1.0)]
    if hollow:
        skirt = [(0.9 * hem, 0.12), (0.96 * hem, 0), *skirt]
    head = turned([(0.05, 1.4), (0.1, 1.5), (0.11, 1.6), (0.07, 1.72), (0.02, 1.76)])
    places = arm or ((0.14, 1.32, 0), (0.36, 1.08, 0.02), (0.5, 0.86, 0.06))
    return [
        joined(
            [turned([*skirt, (0.17, 1.25), (0.12, 1.38), (0.06, 1.44)]), head, *both(*places, radius=0.05)], "figure"
        )
    ]


def urn() -> list[Shape]:
    """A vase with a neck, a lid and two handles."""
    outline = [(0.3, 0), (0.22, 0.08), (0.34, 0.3), (0.4, 0.95), (0.22, 1.2), (0.16, 1.3), (0.24, 1.45), (0.05, 1.6)]
    handles = both((0.36, 0.95, 0), (0.58, 1.0, 0), (0.56, 1.2, 0), (0.18, 1.28, 0), radius=0.045)
    return [joined([turned(outline), *handles], "urn")]


def trophy() -> list[Shape]:
    """A cup on a stem, with a lid and two handles."""
    outline = [(0.36, 0), (0.36, 0.3), (0.12, 0.38), (0.1, 0.52), (0.38, 0.75), (0.42, 1.1), (0.16, 1.3), (0.08, 1.4)]
    handles = both((0.4, 1.05, 0), (0.64, 1.1, 0), (0.62, 0.85, 0), (0.36, 0.75, 0), radius=0.045)
    return [joined([turned(outline), *handles], "trophy")]


def pump() -> list[Shape]:
    """A pillar on a foot, with a spout and a lever of about the same length."""
    outline = [(0.38, 0), (0.38, 0.14), (0.18, 0.2), (0.18, 1.05), (0.27, 1.1), (0.27, 1.28), (0.14, 1.36), (0.03, 1.5)]
    return [joined([turned(outline), *both((0.15, 0.95, 0), (0.5, 0.9, 0), (0.58, 0.6, 0), radius=0.06)], "pump")]


def guidepost() -> list[Shape]:
    """A pole with an arm on either side and a knob on its top."""
    outline = [(0.07, 0), (0.07, 1.4), (0.05, 1.45), (0.12, 1.55), (0.12, 1.62), (0.03, 1.72)]
    return [joined([turned(outline), *both((0, 1.1, 0), (0.6, 1.1, 0), radius=0.09)], "guidepost")]


def turret() -> list[Shape]:
    """A gun on either side of what turns on a foot."""
    outline = [(0.5, 0), (0.45, 0.15), (0.28, 0.3), (0.28, 0.7), (0.44, 0.8), (0.44, 1.1), (0.17, 1.26), (0.22, 1.4)]
    guns = both((0.38, 0.95, 0), (0.72, 0.95, 0), (0.72, 0.95, 0.6), radius=0.08)
    return [joined([turned(outline), *guns], "turret")]


def cactus() -> list[Shape]:
    """A pillar with a bough on either side."""
    rods = both((0.12, 0.65, 0), (0.4, 0.65, 0), (0.5, 0.72, 0), (0.5, 1.15, 0), radius=0.1)
    return [joined([turned([(0.18, 0), (0.2, 0.8), (0.19, 1.35), (0.08, 1.6)]), *rods], "cactus")]


def minaret() -> list[Shape]:
    """A tower with a gallery and a dome."""
    outline = [(0.3, 0), (0.24, 1.0), (0.32, 1.04), (0.32, 1.12), (0.18, 1.14), (0.15, 1.35), (0.2, 1.45), (0.03, 1.7)]
    return [turned(outline, "minaret")]


IN_GOWNS: dict[str, Callable[[], list[Shape]]] = {
    "arms half down": in_gown,
    "arms out": partial(in_gown, 0.26, (0.12, 1.3, 0), (0.4, 1.3, 0), (0.72, 1.3, 0)),
    "slim": partial(in_gown, 0.2),
    "wide": partial(in_gown, 0.4),
    "hollow": partial(in_gown, 0.3, hollow=True),
    "hands before it": partial(in_gown, 0.26, (0.16, 1.3, 0), (0.28, 1.05, 0.08), (0.18, 1.02, 0.4)),
}
LIKE_GOWNS: dict[str, Callable[[], list[Shape]]] = {
    each.__name__: each for each in (urn, trophy, pump, guidepost, turret, cactus, minaret)
}
