"""Baking with Cycles on the CPU: colours as emission, normals as tangent-space maps.

Arrays are (height, width, channels), bottom row first as Blender has them, linear floats.
"""

from __future__ import annotations

from typing import Any

import bpy
import numpy as np
from background_blender.operators import call

from ..array_types import Mask, Picture
from ..errors import EngineError
from ..images.picture_files import pixels_of
from ..mesh.operators import acting_on, alone, use_cycles
from ..shaders.nodes import NodeGraph
from . import emission


def bake(
    kind: str, target: Any, size: int, *, source: Any = None, reach: tuple[float, float] = (0.0, 0.0)
) -> tuple[Picture, Mask]:
    """Bakes one map of a mesh over its UVs.

    Args:
        kind: ``EMIT`` or ``NORMAL``.
        target: The object whose UVs are baked. All of its materials get the image for the time of the bake.
        size: Width and height in pixels.
        source: Take what this object shows instead, by rays from the target's surface.
        reach: How far outside of the target the rays start, and how far they go from there; Blender units.

    Returns:
        RGB, and where something was baked; the rest of the picture is without meaning.

    Raises:
        EngineError: Nothing was baked anywhere.
    """
    image = bpy.data.images.new("bake", size, size, alpha=True, float_buffer=True, is_data=True)
    image.pixels.foreach_set(np.zeros(size * size * 4, np.float32))
    emission.ensure_materials(target)
    graphs = [NodeGraph(material, kept=True) for material in dict.fromkeys(target.data.materials)]
    for graph in graphs:
        graph.tree.nodes.active = graph.node("ShaderNodeTexImage", image=image)
    shown = [target] if source is None else [target, source]
    try:
        # What is not baked is in the way: Cycles would take it in and sort its faces for every bake.
        with alone(*shown), acting_on(*shown):
            use_cycles(1)  # there is no light in what is baked, so one sample is enough
            call(
                bpy.ops.object.bake,
                type=kind,
                use_selected_to_active=source is not None,
                use_cage=source is not None,
                cage_extrusion=reach[0],
                max_ray_distance=reach[1],
                margin=0,
                use_clear=False,
                target="IMAGE_TEXTURES",
                normal_space="TANGENT",
            )
        pixels = pixels_of(image)
    finally:
        for graph in graphs:
            graph.tree.nodes.remove(graph.tree.nodes.active)
        bpy.data.images.remove(image)
    # Blender leaves pixels alone that no face covers, or from which no ray met the source.
    if not (pixels[:, :, 3] > 0.5).any():
        raise EngineError("The texture would be empty: no face of the model covers a pixel of it.")
    return np.ascontiguousarray(pixels[:, :, :3]), pixels[:, :, 3] > 0.5
