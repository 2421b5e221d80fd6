"""A post on two bones, and what moves it, made in Blender: what a service gives that rigs and animates models."""

from __future__ import annotations

import math
import shutil
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import bpy

from support.addon import export_glb

FRAMES = 24
"""Of every motion; it has one pose more, and its last one is the first again where it is a cycle."""

WAY = 2.0
"""How far ``walk`` goes, along Blender's -Y."""

BONES = ("hips", "top")

MOTIONS: dict[str, Callable[[float], tuple[float, float]]] = {
    "walk": lambda phase: (WAY * phase, 0.5 * math.sin(math.tau * phase)),
    "nod": lambda phase: (0.0, 0.8 * math.sin(math.tau * phase)),
    "fall": lambda phase: (0.0, 1.4 * phase),
}
"""Name → share of the time → way of the hips, and angle of the top in radians."""


def make_post(motion: str = "", bones: tuple[str, str] = BONES, *, drive: bool = False) -> bpy.types.Object:
    """Adds the post to the open file, with a motion if one is named; answers with its rig.

    ``bones`` are the names of its bones. With ``drive`` the rig itself travels, and not its hips.
    """
    rig = bpy.data.objects.new("Armature", bpy.data.armatures.new("Armature"))
    bpy.context.scene.collection.objects.link(rig)
    bpy.context.view_layer.objects.active = rig
    bpy.ops.object.mode_set(mode="EDIT")
    for number, name in enumerate(bones):
        bone = rig.data.edit_bones.new(name)
        bone.head, bone.tail = (0, 0, number), (0, 0, number + 1)
        bone.parent = rig.data.edit_bones.get(bones[0]) if number else None
    bpy.ops.object.mode_set(mode="OBJECT")
    corners = [(x, y, z) for z in (0, 1, 2) for x, y in ((-0.2, -0.2), (0.2, -0.2), (0.2, 0.2), (-0.2, 0.2))]
    sides = [(4 * row + a, 4 * row + (a + 1) % 4) for row in range(2) for a in range(4)]
    mesh = bpy.data.meshes.new("post")
    mesh.from_pydata(corners, [], [(a, b, b + 4, a + 4) for a, b in sides] + [(3, 2, 1, 0), (8, 9, 10, 11)])
    material = bpy.data.materials.new("Paint")
    if not material.node_tree:
        material.use_nodes = True
    texture = material.node_tree.nodes.new("ShaderNodeTexImage")
    texture.image = bpy.data.images.new("Paint", 8, 8)
    texture.image.pack()
    shader = next(node for node in material.node_tree.nodes if node.type == "BSDF_PRINCIPLED")
    material.node_tree.links.new(texture.outputs[0], shader.inputs["Base Color"])
    mesh.materials.append(material)
    mesh.uv_layers.new()
    body = bpy.data.objects.new("post", mesh)
    bpy.context.scene.collection.objects.link(body)
    for name, places in zip(bones, (range(0, 6), range(6, 12)), strict=True):
        body.vertex_groups.new(name=name).add(list(places), 1.0, "REPLACE")
    body.parent = rig
    body.modifiers.new("Armature", "ARMATURE").object = rig
    if motion:
        _move(rig, motion, bones, drive=drive)
    return rig


def _move(rig: bpy.types.Object, motion: str, bones: tuple[str, str], *, drive: bool) -> None:
    rig.animation_data_create().action = bpy.data.actions.new(motion)
    hips, top = (rig.pose.bones[name] for name in bones)
    for frame in range(FRAMES + 1):
        way, angle = MOTIONS[motion](frame / FRAMES)
        top.rotation_quaternion = (math.cos(angle / 2), math.sin(angle / 2), 0, 0)
        top.keyframe_insert("rotation_quaternion", frame=frame)
        if drive:
            rig.location = (0, -way, 0)
            rig.keyframe_insert("location", frame=frame)
        else:
            hips.location = (0, 0, way)  # its Y points up, its Z along Blender's -Y
            hips.keyframe_insert("location", frame=frame)


def write_post(path: Path, motion: str = "", bones: tuple[str, str] = BONES, *, drive: bool = False) -> Path:
    """Writes the post as a GLB, see :func:`make_post`. What is open is lost."""
    bpy.ops.wm.read_homefile(use_empty=True)
    make_post(motion, bones, drive=drive)
    export_glb(path)
    return path


def write_plain_post(path: Path) -> Path:
    """Writes the post without bones. What is open is lost."""
    bpy.ops.wm.read_homefile(use_empty=True)
    rig = make_post()
    body = rig.children[0]
    body.modifiers.clear()
    body.vertex_groups.clear()
    bpy.data.objects.remove(rig)
    export_glb(path)
    return path


class PostService:
    """A runner that answers every rig with the post, every retarget with the post and the motion that was asked for,
    and everything else with the post without bones.

    Attributes:
        plain: What it gives where no bones are asked for.
        rig: What it gives for a rig.
        motions: What it gives for each animation.
    """

    def __init__(self, folder: Path) -> None:
        self.plain = write_plain_post(folder / "plain.glb")
        self.rig = write_post(folder / "rig.glb")
        self.motions = {name: write_post(folder / f"{name}.glb", name) for name in MOTIONS}

    def __call__(
        self, request: Mapping[str, Any], *, on_progress: Callable[[float, str], None], stopped: Callable[[], bool]
    ) -> dict[str, Any]:
        model = self.rig if request["type"] == "rig" else self.plain
        if request["type"] == "retarget":
            model = self.motions[str(request["body"]["animation"]).removeprefix("preset:")]
        shutil.copyfile(model, Path(request["output_dir"]) / "model.glb")
        return {"files": {"model_url": "model.glb"}, "values": {}, "facts": {}}
