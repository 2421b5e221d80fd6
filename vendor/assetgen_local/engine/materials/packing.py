"""Two values in each channel of a bake: it keeps 24 bits, and a second bake would take as long as the first."""

from __future__ import annotations

import numpy as np

from ..array_types import Array, Picture
from ..shaders.nodes import NodeGraph, Value

_BITS = 24  # of a whole number that a 32-bit float tells apart
EVEN = (12, 12, 12)
"""Bits of the second values where both are as fine."""


def packed(graph: NodeGraph, first: Value, second: Value, bits: tuple[int, int, int] = EVEN) -> Value:
    """Nodes that make one vector of two, whose numbers are from 0 to 1; the second ones get so many bits."""
    wholes = []
    for value, room in ((first, [_BITS - count for count in bits]), (second, bits)):
        clamped = graph.vector_math("MINIMUM", graph.vector_math("MAXIMUM", value), (1.0, 1.0, 1.0))
        steps = tuple(float((1 << count) - 1) for count in room)
        wholes.append(graph.vector_math("FLOOR", graph.vector_math("MULTIPLY_ADD", clamped, steps, (0.5, 0.5, 0.5))))
    return graph.vector_math("MULTIPLY_ADD", wholes[0], tuple(float(1 << count) for count in bits), wholes[1])


def unpacked(values: Picture, bits: tuple[int, int, int] = EVEN) -> tuple[Picture, Picture]:
    """The two vectors again that :func:`packed` made one of, (..., 3)."""
    whole, count = np.rint(values).astype(np.int32), np.array(bits, np.int32)
    return _share(whole >> count, _BITS - count), _share(whole & ((1 << count) - 1), count)


def _share(whole: Array, bits: Array) -> Picture:
    part: Picture = whole.astype(np.float32)
    part *= np.float32(1.0) / ((1 << bits) - 1).astype(np.float32)
    return part
