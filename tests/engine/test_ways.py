"""The shortest ways through a body's volume are as long as Dijkstra's. Blender's axes: +Z up."""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest
from asset_generation.vendor.assetgen_local.engine.array_types import Array
from support.engine.engine_run import needs_bpy
from support.models.meshes import box

if TYPE_CHECKING:  # it imports Blender
    from asset_generation.vendor.assetgen_local.engine.body.voxel_paths import VoxelGraph

pytestmark = [needs_bpy, pytest.mark.each_python]


@pytest.mark.parametrize("starts", [(0.0, 0.0), (0.0, 0.7), (0.05, 0.0)], ids=["alike", "one later", "one soon after"])
def test_ways_are_those_of_dijkstra_across_gaps_and_around_corners(starts: Sequence[float]) -> None:
    from asset_generation.vendor.assetgen_local.engine.body.voxel_paths import VoxelGraph
    from asset_generation.vendor.assetgen_local.engine.body.voxels import Volume

    corner = [box((1.0, 0.3, 0.3), (0.5, 0.15, 0.15)), box((0.3, 0.3, 1.0), (0.15, 0.15, 0.5))]
    alone = [box((0.3, 0.2, 0.2), (1.4, 0.1, 0.6)), box((0.2, 0.2, 0.4), (0.8, 0.2, 1.2))]
    triangles = np.concatenate([shape.positions[shape.triangles] for shape in corner + alone])
    inside = VoxelGraph.from_volume(Volume.from_triangles(triangles, 24))
    assert len(inside.bridges) == 2
    seeds = np.array([0, len(inside.volume.cells) // 2])
    found = inside.distances(seeds, np.array(starts))
    assert np.abs(found - dijkstra(inside, seeds.tolist(), starts)).max() < 1e-9
    assert found.max() > 1.0


def dijkstra(inside: VoxelGraph, seeds: Sequence[int], starts: Sequence[float]) -> Array:
    """Length of the shortest way from any of the seeds to each voxel of a graph, shape (n,)."""
    steps: list[list[tuple[int, float]]] = [[] for _ in inside.volume.cells]
    for neighbours, length in zip(inside.neighbours.tolist(), inside.lengths.tolist(), strict=True):
        for here, there in enumerate(neighbours):
            if there >= 0:
                steps[here].append((there, length))
    for (one, other), length in zip(inside.bridges.tolist(), inside.bridge_lengths.tolist(), strict=True):
        steps[one].append((other, length))
        steps[other].append((one, length))
    reach = np.full(len(steps), np.inf)
    reach[list(seeds)] = starts
    queue = [(start, seed) for seed, start in zip(seeds, starts, strict=True)]
    heapq.heapify(queue)
    while queue:
        way, here = heapq.heappop(queue)
        for there, length in steps[here] if way <= reach[here] else ():
            if way + length < reach[there]:
                reach[there] = way + length
                heapq.heappush(queue, (way + length, there))
    return reach


def test_pieces_are_tied_by_the_shortest_bridges_that_tie_them_all() -> None:
    """A minimum spanning tree of forty boxes by Kruskal, from all distances between all of their voxels."""
    from asset_generation.vendor.assetgen_local.engine.body.voxel_paths import VoxelGraph
    from asset_generation.vendor.assetgen_local.engine.body.voxels import Volume

    places = np.random.default_rng(5).permutation([(x, y, z) for x in range(4) for y in range(4) for z in range(4)])[
        :40
    ]
    gaps = np.array([0.0, 1.3, 2.1, 3.8])
    boxes = [box((0.6, 0.5, 0.4), gaps[place]) for place in places]
    inside = VoxelGraph.from_volume(
        Volume.from_triangles(np.concatenate([it.positions[it.triangles] for it in boxes]), 32)
    )
    loose = replace(inside, bridges=inside.bridges[:0], bridge_lengths=inside.bridge_lengths[:0])
    pieces = loose.labels(np.ones(len(inside.volume.cells), bool))
    count = int(pieces.max()) + 1
    assert 20 < count <= 40
    members = [inside.volume.centres[pieces == piece] for piece in range(count)]
    every = [
        (float(np.linalg.norm(members[one][:, None] - members[other], axis=2).min()), one, other)
        for one in range(count)
        for other in range(one)
    ]
    group, shortest = np.arange(count), []
    for gap, one, other in sorted(every):
        if group[one] != group[other]:
            group[group == group[one]] = group[other]
            shortest.append(gap)
    assert np.sort(inside.bridge_lengths) == pytest.approx(np.sort(shortest))


@pytest.mark.parametrize(
    ("gap", "size", "is_pegged"),
    [(0.05, 0.3, True), (0.05, 0.2, True), (0.12, 0.3, False), (0.05, 0.06, False)],
    ids=["a joint", "a smaller block", "too far", "a speck"],
)
def test_a_block_right_above_another_one_is_pegged_to_it(gap: float, size: float, is_pegged: bool) -> None:
    """One block of 0.6 by 0.6 by 1, another one above it; from below to above it is 1.3 high, in 64 voxels."""
    from asset_generation.vendor.assetgen_local.engine.body.voxel_paths import VoxelGraph
    from asset_generation.vendor.assetgen_local.engine.body.voxels import Volume

    blocks = [box((0.6, 0.6, 1.0), (0, 0, 0.5)), box((size, size, 0.3 - gap), (0.1, 0, 1.15 + gap / 2))]
    volume = Volume.from_triangles(np.concatenate([block.positions[block.triangles] for block in blocks]), 64)
    inside = VoxelGraph.from_volume(volume)
    more = inside.volume.centres[len(volume.cells) :]
    assert (len(inside.bridges), bool(len(more))) == ((0, True) if is_pegged else (1, False))
    if is_pegged:
        assert more[:, 2].min() > 1.0 - volume.cell
        assert more[:, 2].max() < 1.0 + gap + volume.cell
        assert np.abs(more[:, :2] - (0.1, 0)).max() < size / 2 / 1.5, "in the middle of where they face each other"
        numbers = inside.volume.at(inside.volume.centres)
        assert (numbers == np.arange(len(numbers))).all(), "each voxel is where it is said to be"
