"""Carries vertex groups and colours from the surface of a source to that of its result: Blender's Data Transfer."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import bpy
from mathutils import Matrix

MOST_WEIGHTED = 32_768
"""Vertices up to which a result gets vertex groups: those of more would hold up the Blender that appends them."""

_WEIGHTS = ("VGROUP_WEIGHTS", {"vert_mapping": "POLYINTERP_NEAREST"})
_OF_POINTS = ("COLOR_VERTEX", {"vert_mapping": "POLYINTERP_NEAREST"})
_INWARD = 0.01
"""How far towards the middle of its face a corner is looked for: on an edge two faces of the source are as near."""


def transfer(sources: Mapping[bpy.types.Object, bpy.types.Mesh], matrix: Matrix) -> None:
    """Gives results the vertex groups and colours of their sources.

    Args:
        sources: The source's mesh for each result.
        matrix: Where these meshes are in the scene.
    """
    for item, mesh in sources.items():
        source = bpy.data.objects.new("Source", mesh)
        source.matrix_world = matrix
        bpy.context.scene.collection.objects.link(source)
        _transfer(source, item)
        bpy.data.objects.remove(source)


def _transfer(source: bpy.types.Object, item: bpy.types.Object) -> None:
    layer = bpy.context.view_layer
    layer.update()  # it still counts what was removed among the selected
    for other in layer.objects:
        other.select_set(False)
    for one in (source, item):
        one.hide_set(False)
        one.select_set(True)
    layer.objects.active = source
    layer.update()
    domains = {attribute.domain for attribute in source.data.color_attributes}
    came_with_bones = any(modifier.type == "ARMATURE" for modifier in item.modifiers)
    if source.vertex_groups and not came_with_bones:
        _call(*_WEIGHTS)
        if len(item.data.vertices) > MOST_WEIGHTED:
            _groups_to_attributes(item)
    if "POINT" in domains:
        _call(*_OF_POINTS)
    for attribute in source.data.color_attributes:
        if attribute.domain == "CORNER":
            _transfer_corners(source, item, attribute)
    _choose_colours(source.data, item.data)


def _call(kind: str, mapping: dict[str, str]) -> None:
    bpy.ops.object.data_transfer(
        data_type=kind,
        use_create=True,
        layers_select_src="ALL",
        layers_select_dst="NAME",
        mix_mode="REPLACE",
        use_object_transform=True,
        **mapping,
    )


def _transfer_corners(source: bpy.types.Object, item: bpy.types.Object, attribute: Any) -> None:
    """Colours of corners, which differ from face to face; Data Transfer mixes them up or takes minutes."""
    import numpy as np

    probe = item.copy()
    bpy.context.scene.collection.objects.link(probe)
    group = _sampling_group(source, attribute.name)
    probe.modifiers.clear()
    probe.modifiers.new("Sample", "NODES").node_group = group
    sampled = probe.evaluated_get(bpy.context.evaluated_depsgraph_get()).data.attributes[_SAMPLED]
    values = np.empty(len(sampled.data) * 4, np.float32)
    sampled.data.foreach_get("color", values)
    bpy.data.objects.remove(probe)
    bpy.data.node_groups.remove(group)
    mesh: Any = item.data
    old = mesh.attributes.get(attribute.name)
    if old is not None:
        mesh.attributes.remove(old)
    made = mesh.color_attributes.new(attribute.name, attribute.data_type, "CORNER")
    made.data.foreach_set("color", values)


_SAMPLED = "sampled"


def _sampling_group(source: bpy.types.Object, name: str) -> bpy.types.NodeTree:
    """Nodes that store on every corner what the nearest place of the source's surface has under a name."""
    group: Any = bpy.data.node_groups.new("Sample", "GeometryNodeTree")
    for direction in ("INPUT", "OUTPUT"):
        group.interface.new_socket("Geometry", in_out=direction, socket_type="NodeSocketGeometry")
    kinds = ("NodeGroupInput", "NodeGroupOutput", "GeometryNodeObjectInfo", "GeometryNodeInputNamedAttribute")
    given, made, there, colour = (group.nodes.new(kind) for kind in kinds)
    kinds = ("GeometryNodeInputPosition", "GeometryNodeFieldOnDomain", "ShaderNodeMix")
    place, middle, mix = (group.nodes.new(kind) for kind in kinds)
    sample, store = (group.nodes.new(f"GeometryNode{kind}") for kind in ("SampleNearestSurface", "StoreNamedAttribute"))
    there.transform_space = "RELATIVE"
    there.inputs["Object"].default_value = source
    colour.data_type = sample.data_type = store.data_type = "FLOAT_COLOR"
    colour.inputs["Name"].default_value = name
    store.inputs["Name"].default_value = _SAMPLED
    store.domain = "CORNER"
    middle.data_type, middle.domain = "FLOAT_VECTOR", "FACE"
    mix.data_type = "VECTOR"
    _input(mix, "Factor").default_value = _INWARD
    link = group.links.new
    link(place.outputs[0], _input(middle, "Value"))
    link(place.outputs[0], _input(mix, "A"))
    link(_output(middle), _input(mix, "B"))
    link(_output(there, "Geometry"), _input(sample, "Mesh"))
    link(_output(colour), _input(sample, "Value"))
    link(_output(mix), _input(sample, "Sample Position"))
    link(given.outputs[0], _input(store, "Geometry"))
    link(_output(sample), _input(store, "Value"))
    link(_output(store), made.inputs[0])
    return group


def _input(node: Any, name: str) -> Any:
    """The input of a name that is in use: nodes have one for each kind of value."""
    return next(socket for socket in node.inputs if socket.name == name and socket.enabled)


def _output(node: Any, name: str = "") -> Any:
    return next(socket for socket in node.outputs if socket.enabled and name in ("", socket.name))


def _groups_to_attributes(item: bpy.types.Object) -> None:
    """The weights as plain attributes under the groups' names: these are appended at once, however many they are."""
    import numpy as np

    mesh: Any = item.data
    weights = np.zeros((len(item.vertex_groups), len(mesh.vertices)), np.float32)
    for vertex in mesh.vertices:
        for element in vertex.groups:
            weights[element.group, vertex.index] = element.weight
    names = [group.name for group in item.vertex_groups]
    item.vertex_groups.clear()
    for name, values in zip(names, weights, strict=True):
        mesh.attributes.new(name, "FLOAT", "POINT").data.foreach_set("value", values)


def _choose_colours(source: Any, target: Any) -> None:
    """The active colours, and those that are rendered, are the same ones."""
    for choice in ("active_color_name", "default_color_name"):
        name = getattr(source.attributes, choice)
        if name and name in target.color_attributes:
            setattr(target.attributes, choice, name)
