"""Bakes the surfaces of a model, one for each material slot, into one set of glTF maps."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..images.arrays import fill, to_srgb
from ..materials import bake, normal_maps
from ..materials.pbr_material import PbrMaps
from ..materials.prompt import surface_of
from ..materials.shading import Shader
from ..mesh import measure

_WORKING_SIZE = 1024


def bake_surfaces(
    target: Any,
    surfaces: Sequence[str],
    size: int,
    seed: int,
    *,
    pbr: bool,
    report: Callable[[float, str], None],
) -> PbrMaps:
    """The maps of an object whose material slots have these surfaces.

    Args:
        target: An object with identity transform, UVs and as many material slots as there are surfaces.
        surfaces: Words for each slot.
        size: Pixels of the maps, a power of two.
        seed: Moves the patterns.
        pbr: Roughness, metalness and normals beside the base colour.
        report: Takes a fraction and a few words.
    """
    box = measure.bounds([target])
    shaders = [Shader(surface_of(words), box, (seed + index) % 2**31) for index, words in enumerate(surfaces)]
    for index, shader in enumerate(shaders):
        target.data.materials[index] = shader.material
        shader.show_color()
    report(0.35, "Painting the base colour")
    color = to_srgb(fill(*bake.bake("EMIT", target, size)))
    if not pbr:
        return PbrMaps(color)
    report(0.5, "Painting roughness and metal")
    for shader in shaders:
        shader.show_height_and_orm()
    orm, coverage = bake.bake("EMIT", target, size)
    report(0.65, "Shaping the relief")
    orm = fill(orm, coverage)
    position = bake.bake_geometry(target, min(size, _WORKING_SIZE), "Position")
    normal = normal_maps.normals(orm[..., 0] * np.float32(shaders[0].relief), *position)
    orm[..., 0] = 1.0  # where glTF has occlusion, which these maps do not carry
    return PbrMaps(color, orm, normal, 1.0, 1.0)
