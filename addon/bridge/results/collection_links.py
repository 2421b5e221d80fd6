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


def follow_collections(roots: Sequence[Owned], scene: bpy.types.Scene, current: bpy.types.Collection) -> None:
    """Links the objects of a result into all collections that their sources are in, and into no other.

    Args:
        roots: The free-standing objects of the result.
        scene: Where it goes.
        current: The one collection that all of it is in.
    """
    for root in roots:
        wanted = dict.fromkeys(collection for source in root.sources for collection in collections_of(scene, source))
        for part in root.parts if wanted else ():
            for collection in wanted:
                if collection != current:
                    collection.objects.link(part)
            if current not in wanted:
                current.objects.unlink(part)
