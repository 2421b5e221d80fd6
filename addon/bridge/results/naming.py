"""Names the objects of a result after their sources and what was done, and what belongs to them after the objects."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any

import bpy

from ...core.jobs.job import JobView, Placement
from .pairs import Pair

_ROLES = {
    "Base Color": "Base Color",
    "Color": "Base Color",
    "Metallic": "Metallic",
    "Roughness": "Roughness",
    "Normal": "Normal",
    "Emission Color": "Emission",
    "Emission": "Emission",
    "Occlusion": "Occlusion",
    "Alpha": "Alpha",
}
"""Inputs of a shader → what an image that leads there is for."""

_WITH_OWN_MATERIALS = 50
"""The most objects that each get materials of their own. Of more nobody edits one by one, and each copy takes Blender a
millisecond or more, while it stands still.
"""


def name_result(
    objects: Sequence[bpy.types.Object],
    pairs: Sequence[Pair],
    job: JobView,
    placement: Placement | None,
    own_names: Mapping[bpy.types.Object, str],
) -> None:
    """Names objects, meshes, rigs, materials and images of a result.

    Args:
        objects: All of it.
        pairs: Its meshes, with their sources.
        job: What made it.
        placement: What it was made of.
        own_names: What its meshes were called in the file that came.
    """
    from ...core.status.result_names import Title  # here: it needs the contract, which enabling must not import

    titles = _titles(pairs, job, placement, own_names)
    objects_here, meshes_here = Names(bpy.data.objects), Names(bpy.data.meshes)
    takes_name = placement is not None and placement.takes_name
    for item, source in pairs:
        title = titles.get(item)
        if title is None:
            continue
        if source is not None and takes_name and source.is_editable:
            title = titles[item] = Title(source.name)
            objects_here.give(source, Title(source.name, "source"))
        objects_here.give(item, title)
        meshes_here.give(item.data, title)
    _name_rigs(objects, titles, takes_name)
    _name_materials(titles, own_names, _several(pairs, job, placement))


def likely_titles(job: JobView) -> Callable[[str], Any]:
    """What gives a mesh of a result the title that it most likely gets in the end, by its name in the file that came;
    None where that cannot be told before it is paired with its source.

    What is made under its name need not be renamed when it is placed, for which Blender goes through all that there is.
    """
    from ...core.status.result_names import title_of_result

    placement = job.plan.delivery.placement if job.plan is not None else None
    if placement is None or placement.takes_name or job.gives_parts or not job.steps:
        return lambda _: None
    recorded = {name for name, _ in placement.sources}
    capability = job.steps[-1].capability
    return lambda own: title_of_result(own, capability) if own in recorded else None


def _titles(
    pairs: Sequence[Pair], job: JobView, placement: Placement | None, own_names: Mapping[bpy.types.Object, str]
) -> dict[bpy.types.Object, Any]:
    """The title of every mesh that gets one; a source that is gone from the file has left its name on record."""
    from ...core.status.result_names import Title, title_of_result

    capability = job.steps[-1].capability if job.steps else ""
    recorded = [name for name, _ in placement.sources] if placement is not None else []
    if len(pairs) == 1 and not recorded:
        return {pairs[0][0]: Title(job.title)} if job.title else {}
    names = {item: source.name if source is not None else own_names.get(item, "") for item, source in pairs}
    titles = {
        item: title_of_result(names[item], capability)
        for item, source in pairs
        if source is not None or names[item] in recorded
    }
    if len(pairs) == 1 and not titles:
        titles[pairs[0][0]] = _several(pairs, job, placement)
    return titles


def _several(pairs: Sequence[Pair], job: JobView, placement: Placement | None) -> Any:
    """The title of what the whole result has in common."""
    from ...core.status.result_names import Title, title_of_several

    names = [source.name for _, source in pairs if source is not None]
    names = names or ([name for name, _ in placement.sources] if placement is not None else [])
    capability = job.steps[-1].capability if job.steps else ""
    return title_of_several(names, capability) if names else Title(job.title or job.name)


class Names:
    """The names of all datablocks of a kind. Blender looks for each by going through all of them."""

    def __init__(self, blocks: Iterable[bpy.types.ID]) -> None:
        self._taken = {block.name for block in blocks}

    def take(self, title: Any) -> str:
        """The first name of a title that nothing has, for a datablock that is about to be made."""
        name: str = title.free(self._taken.__contains__)
        self._taken.add(name)
        return name

    def give(self, block: bpy.types.ID, title: Any, extra: str = "") -> None:
        """Gives a datablock the first name of a title that no other one has."""
        own = block.name
        name = title.free(lambda name: name != own and name in self._taken, extra)
        if name != own:
            block.name = name
            self._taken.discard(own)
            self._taken.add(block.name)


def _name_rigs(objects: Sequence[bpy.types.Object], titles: Mapping[bpy.types.Object, Any], takes_name: bool) -> None:
    """A single rig of a single mesh is that mesh's."""
    from ...core.status.result_names import Title, split

    rigs = [item for item in objects if item.type == "ARMATURE"]
    if len(rigs) != 1 or len(titles) != 1:
        return
    title = Title(split(next(iter(titles.values())).subject)[0], "Rig")
    Names(bpy.data.objects).give(rigs[0], title)
    Names(bpy.data.armatures).give(rigs[0].data, title)


