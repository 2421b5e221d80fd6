"""Procedural patterns in shader nodes. Positions come in model units: the model's largest side is 1.

Every pattern gives three sockets or numbers: a tone (0: the material's dark colour, 1: its light one), a height (0 to
1, for bumps) and a mask of what has the accent colour.
"""

from __future__ import annotations

from collections.abc import Callable

from ..nodes import NodeGraph, Value
from .base import Pattern
from .growth import bamboo, bark, birch, cells, feathers, fine_wood, planks, scales, skin, wood
from .metals import brushed, carbon, facets, forged, hammered, smooth, spangled, stippled
from .minerals import (
    aggregate,
    banded,
    bricks,
    cleft,
    drifted,
    frosted,
    marble,
    patchy,
    pitted,
    rocky,
    sand,
    speckled,
    stone,
    strata,
    tiles,
    veins,
)
from .textiles import felt, fur, knit, leather, plaited, tufted, twill, weave

PATTERNS: dict[str, Callable[[NodeGraph, Value, float], Pattern]] = {
    function.__name__: function
    for function in (
        smooth, stippled, brushed, forged, hammered, spangled, facets, carbon,
        stone, rocky, strata, cleft, pitted, speckled, aggregate, marble, banded, veins, frosted, bricks, tiles, patchy,
        sand, drifted, weave, twill, knit, plaited, felt, tufted, leather, fur,
        wood, fine_wood, birch, bamboo, planks, bark, cells, scales, feathers, skin,
    )
}  # fmt: skip
"""Name → pattern."""
