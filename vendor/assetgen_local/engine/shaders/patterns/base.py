"""What all patterns are made of: their outputs, and ways to bend, stretch and wrap the space that they fill.

A pattern is a function of a graph, a position in model units (the model's largest side is 1) and a scale.
"""

from __future__ import annotations

from dataclasses import dataclass

from ..nodes import NodeGraph, Value


@dataclass(frozen=True, slots=True)
class Pattern:
    """The outputs of a pattern.

    Attributes:
        tone: 0 where the material has its dark colour, 1 where its light one.
        height: 0 to 1, for bumps.
        accent: How much of the accent colour there is.
    """

    tone: Value
    height: Value
    accent: Value = 0.0


def stretched(graph: NodeGraph, position: Value, stretch: tuple[float, float, float]) -> Value:
    """The position with each axis scaled: what is drawn at it shrinks along that axis."""
    return graph.vector_math("MULTIPLY", position, stretch)


def bend(graph: NodeGraph, position: Value, scale: float) -> Value:
    """A vector of noise around 0, to bend other patterns with."""
    node = graph.node("ShaderNodeTexNoise", {"Vector": position, "Scale": scale, "Detail": 3.0})
    return graph.vector_math("SUBTRACT", node.outputs[1], (0.5, 0.5, 0.5))


def bent(graph: NodeGraph, position: Value, scale: float, amount: float) -> Value:
    """The position moved by noise of this scale, at most about half of ``amount``."""
    return graph.vector_math("ADD", position, stretched(graph, bend(graph, position, scale), (amount,) * 3))


def around(graph: NodeGraph, position: Value) -> Value:
    """Wraps a flat pattern around the model: (along the side that the surface faces, height, 0)."""
    x, y, z = graph.parts(position)
    normal = graph.parts(graph.node("ShaderNodeNewGeometry").outputs["True Normal"])
    faces_x = graph.math("GREATER_THAN", *(graph.math("ABSOLUTE", normal[i]) for i in (0, 1)))
    faces_up = graph.math("GREATER_THAN", graph.math("ABSOLUTE", normal[2]), 0.8)
    along = graph.blend(faces_x, x, y)
    return graph.vector(along, graph.blend(faces_up, z, graph.blend(faces_x, y, x)))


def checked(graph: NodeGraph, flat: Value, count: float, every: int) -> Value:
    """Squares along diagonals, ``count`` to a unit: 1 on half of every so many diagonals, 0 on the others."""
    squares = graph.parts(graph.vector_math("FLOOR", stretched(graph, flat, (count, count, 0.0))))
    number = graph.math("FLOORED_MODULO", graph.math("ADD", squares[0], squares[1]), float(every))
    return graph.math("GREATER_THAN", number, every / 2 - 0.5)
