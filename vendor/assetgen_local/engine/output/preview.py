"""Pictures of the model: three lights, a plain or transparent background, seen from the front right and from above."""

from __future__ import annotations

import math
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import bpy
import numpy as np
from mathutils import Matrix, Vector

from ..array_types import Picture
from ..images.picture_files import read_rgba
from ..mesh.build import in_scene
from ..mesh.measure import Bounds, bounds, world_coordinates
from ..mesh.operators import use_cycles
from ..shaders.nodes import NodeGraph

SIZE = 512
SAMPLES = 8
_SAMPLES_WITHOUT_LIGHT = 4
_MARGIN = 1.06  # around flat pictures
_PREVIEW_SAMPLES = 4  # with denoising no difference is seen at this size
VIEW = Vector((0.55, -1.0, 0.42)).normalized()
"""From the model towards the camera. A model's front faces -Y."""

_LENS_DEGREES = 30.0
_LIGHTS = (((1.0, -0.8, 1.2), 1.9, 18.0), ((-1.2, -0.6, 0.5), 0.5, 40.0), ((-0.3, 1.2, 1.0), 1.4, 20.0))
"""Direction towards the light, strength in W/m², apparent size in degrees: key, fill, rim."""


def render(
    path: Path, objects: Sequence[Any], *, size: int = SIZE, view: Vector = VIEW, samples: int = _PREVIEW_SAMPLES
) -> None:
    """Renders the objects to a PNG. Changes the scene's render settings, and leaves nothing else behind.

    Args:
        path: Where to.
        objects: What the picture is framed on.
        size: Width and height in pixels.
        view: Unit vector from the model towards the camera.
        samples: For each pixel.
    """
    with studio(objects, size=size, view=view, samples=samples):
        render_into(path)


def render_shot(
    objects: Sequence[Any], size: int, view: Vector, *, flat: bool = False, span: float | None = None, lit: bool = True
) -> Picture:
    """A square picture: RGBA 0..1 on the sRGB curve, bottom row first.

    Args:
        objects: What is shown.
        size: Pixels of each side.
        view: Unit vector towards the camera.
        flat: Without perspective.
        lit: Whether surfaces need light; those that show a colour as it is need neither time nor denoising.
        span: Blender units that the picture is wide, for flat ones; what the objects need when left out.
    """
    with tempfile.TemporaryDirectory(prefix="assetgen-shot-") as folder:
        path = Path(folder) / "shot.png"
        samples = SAMPLES if lit else _SAMPLES_WITHOUT_LIGHT
        with studio(objects, size=size, view=view, samples=samples):
            scene = bpy.context.scene
            scene.cycles.use_denoising = lit and scene.cycles.use_denoising
            scene.render.film_transparent = True
            scene.render.image_settings.color_mode = "RGBA"
            if flat:
                scene.camera.data.type = "ORTHO"
                scene.camera.data.ortho_scale = span or float(bounds(objects).size.max()) * _MARGIN
            render_into(path)
        return read_rgba(path)


def cropped(picture: Picture) -> Picture:
    """The part of a picture that is not transparent; the whole where all is."""
    rows, columns = (np.flatnonzero((picture[..., 3] > 0.02).any(axis=axis)) for axis in (1, 0))
    return picture[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1] if len(rows) else picture


@contextmanager
def studio(objects: Sequence[Any], *, size: int, samples: int, view: Vector = VIEW) -> Iterator[None]:
    """Camera, lights and render settings as for :func:`render`, for pictures that the caller takes."""
    scene = bpy.context.scene
    camera = _camera(objects, bounds(objects), view)
    helpers = [camera, *(_sun(Vector(direction), strength, degrees, view) for direction, strength, degrees in _LIGHTS)]
    scene.camera = camera
    scene.world = _world()
    _settings(scene, size, samples)
    yield
    bpy.data.batch_remove(helpers)


