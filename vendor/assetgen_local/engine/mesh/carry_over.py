"""What a surface showed, carried over to the reduced one that takes its place: UVs, colours, weights of a rig."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from ..array_types import Array
from .build import move_points
from .charts import by_uv
from .connected import components
from .fit_to_source import barycentric
from .measure import closest, coordinates, corners, tree_of_faces, values
from .operators import apply_modifiers


def carry_uvs(old: Any, mesh: Any, origin: Array) -> None:
    """Gives a mesh the UV maps of another, each face on the island that it was on.

    Args:
        old: A mesh of triangles.
        mesh: A mesh of triangles without UV maps, in the same space.
        origin: The face of ``old`` that each face was.
    """
    before, now = (coordinates(item)[corners(item)].astype(np.float64) for item in (old, mesh))
    for layer in old.uv_layers:
        uv = values(layer.uv, "vector", 2).astype(np.float64)
        charts = by_uv(old, uv)
        island = charts.islands[charts.points][::3]
        away = _far_apart(island, before)
        there = before.reshape(-1, 3, 3) + away[:, None]
        faces = np.arange(len(before)).reshape(-1, 3)
        face, places = closest(tree_of_faces(there.reshape(-1, 3), faces), now + away[origin].repeat(3, axis=0))
        weights = barycentric(there[face], places)
        moved = (uv.reshape(-1, 3, 2)[face] * weights[..., None]).sum(axis=1)
        copy = mesh.uv_layers.new(name=layer.name, do_init=False)
        copy.uv.foreach_set("vector", moved.astype(np.float32).ravel())
        copy.active_render = layer.active_render


def _far_apart(group: Array, places: Array) -> Array:
    """How far to move each thing, (n, 3), so that a place next to another group still finds its own."""
    side = int(np.ceil((group.max() + 1) ** (1 / 3)))
    return np.asarray(np.stack(np.unravel_index(group, (side,) * 3), axis=1) * 2.0 * np.ptp(places, axis=0).max())


def carry_colors_and_weights(pairs: Iterable[tuple[Any, Any, Array]]) -> None:
    """Gives objects the vertex colours and weights of others in the same place; they have layers of their names.

    Args:
        pairs: The other one, of triangles, whose mesh is changed; the object, of triangles: every point gets what the
            piece showed that it was on, whatever lies nearer; and the face that each of its faces was.
    """
    chosen, back = [], []
    for before, now, origin in pairs:
        colors = {f"COLOR_{'VERTEX' if color.domain == 'POINT' else 'CORNER'}" for color in now.data.color_attributes}
        points = (colors & {"COLOR_VERTEX"}) | ({"VGROUP_WEIGHTS"} if now.vertex_groups else set())
        loops = colors & {"COLOR_CORNER"}
        if not (points | loops and len(origin)):
            continue
        faces, there, places = corners(before.data).reshape(-1, 3), coordinates(before.data), coordinates(now.data)
        piece = components(len(there), faces[:, [0, 1, 1, 2]].reshape(-1, 2))
        away = _far_apart(piece, there)
        start = np.zeros(len(places), int)
        start[corners(now.data)] = faces[origin, 0].repeat(3)
        move_points(before.data, there + away)
        move_points(now.data, places + away[start])
        settings: dict[str, Any] = {"object": before}
        for kind, types in (("vert", points), ("loop", loops)):
            mapping = {f"data_types_{kind}s": types, f"{kind}_mapping": "POLYINTERP_NEAREST"}
            settings |= {f"use_{kind}_data": bool(types)} | mapping
        chosen.append((now, settings))
        back.append((now, places))
    apply_modifiers("DATA_TRANSFER", chosen)
    for now, places in back:
        move_points(now.data, places)
