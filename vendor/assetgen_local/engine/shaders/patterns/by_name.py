"""Procedural patterns in shader nodes. Positions come in model units: the model's largest side is 1.

Every pattern gives three sockets or numbers: a tone (0: the material's dark colour, 1: its light one), a height (0 to
1, for bumps) and a mask of what has the accent colour.
"""

from __future__ import annotations

from collections.abc import Callable

from ..nodes import NodeGraph, Value
from . import growth, metals, minerals, textiles
from .base import Pattern

PATTERNS: dict[str, Callable[[NodeGraph, Value, float], Pattern]] = {
    name: function
    for module in (metals, minerals, textiles, growth)
    for name, function in vars(module).items()
    if getattr(function, "__module__", "") == module.__name__ and not name.startswith("_")
}
"""Name → pattern: the public functions of the modules here."""
