"""What the demo works on: a richly detailed Suzanne."""

from __future__ import annotations

import bpy
import numpy as np

SUBDIVISIONS = 4  # 968 triangles become 251,904
_CLAY = np.array([0.42, 0.16, 0.09])
_CREAM = np.array([0.85, 0.72, 0.52])


def add_suzanne() -> bpy.types.Object:
    """Adds a subdivided, displaced and two-coloured Suzanne of about 250,000 triangles and makes it the selection.

    It is turned and moved a little, because a result that lands on a source at the origin proves nothing.
    """
    bpy.ops.mesh.primitive_monkey_add(location=(0.4, -0.3, 1.1), rotation=(0.0, 0.0, 0.35))
    suzanne = bpy.context.active_object
    subdivide = suzanne.modifiers.new("Subdivision", "SUBSURF")
    subdivide.levels = subdivide.render_levels = SUBDIVISIONS
    clouds = bpy.data.textures.new("Bumps", "CLOUDS")
    clouds.noise_scale, clouds.noise_depth = 0.12, 4
    displace = suzanne.modifiers.new("Displace", "DISPLACE")
    displace.texture, displace.strength = clouds, 0.06
    for modifier in list(suzanne.modifiers):
        bpy.ops.object.modifier_apply(modifier=modifier.name)
    _colour(suzanne)
    bpy.ops.object.shade_smooth()
    return suzanne


def _colour(suzanne: bpy.types.Object) -> None:
    """Bands of two colours that follow the surface, as vertex colours with a material that shows them."""
    mesh = suzanne.data
    positions = np.empty(len(mesh.vertices) * 3, dtype=np.float32)
    mesh.vertices.foreach_get("co", positions)
    x, y, z = positions.reshape(-1, 3).T
    share = (np.sin(14 * z + 3 * np.sin(4 * x) + 2 * y) * 0.5 + 0.5)[:, None]
    colours = np.ones((len(mesh.vertices), 4), dtype=np.float32)
    colours[:, :3] = _CLAY * (1 - share) + _CREAM * share
    attribute = mesh.color_attributes.new("Clay", "FLOAT_COLOR", "POINT")
    attribute.data.foreach_set("color", colours.ravel())
    mesh.color_attributes.active_color = attribute

    material = bpy.data.materials.new("Clay")
    material.use_nodes = True
    nodes, links = material.node_tree.nodes, material.node_tree.links
    source = nodes.new("ShaderNodeVertexColor")
    source.layer_name = attribute.name
    shader = nodes["Principled BSDF"]
    shader.inputs["Roughness"].default_value = 0.7
    links.new(source.outputs["Color"], shader.inputs["Base Color"])
    mesh.materials.append(material)
