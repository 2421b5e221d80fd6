"""Calls of Blender's operators, whose parameters differ between versions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import bpy


def call(operator: Any, **options: Any) -> None:
    """Runs an operator with those options that this Blender's version of it has.

    Raises:
        RuntimeError: The operator failed or refused.
    """
    known = {prop.identifier for prop in operator.get_rna_type().properties}
    result = operator(**{name: value for name, value in options.items() if name in known})
    if "FINISHED" not in result:
        raise RuntimeError(f"{operator.idname_py()} did not finish: {', '.join(sorted(result)) or 'no answer'}")


def select(active: Any, others: Sequence[Any] = ()) -> None:
    """Selects exactly these objects, the first one being the active one."""
    bpy.context.view_layer.update()  # objects removed since the last update would still be listed, as None
    for scene_object in bpy.context.view_layer.objects:
        scene_object.select_set(False)
    for scene_object in (active, *others):
        scene_object.hide_set(False)
        scene_object.select_set(True)
    bpy.context.view_layer.objects.active = active


@contextmanager
def edit_mode(scene_object: Any) -> Iterator[None]:
    """Edit Mode of one object, with everything selected."""
    select(scene_object)
    bpy.ops.object.mode_set(mode="EDIT")
    try:
        bpy.ops.mesh.reveal(select=False)
        bpy.ops.mesh.select_all(action="SELECT")
        yield
    finally:
        bpy.ops.object.mode_set(mode="OBJECT")


def apply_modifier(scene_object: Any, kind: str, **settings: Any) -> None:
    """Adds a modifier as the first one, with these settings, and applies it."""
    modifier = scene_object.modifiers.new(kind.title(), kind)
    for name, value in settings.items():
        setattr(modifier, name, value)
    select(scene_object)
    if len(scene_object.modifiers) > 1:
        bpy.ops.object.modifier_move_to_index(modifier=modifier.name, index=0)
    bpy.ops.object.modifier_apply(modifier=modifier.name)
