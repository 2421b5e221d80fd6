"""Bodies of unusual proportions walk all the same. Blender's axes: +Z up."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from devtools.strangers.made.bodies import Line, beast, person, surface
from support.engine.engine_run import needs_bpy

pytestmark = needs_bpy


def both(*lines: Line) -> list[Line]:
    """The lines and their mirror images."""
    sides = [Line((-a[0], *a[1:]), (-b[0], *b[1:]), thick, thin) for a, b, thick, thin in lines]
    return [*lines, *sides]


def even_person(radius: float) -> list[Line]:
    """One whose trunk, neck and head are no thicker than the limbs, as of edges with a Skin modifier."""
    return [
        Line((0, 0, 0.95), (0, 0, 1.75), radius, radius),
        *both(
            Line((0, 0, 0.95), (0.12, 0, 0.9), radius, radius),
            Line((0.12, 0, 0.9), (0.15, 0, 0.05), radius, radius),
            Line((0, 0, 1.4), (0.8, 0, 1.4), radius, radius),
        ),
    ]


def even_beast(out: float, radius: float) -> list[Line]:
    """The same on four legs, whose feet are so far from the middle."""
    return [
        Line((0, 0.5, 0.6), (0, -0.5, 0.6), radius, radius),
        Line((0, -0.5, 0.6), (0, -0.75, 0.85), radius, radius),
        Line((0, -0.75, 0.85), (0, -0.95, 0.85), radius, radius),
        Line((0, 0.5, 0.6), (0, 0.75, 0.7), radius, 0.6 * radius),
        *both(*(Line((out, y, 0.02), (0.6 * out, y, 0.6), 0.8 * radius, radius) for y in (-0.45, 0.45))),
    ]


def slender(lines: Sequence[Line], part: float) -> list[Line]:
    """The same with thinner limbs and trunk; the head, the third line, stays."""
    parts = [1.0 if at == 2 else part for at in range(len(lines))]
    return [line._replace(thick=line.thick * k, thin=line.thin * k) for line, k in zip(lines, parts, strict=True)]


@pytest.mark.parametrize(
    ("lines", "kind"),
    [
        (slender(person(45), 0.5), "biped"),
        (person(20, stance=0.3), "biped"),
        (even_person(0.08), "biped"),
        (beast(front=0.05, hind=0.05), "quadruped"),
        (even_beast(0.12, 0.06), "quadruped"),
        (even_beast(0.2, 0.08), "quadruped"),
    ],
    ids=["slender", "legs apart", "evenly thick", "thin legs", "evenly thin beast", "evenly thick beast"],
)
def test_bodies_of_unusual_proportions_walk(lines: list[Line], kind: str) -> None:
    from asset_generation.vendor.assetgen_local.engine.body.classify import examine

    points, quads = surface(lines)
    assert examine(points[np.concatenate((quads[:, [0, 1, 2]], quads[:, [0, 2, 3]]))]).kind == kind
