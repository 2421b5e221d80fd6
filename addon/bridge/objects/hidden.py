"""Is an object to be seen anywhere in this file?"""

from __future__ import annotations

from collections.abc import Iterator

import bpy


def is_hidden(item: bpy.types.Object) -> bool:
    """Whether no view layer shows an object, neither in the viewport nor in a render."""
    layers = [layer for scene in bpy.data.scenes for layer in scene.view_layers if item.name in layer.objects]
    if any(item.visible_get(view_layer=layer) for layer in layers):
        return False
    return item.hide_render or not any(_renders(layer.layer_collection, item) for layer in _layers_with(item))


def _layers_with(item: bpy.types.Object) -> Iterator[bpy.types.ViewLayer]:
    for scene in bpy.data.scenes:
        if item.name in scene.objects:
            yield from scene.view_layers


def _renders(holder: bpy.types.LayerCollection, item: bpy.types.Object) -> bool:
    """Whether a collection of a view layer, or one inside it, has the object in its renders."""
    if holder.exclude and not holder.children:
        return False
    if holder.collection.hide_render:
        return False
    if not holder.exclude and item.name in holder.collection.objects:
        return True
    return any(_renders(child, item) for child in holder.children)
