"""The last steps that tasks share: the model files, the preview, the views."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import bpy
from mathutils import Vector

from ..files import animation_clips, export_formats, model_io
from ..materials.projection import VIEWS
from ..mesh import measure
from ..task import FBX, MODEL, PREVIEW, Task
from . import film, preview


def model_and_preview(
    task: Task,
    objects: Sequence[Any],
    start: float,
    *,
    views: bool = False,
    fbx: dict[str, Any] | None = None,
    **options: Any,
) -> dict[str, Any]:
    """Writes ``model.glb``, a preview and what else is asked for, and answers with them.

    Args:
        task: What is being done.
        objects: The meshes of the result.
        start: Progress before this step.
        views: Whether four views are rendered too.
        fbx: For :func:`.export_formats.write_fbx`, where the result is an FBX; tasks after this one work on the GLB.
        options: For :func:`.model_io.save_glb`.
    """
    task.report(start, "Writing the model")
    model_io.save_glb(task.folder / MODEL, **options)
    result = preview_and_answer(task, objects, MODEL if fbx is None else FBX, (start + 1.0) / 2)
    if views:
        task.report(0.95, "Rendering the views")
        for side, towards in VIEWS.items():
            name = result["files"][f"{side}_view_url"] = f"{side}_view.png"
            preview.render(task.folder / name, objects, view=Vector(towards), samples=preview.SAMPLES)
    if fbx is not None:  # the pictures first: this moves the textures out of the scene
        export_formats.write_fbx(task.folder / FBX, **fbx)
    return result


def preview_and_answer(task: Task, objects: Sequence[Any], model: str, start: float) -> dict[str, Any]:
    """Renders the preview, if one is wanted, and makes the engine's answer.

    Args:
        task: What is being done.
        objects: The meshes of the result.
        model: Name of the result in the task's folder.
        start: Progress before this step.
    """
    files = {"model_url": model}
    if task.preview:
        files["rendered_image_url"] = PREVIEW
    if task.preview and not task.preview_later:
        task.report(start, "Rendering a preview")
        with animation_clips.moving(skins=True):  # as one sees it; where it was bound to its bones, it may lie
            (film.pose if bpy.data.armatures else preview.render)(task.folder / PREVIEW, objects)
    return {"files": files, "values": {}, "facts": measure.facts(objects)}
