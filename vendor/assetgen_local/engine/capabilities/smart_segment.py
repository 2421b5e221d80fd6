"""Smart segment: cuts a model into as many parts as asked for, or into the parts around given points.

The API does not say what its parameters are; here they are, under ``parameters`` or beside it:

- ``parts``: a number from 2 to 24. A body is cut at its joints, left and right at once: in six parts it is head, torso,
  arms and legs. Other models are cut where what lies on one side sees little of the other side, from the inside.
- ``points``: 2 to 24 points ``[x, y, z]`` in the model's own space (+Y up, as in the GLB). Every face goes to the point
  that is nearest on a way inside the model; ``part_0`` is around the first point.

Without either it is the same as segment. Parts are named ``part_0`` and so on.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ..array_types import Array
from ..body.classify import Body
from ..errors import EngineError
from ..parts import labels
from ..parts.face_graph import FaceGraph
from ..parts.labels import PartLabels
from ..task import Task
from . import segment

FEWEST, MOST = 2, 24


def run(task: Task) -> dict[str, Any]:
    """Writes a model with one object for each part.

    Raises:
        EngineError: The model cannot be read, or a parameter cannot be honoured.
    """
    inner = task.body.get("parameters")
    wishes = dict(inner if isinstance(inner, Mapping) else {})
    wishes |= {name: task.body[name] for name in ("parts", "points") if task.body.get(name) is not None}
    count, points = _count(wishes), _points(wishes)
    if count is not None and points is not None:
        raise EngineError("Give either parts or points: every point makes a part of its own.")
    whole, body, surface = segment.whole_model(task)
    task.report(0.3, "Finding parts")
    if points is not None:
        labelled = _around(body, surface, points)
    elif count is not None:
        labelled = _so_many(body, surface, count)
    else:
        labelled = labels.find_parts(body, surface)
    return segment.write_parts(task, whole, labelled)


def _around(body: Body, surface: FaceGraph, points: Array) -> PartLabels:
    parts = {f"part_{number}": point[None] for number, point in enumerate(body.to_body(points))}
    result = labels.around(body, surface, parts)
    if len(result.names) < len(points):
        raise EngineError("Two of the points are so near to each other that no face is left for one of them.")
    return result


def _so_many(body: Body, surface: FaceGraph, count: int) -> PartLabels:
    result = labels.so_many_parts(body, surface, count) if count <= len(surface.areas) else None
    if result is None or len(result.names) != count:
        raise EngineError(f"The model's faces cannot be cut into {count} parts.")
    return result


def _numbers(value: Any) -> Array | None:
    try:
        return None if value is None else np.array(value, float)
    except (TypeError, ValueError):
        return np.empty(0)


def _count(wishes: Mapping[str, Any]) -> int | None:
    value = wishes.get("parts")
    count = _numbers(value)
    if count is not None and (count.ndim or count not in range(FEWEST, MOST + 1)):
        raise EngineError(f"parts is a whole number from {FEWEST} to {MOST}, not {value!r}.")
    return None if count is None else int(count)


def _points(wishes: Mapping[str, Any]) -> Array | None:
    points = _numbers(wishes.get("points"))
    if points is None:
        return None
    if points.ndim != 2 or points.shape[1] != 3 or not np.isfinite(points).all():
        raise EngineError("points is a list of [x, y, z].")
    if not FEWEST <= len(points) <= MOST:
        raise EngineError(f"There have to be {FEWEST} to {MOST} points, not {len(points)}.")
    return np.stack((points[:, 0], -points[:, 2], points[:, 1]), axis=1)
