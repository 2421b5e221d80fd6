"""A model that comes in parts: they get a collection of their own, and names of the model and of the part."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

import bpy

from ...core.jobs.job import JobView, Placement
from ..objects import companions

_MODEL = "model"
_SIDES = {"left": "L", "right": "R", "l": "L", "r": "R"}
_BETWEEN = re.compile(r"[\s_]+")
_SIDED = re.compile(r".*[._-][LR]", re.IGNORECASE)
"""Names that have their side already, as Blender writes and mirrors it."""


def model_name(job: JobView, placement: Placement | None, sources: Sequence[bpy.types.Object]) -> str:
    """What the whole is called: as its only source, as the model whose parts the sources are, else as its job."""
    names = [item.name for item in sources] or ([name for name, _ in placement.sources] if placement else [])
    home = _home(sources)
    if home is not None:
        return str(home[companions.PROPERTY][_MODEL])
    from ...core.status.result_names import split  # here: it needs the contract, which enabling must not import

    return split(names[0])[0] if len(names) == 1 else job.title or job.name


def new_collection(name: str, parent: bpy.types.Collection) -> bpy.types.Collection:
    """A collection for the parts of a model, inside another one; beside it where that has parts itself."""
    if _is_ours(parent):
        parent = next((other for other in _all_collections() if parent.name in other.children), parent)
    collection = bpy.data.collections.new(f"{name} parts")
    collection[companions.PROPERTY] = {_MODEL: name}
    parent.children.link(collection)
    return collection


def name_parts(own_names: Mapping[bpy.types.Object, str], name: str) -> None:
    """Names parts after their model and what the service calls them: "Knight arm.L" for its "arm_left".

    Args:
        own_names: Its meshes, and what they were called in the file that came; empty where that is not known.
        name: Of the model.
    """
    for item, own in own_names.items():
        item.name = item.data.name = f"{name} {in_words(own or item.name)}"


def in_words(part: str) -> str:
    """What a service calls a part, as a person writes it, and with its side where Blender looks for it."""
    if _SIDED.fullmatch(part):
        return _BETWEEN.sub(" ", part)
    words = _BETWEEN.split(part.strip())
    sides = [word for word in words if word.lower() in _SIDES]
    if len(sides) != 1 or len(words) == 1:
        return " ".join(words)
    words.remove(sides[0])
    return f"{' '.join(words)}.{_SIDES[sides[0].lower()]}"


def _home(items: Sequence[bpy.types.Object]) -> bpy.types.Collection | None:
    """The collection of parts that all of these objects are in."""
    homes: dict[bpy.types.Object, bpy.types.Collection] = {}
    for holder in filter(_is_ours, bpy.data.collections):
        for item in holder.objects:
            homes.setdefault(item, holder)
    found = {homes.get(item) for item in items}
    return found.pop() if len(found) == 1 else None


def _is_ours(collection: bpy.types.Collection) -> bool:
    values = collection.get(companions.PROPERTY)
    return values is not None and _MODEL in values


def _all_collections() -> list[bpy.types.Collection]:
    return [*(scene.collection for scene in bpy.data.scenes), *bpy.data.collections]
