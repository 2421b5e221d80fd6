"""What an object is beside its mesh goes over from a source to its result: how it is shown, its own properties, its
constraints.

Modifiers do not: what they make of a mesh is part of what was uploaded.
"""

from __future__ import annotations

import contextlib
from collections.abc import Collection, Iterator, Mapping, Sequence
from operator import attrgetter
from typing import Any

import bpy

from ...headless import mesh_notes
from ..objects import provenance, transforms
from . import visibility
from .pairs import Pair

_PROPERTIES = (
    *("pass_index", "color", "display_type", "display_bounds_type", "show_bounds", "show_name", "show_axis"),
    *("show_wire", "show_all_edges", "show_texture_space", "show_in_front", "show_transparent"),
    *("hide_probe_volume", "hide_probe_sphere", "hide_probe_plane", "hide_surface_pick"),
    *("lock_location", "lock_rotation", "lock_rotation_w", "lock_rotations_4d", "lock_scale"),
    *("lightgroup", "track_axis", "up_axis", "add_rest_position_attribute"),
)
_GROUPS = ("lineart", "light_linking", "shadow_terminator", "cycles", "display")
"""Settings of an object that are structs of their own."""

_CHANNELS = (
    *("rotation_mode", "location", "rotation_euler", "rotation_quaternion", "rotation_axis_angle", "scale"),
    *("delta_location", "delta_rotation_euler", "delta_rotation_quaternion", "delta_scale"),
)
_OURS = frozenset({provenance.PROPERTY, mesh_notes.NOTE, visibility.NOTE, "cycles"})
_KINDS = frozenset({"BOOLEAN", "INT", "FLOAT", "STRING", "ENUM", "POINTER"})


def carry_over(pairs: Sequence[Pair]) -> None:
    """Gives every result what its source has; what stands with a source exactly gets its constraints, too.

    To be called when the results have their places, parents included, and before the sources are hidden.
    """
    results = {source: item for item, source in pairs if source is not None}
    kinds: dict[type, _Settings] = {}
    for source, item in results.items():
        _copy_settings(source, item, kinds)
        for name in _GROUPS:
            _copy_settings(getattr(source, name, None), getattr(item, name, None), kinds)
        _copy_own_properties(source, item)
        _copy_own_properties(source.data, item.data)
        if _stands_with(item, source):
            _copy_transform(source, item)
            _copy_constraints(source, item, results)


class _Settings:
    """What goes over of a kind of struct. It is compared all at once: of hundreds of objects most have it in common.

    Args:
        properties: Blender's description of all that the struct has.
        names: What of it goes over; None for all that can be set.
    """

    def __init__(self, properties: Any, names: Collection[str] | None) -> None:
        found = [prop for prop in properties if not prop.is_readonly and prop.type in _KINDS]
        wanted = [prop for prop in found if names is None or prop.identifier in names]
        self._arrays = [prop.identifier for prop in wanted if getattr(prop, "is_array", False)]
        self._others = [prop.identifier for prop in wanted if prop.identifier not in self._arrays]

    def differing(self, source: Any, target: Any) -> Iterator[tuple[str, Any]]:
        """Those that two structs do not have in common, with the values of the first: to set one takes Blender much
        longer than to ask for it.
        """
        if self._others and attrgetter(*self._others)(source) != attrgetter(*self._others)(target):
            for name in self._others:
                value = getattr(source, name)
                if value is not None and value != getattr(target, name):
                    yield name, value
        for name in self._arrays:
            value = getattr(source, name)[:]  # two arrays of Blender's are never equal
            if value != getattr(target, name)[:]:
                yield name, value


def _copy_settings(source: Any, target: Any, kinds: dict[type, _Settings]) -> None:
    """Copies the settings of an object, or of a group of them; ``kinds`` are those that were met before."""
    if source is None or target is None:
        return
    if type(source) not in kinds:
        names = _PROPERTIES if isinstance(source, bpy.types.Object) else None
        kinds[type(source)] = _Settings(source.bl_rna.properties, names)
    for name, value in kinds[type(source)].differing(source, target):
        with contextlib.suppress(AttributeError, TypeError):  # not to be set for this one
            setattr(target, name, value)


def _copy_own_properties(source: bpy.types.ID, target: bpy.types.ID) -> None:
    """The custom properties, with their limits and tooltips; those that say where an object came from are its own."""
    for name in list(source.keys()):
        if name in _OURS or name in target:
            continue
        value = source[name]
        value = (
            value.to_dict() if hasattr(value, "to_dict") else value.to_list() if hasattr(value, "to_list") else value
        )
        with contextlib.suppress(AttributeError, TypeError):  # what only the code that wrote it can write again
            target[name] = value
            target.id_properties_ui(name).update_from(source.id_properties_ui(name))


def _stands_with(item: bpy.types.Object, source: bpy.types.Object) -> bool:
    """Whether an object has the parent and the place of its source, so that what moves the source may move it too."""
    if item.animation_data is not None or item.parent != source.parent or item.parent_type != source.parent_type:
        return False
    if item.parent_bone != source.parent_bone:
        return False
    if item.parent is None:
        return transforms.nearly_equal(item.matrix_basis, source.matrix_world)
    above = source.parent.matrix_world @ item.matrix_parent_inverse
    return item.parent_type == "OBJECT" and transforms.nearly_equal(above @ item.matrix_basis, source.matrix_world)


def _copy_transform(source: bpy.types.Object, item: bpy.types.Object) -> None:
    """The very numbers of a transform: rotations beyond a turn, their order, deltas, what constraints start from."""
    item.matrix_parent_inverse = source.matrix_parent_inverse
    for name in _CHANNELS:
        setattr(item, name, getattr(source, name))


def _copy_constraints(
    source: bpy.types.Object, item: bpy.types.Object, results: Mapping[bpy.types.Object, bpy.types.Object]
) -> None:
    """The constraints; those that aim at another source of the same job aim at its result."""
    for constraint in source.constraints:
        copy: Any = item.constraints.copy(constraint)
        target = getattr(copy, "target", None)
        if target in results:
            copy.target = results[target]
