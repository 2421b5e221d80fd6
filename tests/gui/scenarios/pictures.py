"""Pictures taken for the fields of an operation, with the window that they need."""

from __future__ import annotations

import importlib
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import bpy

from scenarios.scene import select_only

if TYPE_CHECKING:
    from driver import Stage

Steps = Iterator[float]

FIELD = {"capability": "image_to_model", "field": "file"}


def pictures_for_input(stage: Stage) -> Steps:
    """Takes every kind of picture and writes down what is in it."""
    yield from stage.open_side_bar()
    yield from stage.wait_for("the runtime is there", lambda: stage.bridge("session").session.ready)
    settings = bpy.context.scene.asset_generation
    bpy.ops.object.select_all("EXEC_DEFAULT", True, action="SELECT")
    bpy.ops.object.delete("EXEC_DEFAULT", True)
    item = add_teapot()
    paint(item, (0.8, 0.05, 0.05, 1))
    stage.viewport.spaces.active.shading.color_type = "MATERIAL"
    stage.choose("image_to_model")
    yield 0.3

    stage.seen["no_clipboard"] = refusal_of("CLIPBOARD", stage)
    stage.window_manager.clipboard = str(picture_file(stage.folder / "copied chair.png"))
    yield from taken("CLIPBOARD", stage)
    yield from stage.picture("copied")
    areas = [area.ui_type for area in stage.window.screen.areas]
    encoded_on = stage.seen.setdefault("encoded_on", [])
    png = stage.bridge("objects.png")
    write = png.write
    png.write = lambda *arguments: (encoded_on.append(threading.current_thread().name), write(*arguments))[1]
    yield from taken("VIEWPORT", stage)
    yield from stage.picture("viewport")
    stage.seen["no_camera"] = refusal_of("CAMERA", stage)
    add_camera()
    yield from taken("CAMERA", stage)
    yield from stage.picture("camera")
    stage.seen["no_render"] = refusal_of("RENDER", stage)
    bpy.context.scene.render.resolution_x = bpy.context.scene.render.resolution_y = 64
    bpy.context.scene.render.engine = "BLENDER_WORKBENCH"
    bpy.ops.render.render()
    yield from taken("RENDER", stage)
    bpy.data.images.new("A sketch of a chair", 64, 64).generated_type = "COLOR_GRID"
    settings.image_to_model.file = "image:A sketch of a chair"
    yield 2.0  # small pictures are made on threads of Blender's
    yield from stage.picture("image-of-file")
    settings.image_to_image.files = "; ".join(sorted(str(path) for path in stage.folder.glob("*.png"))[:4])
    stage.choose("image_to_image")
    for _ in range(8):
        stage.viewport.tag_redraw()
        yield 1.0
    yield from stage.picture("several")

    stage.choose("multiview_to_model")
    yield 0.3
    scenes = list(bpy.data.scenes)
    yield from stage.press("bpy.ops.assetgen.take_views")
    yield 0.5
    group = settings.multiview_to_model
    wait_for_pictures(group.front)
    stage.seen["views"] = [view_facts(getattr(group, name)) for name in ("front", "left", "back", "right")]
    yield from stage.picture("views")
    with viewport_override(stage):
        bpy.ops.view3d.localview(frame_selected=False)
        bpy.ops.assetgen.take_views(capability="multiview_to_model")
    wait_for_pictures(group.front)
    png.write = write
    stage.seen["views_from_local_view"] = [view_facts(group.front)]
    previews = stage.bridge("previews")
    icons = [previews.icon_of(path) for path in (group.front, group.left, group.front, "model.glb")]
    stage.seen["icons"] = [icons[0] > 0, icons[0] == icons[2], icons[0] != icons[1], icons[3]]
    previews.forget(group.front)
    previews.unregister()
    stage.seen["icon_again"] = previews.icon_of(group.front) > 0
    stage.seen["nothing_is_left"] = list(bpy.data.scenes) == scenes and areas == [
        area.ui_type for area in stage.window.screen.areas
    ]
    kinds = {"RENDER_RESULT", "COMPOSITING"}
    stage.seen["images"] = sorted(image.name for image in bpy.data.images if image.type not in kinds)
    stage.seen["overlays"] = stage.viewport.spaces.active.overlay.show_overlays
    yield 0.1


