"""A motion for a rig that is in this file becomes an action of that rig: no second mesh, no second rig."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import bpy

from ...objects import companions, provenance
from ...objects.provenance import TaskProvenance
from . import actions
from .same_rig import rig_in_file


class GivenMotion(NamedTuple):
    """What a motion became: the actions that it brought, and the objects that it moves, the rig last."""

    actions: list[bpy.types.Action]
    objects: list[bpy.types.Object]


def onto_rig_in_file(
    objects: Sequence[bpy.types.Object],
    sources: Sequence[bpy.types.Object],
    task: TaskProvenance,
    scene: bpy.types.Scene,
) -> GivenMotion | None:
    """Gives the motion of a result to the rig that it was made for; None where it needs the rig that it came with.

    Args:
        objects: The result as it was appended. It is left as it is, but for what it moves by.
        sources: What the job worked on, as far as that is in this file.
        task: What gave the result.
        scene: Where the result goes.
    """
    rigs = [item for item in objects if item.type == "ARMATURE"]
    if len(rigs) != 1 or not actions.motions_of(rigs[0]):
        return None
    rig = rig_in_file(rigs[0], sources, task.source_task, scene)
    if rig is None or not actions.moves_bones_alone(rigs[0], objects):
        return None
    motions = actions.motions_of(rigs[0])
    actions.own_curves_only(motions)
    moved = [item for item in scene.objects if item.type == "MESH" and item.find_armature() == rig]
    named = [item for item in sources if item in moved] or moved
    was_unchanged = companions.is_unchanged(rig)
    given = actions.give(rig, motions, named[0].name if len(named) == 1 else rig.name)
    polygons = [len(item.data.polygons) for item in objects if item.type == "MESH"]
    provenance.pass_on(moved, task, polygons)
    companions.refresh(rig, was_unchanged=was_unchanged)
    return GivenMotion(given, [*moved, rig])


def dress_own(objects: Sequence[bpy.types.Object], name: str) -> None:
    """Gives the motions of a result that stays as it came their names, ranges and cycles."""
    for rig in [item for item in objects if item.type == "ARMATURE"]:
        motions = actions.motions_of(rig)
        if not motions:
            continue
        if actions.moves_bones_alone(rig, objects):
            rig.animation_data_clear()
            actions.give(rig, motions, name or rig.name)
        else:
            for motion in motions:
                actions.dress(motion, rig, name or rig.name, may_shift=False)
