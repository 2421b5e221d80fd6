"""In which collections the objects of a result are: in all of those of their source."""

from __future__ import annotations

from collections.abc import Sequence

import bpy

from .owners import Owned


def collections_of(scene: bpy.types.Scene, item: bpy.types.Object) -> list[bpy.types.Collection]:
    """The collections of this scene that hold an object and can be added to."""
    return _holders(scene).get(item, [])


def _holders(scene: bpy.types.Scene) -> dict[bpy.types.Object, list[bpy.types.Collection]]:
    """For each object of a scene the collections that hold it and can be added to. To ask each object for its own has
    Blender go through all objects for each.
    """
    found: dict[bpy.types.Object, list[bpy.types.Collection]] = {}
    for holder in (*scene.collection.children_recursive, scene.collection):
        if holder.library is None and holder.override_library is None:
            for item in holder.objects:
                found.setdefault(item, []).append(holder)
    return found


def follow_collections(roots: Sequence[Owned], scene: bpy.types.Scene, current: bpy.types.Collection) -> None:
    """Links the objects of a result into all collections that their sources are in, and into no other.

    Args:
        roots: The free-standing objects of the result.
        scene: Where it goes.
        current: The one collection that all of it is in.
    """
    holders = _holders(scene)
    for root in roots:
        wanted = dict.fromkeys(collection for source in root.sources for collection in holders.get(source, ()))
        for part in root.parts if wanted else ():
            for collection in wanted:
                if collection != current:
                    collection.objects.link(part)
            if current not in wanted:
                current.objects.unlink(part)
