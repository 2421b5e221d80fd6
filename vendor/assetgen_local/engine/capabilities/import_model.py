"""Import: a GLB, OBJ, FBX, STL, 3MF, USDZ or PLY file as one GLB of the same size and place, with a preview."""

from __future__ import annotations

import os
import shutil
from typing import Any

from background_blender.protocol import GOES_ON

from ..files import model_io, plain_glb
from ..output import answer_files
from ..task import MODEL, PREVIEW, Task


def run(task: Task) -> dict[str, Any]:
    """Normalises the model to ``model.glb``: same size, place, parts, materials, rig and animations.

    Raises:
        EngineError: The file is broken, of no known format, or has no faces.
    """
    task.report(0.05, "Reading the model")
    if task.preview_later and (facts := plain_glb.facts_of(task.model())) is not None:
        try:  # a second name for the same bytes, which nobody writes to again
            os.link(task.model(), task.folder / MODEL)
        except OSError:  # not every drive has such names
            shutil.copyfile(task.model(), task.folder / MODEL)
        files = {"model_url": MODEL, "rendered_image_url": PREVIEW}
        return {"files": files, "values": {}, "facts": facts, GOES_ON: True}  # Blender itself did nothing
    return answer_files.model_and_preview(task, model_io.load(task.model()), 0.5, motions_of=task.source)