def taken(source: str, stage: Stage) -> Steps:
    with viewport_override(stage):
        bpy.ops.assetgen.take_picture(**FIELD, source=source)
    path = bpy.context.scene.asset_generation.image_to_model.file
    wait_for_pictures(path)
    stage.seen[source.lower()] = picture_facts(path)
    yield 0.3


def wait_for_pictures(path: str) -> None:
    """Waits until the pictures in the folder of one are written, behind the press that took them."""
    package = bpy.types.ASSETGEN_PT_main.__module__.removesuffix(".ui.main_panel")
    importlib.import_module(f"{package}.core.jobs.late_files").late_files.wait_for(Path(path).parent)


def refusal_of(source: str, stage: Stage) -> str:
    try:
        with viewport_override(stage):
            bpy.ops.assetgen.take_picture(**FIELD, source=source)
    except RuntimeError as error:
        return str(error)
    return "it was taken"


def viewport_override(stage: Stage) -> Any:
    return bpy.context.temp_override(window=stage.window, area=stage.viewport, region=stage.region("WINDOW"))


def picture_facts(path: str) -> dict[str, Any]:
    """Size, and the parts of the picture that are red."""
    pixels, size = read(path)
    red = (pixels[..., 0] > 2 * pixels[..., 1]) & (pixels[..., 0] > 0.2)
    orange = (pixels[..., 0] > 0.9) & (abs(pixels[..., 1] - 0.6) < 0.12) & (pixels[..., 2] < 0.4)
    return {"name": Path(path).name, "size": size, "red": float(red.mean()), "orange": float(orange.mean())}


def view_facts(path: str) -> dict[str, Any]:
    """Where there is something, as parts of width and height, from the left and from below; and how red it is."""
    pixels, size = read(path)
    mask = pixels[..., 3] > 0.5
    across, up = mask.any(axis=0).nonzero()[0], mask.any(axis=1).nonzero()[0]
    inside = pixels[mask]
    columns = mask[:, across[0] : across[-1]].sum(axis=0)
    thickness = [float(part / columns.max()) for part in (columns[8], columns[-8])]
    return {
        "name": Path(path).name,
        "size": size,
        "box": [
            float(across[0] / size[0]),
            float(up[0] / size[1]),
            float(across[-1] / size[0]),
            float(up[-1] / size[1]),
        ],
        "red": float((inside[:, 0] > 2 * inside[:, 1]).mean()),
        "spout": "left" if thickness[0] < 0.5 else "right" if thickness[-1] < 0.5 else "",
    }


def read(path: str) -> tuple[Any, list[int]]:
    np = importlib.import_module("numpy")
    image = bpy.data.images.load(path)
    try:
        size = list(image.size)
        return np.array(image.pixels[:]).reshape(size[1], size[0], 4), size
    finally:
        bpy.data.images.remove(image)


def add_teapot() -> bpy.types.Object:
    """A block with a spout to its left, which is +X; the front is towards -Y."""
    points = [(x, y, z) for x in (0.0, 1.0) for y in (-0.5, 0.5) for z in (0.0, 1.0)]
    spout = [(1 + x, y / 4, 0.5 + z / 4) for x, y, z in points]
    corners = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
    mesh = bpy.data.meshes.new("Teapot")
    mesh.from_pydata(points + spout, [], corners + [tuple(8 + corner for corner in face) for face in corners])
    item = bpy.data.objects.new("Teapot", mesh)
    bpy.context.scene.collection.objects.link(item)
    select_only(item)
    return item


def paint(item: bpy.types.Object, color: tuple[float, float, float, float]) -> None:
    material = bpy.data.materials.new("Paint")
    material.diffuse_color = color
    item.data.materials.clear()
    item.data.materials.append(material)


def add_camera() -> None:
    camera = bpy.data.objects.new("Camera", bpy.data.cameras.new("Camera"))
    camera.location, camera.rotation_euler = (1, -8, 0), (1.5708, 0, 0)
    bpy.context.scene.collection.objects.link(camera)
    bpy.context.scene.camera = camera


def picture_file(path: Path) -> Path:
    image = bpy.data.images.new("file", 32, 32)
    image.generated_color = (0.9, 0.1, 0.1, 1)
    image.filepath_raw, image.file_format = str(path), "PNG"
    image.save()
    bpy.data.images.remove(image)
    return path