def _camera(objects: Sequence[Any], box: Bounds, view: Vector) -> Any:
    """A camera that has every vertex in the picture, with a margin."""
    data = bpy.data.cameras.new("preview")
    data.angle = math.radians(_LENS_DEGREES)
    camera = in_scene("preview", data)
    rotation = (-view).to_track_quat("-Z", "Y")
    axes = np.array(rotation.to_matrix())
    points = np.concatenate([world_coordinates(scene_object) for scene_object in objects]) - box.centre
    seen = points @ axes  # camera space: right, up, towards the camera
    middle = (seen[:, :2].min(axis=0) + seen[:, :2].max(axis=0)) / 2
    half = np.abs(seen[:, :2] - middle).max(axis=1)
    distance = float((half / math.tan(math.radians(_LENS_DEGREES) / 2) + seen[:, 2]).max()) * 1.08
    camera.location = Vector(box.centre + axes @ np.array((middle[0], middle[1], distance)))
    camera.rotation_euler = rotation.to_euler()
    data.clip_start = max(distance * 1e-3, 1e-6)
    data.clip_end = distance + box.diagonal * 4
    return camera


def _sun(direction: Vector, strength: float, degrees: float, view: Vector) -> Any:
    """A light that stays where it is relative to the camera, whichever side is looked at."""
    data = bpy.data.lights.new("preview", "SUN")
    data.energy = strength
    data.angle = math.radians(degrees)
    light = in_scene("preview", data)
    turn = VIEW.to_2d().angle_signed(view.to_2d(), 0.0) if view.to_2d().length > 1e-6 else 0.0
    turned = Matrix.Rotation(-turn, 3, "Z") @ direction
    light.rotation_euler = (-turned).to_track_quat("-Z", "Y").to_euler()
    return light


def _world() -> Any:
    """Light from a soft sky; the picture itself gets a plain background."""
    world = bpy.data.worlds.new("preview")
    # How bright the sky is in each direction is worked out in so many steps; by itself Cycles takes a second for more.
    world.cycles.sampling_method = "MANUAL"
    world.cycles.sample_map_resolution = 64
    graph = NodeGraph(world, "ShaderNodeOutputWorld")
    # From a dark ground to a bright top, so that metals have something to mirror.
    height = graph.span(graph.parts(graph.node("ShaderNodeTexCoord").outputs["Generated"])[2], -1.0, 1.0)
    sky = graph.ramp(height, [(0.3, (0.06, 0.06, 0.065)), (0.5, (0.45, 0.47, 0.5)), (0.85, (1.7, 1.75, 1.85))])
    lights = [
        graph.node("ShaderNodeBackground", {"Color": color, "Strength": strength}).outputs[0]
        for color, strength in ((sky, 0.55), ((0.115, 0.12, 0.13), 1.0))
    ]
    seen = graph.node("ShaderNodeLightPath").outputs["Is Camera Ray"]
    switch = graph.node("ShaderNodeMixShader", {0: seen, 1: lights[0], 2: lights[1]})
    graph.plug(graph.output.inputs["Surface"], switch.outputs[0])
    return world


def _settings(scene: Any, size: int, samples: int) -> None:
    use_cycles(samples)
    with suppress(TypeError):  # a build without it
        scene.cycles.denoiser = "OPENIMAGEDENOISE"
        scene.cycles.use_denoising = True
    # The quickest denoiser: with its defaults it takes longer than the picture itself.
    scene.cycles.denoising_prefilter = "FAST"
    scene.cycles.denoising_input_passes = "RGB_ALBEDO"
    scene.cycles.denoising_quality = "FAST"
    scene.cycles.max_bounces = 1
    scene.cycles.use_light_tree = False
    scene.render.resolution_x = scene.render.resolution_y = size
    scene.render.resolution_percentage = 100
    scene.render.film_transparent = False
    scene.render.image_settings.file_format = "PNG"
    scene.render.image_settings.color_mode = "RGB"
    scene.render.use_file_extension = False
    scene.view_settings.view_transform = "Standard"
    scene.view_settings.look = "None"
    scene.view_settings.exposure = 0.0


def render_into(path: Path, *, animation: bool = False) -> None:
    """Renders the scene into a file, or its frames into files that begin with this path, whatever characters it has.

    From 4.5 on Blender takes braces in it for variables, and two of them for one; before that a brace is a brace.
    """
    scene = bpy.context.scene
    # Asked with a path that has no folder: for films old versions make the folder of the path that they are asked for.
    scene.render.filepath = "{{"
    reads_variables = "{{" not in scene.render.frame_path(frame=1)
    scene.render.filepath = str(path).replace("{", "{{").replace("}", "}}") if reads_variables else str(path)
    bpy.ops.render.render(animation=animation, write_still=not animation)
