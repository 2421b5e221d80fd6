"""What is seen of a source and its result: the result wherever the source was to be seen, and nowhere else."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import bpy

from .owners import Owned

NOTE = "asset_generation_shown"
"""The custom property that remembers where an object was seen before its result took its place."""

_FLAGS = (
    *("hide_select", "is_holdout", "is_shadow_catcher", "visible_camera", "visible_diffuse", "visible_glossy"),
    *("visible_transmission", "visible_volume_scatter", "visible_shadow"),
)


def hide(sources: Sequence[bpy.types.Object], scene: bpy.types.Scene) -> None:
    """Hides sources in every view layer of a scene, and takes them out of the selection there, as Blender's H does.

    One that is in no view layer, because its collection is excluded, is disabled in viewports instead: Blender keeps no
    hidden state of it, and both it and its result would be seen once the collection is included.
    """
    before = {item: [layer for layer in scene.view_layers if _leave_selection(item, layer)] for item in sources}
    for item, shown_in in before.items():
        was_shown = _shown(item, shown_in)
        was_hidden = not shown_in
        is_somewhere = any([_hide_in(layer, item) for layer in scene.view_layers])
        if item.is_editable:
            if NOTE not in item or not was_hidden:
                item[NOTE] = was_shown
            # Of a linked object Blender would forget it with the next opening, and another scene goes on showing it.
            if _is_in_no_other(item, scene):
                item.hide_render = True
                item.hide_viewport = item.hide_viewport or not is_somewhere


def follow_visibility(roots: Sequence[Owned], scene: bpy.types.Scene) -> None:
    """Has the objects of a result be seen where their sources are to be seen; to be done before these are hidden.

    That a source is hidden because another result has its place does not count.
    """
    for _, sources, parts in roots:
        for part in parts:
            part.pop(NOTE, None)
            if sources:
                _follow(part, sources, scene)


def _follow(part: bpy.types.Object, sources: Sequence[bpy.types.Object], scene: bpy.types.Scene) -> None:
    for flag in _FLAGS:
        value = getattr(sources[0], flag)
        if getattr(part, flag) != value:  # to set it takes Blender much longer than to ask
            setattr(part, flag, value)
    pairs = [(source, _before(source)) for source in sources]
    part.hide_render = all(source.hide_render and not shown.get("render") for source, shown in pairs)
    part.hide_viewport = all(source.hide_viewport and not shown.get("viewport") for source, shown in pairs)
    for layer in scene.view_layers:
        if all(source.hide_get(view_layer=layer) and layer.name not in _names(shown) for source, shown in pairs):
            _hide_in(layer, part)


def _leave_selection(item: bpy.types.Object, layer: bpy.types.ViewLayer) -> bool:
    """Takes an object out of the selection of a view layer; whether it is seen there."""
    _ = layer.objects.active  # only when asked for this one does Blender (4.2 to 5.2) notice what was just linked
    item.select_set(False, view_layer=layer)
    return not item.hide_get(view_layer=layer)


def _hide_in(layer: bpy.types.ViewLayer, item: bpy.types.Object) -> bool:
    """Hides an object in a view layer; whether it is part of that."""
    try:
        item.hide_set(True, view_layer=layer)
    except RuntimeError:  # looking for it among thousands of objects takes longer
        return False
    return True


def _shown(item: bpy.types.Object, layers: Sequence[bpy.types.ViewLayer]) -> dict[str, Any]:
    return {
        "render": not item.hide_render,
        "viewport": not item.hide_viewport,
        "layers": [layer.name for layer in layers],
    }


def _before(source: bpy.types.Object) -> dict[str, Any]:
    note = source.get(NOTE)
    return dict(note.to_dict()) if hasattr(note, "to_dict") else {}


def _names(shown: dict[str, Any]) -> list[str]:
    return list(shown.get("layers", ()))


def _is_in_no_other(item: bpy.types.Object, scene: bpy.types.Scene) -> bool:
    """Whether an object is shown by this scene alone: neither in another one, nor in a collection that is placed."""
    return set(item.users_collection) <= {scene.collection, *scene.collection.children_recursive}
