"""A picture drawn the way a 3D viewport draws, beside the screen and without what is only there for working."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import bpy
from mathutils import Matrix

from ...core.errors import Refused
from ..objects import png

_DRAWN_AT_ONCE = frozenset({"BLENDER_EEVEE", "BLENDER_EEVEE_NEXT", "BLENDER_WORKBENCH"})
"""Engines that a viewport can be drawn with beside the screen. For others Material Preview is as near as it gets."""


class Viewport(NamedTuple):
    """A 3D viewport: what it shows and how, and the region that it shows it in."""

    space: bpy.types.SpaceView3D
    region: bpy.types.Region


class View(NamedTuple):
    """What is drawn, from where, and how large: the matrices are those of a viewport's view and its window."""

    scene: bpy.types.Scene
    layer: bpy.types.ViewLayer
    view: Matrix
    window: Matrix
    width: int
    height: int


class Drawing(NamedTuple):
    """What was drawn.

    Attributes:
        pixels: Bytes as a numpy array of shape (height, width, 4), on the sRGB curve, bottom row first; alpha is
            multiplied into the colours.
        is_transparent: Whether the background was left out.
    """

    pixels: Any
    is_transparent: bool

    @property
    def nbytes(self) -> int:
        """What it takes in memory."""
        return int(self.pixels.nbytes)

    def save(self, path: Path) -> None:
        """Writes a PNG, with alpha where the background was left out. For a thread: it takes ten times as long as to
        draw.

        Raises:
            OSError: It cannot be written.
        """
        png.write(_straight(self.pixels) if self.is_transparent else self.pixels[..., :3], path)


def viewport_of(context: bpy.types.Context) -> Viewport:
    """The 3D viewport that is worked in, else the largest one of the windows.

    Raises:
        Refused: There is none.
    """
    if bpy.app.background:
        raise Refused("Without a window there is no viewport to take a picture of", "Render, and take the last render")
    areas = [context.area] if context.area is not None and context.area.type == "VIEW_3D" else []
    if not areas:
        areas = [
            area for window in context.window_manager.windows for area in window.screen.areas if area.type == "VIEW_3D"
        ]
    if not areas:
        raise Refused("There is no 3D viewport to take a picture with", "Open one")
    return of_area(max(areas, key=lambda area: area.width * area.height))


def of_area(area: bpy.types.Area) -> Viewport:
    """The viewport of an area, also when it is divided into four."""
    space = area.spaces.active
    regions = [region for region in area.regions if region.type == "WINDOW"]
    return Viewport(space, next((item for item in regions if item.data == space.region_3d), regions[0]))


@contextmanager
def changed(owner: Any, **values: Any) -> Iterator[None]:
    """Sets properties for a while; those that a version of Blender does not have are left out."""
    before = {name: getattr(owner, name) for name in values if hasattr(owner, name)}
    try:
        for name in before:
            setattr(owner, name, values[name])
        yield
    finally:
        for name, value in before.items():
            setattr(owner, name, value)


@contextmanager
def without_helpers(space: bpy.types.SpaceView3D, scene: bpy.types.Scene) -> Iterator[None]:
    """Hides overlays and gizmos of a viewport for a while, and has it shade in a way that can be drawn at once."""
    too_slow = space.shading.type == "RENDERED" and scene.render.engine not in _DRAWN_AT_ONCE
    kind = "MATERIAL" if too_slow else space.shading.type
    with (
        changed(space.overlay, show_overlays=False),
        changed(space, show_gizmo=False),
        changed(space.shading, type=kind),
    ):
        yield


def draw(viewport: Viewport, view: View, *, transparent: bool = False) -> Drawing:
    """Draws with the settings that the viewport has at the moment.

    Args:
        viewport: Whose settings count.
        view: What to draw.
        transparent: Leave the background out.

    Raises:
        Refused: The graphics card has no room for it.
    """
    import gpu  # here: where there is no window there is none of it
    import numpy as np

    try:
        # The stubs know neither its arguments nor that the next one is a function without any.
        target = gpu.types.GPUOffScreen(view.width, view.height)  # type: ignore[call-arg, unused-ignore]
    except RuntimeError as error:
        raise Refused(f"The picture could not be drawn: {error}") from error
    try:
        target.draw_view3d(
            view.scene,
            view.layer,
            viewport.space,
            viewport.region,
            view.view,
            view.window,
            do_color_management=True,
            draw_background=not transparent,
        )
        with target.bind():
            frame = gpu.state.active_framebuffer_get()  # type: ignore[call-arg, unused-ignore]
            buffer = frame.read_color(0, 0, view.width, view.height, 4, 0, "UBYTE")
        buffer.dimensions = view.width * view.height * 4
        pixels = np.array(buffer, dtype=np.uint8).reshape(view.height, view.width, 4)
    finally:
        target.free()
    return Drawing(pixels, transparent)


def _straight(pixels: Any) -> Any:
    """Colours that alpha was not multiplied into, on white where there is nothing."""
    import numpy as np

    alpha = pixels[..., 3:].astype(np.float32) / 255
    colors = np.where(alpha > 0, pixels[..., :3] / np.maximum(alpha, 1 / 255), 255)
    return np.concatenate((np.clip(colors + 0.5, 0, 255).astype(np.uint8), pixels[..., 3:]), axis=2)
