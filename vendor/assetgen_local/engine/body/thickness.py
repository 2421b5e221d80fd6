"""Thick and thin: what of a body a ball of some size can get to from inside."""

from __future__ import annotations

from ..array_types import Array
from .voxel_paths import Inside, depth_of


def thick(inside: Inside, radius: float, chosen: Array | None = None) -> Array:
    """The voxels that a ball inside the body covers on its way (a morphological opening), as a mask.

    Args:
        inside: The body.
        radius: Of the ball.
        chosen: Only this part of the body, as a mask; its cut faces count as surface.
    """
    volume = inside.volume
    place = tuple(volume.cells.T)
    solid = volume.solid
    if chosen is not None:
        solid = solid.copy()
        solid[place] = chosen
    reach = radius / volume.cell
    middles = depth_of(solid) > reach
    result: Array = (depth_of(~middles) <= reach)[place] if middles.any() else middles[place]
    return result if chosen is None else result & chosen
