"""Which edges collapse together, how equal triangles and cells are found: the parts of a collapse without Blender."""

from __future__ import annotations

import time
from itertools import combinations

import numpy as np
import pytest
from asset_generation.vendor.assetgen_local.engine.mesh import connected, edge_collapse
from asset_generation.vendor.assetgen_local.engine.mesh.connected import (
    edges_of,
    grown,
    passed,
    perhaps_alike,
    side_keys,
)
from support.models.comb import comb
from support.models.distances import to_points
from support.models.meshes import box, cube_sphere

pytestmark = pytest.mark.each_python


def test_an_edge_collapses_first_where_none_at_its_points_costs_less() -> None:
    count, random = 60, np.random.default_rng(1)
    pairs = np.array([pair for pair in combinations(range(count), 2) if random.random() < 0.1])
    order = random.permutation(len(pairs))
    first, second = edge_collapse._apart(pairs, order, count, 2)
    ahead: dict[int, int] = {}  # point → the cheapest of its edges
    for edge in order.tolist():
        for point in pairs[edge].tolist():
            ahead.setdefault(point, edge)
    cheapest = [edge for edge in order.tolist() if {ahead[end] for end in pairs[edge].tolist()} == {edge}]
    assert first.tolist() == cheapest
    ends = np.concatenate((pairs[first], pairs[second])).ravel()
    assert len(second)
    assert len(np.unique(ends)) == len(ends)


def test_a_collapse_is_the_same_however_many_edges_are_worked_out_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    sphere = cube_sphere(12)
    points, faces = np.asarray(sphere.positions, np.float64), np.asarray(sphere.triangles, np.int64)
    parts = np.zeros(len(faces), np.int64)
    whole = edge_collapse.collapsed(points, faces, parts, len(faces) // 4)
    monkeypatch.setattr(edge_collapse, "_AT_ONCE", 7)
    for one, other in zip(whole, edge_collapse.collapsed(points, faces, parts, len(faces) // 4), strict=True):
        assert np.array_equal(one, other)


@pytest.mark.parametrize(("teeth", "bend", "lost"), [(60, 0.0, 0.05), (40, 0.5, 0.13)], ids=["straight", "bent"])
def test_thin_teeth_keep_their_length(teeth: int, bend: float, lost: float) -> None:
    """Once it is two sides of a few triangles, a tooth may go with a single edge, or with one at either of its ends."""
    shape, tips = comb(teeth, bend)
    faces = np.asarray(shape.triangles, np.int64)
    points, left, _ = edge_collapse.collapsed(shape.positions, faces, np.zeros(len(faces), np.int64), 400)
    assert len(left) <= 400
    assert to_points(tips, points[left].reshape(-1, 3)).max() < lost


def test_triangles_on_the_same_points_are_found_in_every_order() -> None:
    triangles = np.asarray(cube_sphere(6).triangles, np.int64)
    assert len(perhaps_alike(triangles, triangles.max() + 1)) == 0
    twice = np.concatenate((triangles, triangles[[3, 8, 8]][:, [2, 0, 1]], triangles[[5]][:, ::-1]))
    found = perhaps_alike(twice, triangles.max() + 1)
    assert found.tolist() == [3, 5, 8, *range(len(triangles), len(twice))]


def test_a_side_is_the_same_in_both_directions() -> None:
    shape = box((1, 1, 1), (0, 0, 0))
    triangles = np.unique(shape.positions, axis=0, return_inverse=True)[1].reshape(-1)[shape.triangles]
    edges, uses = edges_of(triangles)
    assert len(edges) == 18  # twelve of a cube, and a diagonal on each of its faces
    assert (uses == 2).all()
    assert np.array_equal(np.sort(side_keys(triangles, 8)), np.sort(side_keys(triangles[:, ::-1], 8)))


def test_cells_that_needles_pass_are_found_without_gaps_by_a_few_points_across(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    random, count = np.random.default_rng(4), 600
    start = random.uniform(2, 98, (count, 3))
    along = random.normal(size=(count, 3))
    end = start + along * (90 / np.linalg.norm(along, axis=1, keepdims=True))
    inside = ((end > 1) & (end < 99)).all(axis=1)
    needles = np.stack((start, end, start + 0.01), axis=1)[inside]

    def took() -> float:
        before = time.thread_time()
        passed(needles, np.zeros(3), 1.0, (100, 100, 100))
        return time.thread_time() - before

    few = min(took() for _ in range(3))
    cells = passed(needles, np.zeros(3), 1.0, (100, 100, 100))
    monkeypatch.setattr(connected, "_SLENDER", 1e9)
    assert few < took() / 3, "as close across as along there are some thirteen thousand points in each"
    steps, near = np.linspace(0, 1, 400)[:, None], grown(cells)
    for needle in needles[::2]:
        places = (needle[0] + (needle[1] - needle[0]) * steps).astype(int)
        assert near[tuple(places.T)].all()
        assert cells[tuple(places.T)].mean() > 0.85
