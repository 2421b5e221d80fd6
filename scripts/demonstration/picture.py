"""The picture: the model before and after, side by side, in a scene of its own that is gone afterwards."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import bpy
from asset_generation.addon.cli.silence_stdout import silence
from mathutils import Matrix, Vector

WIDTH, HEIGHT, SAMPLES = 1280, 680, 24
TURN = -0.6  # radians about the vertical: a model seen a little from its side shows more of its shape


def render(
    before: Sequence[bpy.types.Object], after: Sequence[bpy.types.Object], captions: tuple[str, str], path: Path
) -> None:
    """Renders both groups with Cycles on the processor and writes a PNG to ``path``."""
    scene = bpy.data.scenes.new("Picture")
    try:
        size = max(_box(before)[1], _box(after)[1])
        for group, side, caption in ((before, -1, captions[0]), (after, 1, captions[1])):
            _place(scene, group, Vector((side * size * 0.56, 0, 0)), size)
            _caption(scene, caption, Vector((side * size * 0.56, -size * 0.3, -size * 0.6)), size)
        _light(scene, size)
        _camera(scene, size)
        _settings(scene, path)
        with silence():
            bpy.ops.render.render(write_still=True, scene=scene.name)
    finally:
        _remove(scene)


def _box(objects: Sequence[bpy.types.Object]) -> tuple[Vector, float]:
    """Centre and largest side of the world box of some objects."""
    corners = [item.matrix_world @ Vector(corner) for item in objects for corner in item.bound_box]
    low = Vector(map(min, zip(*corners, strict=True)))
    high = Vector(map(max, zip(*corners, strict=True)))
    return (low + high) / 2, max(high - low)


def _place(scene: bpy.types.Scene, objects: Sequence[bpy.types.Object], spot: Vector, size: float) -> None:
    centre, own_size = _box(objects)
    turn = Matrix.Rotation(TURN, 4, "Z")
    move = Matrix.Translation(spot) @ turn @ Matrix.Scale(size / own_size, 4) @ Matrix.Translation(-centre)
    for item in objects:
        world = item.matrix_world.copy()
        copy = item.copy()
        copy.parent = None
        copy.hide_render = copy.hide_viewport = False
        scene.collection.objects.link(copy)
        copy.matrix_world = move @ world


def _caption(scene: bpy.types.Scene, words: str, spot: Vector, size: float) -> None:
    curve = bpy.data.curves.new("Caption", "FONT")
    curve.body, curve.size = words, size * 0.065
    curve.align_x = curve.align_y = "CENTER"
    caption = bpy.data.objects.new("Caption", curve)
    caption.location, caption.rotation_euler = spot, (1.5708, 0, 0)
    material = bpy.data.materials.new("Caption")
    material.use_nodes = True
    tree = material.node_tree
    shine = tree.nodes.new("ShaderNodeEmission")
    shine.inputs["Color"].default_value = (0.012, 0.012, 0.015, 1)
    tree.links.new(shine.outputs[0], tree.nodes["Material Output"].inputs["Surface"])
    curve.materials.append(material)
    scene.collection.objects.link(caption)


def _light(scene: bpy.types.Scene, size: float) -> None:
    world = scene.world = bpy.data.worlds.new("Picture")
    world.use_nodes = True
    world.node_tree.nodes["Background"].inputs["Color"].default_value = (0.72, 0.75, 0.8, 1)
    world.node_tree.nodes["Background"].inputs["Strength"].default_value = 0.45
    for name, energy, spot in (("Key", 44.0, (-1.2, -2.2, 1.8)), ("Rim", 30.0, (1.6, 1.4, 1.6))):
        lamp = bpy.data.lights.new(name, "AREA")
        lamp.energy, lamp.size = energy * size**2, size * 1.2
        item = bpy.data.objects.new(name, lamp)
        item.location = Vector(spot) * size
        item.rotation_euler = (-item.location).to_track_quat("-Z", "Y").to_euler()
        scene.collection.objects.link(item)


def _camera(scene: bpy.types.Scene, size: float) -> None:
    camera = bpy.data.objects.new("Camera", bpy.data.cameras.new("Camera"))
    camera.data.type = "ORTHO"  # both models are seen from the same angle
    camera.data.ortho_scale = 2.3 * size
    camera.location = (0, -5.6 * size, 0.5 * size)
    target = Vector((0, 0, -0.08 * size))
    camera.rotation_euler = (target - camera.location).to_track_quat("-Z", "Y").to_euler()
    scene.collection.objects.link(camera)
    scene.camera = camera


def _settings(scene: bpy.types.Scene, path: Path) -> None:
    scene.render.engine = "CYCLES"
    scene.cycles.device = "CPU"
    scene.cycles.samples = SAMPLES
    scene.cycles.use_denoising = bool(getattr(bpy.app.build_options, "openimagedenoise", False))
    scene.render.resolution_x, scene.render.resolution_y = WIDTH, HEIGHT
    scene.render.resolution_percentage = 100
    scene.render.image_settings.file_format = "PNG"
    scene.view_settings.view_transform = "Standard"
    scene.render.filepath = str(path)


def _remove(scene: bpy.types.Scene) -> None:
    """Takes the scene and all that was made for it out of the file again."""
    world = scene.world
    for item in list(scene.collection.objects):
        data = item.data
        bpy.data.objects.remove(item)
        if data is not None and data.users == 0:
            bpy.data.batch_remove([data])
    bpy.data.scenes.remove(scene)
    if world is not None:
        bpy.data.worlds.remove(world)
    captions = [
        material for material in bpy.data.materials if material.name.startswith("Caption") and not material.users
    ]
    bpy.data.batch_remove(captions)
