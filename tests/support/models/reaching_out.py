"""Writes models whose texture, material or part lies outside of their folder. The main script of a process with bpy.

Arguments: the folder of the models, and another one for what they refer to, which holds ``decoy.png`` already.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

import bpy


def main(own: Path, other: Path) -> None:
    bpy.ops.wm.read_homefile(use_factory_startup=True, use_empty=True)
    bpy.ops.mesh.primitive_cube_add()
    material = bpy.data.materials.new("Reaching")
    if not material.node_tree:
        material.use_nodes = True
    node = material.node_tree.nodes.new("ShaderNodeTexImage")
    node.image = bpy.data.images.load(str(other / "decoy.png"))
    principled = material.node_tree.nodes["Principled BSDF"]
    material.node_tree.links.new(node.outputs["Color"], principled.inputs["Base Color"])
    bpy.context.object.data.materials.append(material)
    options = {"export_textures": False, "relative_paths": True}
    known = bpy.ops.wm.usd_export.get_rna_type().properties.keys()
    options = {name: value for name, value in options.items() if name in known}
    if "export_textures_mode" in known:
        options["export_textures_mode"] = "KEEP"
    bpy.ops.export_scene.fbx(filepath=str(own / "model.fbx"), path_mode="RELATIVE")
    bpy.ops.wm.obj_export(filepath=str(own / "model.obj"), path_mode="ABSOLUTE")
    for name in ("model.usdc", "model.usda"):
        bpy.ops.wm.usd_export(filepath=str(own / name), **options)
    bpy.ops.wm.usd_export(filepath=str(other / "part.usda"), **options)


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
    sys.stdout.flush()
    os._exit(0)
