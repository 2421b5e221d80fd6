"""Shows a result: a model in a 3D viewport, an image in an Image Editor. Only ever because the user asked for it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import bpy
from mathutils import Quaternion, Vector

from ...core.errors import Refused
from ..objects.provenance import PROPERTY
from ..objects.unsaved_images import images_of_objects

_MARGIN = 1.4  # as much as Blender's View Selected leaves around
_SENSOR = 36.0  # millimetres: half of what the longer side of a viewport shows through its lens, at that distance
_WINDOW_SHARE = 0.9  # of a window, for an image in it

Place = tuple[bpy.types.Window, bpy.types.Area]


class Shown(NamedTuple):
    """What was done to show something, beside turning the view: in words, and whether it changed the file."""

    words: tuple[str, ...] = ()
    changed: bool = False


def objects_of_tasks(task_ids: Sequence[str]) -> list[bpy.types.Object]:
    """The objects that say of themselves that they are the result of the last of these tasks that has any, as in a
    file that was opened again.
    """
    for task_id in reversed([task_id for task_id in task_ids if task_id]):
        found = [item for item in bpy.data.objects if dict(item.get(PROPERTY) or {}).get("task") == task_id]
        if found:
            return found
    return []


def show_objects(objects: Sequence[bpy.types.Object], place: Place) -> Shown:
    """Frames objects in a 3D viewport, whatever mode it is in; what hid them is put aside.

    Args:
        objects: The parts of a result; one of them at least is in a scene.
        place: Window and viewport.
    """
    window, area = place
    space = area.spaces.active
    words = []
    if scene := _enter_scene(objects, window):
        words.append(f'in the scene "{scene}"')
    revealed = _reveal(objects, window.view_layer)
    if _reveal_types(objects, space) or revealed:
        words.append("no longer hidden")
    if _leave_local_view(objects, window, area):
        words.append("outside Local View")
    window.view_layer.update()
    _frame(objects, window, area)
    if _bring_out_textures(objects, space):
        words.append("in Material Preview")
    area.tag_redraw()
    return Shown(tuple(words), revealed)


def viewport(window: bpy.types.Window, area: bpy.types.Area | None) -> Place:
    """The 3D viewport that was clicked in, else the largest one of the window, else of any window.

    Raises:
        Refused: There is none.
    """
    if area is not None and area.type == "VIEW_3D":
        return window, area
    if place := _largest("VIEW_3D", window):
        return place
    raise Refused("No window has a 3D viewport to show it in")


def show_image(image: bpy.types.Image, window: bpy.types.Window) -> None:
    """Shows an image in the Image Editor that is open; else in one in a window of its own."""
    if place := image_editor(window):
        put_image(image, place)
        return
    source = _largest("", window)
    known = set(bpy.context.window_manager.windows)
    if source is not None:
        with bpy.context.temp_override(window=source[0], area=source[1], region=_main_region(source[1])):
            bpy.ops.screen.area_dupli("INVOKE_DEFAULT")
    for new in set(bpy.context.window_manager.windows) - known:
        area = new.screen.areas[0]
        area.ui_type = "IMAGE_EDITOR"
        space = area.spaces.active
        space.image = image
        width, height = (max(1, size) for size in image.size)
        # A new area has no size before it is drawn, so Blender's own View All cannot be asked.
        space.zoom_percentage = 100 * min(1.0, _WINDOW_SHARE * min(new.width / width, new.height / height))
        return
    raise Refused("Blender could not open a window for the image", "Open an Image Editor, and choose the image there")


def image_editor(first: bpy.types.Window | None = None) -> Place | None:
    """An Image Editor for looking at images, in ``first`` where it has one; not one that paints, masks or shows UVs."""
    windows = list(bpy.context.window_manager.windows)
    for window in sorted(windows, key=lambda window: window != first):
        for area in window.screen.areas:
            space = area.spaces.active
            if area.ui_type == "IMAGE_EDITOR" and space.mode == "VIEW" and not space.use_image_pin:
                return window, area
    return None


def put_image(image: bpy.types.Image, place: Place) -> None:
    """Shows an image in an Image Editor, whole."""
    window, area = place
    with bpy.context.temp_override(window=window, area=area, region=_main_region(area)):
        area.spaces.active.image = image
        bpy.ops.image.view_all()


def _enter_scene(objects: Sequence[bpy.types.Object], window: bpy.types.Window) -> str:
    """Opens a scene that has the objects, where the open one has none of them; returns its name then."""
    scenes = [scene for item in objects for scene in item.users_scene]
    if window.scene in scenes or not scenes:
        return ""
    window.scene = scenes[0]
    return str(scenes[0].name)


def _reveal(objects: Sequence[bpy.types.Object], layer: bpy.types.ViewLayer) -> bool:
    """Shows again what nothing is seen of; whether that was needed. What Local View leaves out is not hidden."""
    if any(item.name in layer.objects and item.visible_get(view_layer=layer) for item in objects):
        return False
    for item in objects:
        for holder in _way_to(layer.layer_collection, item):
            holder.exclude = holder.hide_viewport = False
            if holder.collection.is_editable:
                holder.collection.hide_viewport = False
        if item.is_editable:
            item.hide_viewport = False
        if item.name in layer.objects:
            item.hide_set(False, view_layer=layer)
    return True


def _reveal_types(objects: Sequence[bpy.types.Object], space: bpy.types.SpaceView3D) -> bool:
    """Has a viewport show meshes again, if it shows no objects of that type."""
    if space.show_object_viewport_mesh or not any(item.type == "MESH" for item in objects):
        return False
    space.show_object_viewport_mesh = True
    return True


def _way_to(root: bpy.types.LayerCollection, item: bpy.types.Object) -> list[bpy.types.LayerCollection]:
    """The collections of a view layer that lead to an object, but for the scene's own, which cannot be hidden."""
    for child in root.children:
        if item.name in child.collection.objects and child.collection.objects[item.name] == item:
            return [child]
        if way := _way_to(child, item):
            return [child, *way]
    return []


