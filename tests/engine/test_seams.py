"""Where parts of a surface meet: the cut through a sheet of squares that costs least."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from support.engine.engine_run import needs_bpy
from support.models.meshes import Array, box

pytestmark = [needs_bpy, pytest.mark.each_python]

WIDE, HIGH = 120, 20
X, Y = (grid.ravel() for grid in np.meshgrid(np.arange(WIDE), np.arange(HIGH)))


def sheet(crease: int | None = None) -> Any:
    """A sheet of squares of size 1; a cut along the left of the column ``crease`` costs a tenth of any other."""
    from asset_generation.vendor.assetgen_local.engine.parts.face_graph import FaceGraph

    numbers = np.arange(WIDE * HIGH).reshape(HIGH, WIDE)
    across = np.stack((numbers[:, :-1].ravel(), numbers[:, 1:].ravel()), axis=1)
    sides = np.concatenate((across, np.stack((numbers[:-1].ravel(), numbers[1:].ravel()), axis=1)))
    costs = np.ones(len(sides))
    if crease is not None:
        costs[: len(across)][X[across[:, 1]] == crease] = 0.1
    middles = np.stack((X, Y, 0 * X), axis=1) + 0.5
    return FaceGraph(middles, np.ones(len(middles)), sides, costs, np.zeros(len(middles), int))


def cut(surface: Any, ways: Array, thickness: float) -> Array:
    from asset_generation.vendor.assetgen_local.engine.parts.seams import least_cut

    return least_cut(surface, ways, np.full(len(ways), thickness))


def ways_to(columns: Array) -> Array:
    return np.abs(X[:, None] + 0.5 - columns).astype(float)


def test_each_of_many_parts_keeps_what_is_nearest_to_it() -> None:
    """More of them than a face can choose from."""
    columns = (np.arange(12) + 0.5) * 10
    labels = cut(sheet(), ways_to(columns), 3.0)
    assert (labels == X // 10).mean() > 0.97
    assert np.diff(labels[sheet().sides], axis=1).any(axis=1).sum() == 11 * HIGH


def test_a_ragged_border_is_drawn_straight() -> None:
    surface, ways = sheet(), ways_to(np.array([30.0, 90.0]))
    ways += np.random.default_rng(2).normal(0, 4, ways.shape)
    labels, nearest = cut(surface, ways, 10.0), ways.argmin(axis=1)
    assert np.diff(nearest[surface.sides], axis=1).any(axis=1).sum() > 4 * HIGH
    assert np.diff(labels[surface.sides], axis=1).any(axis=1).sum() <= 1.3 * HIGH
    assert (labels == (X >= 60)).mean() > 0.98


@pytest.mark.parametrize("crease", [57, 63])
def test_parts_meet_in_a_crease_nearby(crease: int) -> None:
    labels = cut(sheet(crease), ways_to(np.array([30.0, 90.0])), 10.0)
    assert np.array_equal(labels, crease <= X)


def test_a_part_that_is_not_worth_its_border_is_given_up() -> None:
    ways = ways_to(np.array([30.0, 90.0]))
    spot = np.hypot(X - 20.0, Y - 10.0)[:, None]  # nearest to two by two faces
    ways = np.concatenate((ways, ways.min(axis=1, keepdims=True) + spot - 1.0), axis=1)
    assert (ways.argmin(axis=1) == 2).any()
    assert not (cut(sheet(), ways, 10.0) == 2).any()


def test_as_many_parts_as_asked_for_where_the_volume_goes_on_from_fewer_to_more(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """As a nightstand does, from five to seven: one of the parts that it is cut into has no face."""
    from asset_generation.vendor.assetgen_local.engine.body.classify import OTHERS, Body
    from asset_generation.vendor.assetgen_local.engine.body.voxel_paths import VoxelGraph
    from asset_generation.vendor.assetgen_local.engine.body.voxels import Volume
    from asset_generation.vendor.assetgen_local.engine.parts import labels, volumes

    def slabs(inside: VoxelGraph, begin: Array, _pieces: Array, count: int | None) -> Array:
        place = inside.volume.cells[:, 0] / (inside.volume.cells[:, 0].max() + 1)
        return begin if count is None else (place * (5 if count < 7 else 7)).astype(int)

    monkeypatch.setattr(volumes, "cut_apart", slabs)
    board = box((WIDE, HIGH, 2.0), (WIDE / 2, HIGH / 2, 0.5))
    inside = VoxelGraph.from_volume(Volume.from_triangles(board.positions[board.triangles], 96))
    parts = labels.so_many_parts(Body(OTHERS, "", np.eye(3), inside), sheet(), 6)
    assert len(parts.names) == 6
    assert np.bincount(parts.of_faces, minlength=6).min() > 100
