"""Things that stand as bodies do and are none, and the bodies that are nearest to them. Blender's axes: +Z up."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from devtools.strangers.made.bodies import Line, beast, person, surface
from support.engine.engine_run import needs_bpy

pytestmark = needs_bpy

_TRUNK = "carry something that is no trunk"
_BULK = "carry no head or trunk in proportion to its limbs"


def both(*lines: Line) -> list[Line]:
    """The lines and their mirror images."""
    sides = [Line((-a[0], *a[1:]), (-b[0], *b[1:]), thick, thin) for a, b, thick, thin in lines]
    return [*lines, *sides]


def legs(out: float, along: float, top: float, radius: float, lean: float = 1.0) -> list[Line]:
    """Four of them, nearer to the middle at their upper ends where they lean."""
    rows = [Line((out, place, radius), (out * lean, place * lean, top), radius, radius) for place in (along, -along)]
    return both(*rows)


def stroke(start: tuple[float, float], end: tuple[float, float]) -> Line:
    """A stroke of a letter."""
    return Line((start[0], 0, start[1]), (end[0], 0, end[1]), 0.08, 0.08)


PLIERS = [
    *both(Line((0.3, 0, 0), (0.05, 0, 0.8), 0.05, 0.06), Line((0.06, 0, 1.05), (0.06, 0, 1.3), 0.06, 0.03)),
    Line((0, 0, 0.8), (0, 0, 1.05), 0.1, 0.08),
]
TAP = [
    *both(Line((0.3, 0, 0.02), (0.3, 0, 0.35), 0.05, 0.05), Line((0.3, 0, 0.35), (0.3, 0, 0.5), 0.08, 0.09)),
    Line((-0.3, 0, 0.35), (0.3, 0, 0.35), 0.07, 0.07),
    Line((0, 0, 0.35), (0, 0, 0.8), 0.05, 0.05),
    Line((0, 0, 0.8), (0, -0.35, 0.85), 0.045, 0.045),
]
LETTER = [
    stroke((-0.4, 0), (0, 0.5)),
    stroke((0.4, 0), (0, 0.5)),
    stroke((0, 0.5), (0, 1.0)),
    stroke((-0.4, 0.6), (0.4, 0.6)),
    stroke((-0.35, 1.0), (0.35, 1.0)),
]
KETTLE = [
    *legs(0.29, 0.29, 0.35, 0.08),
    Line((0, -0.03, 0.45), (0, 0.03, 0.45), 0.32, 0.32),
    Line((0, -0.3, 0.45), (0, -0.6, 0.5), 0.05, 0.05),
    Line((0, 0.3, 0.6), (0, 0.42, 0.4), 0.04, 0.04),
]
FISH = [
    Line((0, -0.5, 0.45), (0, 0.5, 0.45), 0.22, 0.06),
    Line((0, -0.5, 0.45), (0, -0.7, 0.43), 0.15, 0.08),
    Line((0, 0.55, 0.3), (0, 0.72, 0.65), 0.04, 0.04),
    *both(*(Line((0.12, at, 0.3), (0.2, at + 0.05, 0.02), 0.05, 0.025) for at in (-0.3, 0.2))),
]
DIGGER = [
    *legs(0.5, 0.55, 0.5, 0.07, lean=0.6),
    Line((0, -0.3, 0.6), (0, 0.5, 0.6), 0.2, 0.2),
    Line((0, -0.3, 0.65), (0, -0.8, 1.2), 0.1, 0.08),
    Line((0, -0.8, 1.2), (0, -1.1, 0.9), 0.08, 0.1),
]


def slender(lines: Sequence[Line], part: float) -> list[Line]:
    """The same with thinner limbs and trunk; the head, the third line, stays."""
    parts = [1.0 if at == 2 else part for at in range(len(lines))]
    return [line._replace(thick=line.thick * k, thin=line.thin * k) for line, k in zip(lines, parts, strict=True)]


def examined(lines: Sequence[Line]) -> tuple[str, float, str]:
    """What kind of body it is taken for, how sure that is, and the reason of a refusal."""
    from asset_generation.vendor.assetgen_local.engine.body.classify import examine

    points, quads = surface(lines)
    body = examine(points[np.concatenate((quads[:, [0, 1, 2]], quads[:, [0, 2, 3]]))])
    return body.kind, body.confidence, body.reason


@pytest.mark.once
@pytest.mark.parametrize(
    ("lines", "doubt"),
    [(PLIERS, _TRUNK), (TAP, _BULK), (LETTER, _BULK), (KETTLE, _BULK), (FISH, _BULK), (DIGGER, _TRUNK)],
    ids=["pliers", "tap", "letter", "kettle", "fish on fins", "digger on stilts"],
)
def test_what_is_out_of_proportion_does_not_walk(lines: list[Line], doubt: str) -> None:
    kind, confidence, reason = examined(lines)
    assert kind == "others" and confidence < 0.3
    assert reason.endswith(doubt)


@pytest.mark.parametrize(
    ("lines", "kind"),
    [
        (slender(person(45), 0.5), "biped"),
        (person(20, stance=0.3), "biped"),
        (beast(front=0.05, hind=0.05), "quadruped"),
    ],
    ids=["slender", "legs apart", "thin legs"],
)
def test_bodies_of_unusual_proportions_walk(lines: list[Line], kind: str) -> None:
    assert examined(lines)[0] == kind


def test_a_leg_that_is_a_foot_only_has_a_thickness() -> None:
    """A screen's stand, which comes to an end below where the thickness of a leg is looked at."""
    from asset_generation.vendor.assetgen_local.engine.body.legs import Legs
    from asset_generation.vendor.assetgen_local.engine.body.voxel_paths import VoxelGraph
    from asset_generation.vendor.assetgen_local.engine.body.voxels import Volume

    points, quads = surface(person(45))
    corners = points[np.concatenate((quads[:, [0, 1, 2]], quads[:, [0, 2, 3]]))]
    inside = VoxelGraph.from_volume(Volume.from_triangles(corners, 48))
    heights = inside.volume.centres[:, 2] - inside.volume.floor
    feet = heights < 0.1 * inside.volume.height
    legs = Legs([feet, feet], inside.volume.floor, inside.volume.floor + inside.volume.height, 0, 0.0, 1.0, 0.0)
    assert 0 < legs.radius(inside) <= inside.depth[feet].max()