def _leave_local_view(objects: Sequence[bpy.types.Object], window: bpy.types.Window, area: bpy.types.Area) -> bool:
    space = area.spaces.active
    if space.local_view is None or any(item.visible_in_viewport_get(space) for item in objects):
        return False
    with bpy.context.temp_override(window=window, area=area, region=_main_region(area)):
        bpy.ops.view3d.localview(frame_selected=False)
    return True


def _frame(objects: Sequence[bpy.types.Object], window: bpy.types.Window, area: bpy.types.Area) -> None:
    """Turns a viewport's view to objects. View Selected would need a selection, and frames vertices in Edit Mode."""
    points = list(_corners(objects, window))
    lowest = Vector(map(min, zip(*points, strict=True)))
    highest = Vector(map(max, zip(*points, strict=True)))
    space = area.spaces.active
    region = _main_region(area)
    radius = max(*(highest - lowest), 0.01) / 2 * _MARGIN
    for view in [space.region_3d, *space.region_quadviews]:
        if view.view_perspective == "CAMERA":
            camera = space.camera or window.scene.camera
            view.view_perspective = "PERSP"
            view.view_rotation = camera.matrix_world.to_quaternion() if camera else Quaternion()
        view.view_location = (lowest + highest) / 2
        wide = max(region.width, region.height) / max(1, min(region.width, region.height))
        view.view_distance = max(wide * radius * space.lens / _SENSOR, 1.5 * space.clip_start)


def _corners(objects: Sequence[bpy.types.Object], window: bpy.types.Window) -> Iterator[Vector]:
    """The corners of the boxes around objects as they are seen; without those that have no size, if others have one."""
    graph = bpy.context.evaluated_depsgraph_get() if bpy.context.scene == window.scene else None
    shaped = [item for item in objects if item.type not in {"EMPTY", "ARMATURE"}] or list(objects)
    for item in shaped:
        seen = item.evaluated_get(graph) if graph is not None else item
        yield from (seen.matrix_world @ Vector(corner) for corner in seen.bound_box)


def _bring_out_textures(objects: Sequence[bpy.types.Object], space: bpy.types.SpaceView3D) -> bool:
    """Switches a viewport to Material Preview if the objects have textures that it does not show; whether it did."""
    shading = space.shading
    shows_them = shading.type in {"MATERIAL", "RENDERED"} or (
        shading.type == "SOLID" and shading.color_type == "TEXTURE"
    )
    if shows_them or not images_of_objects(objects):
        return False
    shading.type = "MATERIAL"
    return True


def _largest(kind: str, first: bpy.types.Window) -> Place | None:
    """The largest area of a kind (empty: of any) in ``first``, else in any window."""
    for window in sorted(bpy.context.window_manager.windows, key=lambda window: window != first):
        areas = [area for area in window.screen.areas if kind in ("", area.type)]
        if areas:
            return window, max(areas, key=lambda area: area.width * area.height)
    return None


def _main_region(area: bpy.types.Area) -> bpy.types.Region:
    return next(region for region in area.regions if region.type == "WINDOW")