def _name_materials(
    titles: Mapping[bpy.types.Object, Any], own_names: Mapping[bpy.types.Object, str], several: Any
) -> None:
    """Materials are their object's own, but of many objects; what several show keeps to what they have in common."""
    users: dict[bpy.types.Image, list[tuple[Any, str]]] = defaultdict(list)
    roles: dict[bpy.types.Image, set[str]] = defaultdict(set)
    given: set[bpy.types.Material] = set()
    shared = _shared_materials(titles)
    materials_here, images_here = Names(bpy.data.materials), Names(bpy.data.images)
    for item, title in titles.items():
        materials = _materials(item)
        for number, material in enumerate(materials, 1):
            if material in shared:
                if material in given:
                    continue
                owner, extra = several, _extra(material.name, shared[material], len(shared), several)
            else:
                owner, extra = title, _extra(material.name, number, len(materials), title, own_names.get(item, ""))
                if material in given:
                    material = _own_copy(item, material)
            given.add(material)
            materials_here.give(material, owner, extra)
            for image, role in _images(material):
                roles[image].add(role)
                if (owner, extra) not in users[image]:
                    users[image].append((owner, extra))
    for image, owners in users.items():
        title, extra = owners[0] if len(owners) == 1 else (several, "")
        words = " ".join(filter(None, (extra, _role(roles[image], image.name))))
        images_here.give(image, title, words)


def _materials(item: bpy.types.Object) -> list[bpy.types.Material]:
    return list(dict.fromkeys(slot.material for slot in item.material_slots if slot.material is not None))


def _shared_materials(items: Collection[bpy.types.Object]) -> dict[bpy.types.Material, int]:
    """The materials that objects keep in common, with a number for each."""
    if len(items) <= _WITH_OWN_MATERIALS:
        return {}
    uses = Counter(material for item in items for material in _materials(item))
    return {material: number for number, material in enumerate((some for some, count in uses.items() if count > 1), 1)}


def _extra(name: str, number: int, count: int, title: Any, *owners: str) -> str:
    """What tells one material of an object from its others."""
    from ...core.status.result_names import sensible

    if count == 1:
        return ""
    return sensible(name, title.named(), title.subject, *owners) or str(number)


def _own_copy(item: bpy.types.Object, material: bpy.types.Material) -> bpy.types.Material:
    copy = material.copy()
    for slot in item.material_slots:
        if slot.material == material:
            slot.material = copy
    return copy


def _images(material: bpy.types.Material) -> Iterator[tuple[bpy.types.Image, str]]:
    """The images of a material, each with what it is for; empty where that is not clear."""
    tree = material.node_tree
    for node in tree.nodes if tree is not None else ():
        image = getattr(node, "image", None)
        if isinstance(image, bpy.types.Image):
            ends = {role for socket in node.outputs for role in _ends(socket, set())}
            yield from ((image, role) for role in ends or {""})


def _ends(socket: bpy.types.NodeSocket, seen: set[str]) -> Iterator[str]:
    """What the inputs of shaders are called that a socket leads to."""
    for link in socket.links:
        node = link.to_node
        if node.type.startswith("BSDF") or node.type in {"EMISSION", "GROUP"}:
            if link.to_socket.name in _ROLES:
                yield _ROLES[link.to_socket.name]
        elif node.name not in seen:
            seen.add(node.name)
            for output in node.outputs:
                yield from _ends(output, seen)


def _role(roles: Collection[str], name: str) -> str:
    """What an image is for, in words; else what its own name says."""
    from ...core.status.result_names import sensible

    known = set(roles) - {""}
    if "Base Color" in known:
        return "Base Color"  # its opacity, too
    if {"Metallic", "Roughness"} & known:
        return " ".join(sorted({"Metallic", "Roughness", "Occlusion"} & known))
    return next(iter(sorted(known)), "") or sensible(name) or "Texture"
