"""What the engine can do: read from the source of ``engine/main.py``, whose modules need a Blender."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from functools import cache

from .engine import ENGINE_SCRIPT

_TABLE = "CAPABILITIES"


@cache
def engine_modules() -> Mapping[str, str]:
    """Name of each capability that has geometry, and of the module in ``engine/`` that does it."""
    for node in ast.parse(ENGINE_SCRIPT.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.Assign) and any(isinstance(to, ast.Name) and to.id == _TABLE for to in node.targets):
            found: dict[str, str] = ast.literal_eval(node.value)
            return found
    raise LookupError(f"{ENGINE_SCRIPT.name} has no table {_TABLE}")


def abilities() -> frozenset[str]:
    """Names of the capabilities that the engine has geometry for."""
    return frozenset(engine_modules())
