"""Paints an object with the surfaces of its material slots, into one set of glTF maps."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..images.arrays import fill, to_srgb
from ..mesh.texels import texels_of
from . import bake, normal_maps
from .pbr_material import PbrMaps
from .shading import Shader, unpacked

_WORKING_SIZE = 1024  # of maps that only help to make others


def painted(
    target: Any, shaders: Sequence[Shader], size: int, *, pbr: bool, report: Callable[[float, str], None]
) -> PbrMaps:
    """The maps of an object, opaque and without own light.

    Args:
        target: An object with identity transform and UVs; its material slots are replaced.
        shaders: The surface of each slot, in order.
        size: Pixels of the maps, a power of two.
        pbr: Roughness, metalness and normals beside the base colour.
        report: Takes a fraction and a few words.
    """
    for index, shader in enumerate(shaders):
        if index == len(target.data.materials):
            target.data.materials.append(None)
        target.data.materials[index] = shader.material
        shader.show()
    report(0.35, "Painting the surface")
    packed, coverage = bake.bake("EMIT", target, size)
    linear, orm = unpacked(packed)
    color = to_srgb(fill(linear, coverage))
    if not pbr:
        return PbrMaps(color)
    report(0.65, "Shaping the relief")
    orm = fill(orm, coverage)
    texels = texels_of(target.data, min(size, _WORKING_SIZE))
    position = texels.picture(texels.positions(target.data))
    normal = normal_maps.normals(orm[..., 0] * np.float32(shaders[0].relief), position, texels.coverage)
    orm[..., 0] = 1.0  # where glTF has occlusion, which these maps do not carry
    return PbrMaps(color, orm, normal, 1.0, 1.0)
