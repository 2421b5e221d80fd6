"""In which collections the objects of a result are: in all of those of their source."""

from __future__ import annotations

from collections.abc import Sequence

import bpy

from .owners import Owned


def collections_of(scene: bpy.types.Scene, item: bpy.types.Object) -> list[bpy.types.Collection]:
    """The collections of this scene that hold an object and can be added to."""
    here = {scene.collection, *scene.collection.children_recursive}
    return [
        collection
        for collection in item.users_collection
        if collection in here and collection.library is None and collection.override_library is None
    ]


def follow_collections(roots: Sequence[Owned], scene: bpy.types.Scene) -> None:
    """Links the objects of a result into all collections that their sources are in, and into no other."""
    for item, sources in roots:
        wanted = dict.fromkeys(collection for source in sources for collection in collections_of(scene, source))
        if not wanted:
            continue
        for part in (item, *item.children_recursive):
            for collection in wanted:
                if part.name not in collection.objects:
                    collection.objects.link(part)
            for collection in part.users_collection:
                if collection not in wanted:
                    collection.objects.unlink(part)
