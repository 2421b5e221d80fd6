"""What a model's surface looks like at many points: places and colours, whatever its materials are."""

from __future__ import annotations

import math
from typing import Any

import bpy
import numpy as np
from background_blender.operators import call

from ..images.arrays import to_srgb
from ..materials import bake, emission
from ..mesh.measure import coordinates, corners, triangle_corners
from ..mesh.operators import edit_mode
from ..mesh.unwrap import ANGLE
from .block_grid import SurfaceSamples

_UV = "samples"


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
    with edit_mode(whole):
        call(bpy.ops.uv.smart_project, angle_limit=math.radians(ANGLE), island_margin=1.0 / size, area_weight=0.0)
    bake.prepare()
    with emission.emitting(whole, "color"):
        color, coverage = bake.bake("EMIT", whole, size)
    position, placed = bake.bake_geometry(whole, size, "Position")
    both = coverage & placed
    points = coordinates(mesh).astype(np.float64)
    middles = points[triangle_corners(mesh)].mean(axis=1)
    used = points[np.unique(corners(mesh))]
    return SurfaceSamples(position[both].astype(np.float64), to_srgb(color)[both], np.concatenate((used, middles)))
