"""Multiview to model: a closed body with the outlines of two to four views, which are projected onto it.

The views show the model's front, left, back and right. Each is cut to what it shows and stretched to the same height;
with ``orthographic_projection`` they are taken as they are, as pictures of the same height by one camera without
perspective. Without a view from a side the depth is that of the inflated outline. Where the outlines of opposite sides
differ, what either shows counts. The result is placed as by image to model, and takes the same options; ``auto_size``
goes by the front view, and ``generate_parts`` gives loose pieces of the body as separate objects.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..array_types import Mask
from ..errors import EngineError
from ..files import model_io
from ..images.resample import area_mean
from ..materials import pbr_material, projection
from ..mesh.build import new_object
from ..mesh.measure import bounds
from ..mesh.merged import merge
from ..mesh.unwrap import unwrap
from ..output import new_model
from ..silhouettes.inflate import inflated
from ..silhouettes.subject import Subject, place, read_subject
from ..silhouettes.visual_hull import carve
from ..task import Task

_LEVELS = {"standard": 112, "detailed": 176}
"""Pixels along the longest side of the body, for each ``geometry_quality``."""


def run(task: Task) -> dict[str, Any]:
    """Makes a model from ``front``, ``left``, ``back`` and ``right``, the front or the back among them.

    Raises:
        EngineError: A view cannot be read or shows nothing, or front and back are missing.
    """
    task.report(0.05, "Reading the views")
    paths = {side: path for side in projection.VIEWS if (path := task.image(side)) is not None}
    first = paths.get("front") or paths.get("back")
    if first is None:
        raise EngineError("This task needs a view of the model from the front or from the back.")
    views = {side: read_subject(path, autofix=task.flag("enable_image_autofix")) for side, path in paths.items()}
    model_io.reset()
    task.report(0.2, "Carving the body")
    longest = _LEVELS[task.body.get("geometry_quality") or "standard"]
    body = new_object("model", *_body(views, longest, same_frame=task.flag("orthographic_projection")))
    task.report(0.35, "Arranging the faces")
    pieces = new_model.loose_parts(body) if task.flag("generate_parts") else [body]
    objects, full = new_model.with_faces(task, pieces)
    size = pbr_material.SIZES[task.body.get("texture_quality") or "standard"]
    if new_model.is_textured(task):
        task.report(0.45, "Projecting the views")
        _paint(task, objects, views, size, full)
    elif task.flag("export_uv", True):
        for scene_object in objects:
            unwrap(scene_object, size)
    place(task, objects, views.get("front") or views["back"], first)
    return new_model.write_answer(task, objects, 0.7)


def _body(views: dict[str, Subject], longest: int, *, same_frame: bool) -> tuple[Any, Any]:
    """Vertices with x right, y to the back and z up; and faces."""
    low = min(view.corner[1] for view in views.values()) if same_frame else 0.0
    high = max(view.corner[1] + view.share for view in views.values()) if same_frame else 1.0

    def size_of(*sides: str) -> float:
        """Width of what these views show over the model's height."""
        pictures = [views[side] for side in sides if side in views]
        widths = [view.mask.shape[1] / view.mask.shape[0] * (view.share if same_frame else 1.0) for view in pictures]
        return float(np.mean(widths) / (high - low)) if widths else 0.0

    width, depth = size_of("front", "back"), size_of("left", "right")
    unit = longest / max(1.0, width, depth)
    levels = max(2, round(unit))

    def outline(wide: float, plain: str, mirrored: str) -> Mask:
        """What a view and the one from the opposite side agree on, (levels, pixels)."""
        masks = []
        for side in (plain, mirrored):
            if side not in views:
                continue
            view = views[side]
            rows = round(view.share / (high - low) * levels) if same_frame else levels
            start = min(round((view.corner[1] - low) / (high - low) * levels), levels - rows) if same_frame else 0
            mask = np.zeros((levels, max(2, round(wide * unit))), np.float32)
            mask[start : start + rows] = area_mean(view.mask.astype(np.float32), max(1, rows), mask.shape[1])
            masks.append(mask[:, ::-1] if side == mirrored else mask)
        return np.asarray(np.mean(masks, axis=0) > 0.499, bool)

    front = outline(width, "front", "back")
    # Seen from its own left the model's front is on the left.
    return carve(front, outline(depth, "left", "right")) if depth else inflated(front)


def _paint(task: Task, objects: list[Any], views: dict[str, Subject], size: int, full: Any) -> None:
    target = merge(objects, "target")
    unwrap(target.whole, size)
    seen = []
    for side, view in views.items():
        colors = new_model.styled(task, view.colors, view.mask)
        opposite = {"front": "back", "back": "front", "left": "right", "right": "left"}[side]
        seen.append(projection.view_of(colors, view.clean(), side, both_sides=opposite not in views))
    by_geometry = task.body.get("texture_alignment") == "geometry"
    color = projection.bake_views(target.whole, seen, bounds(objects), size, by_geometry=by_geometry)
    target.write_back_uv()
    target.remove()
    maps = new_model.with_shape_of(full, objects, projection.maps_of(color, pbr=new_model.has_pbr(task)))
    pbr_material.assign(objects, pbr_material.material_of(maps, "Views"))
