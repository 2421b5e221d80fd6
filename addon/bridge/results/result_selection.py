"""What is selected when a result arrives, and selecting it later: nothing of the user's own is ever lost from sight."""

from __future__ import annotations

from collections.abc import Sequence

import bpy

from ..objects.selection import moved_by


def is_whole_selection(objects: Sequence[bpy.types.Object], layer: bpy.types.ViewLayer) -> bool:
    """Whether these meshes, and nothing else, are selected; an armature counts as the meshes that it moves."""
    meshes: set[bpy.types.Object] = set()
    for item in _selected(layer):
        moved = moved_by(item, layer) if item.type == "ARMATURE" else [item]
        if not moved:
            return False
        meshes.update(moved)
    return bool(meshes) and meshes == set(objects)


def leave(objects: Sequence[bpy.types.Object], scene: bpy.types.Scene) -> None:
    """Takes objects that were just linked out of the selection: they are as selected as they were in their file."""
    for layer in scene.view_layers:
        _ = layer.objects.active  # as in selectable()
        for item in objects:
            item.select_set(False, view_layer=layer)


def layers_to_select_in(
    sources: Sequence[bpy.types.Object], scene: bpy.types.Scene, layer: bpy.types.ViewLayer
) -> list[bpy.types.ViewLayer]:
    """The view layers of a scene in which its result takes over the selection; to be asked before sources are hidden.

    Args:
        sources: What the job worked on, as far as it is still there.
        scene: Where the result goes.
        layer: The one that the result arrives in: there an empty selection can be taken over as well.
    """
    return [
        other
        for other in scene.view_layers
        if is_whole_selection(sources, other) or (other == layer and not _selected(other))
    ]


def selectable(objects: Sequence[bpy.types.Object], layer: bpy.types.ViewLayer) -> list[bpy.types.Object]:
    """Those that can be selected: they are part of the view layer, are seen, and may be selected."""
    _ = layer.objects.active  # only when asked for this one does Blender (4.2 to 5.2) notice what was just linked
    return [item for item in objects if item.visible_get(view_layer=layer) and not item.hide_select]


def select(objects: Sequence[bpy.types.Object], layer: bpy.types.ViewLayer) -> list[bpy.types.Object]:
    """Makes those that can be selected the whole selection, a mesh the active object; returns them.

    Where there are none, the selection stays as it is.
    """
    shown = selectable(objects, layer)
    if not shown:
        return []
    for item in _selected(layer):
        item.select_set(False, view_layer=layer)
    for item in shown:
        item.select_set(True, view_layer=layer)
    layer.objects.active = next((item for item in shown if item.type == "MESH"), shown[0])
    return shown


def _selected(layer: bpy.types.ViewLayer) -> list[bpy.types.Object]:
    return [item for item in layer.objects.selected if item is not None]
