"""What a model's surface looks like at many points, whatever its materials are, and how far places are from it."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..array_types import Array, Mask
from ..images.arrays import to_srgb
from ..materials import bake, emission
from ..mesh.charts import by_normals
from ..mesh.connected import grown, outside
from ..mesh.measure import coordinates, corners, tree_of, triangle_corners
from ..mesh.texels import texels_of
from ..mesh.unwrap import ANGLE
from .block_grid import SurfaceSamples

_UV = "samples"
_LEAK = 0.2
"""Part of what lies behind a surface that can be reached from outside when the surface is open."""


def samples_of(whole: Any, size: int) -> SurfaceSamples:
    """Bakes base colour and position of a mesh over UVs made for this, and takes every pixel as a sample.

    Args:
        whole: A mesh object with identity transform; its UVs change.
        size: Pixels of the bake along a side: the square of this is about twice the number of samples.
    """
    emission.ensure_materials(whole)
    # Baking goes by the active UV map, materials read the one that is active for rendering.
    mesh = whole.data
    rendered_layer = next((layer.name for layer in mesh.uv_layers if layer.active_render), None)
    mesh.uv_layers.active = mesh.uv_layers.new(name=_UV)
    if rendered_layer is not None:
        mesh.uv_layers[rendered_layer].active_render = True
    charts = by_normals(mesh, math.radians(ANGLE)).packed(1.0 / size)
    mesh.uv_layers[_UV].uv.foreach_set("vector", charts.places[charts.points].ravel())
    with emission.emitting(whole, "color"):
        color, coverage = bake.bake("EMIT", whole, size)
    texels = texels_of(mesh, size, _UV)
    both = coverage & texels.coverage
    positions = texels.positions(mesh)[coverage[texels.coverage]]
    points = coordinates(mesh).astype(np.float64)
    middles = points[triangle_corners(mesh)].mean(axis=1)
    used = points[np.unique(corners(mesh))]
    return SurfaceSamples(positions.astype(np.float64), to_srgb(color)[both], np.concatenate((used, middles)))


@dataclass(frozen=True, slots=True)
class DistanceBand:
    """Samples of a grid near a surface.

    Attributes:
        shape: Of the grid.
        low: Place of its first sample.
        step: Between samples.
        index: Samples that are near, (n, 3).
        distance: Of these from the surface, at least 0; (n,).
        behind: Which of these lie on the side that the surface's normals point away from; (n,).
        walls: Cells around samples that the surface passes, (shape).
    """

    shape: tuple[int, ...]
    low: Array
    step: float
    index: NDArray[np.int64]
    distance: Array
    behind: Mask
    walls: Mask

    @property
    def places(self) -> Array:
        """Where the near samples are, (n, 3)."""
        return self.low + self.index * self.step

    def solid(self) -> NDArray[np.float32]:
        """Distances in steps for the whole grid, above 0 inside: what the surface encloses and, where it is open, what
        lies behind it.
        """
        free = outside(self.walls)
        field = np.where(free, -2.0, 2.0).astype(np.float32)
        at = tuple(self.index.T)
        sure = ~self.walls[at]
        enclosed = sure & ~free[at]
        # A surface turned inside out is told by what it encloses.
        inside_out = enclosed.any() and self.behind[enclosed].mean() < 0.5
        behind = ~self.behind if inside_out else self.behind
        inside = np.where(sure, enclosed, behind)
        if (sure & behind).any() and free[at][sure & behind].mean() > _LEAK:
            # The surface encloses nothing: its back is taken for the inside, as deep as the band goes.
            inside = enclosed | behind
        field[at] = np.clip(self.distance / self.step, 1e-3, 2.0) * np.where(inside, 1, -1)
        return field


def band_around(
    samples: SurfaceSamples, whole: Any, step: float, reach: float, wanted: Callable[[Array], Mask] | None = None
) -> DistanceBand:
    """Measures a band around a surface.

    Args:
        samples: Of the surface.
        whole: The mesh object that they are of; identity transform.
        step: Of the grid.
        reach: How far the band goes, at least.
        wanted: Says which of these places (n, 3) matter; measuring them takes most of the time. None for all.
    """
    marks = np.concatenate((samples.points, samples.marks))
    margin = int(np.ceil(reach / step)) + 2
    low = marks.min(axis=0) - margin * step
    shape = tuple(int(size) for size in np.ceil(np.ptp(marks, axis=0) / step) + 2 * margin + 1)
    walls = np.zeros(shape, bool)
    walls[tuple(np.rint((marks - low) / step).astype(int).T)] = True
    near = walls
    for _ in range(int(np.ceil(reach / step)) + 1):
        near = grown(near)
    index = np.argwhere(near)
    if wanted is not None:
        index = index[wanted(low + index * step)]
    places = low + index * step
    nearest, normals, _, distance = zip(*map(tree_of(whole).find_nearest, places.tolist()), strict=True)
    # One number after the other: an array of mathutils' vectors takes sixteen times as long.
    ways = places - np.fromiter(chain.from_iterable(nearest), float).reshape(-1, 3)
    behind = np.einsum("ij,ij->i", ways, np.fromiter(chain.from_iterable(normals), float).reshape(-1, 3)) < 0
    return DistanceBand(shape, low, step, index, np.array(distance), behind, walls)
