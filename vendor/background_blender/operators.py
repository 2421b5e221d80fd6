"""For scripts that run inside the background Blender: calls of operators that differ between versions."""

from __future__ import annotations

from typing import Any


def is_there(group: Any, name: str) -> bool:
    """Whether a group, as ``bpy.ops.wm``, has an operator in this Blender: in ``bpy.types`` are only Python's own."""
    return name in dir(group)


def call(operator: Any, **options: Any) -> None:
    """Runs a ``bpy.ops`` operator with those options that this Blender's version of it has.

    Raises:
        RuntimeError: The operator failed or did not finish.
    """
    supported = {prop.identifier for prop in operator.get_rna_type().properties}
    result = operator(**{name: value for name, value in options.items() if name in supported})
    if "FINISHED" not in result:
        raise RuntimeError(f"{operator.idname_py()} did not finish")
