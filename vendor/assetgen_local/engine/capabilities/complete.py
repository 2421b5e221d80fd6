"""Complete: closes the parts of a segmented model with caps that continue the surface's material, UVs and shading.

What a part looked like inside the model is not guessed: a cap is a flat or fan-shaped face over each opening.
"""

from __future__ import annotations

from typing import Any

from ..files import model_io
from ..output import answer_files
from ..parts.caps import close
from ..task import Task


def run(task: Task) -> dict[str, Any]:
    """Closes all parts, or those that ``part_names`` lists; the others stay as they are.

    Raises:
        EngineError: The model cannot be read, or has no part of a listed name.
    """
    task.report(0.02, "Reading the model")
    everything = model_io.load(task.model())
    chosen = model_io.parts_named(everything, task.body.get("part_names"))
    added = 0
    for index, scene_object in enumerate(chosen):
        task.report(0.1 + 0.5 * index / len(chosen), f"Closing {scene_object.name}")
        added += close(scene_object.data)
    result = answer_files.model_and_preview(task, everything, 0.65, motions_of=task.source)
    result["facts"] |= {"part_names": [scene_object.name for scene_object in everything], "cap_triangles": added}
    return result
