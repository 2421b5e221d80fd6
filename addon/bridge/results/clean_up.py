"""What a chain of jobs leaves behind: hidden objects that a result was made from, and the data that only they use."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import bpy

from ..objects import companions, provenance
from ..objects.hidden import is_hidden

_HOLDERS = (bpy.types.Scene, bpy.types.Collection, bpy.types.WindowManager, bpy.types.WorkSpace, bpy.types.Screen)
"""What has objects in it without needing them."""

_OBJECTS_FIRST = ("objects", "meshes", "armatures", "materials", "node_groups", "textures", "images", "actions")


class Leftovers(NamedTuple):
    """What can be removed, and what was found but has to stay.

    Attributes:
        blocks: All that goes, objects first.
        kept: Name of an object that stays → why.
    """

    blocks: list[bpy.types.ID]
    kept: dict[str, str]

    @property
    def objects(self) -> list[bpy.types.Object]:
        """The objects that go."""
        return [block for block in self.blocks if isinstance(block, bpy.types.Object)]


def find(targets: Sequence[bpy.types.Object], uploads: str, *, with_own: bool) -> Leftovers:
    """The leftovers of the chains that ended in some results. It takes as long as looking whether they were edited.

    Args:
        targets: The results. What moves them and what they move stays with them.
        uploads: The capability that brings a user's own model into the service.
        with_own: Whether the user's own models, from which chains began, may go as well.
    """
    found = [item for item in provenance.earlier_than(targets) if item not in targets]
    kept = {item.name: words for item in found if (words := _reason_to_stay(item, uploads, with_own=with_own))}
    going = {item for item in found if item.name not in kept}
    _add_rigs(going, kept)
    _add_empties(going)
    going.difference_update(targets)
    _drop_used(going, kept)
    return Leftovers(_with_data(going), kept)


def remove(leftovers: Leftovers) -> None:
    """Removes them from the file, and collections of ours that have nothing in them any more."""
    holders = {holder for item in leftovers.objects for holder in item.users_collection}
    for item in leftovers.objects:
        bpy.data.objects.remove(item)
    bpy.data.batch_remove([block for block in leftovers.blocks[len(leftovers.objects) :]])
    for holder in holders:
        if companions.PROPERTY in holder and not holder.objects and not holder.children:
            bpy.data.collections.remove(holder)


def _reason_to_stay(item: bpy.types.Object, uploads: str, *, with_own: bool) -> str:
    task = provenance.common_task([item])
    if task is not None and task.capability == uploads and not with_own:
        return "your own model"
    if item.library is not None or item.override_library is not None:
        return "linked"
    if not is_hidden(item):
        return "visible"
    if item.use_fake_user or item.asset_data is not None:
        return "kept by you"
    return "" if provenance.is_unchanged(item) else "edited"


def _add_rigs(going: set[bpy.types.Object], kept: dict[str, str]) -> None:
    """Adds the rigs of what goes. A rig that has to stay keeps what it moves."""
    for rig in {rig for item in going if (rig := item.find_armature()) is not None}:
        moved = {item for item in bpy.data.objects if item.type == "MESH" and item.find_armature() == rig}
        if not is_hidden(rig):
            words = "its rig is visible"
        elif not companions.is_unchanged(rig):
            words = "its rig was edited"
        elif not moved <= going:
            words = "its rig moves others too"
        else:
            going.add(rig)
            continue
        kept.update({item.name: words for item in moved & going})
        going -= moved


def _add_empties(going: set[bpy.types.Object]) -> None:
    """Adds what only holds what goes."""
    pending = list(going)
    while pending:
        parent = pending.pop().parent
        if parent is None or parent in going or parent.type != "EMPTY":
            continue
        if companions.is_unchanged(parent) and set(parent.children) <= going:
            going.add(parent)
            pending.append(parent)


def _drop_used(going: set[bpy.types.Object], kept: dict[str, str]) -> None:
    """Keeps what something else needs: as a parent, in a modifier, a constraint, a driver, an instance."""
    users = bpy.data.user_map(subset=going)
    instanced = {item.instance_collection for item in bpy.data.objects if item.instance_collection is not None}
    shown = {item for holder in instanced for item in holder.all_objects}
    while True:
        used = {item for item in going if item in shown or _others(users[item], going)}
        if not used:
            return
        # What deforms together stays together.
        used |= {item for item in going if item.type == "MESH" and item.find_armature() in used}
        used |= {rig for item in used if item.type == "MESH" and (rig := item.find_armature()) in going}
        kept.update({item.name: "used elsewhere" for item in used})
        going -= used


def _others(users: Iterable[bpy.types.ID], going: set[bpy.types.Object]) -> bool:
    return any(user not in going and not isinstance(user, _HOLDERS) for user in users)


def _with_data(going: set[bpy.types.Object]) -> list[bpy.types.ID]:
    """The objects, and the data that nothing else uses and nobody wants kept."""
    tables = {name: list(getattr(bpy.data, name)) for name in _OBJECTS_FIRST[1:]}
    keys = list(bpy.data.shape_keys)
    users = bpy.data.user_map(subset={*keys, *(block for blocks in tables.values() for block in blocks)})
    gone: set[bpy.types.ID] = set(going)
    while more := {block for block in users if block not in gone and _goes_too(block, users, gone)}:
        gone |= more
    data = [block for blocks in tables.values() for block in blocks if block in gone]
    return [*sorted(going, key=lambda item: item.name), *data]


def _goes_too(block: bpy.types.ID, users: Mapping[bpy.types.ID, set[bpy.types.ID]], gone: set[bpy.types.ID]) -> bool:
    """Whether all that uses a datablock goes. What nothing used before is not ours to remove."""
    if block.use_fake_user or block.asset_data is not None or block.library is not None:
        return False
    return bool(users[block]) and users[block] <= gone
