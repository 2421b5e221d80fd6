"""What a 3D viewport shows, and what the active camera sees, as pictures."""

from __future__ import annotations

import bpy

from ...core.errors import Refused
from . import offscreen

_LARGEST = 2048  # pixels of the longer side
_SMALLEST = 1024
"""The longer side has at least so many pixels, however small the viewport is."""

CAMERA_SIZE = 1536
"""Pixels of the longer side of what the camera sees."""


def take_viewport(context: bpy.types.Context) -> offscreen.Drawing:
    """What the viewport shows, without grid, gizmos and outlines.

    Raises:
        Refused: There is no viewport, or it cannot be drawn.
    """
    viewport = offscreen.viewport_of(context)
    region, view_3d = viewport.region, viewport.space.region_3d
    longer = max(region.width, region.height)
    scale = min(max(longer, _SMALLEST), _LARGEST) / longer
    view = offscreen.View(
        context.scene,
        context.view_layer,
        view_3d.view_matrix.copy(),
        view_3d.window_matrix.copy(),
        max(1, round(region.width * scale)),
        max(1, round(region.height * scale)),
    )
    with offscreen.without_helpers(viewport.space, context.scene):
        return offscreen.draw(viewport, view)


def take_camera(context: bpy.types.Context) -> offscreen.Drawing:
    """What the active camera sees, shaded as the viewport is, in the shape of a render.

    Raises:
        Refused: There is no camera or no viewport, or it cannot be drawn.
    """
    scene, camera = context.scene, context.scene.camera
    if camera is None:
        raise Refused("The scene has no active camera", "Add a camera, or choose one in the properties of the scene")
    viewport = offscreen.viewport_of(context)
    render = scene.render
    shape = render.resolution_x * render.pixel_aspect_x, render.resolution_y * render.pixel_aspect_y
    scale = CAMERA_SIZE / max(shape)
    depsgraph = context.evaluated_depsgraph_get()
    evaluated = camera.evaluated_get(depsgraph)
    window = evaluated.calc_matrix_camera(
        depsgraph,
        x=render.resolution_x,
        y=render.resolution_y,
        scale_x=render.pixel_aspect_x,
        scale_y=render.pixel_aspect_y,
    )
    view = offscreen.View(
        scene,
        context.view_layer,
        evaluated.matrix_world.normalized().inverted(),
        window,
        max(1, round(shape[0] * scale)),
        max(1, round(shape[1] * scale)),
    )
    with offscreen.without_helpers(viewport.space, scene):
        return offscreen.draw(viewport, view)
