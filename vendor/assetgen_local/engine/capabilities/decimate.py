"""Decimate: collapses edges, or remeshes to quads, in the same place, and bakes the source's look onto the result.

``v1.0`` is the collapse alone. ``v2.0`` then fits the points to the source (:mod:`.fit_to_source`), which takes a few
seconds and brings the surfaces a tenth to a fifth closer to each other. Quads are the same in both.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..files import export_formats, model_io
from ..materials import transfer, vertex_colors
from ..mesh import measure
from ..mesh.face_limit import reduced
from ..mesh.merged import merge
from ..output import answer_files
from ..task import MODEL, Task

TRIANGLE_WINDOW = (500, 20_000)
QUAD_WINDOW = (500, 10_000)
"""Faces that the result has when no limit is given: a tenth of the source's, within these."""

_WITHOUT_FIT = ("v1.0", "P-v1.0-20250506")

_SMALL, _LARGE = 1024, 2048
_FACES_FOR_LARGE = 8_000


def run(task: Task) -> dict[str, Any]:
    """Reduces the model to ``face_limit`` triangles or quads.

    Parts, names, places, weights of a rig and morph targets stay; quads are one new surface without any of these.

    Raises:
        EngineError: The model cannot be read, or not be reduced so far.
    """
    task.report(0.02, "Reading the model")
    everything = model_io.load(task.model())
    objects = model_io.parts_named(everything, task.body.get("part_names"))
    quad = task.flag("quad")
    limit = task.body.get("face_limit") or default_limit(objects, QUAD_WINDOW if quad else TRIANGLE_WINDOW)
    diagonal = measure.bounds(objects).diagonal
    task.report(0.1, f"Reducing to {limit} faces")
    source = merge(objects, "source") if task.flag("bake", True) else None
    if source is not None:
        _drop_layers(objects)
    low = reduced(objects, limit, quad=quad, fitted=task.body.get("model_version") not in _WITHOUT_FIT)
    if source is not None:
        task.report(0.4, "Baking the look")
        large = measure.facts(low)["triangles"] > _FACES_FOR_LARGE
        transfer.bake_onto(source.whole, low, _LARGE if large else _SMALL, diagonal)
        source.remove()
    if quad and len(objects) == len(everything):
        model_io.keep_only(low)
    kept = [scene_object for scene_object in everything if scene_object not in objects]
    if not quad:
        return answer_files.model_and_preview(task, kept + low, 0.85)
    # FBX can hold quads; tasks after this one work on the GLB beside it.
    task.report(0.85, "Writing the model")
    model_io.save_glb(task.folder / MODEL)
    result = answer_files.preview_and_answer(task, kept + low, "model.fbx", 0.9)
    export_formats.write_fbx(task.folder / "model.fbx")
    return result


def _drop_layers(objects: Sequence[Any]) -> None:
    """Takes off what the bake replaces, so that it is not carried over."""
    vertex_colors.drop(objects)
    for scene_object in objects:
        while scene_object.data.uv_layers:
            scene_object.data.uv_layers.remove(scene_object.data.uv_layers[0])


def default_limit(objects: Sequence[Any], window: tuple[int, int]) -> int:
    """Faces of the result when the request says nothing."""
    count = measure.facts(objects)["triangles"]
    return min(max(count // 10, window[0]), window[1])
