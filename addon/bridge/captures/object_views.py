"""Objects from four sides, alone and without a background: what a multiview is made of."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from math import pi

import bpy
from mathutils import Matrix, Vector

from ...core.errors import Refused
from ...core.paths import file_name
from ..objects.selection import mode_name
from . import offscreen

SIZE = 1024
"""Pixels of each side of a view."""

_MARGIN = 1.08  # around the largest extent of the objects
_DRAWN = frozenset({"MESH", "CURVE", "CURVES", "SURFACE", "META", "FONT", "POINTCLOUD", "VOLUME"})

_PLAIN = {
    "light": "STUDIO",
    "color_type": "TEXTURE",
    "show_xray": False,
    "show_shadows": False,
    "show_cavity": False,
    "show_object_outline": False,
    "show_specular_highlight": False,
    "use_scene_lights": False,
    "use_scene_world": False,
}


def visible_selection(context: bpy.types.Context) -> list[bpy.types.Object]:
    """The selected objects that have something to be seen; the active one first."""
    objects = [item for item in context.view_layer.objects.selected if item is not None and item.type in _DRAWN]
    return sorted(objects, key=lambda item: item != context.view_layer.objects.active)


def take_views(context: bpy.types.Context, names: Sequence[str]) -> list[tuple[str, offscreen.Drawing]]:
    """The selected objects as they are seen from the front, their left, the back and their right.

    The front is what Blender's Front view shows. All views have the same scale. Colours are those of the viewport:
    Material Preview where it shades with lights, else plain colours and textures.

    Args:
        context: Whose selection it is.
        names: What the four views are called.

    Returns:
        What the file of each may be called, without an ending, and the view, in the order of the names.

    Raises:
        Refused: Nothing is selected that can be seen, or it cannot be drawn.
    """
    objects = visible_selection(context)
    if not objects:
        raise Refused("Nothing is selected that can be seen: select the object whose views are wanted")
    if context.mode != "OBJECT":
        raise Refused(f"Leave {mode_name(context)} first: the views are taken in Object Mode")
    viewport = _whole_viewport(context)
    title = file_name(objects[0].name)
    views = []
    shaded = viewport.space.shading.type in {"MATERIAL", "RENDERED"}
    with _stage(objects) as (scene, layer):
        center, radius = _bounds(layer)
        with (
            offscreen.without_helpers(viewport.space, scene),
            offscreen.changed(viewport.space.shading, type="MATERIAL" if shaded else "SOLID", **_PLAIN),
        ):
            for number, name in enumerate(names):
                view = offscreen.View(scene, layer, _view_matrix(center, radius, number), _window(radius), SIZE, SIZE)
                views.append((f"{title} {name}", offscreen.draw(viewport, view, transparent=True)))
    return views


def _whole_viewport(context: bpy.types.Context) -> offscreen.Viewport:
    """A viewport that shows all there is: one in Local View shows nothing of another scene."""
    viewport = offscreen.viewport_of(context)
    if viewport.space.local_view is None:
        return viewport
    areas = [area for screen in bpy.data.screens for area in screen.areas if area.type == "VIEW_3D"]
    space = next((area.spaces.active for area in areas if area.spaces.active.local_view is None), None)
    if space is None:
        raise Refused("Leave Local View first")
    return viewport._replace(space=space)


@contextmanager
def _stage(objects: list[bpy.types.Object]) -> Iterator[tuple[bpy.types.Scene, bpy.types.ViewLayer]]:
    """A scene with nothing in it but the objects."""
    scene = bpy.data.scenes.new("assetgen")
    try:
        for item in objects:
            scene.collection.objects.link(item)
        scene.view_settings.view_transform = "Standard"  # the colours as they are in materials and textures
        layer = scene.view_layers[0]
        layer.update()  # drawing a scene that was never evaluated crashes Blender (4.3, 5.2)
        yield scene, layer
    finally:
        bpy.data.scenes.remove(scene)


def _bounds(layer: bpy.types.ViewLayer) -> tuple[Vector, float]:
    """The middle of what is there, and half of its largest extent."""
    corners = [
        instance.matrix_world @ Vector(corner)
        for instance in layer.depsgraph.object_instances
        if instance.object.type in _DRAWN
        for corner in instance.object.bound_box
    ]
    low = Vector(min(corner[axis] for corner in corners) for axis in range(3))
    high = Vector(max(corner[axis] for corner in corners) for axis in range(3))
    return (low + high) / 2, max(*(high - low), 1e-6) / 2 * _MARGIN


def _view_matrix(center: Vector, radius: float, quarters: int) -> Matrix:
    """From outside, after so many quarter turns from the front to the objects' left."""
    turn = Matrix.Rotation(quarters * pi / 2, 4, "Z") @ Matrix.Rotation(pi / 2, 4, "X")
    return (Matrix.Translation(center) @ turn @ Matrix.Translation((0, 0, 2 * radius))).inverted()


def _window(radius: float) -> Matrix:
    """Without perspective, and deep enough for all there is."""
    depth = 4 * radius
    return Matrix(((1 / radius, 0, 0, 0), (0, 1 / radius, 0, 0), (0, 0, -2 / depth, -1), (0, 0, 0, 1)))
