"""What becomes of the sources once their result is there: hidden, put into a hidden collection, or left as they are."""

from __future__ import annotations

from collections.abc import Sequence

import bpy

from ...core.jobs.job import Placement
from . import visibility

COLLECTION = "Sources"
"""The collection of a scene that sources go into."""


def put_away(sources: Sequence[bpy.types.Object], placement: Placement, scene: bpy.types.Scene) -> None:
    """Does with the sources what was chosen; all of it belongs to the step of undo that brings the result in."""
    if placement.collects_source:
        movable = [item for item in sources if _is_movable(item, scene)]
        if movable:
            _collect(movable, scene)
        sources = [item for item in sources if item not in movable]
    elif not placement.hide_source:
        return
    visibility.hide(sources, scene)


def take_back(sources: Sequence[bpy.types.Object], name: str, scene: bpy.types.Scene) -> None:
    """Takes sources out of the hidden collection again, into the collection of that name or the scene's own."""
    target = next((holder for holder in scene.collection.children_recursive if holder.name == name), scene.collection)
    for item in sources:
        holders = [holder for holder in item.users_collection if _is_ours(holder)]
        if holders and item.name not in target.objects:
            target.objects.link(item)
        for holder in holders:
            if holder != target:
                holder.objects.unlink(item)


def _collect(sources: Sequence[bpy.types.Object], scene: bpy.types.Scene) -> None:
    collection = next(
        (child for child in scene.collection.children if child.name.startswith(COLLECTION) and _is_ours(child)), None
    )
    if collection is None:
        collection = bpy.data.collections.new(COLLECTION)
        scene.collection.children.link(collection)
        collection.hide_render = True
        collection[_MARK] = True
        for layer in scene.view_layers:  # the eye in the outliner: one click shows all of them as they were
            layer.layer_collection.children[collection.name].hide_viewport = True
    for item in sources:
        for holder in list(item.users_collection):
            if holder != collection:
                holder.objects.unlink(item)
        if item.name not in collection.objects:
            collection.objects.link(item)


_MARK = "asset_generation_sources"


def _is_ours(collection: bpy.types.Collection) -> bool:
    return _MARK in collection and collection.library is None


def _is_movable(item: bpy.types.Object, scene: bpy.types.Scene) -> bool:
    """Whether an object can be taken out of its collections without any other scene noticing."""
    return list(item.users_scene) == [scene] and all(holder.is_editable for holder in item.users_collection)
