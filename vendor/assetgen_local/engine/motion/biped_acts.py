"""What bipeds do once, as a few key stances each; time runs from 0 to 1."""

from __future__ import annotations

from collections.abc import Sequence

from .stance import Numbers, Stance

Keys = dict[float, Stance]
"""Time → stance, in the order of time."""

READY = Stance(hips=(0, 0, -0.015))

_BOTH = {"arms": ("arm_left", "arm_right"), "feet": ("foot_left", "foot_right"), "legs": ("leg_left", "leg_right")}


def _act(times: Numbers, **channels: Sequence[Numbers]) -> Keys:
    """An act from a table; it begins ready, and ends so where it has no other end.

    A channel is a part of a stance, its values at the times of the keys after the beginning; ``arms``, ``feet`` and
    ``legs`` are those of both sides. What is left out stays as it usually is.
    """
    table = {part: values for name, values in channels.items() for part in _BOTH.get(name, (name,))}
    keys = {time: Stance(**{part: values[key] for part, values in table.items()}) for key, time in enumerate(times)}
    keys = {0.0: READY} | keys
    keys.setdefault(1.0, READY)
    return keys


_WINGS = (30, 40, 25, 0)

JUMP = _act(
    (0.28, 0.42, 0.58, 0.74, 0.84),
    hips=((0, -0.06, -0.34), (0, 0, 0.12), (0, 0, 0.62), (0, 0, 0.02), (0, -0.04, -0.26)),
    turned=((24, 0, 0), (0, 0, 0), (8, 0, 0), (0, 0, 0), (18, 0, 0)),
    bend=((16, 0, 0), (0, 0, 0), (6, 0, 0), (0, 0, 0), (10, 0, 0)),
    head=((-22, 0, 0), (0, 0, 0), (0, 0, 0), (0, 0, 0), (-14, 0, 0)),
    arms=((-48, 14, 12, 0), (120, 18, 14, 0), (95, 30, 20, 0), _WINGS, _WINGS),
    feet=((0, 0, 0, 0), (0, 0, 0.02, -40), (0, 0, 0.8, -25), (0, 0.05, 0.03, -10), (0, 0, 0, 0)),
)

_STRIDE_LEFT, _STRIDE_RIGHT = (0, 0.22, 0, 0), (0.04, -0.22, 0, 0)

SLASH = _act(
    (0.35, 0.52, 0.66),
    hips=((0, -0.04, -0.08), (0, 0.1, -0.14), (0, 0.1, -0.16)),
    turned=((-2, 0, -18), (10, 0, 14), (12, 0, 20)),
    bend=((-6, -6, -32), (16, 8, 34), (20, 10, 40)),
    head=((4, 0, 34), (-12, 0, -30), (-14, 0, -36)),
    arm_right=((150, 40, 70, 0), (55, -25, 14, 20), (20, -30, 20, 30)),
    arm_left=((35, 25, 40, 20), (-30, 30, 30, 0), (-36, 30, 30, 0)),
    foot_left=[_STRIDE_LEFT] * 3,
    foot_right=[_STRIDE_RIGHT] * 3,
)

_KICKS = (0, 0, 1, 0, 1, 0)  # of the weapon: to 1 at a shot

SHOOT = _act(
    (0.25, 0.4, 0.45, 0.55, 0.6, 0.72),
    hips=[(0, -0.03 - 0.02 * kick, -0.06) for kick in _KICKS],
    turned=[(0, 0, -20) for _ in _KICKS],
    bend=[(2 - 8 * kick, 0, -14) for kick in _KICKS],
    head=[(2 - 3 * kick, 0, 30) for kick in _KICKS],
    arm_left=[(82 + 8 * kick, -22, 24 + 14 * kick, 10) for kick in _KICKS],
    arm_right=[(80 + 8 * kick, 12, 16 + 20 * kick, 24) for kick in _KICKS],
    foot_left=[_STRIDE_LEFT for _ in _KICKS],
    foot_right=[_STRIDE_RIGHT for _ in _KICKS],
)

HURT = _act(
    (0.22, 0.5),
    hips=((0.02, -0.14, -0.1), (0.01, -0.1, -0.12)),
    turned=((-8, 4, 10), (0, 2, 6)),
    bend=((30, 6, 12), (24, 3, 6)),
    head=((24, 8, 10), (14, 3, 4)),
    arm_left=((42, 10, 95, 40), (38, 10, 92, 42)),
    arm_right=((38, 10, 100, 42), (36, 10, 96, 42)),
    foot_right=((0.04, -0.24, 0, 0), (0.04, -0.2, 0, 0)),
)

FALL = _act(
    (0.25, 0.55, 0.72, 1),
    hips=((0, -0.15, -0.1), (0, -0.6, -0.7), (0, -0.75, -0.85), (0, -0.75, -0.87)),
    turned=((-20, 4, 0), (-62, 4, 0), (-90, 0, 0), (-90, 0, 0)),
    bend=((10, 0, 0), (14, 0, 0), (0, 0, 0), (0, 0, 0)),
    head=((10, 0, 0), (16, 0, 0), (0, 0, 0), (0, 0, 14)),
    arm_left=((60, 50, 30, 0), (70, 60, 20, 0), (10, 60, 10, 0), (4, 62, 6, 0)),
    arm_right=((55, 55, 30, 0), (66, 62, 20, 0), (10, 65, 14, 0), (4, 68, 10, 0)),
    foot_left=((0, 0.05, 0.04, 20), (0, 0, 0, 0), (0, 0, 0, 0), (0, 0, 0, 0)),
    leg_left=((0, 0, 0), (55, 50, 8), (14, 20, 12), (2, 4, 12)),
    leg_right=((0, 0, 0), (45, 40, 8), (24, 40, 12), (12, 24, 12)),
    loose=((0,), (1,), (1,), (1,)),
    down=((0,), (1,), (1,), (1,)),
)

DIVE = _act(
    (0.22, 0.42, 0.62, 0.76, 1),
    hips=((0, 0.05, -0.34), (0, 0.8, 0.05), (0, 1.7, -0.45), (0, 2.1, -0.85), (0, 2.25, -0.87)),
    turned=((30, 0, 0), (70, 0, 0), (92, 0, 0), (90, 0, 0), (90, 0, 0)),
    bend=((18, 0, 0), (0, 0, 0), (0, 0, 0), (0, 0, 0), (0, 0, 0)),
    head=((-28, 0, 0), (-24, 0, 0), (-30, 0, 0), (-18, 0, 0), (-6, 0, 0)),
    arms=((-45, 14, 10, 0), (165, 10, 6, 0), (160, 16, 20, 0), (150, 24, 30, 0), (140, 26, 30, 0)),
    leg_left=((0, 0, 0), (-6, 12, 4), (-14, 10, 6), (0, 8, 8), (0, 4, 8)),
    leg_right=((0, 0, 0), (-10, 20, 4), (-14, 14, 6), (0, 12, 8), (0, 4, 8)),
    loose=((0,), (1,), (1,), (1,), (1,)),
    down=((0,), (0,), (0,), (1,), (1,)),
)
