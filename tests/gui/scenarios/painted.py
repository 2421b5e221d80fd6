"""Pressing Run on what is painted on a large image that was never saved: the press waits, and Blender does not."""

from __future__ import annotations

import importlib
import threading
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import bpy
import numpy as np

from scenarios.early import press, waiting
from scenarios.files import accept, browser
from scenarios.scene import add_source

if TYPE_CHECKING:
    from driver import Stage

Steps = Iterator[float]

SIDE = 2048
COLOUR = (0.2, 0.4, 0.6, 1.0)
PACKAGE = "bl_ext.user_default.asset_generation.addon"


def painted_presses(stage: Stage) -> Steps:
    """A press that is taken back, one that goes on, one from a dialog, one from the file browser, one with an image as
    a field. Copies find no room until they have been seen to wait.
    """
    bpy.context.preferences.view.filebrowser_display_type = "SCREEN"
    yield from stage.open_side_bar()
    yield from stage.wait_for("the runtime is there", lambda: stage.bridge("session").session.ready)
    source = add_source("Knight")
    image = _painted("Paint")
    _show(source, image)
    late_files = importlib.import_module(f"{PACKAGE}.core.jobs.late_files").late_files
    may_copy = threading.Event()
    has_room = late_files.has_room
    late_files.has_room = lambda size: may_copy.is_set() and has_room(size)
    unsaved_images = stage.bridge("objects.unsaved_images")
    _note_copies_of_a_press(stage, unsaved_images)

    jobs = stage.bridge("state").state.jobs

    def waits(name: str) -> Steps:
        """Notes what waits, lets it copy, and waits for the job."""
        before = set(jobs)
        yield 0.3
        stage.seen[name] = waiting(stage)
        yield from stage.picture(name)
        may_copy.set()
        yield from stage.wait_for(f"the job of {name}", lambda: set(jobs) - before)
        may_copy.clear()
        yield 0.3
        stage.seen[f"{name} after"] = waiting(stage)

    stage.seen["answer"] = press(stage, "decimate", face_limit=600)
    yield 0.2
    busy_reason = stage.bridge("idle").busy_reason
    stage.seen["before Escape"] = (waiting(stage), busy_reason())
    yield from stage.key("ESC")
    stage.seen["after Escape"] = (waiting(stage), busy_reason(), len(jobs))

    press(stage, "decimate", face_limit=600)
    yield from stage.key("A", alt=True)  # Deselect All
    yield from waits("press")
    stage.seen["selected"] = [item.name for item in bpy.context.selected_objects]
    job_id = stage.bridge("state").state.newest_first()[0].id
    yield from stage.wait_for_job("the result", lambda: str(jobs[job_id].stage) == "applied")
    (result,) = stage.bridge("results.open_file").open_file.objects_of(job_id)
    stage.seen["result"] = _shown_colour(result)

    _select(source)
    bpy.context.scene.asset_generation.texture.text = "oak"
    press(stage, "texture")
    yield from stage.picture("dialog")
    yield from stage.key("RET")
    yield from waits("after the dialog")

    _select(source)
    press(stage, "convert", format="STL")
    yield from stage.wait_for("the file browser", lambda: browser(stage))
    yield 0.5
    params = browser(stage).spaces.active.params
    params.directory = str(stage.folder).encode()
    yield from accept(stage)
    yield from waits("after the file browser")

    _select(source)
    press(stage, "run_recipe", recipe="character", folder=str(stage.folder / "recipe"))
    yield 0.3
    stage.seen["recipe"] = waiting(stage)
    yield from stage.key("ESC")

    press(stage, "text_to_image", prompt="a lighthouse")
    yield 0.5
    stage.seen["without pixels"] = waiting(stage)
    _select(source)
    press(stage, "texture", image=f"image:{_painted('Reference').name}")
    yield from waits("a field")
    stage.seen["jobs"] = sorted(job.name for job in jobs.values())


def _note_copies_of_a_press(stage: Stage, unsaved_images: Any) -> None:
    """Notes the mean colour of what a press takes of each image, and which it had to copy itself."""
    original = unsaved_images.pixels_of
    taken = stage.seen["taken"] = {}
    copied = stage.seen["copied within a press"] = []

    def pixels_of(image: bpy.types.Image) -> Any:
        if image.session_uid not in unsaved_images._copies:
            copied.append(image.name)
        pixels = original(image)
        taken[image.name] = [
            round(float(value), 2) for value in pixels.values.reshape(-1, 4).mean(axis=0, dtype=np.float64)
        ]
        return pixels

    unsaved_images.pixels_of = pixels_of


def _painted(name: str) -> bpy.types.Image:
    image = bpy.data.images.new(name, SIDE, SIDE)
    image.pixels.foreach_set(np.tile(np.array(COLOUR, dtype=np.float32), SIDE * SIDE))
    return image


def _show(item: bpy.types.Object, image: bpy.types.Image) -> None:
    material = bpy.data.materials.new("Painted")
    if not material.node_tree:
        material.use_nodes = True
    tree = material.node_tree
    node = tree.nodes.new("ShaderNodeTexImage")
    node.image = image
    shader = next(node for node in tree.nodes if node.bl_idname == "ShaderNodeBsdfPrincipled")
    tree.links.new(node.outputs["Color"], shader.inputs["Base Color"])
    item.data.materials.append(material)


def _shown_colour(item: bpy.types.Object) -> list[float]:
    """The colour of most that the base colour's image of an object shows."""
    nodes = item.material_slots[0].material.node_tree.nodes
    shader = next(node for node in nodes if node.bl_idname == "ShaderNodeBsdfPrincipled")
    image = shader.inputs["Base Color"].links[0].from_node.image
    values = np.empty(len(image.pixels), dtype=np.float32)
    image.pixels.foreach_get(values)
    rows = values.reshape(-1, image.channels)[:, :3]
    return [round(float(value), 2) for value in np.median(rows[rows.sum(axis=1) > 0.1], axis=0)]


def _select(item: bpy.types.Object) -> None:
    bpy.ops.object.select_all("EXEC_DEFAULT", True, action="DESELECT")
    item.hide_set(False)
    item.select_set(True)
    bpy.context.view_layer.objects.active = item
