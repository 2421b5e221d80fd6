"""Vertex colours: made visible by a material, so that previews, bakes and exports all see the same thing."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import bpy

from ..mesh.operators import alone, bake_colors
from ..shaders.nodes import NodeGraph
from . import emission, pbr_material

_READERS = {"ShaderNodeVertexColor", "ShaderNodeAttribute"}


def show_vertex_colors(meshes: Iterable[Any]) -> None:
    """Gives meshes that have vertex colours, and no material that shows any colour, one that shows them.

    OBJ, PLY and some GLB files carry vertex colours that Blender reads without using them anywhere.
    """
    for scene_object in meshes:
        mesh = scene_object.data
        attribute = mesh.color_attributes.active_color or (mesh.color_attributes[0] if mesh.color_attributes else None)
        if attribute is None or any(_shows_a_picture(material) for material in mesh.materials if material):
            continue
        mesh.color_attributes.active_color = attribute
        material = bpy.data.materials.new("Vertex Colors")
        graph = NodeGraph(material)
        color = graph.node("ShaderNodeVertexColor", layer_name=attribute.name).outputs[0]
        graph.plug(graph.surface().inputs["Base Color"], color)
        graph.surface().inputs["Roughness"].default_value = 0.7
        pbr_material.assign([scene_object], material)


def paint(objects: Sequence[Any]) -> None:
    """Gives every object vertex colours of what its materials show, where it has none."""
    for scene_object in objects:
        mesh = scene_object.data
        if mesh.color_attributes:
            continue
        emission.ensure_materials(scene_object)
        mesh.color_attributes.active_color = mesh.color_attributes.new("Color", "FLOAT_COLOR", "POINT")
        with emission.emitting(scene_object, "color"), alone(scene_object):
            bake_colors("EMIT", scene_object)


def _shows_a_picture(material: Any) -> bool:
    nodes = material.node_tree.nodes if material.node_tree else ()
    return any(node.bl_idname in _READERS or (node.bl_idname == "ShaderNodeTexImage" and node.image) for node in nodes)
