"""What is selected, and whether a job can work on it."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from itertools import cycle
from operator import sub
from typing import Any, NamedTuple

import bpy

from ...core.errors import Refused
from .instances import instances_of

_MODES = {
    "EDIT": "Edit Mode",
    "SCULPT": "Sculpt Mode",
    "PAINT_VERTEX": "Vertex Paint",
    "PAINT_WEIGHT": "Weight Paint",
    "PAINT_TEXTURE": "Texture Paint",
    "PARTICLE": "Particle Edit",
    "POSE": "Pose Mode",
}
_AT_REST = (1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1)
_MOVED = 1e-3  # importers reckon with less exact numbers
_KINDS = {"LIGHT_PROBE": "light probe", "GPENCIL": "Grease Pencil drawing", "GREASEPENCIL": "Grease Pencil drawing"}


class Selection(NamedTuple):
    """The selected meshes that have faces; the active one first."""

    objects: tuple[bpy.types.Object, ...]

    @property
    def title(self) -> str:
        """What a job on this selection is named after."""
        return self.objects[0].name if len(self.objects) == 1 else f"{len(self.objects)} Objects"


def usable_selection(context: bpy.types.Context) -> Selection:
    """The selection, if it can be worked on.

    Raises:
        Refused: It cannot; the sentence says what to do.
    """
    return having_faces(selected_meshes(context), context)


def having_faces(selection: Selection, context: bpy.types.Context) -> Selection:
    """The objects of a selection that have faces as they are seen.

    Raises:
        Refused: None of them has.
    """
    faceless = [item for item in selection.objects if not face_count(item, context)]
    if len(faceless) == len(selection.objects):
        name = faceless[0].name
        words = f'"{name}" has no faces' if len(faceless) == 1 else "None of the selected meshes has faces"
        raise Refused(f"{words}: select a mesh with a surface")
    return Selection(tuple(item for item in selection.objects if item not in faceless))


def selected_meshes(context: bpy.types.Context) -> Selection:
    """The selected meshes, as far as can be told without looking at their geometry: quick enough for drawing.

    A selected armature counts as the meshes that it moves.

    Raises:
        Refused: Nothing here can be worked on.
    """
    if context.mode != "OBJECT":
        raise Refused(f"Leave {mode_name(context)} first: the mesh is taken in Object Mode")
    active = context.view_layer.objects.active
    selected = [item for item in context.view_layer.objects.selected if item is not None]
    if not selected:
        raise Refused("Nothing is selected: select a mesh")
    meshes = [item for item in selected if item.type == "MESH"]
    for armature in (item for item in selected if item.type == "ARMATURE"):
        meshes += [item for item in moved_by(armature, context.view_layer) if item not in meshes]
    if not meshes:
        item = active if active in selected else selected[0]
        kind = _KINDS.get(item.type, item.type.replace("_", " ").lower())
        article = "an" if kind[0] in "aeiou" else "a"
        raise Refused(f'"{item.name}" is {article} {kind}: select a mesh')
    if active in meshes:
        meshes.remove(active)
        meshes.insert(0, active)
    return Selection(tuple(meshes))


def mode_name(context: bpy.types.Context) -> str:
    """What Blender calls the mode that it is in."""
    return next((words for mode, words in _MODES.items() if context.mode.startswith(mode)), "this mode")


def moved_by(armature: bpy.types.Object, layer: bpy.types.ViewLayer) -> list[bpy.types.Object]:
    """The meshes of a view layer that an armature moves."""
    return [item for item in layer.objects if item.type == "MESH" and item.find_armature() == armature]


def posing_armature(meshes: Sequence[bpy.types.Object]) -> bpy.types.Object | None:
    """The first armature whose bones are not where they are at rest, whichever of the two it shows the meshes in."""
    armatures = dict.fromkeys(filter(None, (item.find_armature() for item in meshes)))
    poses = {item: item.pose.bones for item in armatures if item.pose is not None}  # Blender makes it when it evaluates
    return next((item for item, bones in poses.items() if _are_moved(bones)), None)


def _are_moved(bones: Any) -> bool:
    """Whether any bones are not at rest; all are read in one call, since this is asked at every drawing."""
    values = array("f", bytes(4 * len(_AT_REST) * len(bones)))
    bones.foreach_get("matrix_basis", values)
    return max(map(abs, map(sub, values, cycle(_AT_REST))), default=0.0) > _MOVED


def face_count(item: bpy.types.Object, context: bpy.types.Context) -> int:
    """Faces of a mesh object as it is seen: modifiers can make them out of nothing, and take all of them away.

    Where Geometry Nodes have made none but place some, those of one of these.
    """
    if not item.modifiers:
        return len(item.data.polygons)
    depsgraph = context.evaluated_depsgraph_get()
    evaluated = item.evaluated_get(depsgraph)
    faces = len(evaluated.data.polygons) if evaluated.type == "MESH" and evaluated.data else 0
    return faces or next((len(mesh.polygons) for _, mesh, _ in instances_of([item], depsgraph)), 0)


def triangle_count(item: bpy.types.Object) -> int:
    """Triangles before modifiers, without going through the mesh: a face with n corners is n - 2 triangles."""
    return len(item.data.loops) - 2 * len(item.data.polygons)
