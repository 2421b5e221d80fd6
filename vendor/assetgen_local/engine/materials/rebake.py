"""New UVs and one texture set for a model, with the look of a source baked into it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..mesh.merged import merge
from ..mesh.unwrap import repack, unwrap
from . import bake, pbr_material, vertex_colors
from .transfer import transfer


def bake_onto(source: Any, objects: Sequence[Any], size: int, diagonal: float, *, keep_islands: bool = False) -> None:
    """Gives the objects together one UV layout, one texture set and one material that show what the source shows.

    Args:
        source: What to show; identity transform, not one of the objects.
        objects: Get the UVs and the material in place of their own.
        size: Of the textures in pixels; rounded down to a power of two.
        diagonal: Of the model's box, Blender units.
        keep_islands: Move the islands of the objects' own UVs next to each other instead of cutting new ones.
    """
    size = 1 << (max(int(size), 16).bit_length() - 1)
    target = merge(objects, "target")
    target.whole.data.materials.clear()
    if keep_islands and all(scene_object.data.uv_layers for scene_object in objects):
        repack(target.whole, size)
    else:
        unwrap(target.whole, size)
    bake.prepare()
    maps = transfer(source, target.whole, size, diagonal)
    target.write_back_uv()
    target.remove()
    vertex_colors.drop(objects)
    pbr_material.assign(objects, pbr_material.material_of(maps, "Baked"))
