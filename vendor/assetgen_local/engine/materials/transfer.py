"""Carries the look of a high-poly mesh to a low-poly one, by rays from the low surface to the high one."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import Any

import bmesh
import numpy as np

from ..array_types import Array, Mask, Picture
from ..errors import EngineError
from ..images.arrays import enlarged, fill, normalised, to_srgb
from ..mesh.build import copy_of, remove
from ..mesh.measure import deviation, facts, spread_points, tree_of, values, world_triangles
from ..mesh.merged import merge
from ..mesh.operators import edited
from ..mesh.outward import turn_outwards
from ..mesh.texels import texels_of
from ..mesh.unwrap import unwrap
from ..shaders.nodes import Pair
from . import bake, emission, normal_maps, pbr_material
from .pbr_material import PbrMaps

_SIZES, _MANY = (1024, 2048), 8_000  # pixels, the second ones for more faces
_POINTS, _USUAL, _CLEAR = 8_000, 99.5, 0.4  # of the surface; per cent that rays have to reach; opacity: less is none


def bake_onto(source: Any, objects: Sequence[Any], size: int, diagonal: float, *, keep_islands: bool = False) -> None:
    """Gives the objects together one UV layout, one texture set and one material that show what the source shows.

    Args:
        source: What to show; identity transform, not one of the objects. What nobody sees of it is taken off.
        objects: Get the UVs and the material in place of their own.
        size: Of the textures in pixels; rounded down to a power of two; 0: as large as so many faces need.
        diagonal: Of the model's box, Blender units.
        keep_islands: Move the islands of the objects' own UVs next to each other instead of cutting new ones.
    """
    size = 1 << (max(int(size or _SIZES[facts(objects)["triangles"] > _MANY]), 16).bit_length() - 1)
    # What looks inwards would be met from behind, and what nobody sees may lie just beneath what is seen.
    turn_outwards(objects, emission.is_glass)
    turn_outwards([source], emission.is_glass, only_seen=True)
    target = merge(objects, "target")
    target.whole.data.materials.clear()
    keep_islands = keep_islands and all(scene_object.data.uv_layers for scene_object in objects)
    unwrap(target.whole, size, keep_islands=keep_islands)
    maps = transfer(source, target.whole, size, diagonal)
    target.write_back_uv()
    target.remove()
    pbr_material.assign(objects, pbr_material.material_of(maps, "Baked"))


def transfer(high: Any, low: Any, size: int, diagonal: float) -> PbrMaps:
    """Bakes base colour and normals; roughness and metalness where they differ; opacity and glow where there are any.

    Args:
        high: The source's look and shape; identity transform.
        low: What gets the maps; identity transform and UVs without overlap.
        size: Pixels.
        diagonal: Of the model's box, Blender units.
    """
    reach = _reach(high, low, diagonal)
    emission.ensure_materials(high)
    originals = list(high.data.materials)
    kinds, numbers = emission.kinds_of(originals)
    color, normal, met, of_kind = look(high, low, size, reach, numbers)

    def said(channel: str, columns: slice, pixels: int) -> Picture:
        told = kinds[:, columns]
        if np.isnan(told).any():  # a bake of all pixels takes as long as the first
            with emission.emitting(high, channel):
                return fill(*bake.bake("EMIT", low, pixels, source=high, reach=reach))
        return fill(told[of_kind], met)[:: size // pixels, :: size // pixels]

    plain, clear = bool((kinds[:, 1:3] == kinds[0, 1:3]).all()), emission.sees_through(originals)
    if clear or not plain:
        pixels = size if clear else size >> (size > _SIZES[0])  # of roughness alone half as many along a side do
        surface = np.clip(said("surface", slice(0, 3), pixels), 0.0, 1.0)
    # In the painted case the exporter multiplies by nothing; constants are written as factors.
    roughness, metallic = kinds[0, 1:3].tolist() if plain else (1.0, 1.0)
    if clear:
        opacity = surface[..., :1]
        if (opacity < _CLEAR).any() and any(emission.sees_through([m]) and not emission.is_glass(m) for m in originals):
            behind = _opaque_part(high)
            with suppress(EngineError):  # nothing of it is near
                skin, bent, closed, _ = look(behind, low, size, reach, numbers)
                over = np.where(opacity < _CLEAR, opacity, 1.0)
                color, normal = over * color + (1 - over) * skin, over * normal + (1 - over) * bent
                normal, opacity = normalised(normal), fill(np.maximum(opacity, closed[..., None] * (over < 1)), met)
            remove([behind])
        color = np.concatenate((color, opacity), axis=2)
    strength = emission.glow(originals)
    glow = to_srgb(said("glow", slice(3, 6), size) / strength) if strength else None
    orm = None if plain else np.maximum(surface, np.float32((1, 0, 0)))  # red would be shadow, of which it has none
    return PbrMaps(color, orm, normal, roughness, metallic, glow, strength)


def _opaque_part(high: Any) -> Any:
    """A copy of what may lie behind things that are painted on nothing, as a face behind its eyes and mouth."""
    clear = np.array([emission.sees_through([one]) for one in high.data.materials])
    gone = np.flatnonzero(clear[values(high.data.polygons, "material_index", kind=np.int32)])
    with edited((part := copy_of(high, "opaque")).data) as edit:
        bmesh.ops.delete(edit, geom=[edit.faces[index] for index in gone], context="FACES")
    return part


def look(high: Any, low: Any, size: int, reach: Pair, kinds: Sequence[int]) -> tuple[Picture, Picture, Mask, Array]:
    """Base colour on the sRGB curve and the normal map, of one bake; where rays met anything, and of which kind."""
    with emission.emitting(high, "look", kinds):
        picture, baked = bake.bake("EMIT", low, size, source=high, reach=reach)
    with normal_maps.triangulated(low) as mesh:
        texels = texels_of(mesh, size)
        colors, normals, numbers = emission.unpacked(picture[texels.coverage])
        normals = normal_maps.in_tangent_space(normals, mesh, texels)
    both = baked & texels.coverage
    color = fill(texels.picture(to_srgb(colors)), both)
    of_kind = (texels.picture(numbers[:, None])[..., 0] * both).astype(np.uint8)
    return color, normalised(fill(texels.picture(normals), both)), both, of_kind


def with_shape(normal: Picture, high: Any, low: Any, size: int, reach: Pair) -> Picture:
    """A normal map of the low surface on top of one of at most ``size`` pixels that makes it look like the high one."""
    shape, coverage = bake.bake("NORMAL", low, min(len(normal), size), source=high, reach=reach)
    return normal_maps.combined(enlarged(normalised(fill(shape, coverage)), len(normal)), normal)


def _reach(high: Any, low: Any, diagonal: float) -> Pair:
    """How far rays start outside of the low surface, and how far they go: from how far the surfaces are apart.

    As small as possible, because long rays from between two limbs meet the wrong one.
    """
    pairs = ((spread_points(world_triangles(a), _POINTS)[0], tree_of(b)) for a, b in ((low, high), (high, low)))
    apart = max(deviation(*pair, _USUAL) for pair in pairs)
    outside = min(apart * 1.2 + diagonal * 0.001, diagonal * 0.1)
    return outside, outside * 2.5
