"""Who is seen of a source and its result: the result instead of the source, wherever the source would be."""

from __future__ import annotations

from collections.abc import Sequence

import bpy


def hide(sources: Sequence[bpy.types.Object], scene: bpy.types.Scene) -> None:
    """Hides sources in every view layer of a scene, and takes them out of the selection there, as Blender's H does."""
    for item in sources:
        # Of a linked object Blender would forget it with the next opening, and another scene goes on showing it.
        if item.is_editable and list(item.users_scene) == [scene]:
            item.hide_render = True
        for layer in scene.view_layers:
            _ = layer.objects.active  # only when asked for this one does Blender (4.2 to 5.2) notice what changed
            if item.name in layer.objects:
                item.select_set(False, view_layer=layer)
                item.hide_set(True, view_layer=layer)
