"""What a surface showed, carried over to the reduced one that takes its place: UVs, colours, weights of a rig."""

from __future__ import annotations

from typing import Any

import numpy as np
from mathutils.bvhtree import BVHTree

from ..array_types import Array
from .connected import components
from .fit_to_source import barycentric
from .measure import coordinates, corners
from .operators import apply_modifier

_SAME_UV = 1e-5


def carry_uvs(old: Any, mesh: Any, origin: Array) -> None:
    """Gives a mesh the UV maps of another, each face on the island that it was on.

    Args:
        old: A mesh of triangles.
        mesh: A mesh of triangles without UV maps, in the same space.
        origin: The face of ``old`` that each face was.
    """
    before, now = (coordinates(item)[corners(item)].astype(np.float64) for item in (old, mesh))
    for layer in old.uv_layers:
        uv = np.empty(len(before) * 2, np.float32)
        layer.data.foreach_get("uv", uv)
        uv = uv.reshape(-1, 2).astype(np.float64)
        island = _islands(corners(old), uv)
        # Islands far from each other, so that a point next to a seam finds its own side of it.
        side = int(np.ceil((island.max() + 1) ** (1 / 3)))
        away = np.stack(np.unravel_index(island, (side,) * 3), axis=1) * 2.0 * np.ptp(before, axis=0).max()
        there = before.reshape(-1, 3, 3) + away[:, None]
        tree = BVHTree.FromPolygons(
            there.reshape(-1, 3).tolist(), np.arange(len(before)).reshape(-1, 3).tolist(), all_triangles=True
        )
        hits = [tree.find_nearest(point) for point in (now + away[origin].repeat(3, axis=0)).tolist()]
        face = np.array([hit[2] for hit in hits])
        weights = barycentric(there[face], np.array([hit[0] for hit in hits], np.float64))
        values = (uv.reshape(-1, 3, 2)[face] * weights[..., None]).sum(axis=1)
        copy = mesh.uv_layers.new(name=layer.name, do_init=False)
        copy.data.foreach_set("uv", values.astype(np.float32).ravel())
        copy.active_render = layer.active_render


def _islands(vertices: Array, uv: Array) -> Array:
    """The UV island of each triangle."""
    cells = np.round(uv / _SAME_UV).astype(np.int64)
    cells -= cells.min(axis=0)
    keys = (vertices * (cells[:, 0].max() + 1) + cells[:, 0]) * (cells[:, 1].max() + 1) + cells[:, 1]
    index = np.unique(keys, return_inverse=True)[1].reshape(-1, 3)
    islands: Array = components(int(index.max()) + 1, index[:, [0, 1, 1, 2]].reshape(-1, 2))[index[:, 0]]
    return islands


def carry_colors_and_weights(before: Any, now: Any) -> None:
    """Gives an object the vertex colours and weights of another in the same place; it has layers of their names."""
    colors = {f"COLOR_{'VERTEX' if color.domain == 'POINT' else 'CORNER'}" for color in now.data.color_attributes}
    points = (colors & {"COLOR_VERTEX"}) | ({"VGROUP_WEIGHTS"} if now.vertex_groups else set())
    loops = colors & {"COLOR_CORNER"}
    if points | loops:
        apply_modifier(
            now,
            "DATA_TRANSFER",
            object=before,
            use_vert_data=bool(points),
            data_types_verts=points,
            vert_mapping="POLYINTERP_NEAREST",
            use_loop_data=bool(loops),
            data_types_loops=loops,
            loop_mapping="POLYINTERP_NEAREST",
        )
