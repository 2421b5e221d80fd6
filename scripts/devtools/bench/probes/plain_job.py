"""What somebody would write for Blender alone: ``plain_job.py decimate|texture SOURCE.blend FACES OUT.blend``.

Nothing of the extension is in it. It makes the maps that the extension's job makes, at their sizes.
"""

from __future__ import annotations

import os
import sys
from typing import Any

import bpy

_SIZES = {"decimate": 2048, "texture": 1024}
_APART = 0.01  # of the model's largest side: from how far outside the rays of a bake start


def main() -> None:
    """Does it all, and leaves without Blender's clean-up, as the background Blenders of the extension do."""
    work, source, faces, out = sys.argv[1:5]
    bpy.ops.wm.open_mainfile(filepath=source)
    scene = bpy.context.scene
    scene.render.engine = "CYCLES"
    scene.cycles.device = "CPU"
    scene.cycles.samples = 1
    scene.cycles.use_denoising = False
    if work == "decimate":
        _decimate(bpy.data.objects["Suzanne"], int(faces), _SIZES[work])
    else:
        _texture(bpy.data.objects["Suzanne"], _SIZES[work])
    bpy.ops.wm.save_as_mainfile(filepath=out)
    sys.stdout.flush()
    os._exit(0)


def _decimate(high: Any, faces: int, size: int) -> None:
    low = high.copy()
    low.data = high.data.copy()
    bpy.context.collection.objects.link(low)
    _select(low)
    modifier = low.modifiers.new("Decimate", "DECIMATE")
    modifier.ratio = faces / (len(low.data.loops) - 2 * len(low.data.polygons))
    bpy.ops.object.modifier_apply(modifier=modifier.name)
    bpy.ops.object.shade_smooth()
    _unwrap(size)
    low.data.materials.clear()
    material = _new_material(low)
    high.select_set(True)
    apart = max(low.dimensions) * _APART
    color = _bake(material, "DIFFUSE", size, is_data=False, use_selected_to_active=True, cage_extrusion=apart)
    normal = _bake(material, "NORMAL", size, use_selected_to_active=True, cage_extrusion=apart)
    _show(material, color, normal)
    bpy.data.objects.remove(high)


def _texture(item: Any, size: int) -> None:
    """Bakes a material that is there as nodes, channel by channel: metals have no diffuse colour to be baked."""
    _select(item)
    _unwrap(size)
    painted = bpy.data.materials["rusty iron"]
    painted.cycles.emission_sampling = "NONE"  # else Cycles would take every face for a lamp, and need seconds longer
    item.data.materials.clear()
    item.data.materials.append(painted)
    tree = painted.node_tree
    output, surface = tree.nodes["Material Output"], tree.nodes["Principled BSDF"]
    emission = tree.nodes.new("ShaderNodeEmission")
    tree.links.new(emission.outputs[0], output.inputs["Surface"])
    images = {}
    for name in ("Base Color", "Roughness", "Metallic"):
        tree.links.new(surface.inputs[name].links[0].from_socket, emission.inputs["Color"])
        images[name] = _bake(painted, "EMIT", size, is_data=name != "Base Color").image
    tree.links.new(surface.outputs[0], output.inputs["Surface"])
    images["Normal"] = _bake(painted, "NORMAL", size).image
    item.data.materials.clear()
    material = _new_material(item)
    nodes = {name: material.node_tree.nodes.new("ShaderNodeTexImage") for name in images}
    for name, node in nodes.items():
        node.image = images[name]
    for name in ("Roughness", "Metallic"):
        target = material.node_tree.nodes["Principled BSDF"].inputs[name]
        material.node_tree.links.new(nodes[name].outputs[0], target)
    _show(material, nodes["Base Color"], nodes["Normal"])
    bpy.data.materials.remove(painted)


def _select(item: Any) -> None:
    bpy.ops.object.select_all(action="DESELECT")
    item.select_set(True)
    bpy.context.view_layer.objects.active = item


def _unwrap(size: int) -> None:
    bpy.ops.object.mode_set(mode="EDIT")
    bpy.ops.mesh.select_all(action="SELECT")
    bpy.ops.uv.smart_project(island_margin=4 / size)
    bpy.ops.object.mode_set(mode="OBJECT")


def _new_material(item: Any) -> Any:
    material = bpy.data.materials.new("Baked")
    material.use_nodes = True
    item.data.materials.append(material)
    return material


def _bake(material: Any, kind: str, size: int, *, is_data: bool = True, **options: Any) -> Any:
    """The node with a new image that one map was baked into."""
    image = bpy.data.images.new(kind, size, size)
    if is_data:
        image.colorspace_settings.name = "Non-Color"
    node = material.node_tree.nodes.new("ShaderNodeTexImage")
    node.image = image
    material.node_tree.nodes.active = node
    bpy.ops.object.bake(type=kind, pass_filter={"COLOR"}, margin=4, **options)
    image.pack()
    return node


def _show(material: Any, color: Any, normal: Any) -> None:
    tree = material.node_tree
    surface = tree.nodes["Principled BSDF"]
    bend = tree.nodes.new("ShaderNodeNormalMap")
    tree.links.new(color.outputs[0], surface.inputs["Base Color"])
    tree.links.new(normal.outputs[0], bend.inputs["Color"])
    tree.links.new(bend.outputs[0], surface.inputs["Normal"])


main()
