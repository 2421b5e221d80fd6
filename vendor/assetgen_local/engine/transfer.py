"""Carries the look of a high-poly mesh to a low-poly one, by rays from the low surface to the high one."""

from __future__ import annotations

from typing import Any

import bpy
import numpy as np
from mathutils.bvhtree import BVHTree

from . import source_look
from .bake import Picture, bake
from .finish import Maps
from .mesh_facts import coordinates
from .pictures import fill, normalised, to_srgb

_SAMPLES = 12_000
_USUAL = 99.5  # per cent of the surface that the rays have to reach; the rest is filled from around it


def transfer(high: Any, low: Any, size: int, diagonal: float) -> Maps:
    """Bakes base colour, normals and, where it is not the same everywhere, roughness and metalness.

    Args:
        high: The source's look and shape; identity transform.
        low: What gets the maps; identity transform and UVs without overlap.
        size: Pixels.
        diagonal: Of the model's box, Blender units.
    """
    reach = _reach(high, low, diagonal)
    source_look.ensure_materials(high)
    originals = list(high.data.materials)
    color = to_srgb(_emitted(high, low, size, reach, originals, "color"))
    constants = source_look.plain_roughness_and_metal(originals)
    orm = None if constants else np.clip(_emitted(high, low, size, reach, originals, "orm"), 0.0, 1.0)
    # In the painted case the exporter multiplies by nothing; constants are written as factors.
    roughness, metallic = constants or (1.0, 1.0)
    return Maps(color, orm, shape(high, low, size, reach), roughness, metallic)


def shape(high: Any, low: Any, size: int, reach: tuple[float, float]) -> Picture:
    """The normal map that makes the low surface look like the high one with its own normal maps."""
    normal, known = bake("NORMAL", low, size, source=high, reach=reach)
    return normalised(fill(normal, known))


def _emitted(high: Any, low: Any, size: int, reach: tuple[float, float], originals: list[Any], channel: str) -> Any:
    shown = source_look.emitters(originals, channel)
    source_look.use(high, shown)
    picture, known = bake("EMIT", low, size, source=high, reach=reach)
    source_look.use(high, originals)
    source_look.discard(shown)
    return fill(picture, known)


def _reach(high: Any, low: Any, diagonal: float) -> tuple[float, float]:
    """How far rays start outside of the low surface, and how far they go: from how far the surfaces are apart.

    As small as possible, because long rays from between two limbs meet the wrong one.
    """
    apart = max(_deviation(low, high), _deviation(high, low))
    outside = min(apart * 1.2 + diagonal * 0.001, diagonal * 0.1)
    return outside, outside * 2.5


def _deviation(of: Any, surface: Any) -> float:
    points = coordinates(of.data)
    corners = np.empty(len(of.data.polygons) * 3, np.float32)
    of.data.polygons.foreach_get("center", corners)
    points = np.concatenate((points, corners.reshape(-1, 3)))
    points = points[:: max(1, len(points) // _SAMPLES)]
    tree = BVHTree.FromObject(surface, bpy.context.evaluated_depsgraph_get())
    found = (tree.find_nearest(point) for point in points.tolist())
    distances = [distance for *_, distance in found if distance is not None]
    return float(np.percentile(distances, _USUAL)) if distances else 0.0
