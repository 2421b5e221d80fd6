"""Which objects of a result need no .blend to come in: what there is of them is a mesh, a place and a parent.

Blender takes an object into a file by a look at all that is in it, so hundreds at once hold it up for a tenth of a
second and ten thousand for half a minute. To make a plain one anew takes 50 microseconds, however many there are, and
can be done a few at a time; so a background Blender finds out which are plain and writes them down
(:mod:`.mesh_slices`).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import bpy

_LEAST = 25  # as many are read in a few milliseconds
_MOST_FACES = 100_000
"""To tell a mesh where its faces begin takes Blender 40 ms for a million, in one go."""

_OURS = "asset_generation"
_SIMPLE = frozenset({"BOOLEAN", "INT", "FLOAT", "STRING", "ENUM"})
_WRITTEN = frozenset(
    {
        *("name", "location", "rotation_mode", "rotation_euler", "rotation_quaternion", "rotation_axis_angle", "scale"),
        *("matrix_basis", "matrix_local", "matrix_world", "matrix_parent_inverse", "dimensions"),
    }
)
"""Settings of an object that are written down, and what follows from them."""

_DERIVED = frozenset({"tag", "texspace_location", "texspace_size"})
_BY_LAYERS = ("uv_layer_",)


def plain_objects(collection: bpy.types.Collection) -> list[bpy.types.Object]:
    """The objects of a prepared result that can be made anew, in the order of their names; none where there are few.

    They differ from a new object in nothing but their name, place, parent, mesh and facts, their meshes from a new mesh
    in nothing but arrays and materials, and nothing but their parent refers to another datablock or they to it.
    """
    candidates = {item for item in collection.objects if _has_nothing_more(item)}
    if len(candidates) < _LEAST:
        return []
    defaults = _Defaults()
    try:
        candidates = {item for item in candidates if defaults.has(item) and defaults.has(item.data)}
    finally:
        defaults.remove()
    users = bpy.data.user_map(subset={*candidates, *(item.data for item in candidates)})
    holders = (bpy.types.Collection, bpy.types.Scene)
    candidates = {item for item in candidates if all(isinstance(user, holders) for user in users[item])}
    found = [item for item in candidates if users[item.data] <= candidates]
    return sorted(found, key=lambda item: str(item.name)) if len(found) >= _LEAST else []


def _has_nothing_more(item: bpy.types.Object) -> bool:
    """Whether an object is a mesh of moderate size without anything that stands in lists and datablocks of its own."""
    if item.type != "MESH" or not 0 < len(item.data.polygons) <= _MOST_FACES:
        return False
    mesh = item.data
    more = (item.animation_data, item.rigid_body, mesh.animation_data, mesh.shape_keys)
    lists = (item.modifiers, item.constraints, item.vertex_groups, item.particle_systems, *mesh.keys())
    if any(thing is not None for thing in more) or any(len(things) for things in lists):
        return False
    if item.parent is not None and (item.parent_type != "OBJECT" or item.parent.type == "LATTICE"):
        return False
    own = all(name.startswith(_OURS) for name, _ in item.items())
    return own and all(slot.link == "DATA" for slot in item.material_slots)


class _Defaults:
    """What a new object and a new mesh are like."""

    def __init__(self) -> None:
        self._mesh = bpy.data.meshes.new("new")
        self._item = bpy.data.objects.new("new", self._mesh)
        self._known = {type(block): dict(_settings(block)) for block in (self._item, self._mesh)}

    def has(self, block: bpy.types.ID) -> bool:
        """Whether a block has all settings of a new one."""
        return dict(_settings(block)) == self._known[type(block)]

    def remove(self) -> None:
        """Removes what they were read from."""
        bpy.data.batch_remove([self._item, self._mesh])


def _settings(block: bpy.types.ID) -> Iterator[tuple[str, Any]]:
    """The plain settings of an object or a mesh: name and value, lists as tuples."""
    for prop in block.bl_rna.properties:
        name = prop.identifier
        if prop.type not in _SIMPLE or prop.is_readonly or name in _WRITTEN or name in _DERIVED:
            continue
        if name.startswith(_BY_LAYERS):
            continue
        value = getattr(block, name)
        yield name, tuple(value) if getattr(prop, "is_array", False) else value
