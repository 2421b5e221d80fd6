"""Local View shows some objects of a scene alone: a result has to be among them where its source is."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import bpy


def show(
    objects: Sequence[bpy.types.Object],
    sources: Sequence[bpy.types.Object],
    scene: bpy.types.Scene,
    context: bpy.types.Context,
) -> None:
    """Shows a result in every Local View in which one of its sources is seen, and in that of the context."""
    for window, space in _local_views(scene):
        known = window.view_layer.objects
        if space == context.space_data or any(item.local_view_get(space) for item in sources if item.name in known):
            for item in objects:
                if item.name in known:
                    item.local_view_set(space, True)


def _local_views(scene: bpy.types.Scene) -> Iterator[tuple[bpy.types.Window, bpy.types.SpaceView3D]]:
    for window in bpy.context.window_manager.windows:
        if window.scene == scene:
            for area in window.screen.areas:
                space = area.spaces.active
                if space.type == "VIEW_3D" and space.local_view is not None:
                    yield window, space
