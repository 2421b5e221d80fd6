"""The last steps that tasks share: the model file, the preview, the views."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from mathutils import Vector

from ..files import model_io
from ..materials.projection import VIEWS
from ..mesh import measure
from ..task import MODEL, PREVIEW, Task
from . import preview


def model_and_preview(task: Task, objects: Sequence[Any], start: float, **options: Any) -> dict[str, Any]:
    """Writes ``model.glb`` and a preview and answers with them.

    Args:
        task: What is being done.
        objects: The meshes of the result.
        start: Progress before this step.
        options: For :func:`.model_io.save_glb`.
    """
    task.report(start, "Writing the model")
    model_io.save_glb(task.folder / MODEL, **options)
    return preview_and_answer(task, objects, MODEL, (start + 1.0) / 2)


def render_views(task: Task, objects: Sequence[Any]) -> dict[str, str]:
    """Pictures of the model from the front, its left, the back and its right: file names by output key."""
    files = {}
    for side, towards in VIEWS.items():
        files[f"{side}_view_url"] = f"{side}_view.png"
        path = task.folder / files[f"{side}_view_url"]
        preview.render(path, objects, view=Vector(towards), samples=preview.SAMPLES)
    return files


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
        preview.render(task.folder / PREVIEW, objects)
    return {"files": files, "values": {}, "facts": measure.facts(objects)}
