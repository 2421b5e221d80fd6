"""Name and progress of running jobs in 3D viewports, where their results will be: drawn over what stands there.

Drawing only reads. It is in Blender while there is something to draw, and viewports are drawn again for it only where
the words have changed.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import bpy
from mathutils import Vector

from ..bridge import pump, redraw
from ..bridge.results.open_file import open_file
from ..bridge.state import state
from ..core.jobs.stage import RESTING, Stage
from ..ops import job_rows
from ..translation.interface import translated

if TYPE_CHECKING:
    from ..core.jobs.job import JobView

_TEXT = 12.0
_BAR = 4.0
_ROOM = 6.0
"""Sizes at scale 1, in pixels."""

_WIDTH = 120.0
_EDGES = ((0, 1), (0, 2), (0, 4), (1, 3), (1, 5), (2, 3), (2, 6), (3, 7), (4, 5), (4, 6), (5, 7), (6, 7))


class Line(NamedTuple):
    """What is said of a job; ``fraction`` is how far it is, 0 to 1."""

    job_id: str
    name: str
    words: str
    fraction: float


class _State:
    """What is drawn, and Blender's handle of the drawing."""

    def __init__(self) -> None:
        self.lines: tuple[Line, ...] = ()
        self.objects: dict[str, list[bpy.types.Object]] = {}
        self.handle: Any = None


_state = _State()


def lines() -> tuple[Line, ...]:
    """What is drawn now, one for each job."""
    return _state.lines


def is_drawn() -> bool:
    """Whether Blender has the drawing."""
    return _state.handle is not None


def follow() -> None:
    """Has the viewports say what there is to say of the jobs now."""
    jobs = [job for job in state.jobs.values() if _is_shown(job)]
    found = tuple(_line(job) for job in jobs)
    _state.objects = {job.id: list(_alive(_state.objects.get(job.id, ()))) or _objects(job) for job in jobs}
    if found == _state.lines:
        return
    _state.lines = found
    if found and _state.handle is None and not bpy.app.background:
        _state.handle = bpy.types.SpaceView3D.draw_handler_add(_draw, (), "WINDOW", "POST_PIXEL")
    elif not found:
        _remove()
    redraw.redraw("VIEW_3D")


def _is_shown(job: JobView) -> bool:
    from ..bridge import arrivals  # here, as below: enabling the extension need not wait for it

    placement = job.plan.delivery.placement if job.plan is not None else None
    if placement is None or not placement.placeholder or not open_file.is_origin_of(job):
        return False
    return job.stage not in RESTING or (job.stage is Stage.READY and arrivals.arrivals.will_apply(job))


def _line(job: JobView) -> Line:
    from ..bridge import idle
    from ..core.status import job_words  # here: enabling the extension need not wait for it

    is_ready = job.stage is Stage.READY
    words = (idle.busy_reason() or "Ready") if is_ready else job_words.progress_words(job, time.time())[0]
    return Line(job.id, job_rows.headline(job), translated(words), round(job.progress, 2))


def _objects(job: JobView) -> list[bpy.types.Object]:
    """What stands where the result of a job will be."""
    from ..bridge.placeholders import placeholders

    assert job.plan is not None and job.plan.delivery.placement is not None
    placement = job.plan.delivery.placement
    if placement.takes_source_place:
        return open_file.sources_of(job)
    if placement.target is not None:
        return open_file.named_by(job, [(placement.target.name, placement.target.uid)])
    item = placeholders.item_of(job.id)
    return [item] if item is not None else []


def _draw() -> None:
    from ..bridge.objects import places

    context = bpy.context
    region, view = context.region, context.region_data
    if region is None or view is None or not context.space_data.overlay.show_overlays:
        return
    scale = context.preferences.system.ui_scale
    taken: list[tuple[float, float]] = []
    for line in _state.lines:
        seen = [item for item in _alive(_state.objects.get(line.job_id, ())) if item.visible_get()]
        box = places.box_around(seen)
        if box:
            _draw_line(line, box, context, scale, taken, with_edges=any(item.type != "EMPTY" for item in seen))


def _alive(objects: Sequence[bpy.types.Object]) -> Iterator[bpy.types.Object]:
    """Those that are still there: after an undo Blender knows objects by other addresses, until the jobs change."""
    for item in objects:
        try:
            _ = item.name
        except ReferenceError:
            continue
        yield item


def _draw_line(
    line: Line,
    box: Sequence[float],
    context: bpy.types.Context,
    scale: float,
    taken: list[tuple[float, float]],
    *,
    with_edges: bool,
) -> None:
    from bpy_extras.view3d_utils import location_3d_to_region_2d as to_region

    corners = [Vector((box[x], box[y], box[z])) for x in (0, 3) for y in (1, 4) for z in (2, 5)]
    points = [to_region(context.region, context.region_data, corner) for corner in corners]
    known = [point for point in points if point is not None]
    if len(known) < len(points):  # it reaches behind the eye
        return
    colour = (*context.preferences.themes[0].view_3d.space.text_hi[:3], 1.0)
    if with_edges:
        _shapes("LINES", [known[end] for edge in _EDGES for end in edge], (*colour[:3], 0.5))
    left = sum(point.x for point in known) / len(known) - _WIDTH * scale / 2
    bottom = max(point.y for point in known) + _ROOM * scale
    while any(abs(left - x) < _WIDTH * scale and abs(bottom - y) < 3 * _TEXT * scale for x, y in taken):
        bottom += 3 * _TEXT * scale  # two that stand behind each other
    taken.append((left, bottom))
    _bar(left, bottom, _WIDTH * scale, _BAR * scale, line.fraction, colour)
    _text(line.words, left, bottom + (_BAR + _ROOM) * scale, scale, colour)
    _text(line.name, left, bottom + (_BAR + _ROOM + _TEXT * 1.3) * scale, scale, colour)


def _bar(left: float, bottom: float, width: float, height: float, fraction: float, colour: tuple[float, ...]) -> None:
    for share, shade in ((1.0, (0.0, 0.0, 0.0, 0.5)), (fraction, colour)):
        right, top = left + width * share, bottom + height
        corners = [(left, bottom), (right, bottom), (right, top), (left, bottom), (right, top), (left, top)]
        _shapes("TRIS", corners, shade)


def _shapes(kind: str, points: Sequence[Any], colour: tuple[float, ...]) -> None:
    import gpu
    from gpu_extras.batch import batch_for_shader

    shader = gpu.shader.from_builtin("UNIFORM_COLOR")
    gpu.state.blend_set("ALPHA")
    shader.uniform_float("color", colour)
    batch_for_shader(shader, kind, {"pos": [(point[0], point[1], 0.0) for point in points]}).draw(shader)
    gpu.state.blend_set("NONE")


def _text(words: str, left: float, bottom: float, scale: float, colour: tuple[float, ...]) -> None:
    import blf

    font = 0
    blf.size(font, _TEXT * scale)
    blf.color(font, *colour)
    blf.enable(font, blf.SHADOW)
    blf.shadow(font, 3, 0.0, 0.0, 0.0, 0.8)
    blf.position(font, left, bottom, 0.0)
    blf.draw(font, words)
    blf.disable(font, blf.SHADOW)


def _remove() -> None:
    if _state.handle is not None:
        bpy.types.SpaceView3D.draw_handler_remove(_state.handle, "WINDOW")
        _state.handle = None


def register() -> None:
    """Follows the jobs."""
    pump.listeners.append(follow)


def unregister() -> None:
    """Takes the drawing out of the viewports."""
    pump.listeners.remove(follow)
    _remove()
    _state.lines, _state.objects = (), {}
