"""What Geometry Nodes place without making it part of a mesh: an upload has it, the evaluated mesh has not."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import bpy
from mathutils import Matrix


def instances_of(
    objects: Sequence[bpy.types.Object], depsgraph: bpy.types.Depsgraph
) -> Iterator[tuple[bpy.types.Object, bpy.types.Mesh, Matrix]]:
    """The meshes with faces that the objects place, each with the object that places it and its world matrix.

    Mesh and matrix are good until the next step only: Blender makes them one by one.
    """
    placing = [item for item in objects if any(modifier.type == "NODES" for modifier in item.modifiers)]
    if not placing:
        return
    for instance in depsgraph.object_instances:
        if not instance.is_instance or instance.parent is None or instance.parent.original not in placing:
            continue
        if instance.object.type == "MESH" and len(instance.object.data.polygons):
            yield instance.parent.original, instance.object.data, instance.matrix_world
