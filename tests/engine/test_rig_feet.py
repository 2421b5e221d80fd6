"""What grows out of one thing has no feet, and does not walk. Blender's axes: +Z up."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from asset_generation.vendor.assetgen_local.engine.array_types import Array
from devtools.strangers.made.bodies import Line, surface
from support.engine.engine_run import needs_bpy
from support.models.meshes import box

pytestmark = [needs_bpy, pytest.mark.each_python]


def rounded(*lines: Line) -> Array:
    """Triangles of round bars, shape (m, 3, 3)."""
    points, quads = surface(lines)
    return points[np.concatenate((quads[:, [0, 1, 2]], quads[:, [0, 2, 3]]))]


def boxes(*places: Sequence[tuple[float, float]]) -> Array:
    """Triangles of boxes, each from its lowest to its highest x, y and z."""
    ends = [np.asarray(place, float).T for place in places]
    shapes = [box(tuple(high - low), tuple((low + high) / 2)) for low, high in ends]
    return np.concatenate([shape.positions[shape.triangles] for shape in shapes])


def tree(lean: float) -> Array:
    """A stem with two boughs, a crown on each and one above."""
    fork = (lean, 0.0, 0.3)
    return rounded(
        Line((0, 0, 0.02), fork, 0.05, 0.05),
        Line(fork, (-0.22, 0, 0.75), 0.04, 0.04),
        Line(fork, (0.22, 0, 0.75), 0.04, 0.04),
        Line((-0.3, 0, 0.85), (0.3, 0, 0.85), 0.13, 0.13),
        Line((-0.6, 0, 0.95), (-0.3, 0, 0.9), 0.1, 0.1),
        Line((0.6, 0, 0.95), (0.3, 0, 0.9), 0.1, 0.1),
        Line((0, 0, 0.9), (0, 0, 1.2), 0.1, 0.1),
        Line((0, 0, 1.35), (0, 0, 1.45), 0.17, 0.17),
    )


def upright(lowest: float, *base: Sequence[tuple[float, float]]) -> Array:
    """Two walls from a height up, on what is named, and on them a chest with something crosswise, and a box."""
    return boxes(
        *base,
        ((-0.4, -0.25), (-0.2, 0.2), (lowest, 0.6)),
        ((0.25, 0.4), (-0.2, 0.2), (lowest, 0.6)),
        ((-0.4, 0.4), (-0.2, 0.2), (0.6, 0.75)),
        ((-0.75, 0.75), (-0.08, 0.08), (0.78, 0.9)),
        ((-0.3, 0.3), (-0.2, 0.2), (0.75, 1.0)),
        ((-0.06, 0.06), (-0.06, 0.06), (1.0, 1.1)),
        ((-0.18, 0.18), (-0.16, 0.16), (1.1, 1.4)),
    )


def cabinet() -> Array:
    """Its walls stand on a board."""
    return upright(0.12, ((-0.4, 0.4), (-0.2, 0.2), (0, 0.12)))


@pytest.mark.parametrize("shape", [tree(0.0), tree(0.15), cabinet()], ids=["tree", "leaning tree", "cabinet"])
def test_what_grows_out_of_one_thing_does_not_walk(shape: Array) -> None:
    from asset_generation.vendor.assetgen_local.engine.body.classify import examine

    assert examine(shape).kind == "others"


def test_the_same_on_two_feet_is_a_figure() -> None:
    from asset_generation.vendor.assetgen_local.engine.body.classify import examine

    assert examine(upright(0.0)).kind == "biped"
