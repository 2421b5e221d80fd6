"""Where a model made from pictures comes to stand, and how large it is."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from mathutils import Matrix, Vector

from ..mesh.measure import bounds
from ..task import Task
from .subject import Subject, printed_height


def place(task: Task, objects: Sequence[Any], subject: Subject, path: Path) -> None:
    """On the floor and 1 high, or where ``orientation`` and ``auto_size`` want it."""
    height, across, up = 1.0, 0.0, 0.0
    if task.body.get("orientation") == "align_image":
        height, up = subject.share, subject.corner[1]
        across = subject.corner[0] - subject.frame / 2 + height * subject.mask.shape[1] / subject.mask.shape[0] / 2
    elif task.flag("auto_size"):
        height = subject.share * printed_height(path)
    box = bounds(objects)
    middle = Vector((float(box.centre[0]), float(box.centre[1]), float(box.low[2])))
    change = Matrix.Scale(height / max(float(box.size[2]), 1e-9), 4) @ Matrix.Translation(-middle)
    for scene_object in objects:
        scene_object.data.transform(Matrix.Translation((across, 0.0, up)) @ change)
        scene_object.data.update()
