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
    # One thing after the other with all: what disables an object has Blender look for all others anew that it is asked
    # for afterwards.
    before = {item: [layer for layer in scene.view_layers if _leave_selection(item, layer)] for item in sources}
    part_of = {item: [layer for layer in scene.view_layers if _hide_in(layer, item)] for item in sources}
    elsewhere = _in_others(scene)
    own = [item for item in before if item.is_editable]
    for item in own:
        if NOTE not in item or before[item]:
            item[NOTE] = _shown(item, before[item])
    # Of a linked object Blender would forget it with the next opening, and another scene goes on showing it.
    own = [item for item in own if item not in elsewhere]
    _switch_on("hide_render", own)
    _switch_on("hide_viewport", [item for item in own if not part_of[item]])


def follow_visibility(roots: Sequence[Owned], scene: bpy.types.Scene) -> None:
    """Has the objects of a result be seen where their sources are to be seen; to be done before these are hidden.

    That a source is hidden because another result has its place does not count.
    """
    pairs = [(part, sources) for _, sources, parts in roots for part in parts]
    for part, _ in pairs:
        part.pop(NOTE, None)
    for part, sources in pairs:
        if sources:
            _follow_flags(part, sources)
    for part, sources in pairs:  # at another time, as in hide()
        if sources:
            _follow_hidden(part, sources, scene)


def _follow_flags(part: bpy.types.Object, sources: Sequence[bpy.types.Object]) -> None:
    for flag in _FLAGS:
        _set(part, flag, getattr(sources[0], flag))
    pairs = [(source, _before(source)) for source in sources]
    _set(part, "hide_render", all(source.hide_render and not shown.get("render") for source, shown in pairs))
    _set(part, "hide_viewport", all(source.hide_viewport and not shown.get("viewport") for source, shown in pairs))


def _follow_hidden(part: bpy.types.Object, sources: Sequence[bpy.types.Object], scene: bpy.types.Scene) -> None:
    for layer in scene.view_layers:
        if all(source.hide_get(view_layer=layer) and layer.name not in _names(_before(source)) for source in sources):
            _hide_in(layer, part)


def _switch_on(flag: str, items: Sequence[bpy.types.Object]) -> None:
    """Sets a flag that hides objects. One by one each has Blender go through all that is in its scenes: with thousands
    that is seconds. Given for all objects at once Blender only takes it down, and the last one has it look at them.
    """
    off = [item for item in items if not getattr(item, flag)]
    if len(off) > 1:
        chosen = set(off[:-1])
        bpy.data.objects.foreach_set(flag, [item in chosen or getattr(item, flag) for item in bpy.data.objects])
    for item in off[-1:]:
        setattr(item, flag, True)


def _set(item: bpy.types.Object, flag: str, value: bool) -> None:
    if getattr(item, flag) != value:  # to set it takes Blender much longer than to ask
        setattr(item, flag, value)


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


def _in_others(scene: bpy.types.Scene) -> set[bpy.types.Object]:
    """What is not shown by this scene alone: it is in another one as well, or in a collection that is placed."""
    own = {scene.collection, *scene.collection.children_recursive}
    holders = [*bpy.data.collections, *(other.collection for other in bpy.data.scenes)]
    return {item for holder in holders if holder not in own for item in holder.objects}
