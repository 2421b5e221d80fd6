"""Decimate: collapses edges, or remeshes to quads, in the same place, and bakes the source's look onto the result.

``v1.0`` is the collapse alone. ``v2.0`` then fits the points to the source (:mod:`.fit_to_source`), which takes a few
seconds and brings the surfaces a tenth to a fifth closer to each other. Quads are the same in both.
"""

from __future__ import annotations

from typing import Any

from ..files import model_io
from ..materials import transfer
from ..mesh import measure
from ..mesh.build import drop_look
from ..mesh.face_limit import reduced
from ..mesh.merged import merge
from ..output import answer_files
from ..task import Task

_TRIANGLES, _QUADS = (500, 20_000), (500, 10_000)
"""Faces that the result has when no limit is given: a tenth of the source's, within these."""

_WITHOUT_FIT = ("v1.0", "P-v1.0-20250506")


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
    fewest, most = _QUADS if quad else _TRIANGLES
    limit = task.body.get("face_limit") or min(max(measure.facts(objects)["triangles"] // 10, fewest), most)
    diagonal = measure.bounds(objects).diagonal
    task.report(0.1, f"Reducing to {limit} faces")
    source = merge(objects, "source") if task.flag("bake", True) else None
    if source is not None:
        # What the bake replaces is not carried over.
        drop_look(scene_object.data for scene_object in objects)
    low = reduced(objects, limit, quad=quad, fitted=task.body.get("model_version") not in _WITHOUT_FIT)
    if source is not None:
        task.report(0.4, "Baking the look")
        transfer.bake_onto(source.whole, low, 0, diagonal)
        source.remove()
    if quad and len(objects) == len(everything):
        model_io.keep_only(low)
    kept = [scene_object for scene_object in everything if scene_object not in objects]
    # FBX can hold quads.
    return answer_files.model_and_preview(task, kept + low, 0.85, fbx={} if quad else None, motions_of=task.source)
