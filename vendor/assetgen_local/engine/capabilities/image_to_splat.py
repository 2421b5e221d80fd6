"""Image to splat: flat Gaussian splats in the image's colours, all over the inflated outline of what it shows.

The result is a PLY file as viewers of 3D Gaussian splats read it: +Y up, front towards +Z, 1 high, standing at y = 0.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..files import model_io
from ..images import picture_files
from ..output import understood
from ..output.preview import SIZE, VIEW
from ..silhouettes import two_sided_texture
from ..silhouettes.inflate import inflated
from ..silhouettes.splats import Splats, cover
from ..silhouettes.subject import read_subject
from ..task import PREVIEW, Task

_OUTLINE = 176
_SPLATS = 60_000
_MODEL = "model.ply"


def run(task: Task) -> dict[str, Any]:
    """Makes splats from ``file`` or ``input``.

    Raises:
        EngineError: The picture cannot be read or shows nothing.
    """
    model_io.reset()
    task.report(0.05, "Reading the image")
    subject = read_subject(task.only_image())
    task.report(0.3, "Inflating the outline")
    outline = subject.outline(_OUTLINE)
    vertices, triangles = inflated(outline)
    points, normals, radius = cover(vertices, triangles, _SPLATS)
    task.report(0.6, "Colouring the splats")
    picture = two_sided_texture.picture(subject.colors, subject, 1024)
    row, column = (points[:, (2, 0)] / outline.shape * 1024).astype(int).clip(0, 1023).T
    low, high = points.min(axis=0), points.max(axis=0)
    scale = 1.0 / (high[2] - low[2])
    placed = (points - ((low[0] + high[0]) / 2, 0.0, low[2])) * scale
    splats = Splats(placed, normals, np.clip(picture[row, column], 0.0, 1.0), radius * scale)
    splats.write(task.folder / _MODEL)
    files = {"model_url": _MODEL}
    if task.preview:
        task.report(0.8, "Drawing a preview")
        picture_files.write_picture(task.folder / PREVIEW, splats.picture(np.array(VIEW), SIZE))
        files["rendered_image_url"] = PREVIEW
    return {"files": files, "values": understood.answer("", (), subject.note), "facts": {"splats": len(points)}}
