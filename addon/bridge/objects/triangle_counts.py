"""How many triangles an upload of the selection will hold: modifiers applied, instances realised.

Nothing is evaluated for it while a panel is drawn: that shows what was counted last, and asks for a count of what
changed. A timer counts a moment after the last change, in what the viewport has evaluated.
"""

from __future__ import annotations

import time
from collections.abc import Sequence

import bpy
from bpy.app.handlers import persistent

_SOON_SECONDS = 0.2
_PLAYING_SECONDS = 1.0
_MOST_SECONDS = 0.01
"""Of computing, for going through instances, of which a scene may have any number."""

_KEEPS_FACES = frozenset(
    {"ARMATURE", "CAST", "CORRECTIVE_SMOOTH", "CURVE", "DATA_TRANSFER", "DISPLACE", "HOOK", "LAPLACIANDEFORM"}
    | {"LAPLACIANSMOOTH", "LATTICE", "MESH_DEFORM", "NORMAL_EDIT", "SHRINKWRAP", "SIMPLE_DEFORM", "SMOOTH"}
    | {"SURFACE_DEFORM", "UV_PROJECT", "UV_WARP", "VERTEX_WEIGHT_EDIT", "VERTEX_WEIGHT_MIX", "WARP", "WAVE"}
    | {"VERTEX_WEIGHT_PROXIMITY", "WEIGHTED_NORMAL"}
)
"""Modifiers that leave a mesh's faces as they are."""


class TriangleCounts:
    """What was counted, by the objects' session ids."""

    def __init__(self) -> None:
        self._counts: dict[int, int | None] = {}
        self._wanted: frozenset[int] = frozenset()
        self._changed_at = 0.0

    def total(self, objects: Sequence[bpy.types.Object]) -> int | None:
        """The triangles of some objects; None while they are being counted, or where they are too many to count."""
        from .selection import triangle_count  # here, as below: enabling the extension need not wait for it

        modified = [item for item in objects if item.modifiers]
        self._wanted = frozenset(item.session_uid for item in modified)
        if not self._wanted <= self._counts.keys():
            _count_soon()
        counts = [self._counts.get(item.session_uid) if item.modifiers else triangle_count(item) for item in objects]
        return None if None in counts else sum(count for count in counts if count is not None)

    def changed(self, depsgraph: bpy.types.Depsgraph) -> None:
        """The geometry of something changed, perhaps of what is shown."""
        if self._wanted and any(update.is_updated_geometry for update in depsgraph.updates):
            self._changed_at = time.monotonic()
            _count_soon()

    def clear(self) -> None:
        """Another file is open."""
        self._counts.clear()
        self._wanted = frozenset()

    def is_changing(self) -> bool:
        """Whether something changed just now and may go on to."""
        return time.monotonic() - self._changed_at < _SOON_SECONDS / 2

    def count(self, layers: Sequence[bpy.types.ViewLayer]) -> bool:
        """Counts what is asked for in what view layers have evaluated; whether anything is another number now."""
        counts: dict[int, int | None] = {}
        for layer in layers:
            depsgraph = layer.depsgraph
            # What a selected armature moves need not be selected.
            for items in (layer.objects.selected, layer.objects):
                missing = self._wanted - counts.keys() if depsgraph is not None else ()
                for item in items if missing else ():
                    if item is not None and item.session_uid in missing:
                        counts[item.session_uid] = _count(item, depsgraph)
        counts |= dict.fromkeys(self._wanted - counts.keys())
        before, self._counts = self._counts, counts
        return before != counts


def _count(item: bpy.types.Object, depsgraph: bpy.types.Depsgraph) -> int | None:
    """Triangles of an object as it is seen; None where that takes too long to find out."""
    from .selection import triangle_count

    modifiers = [modifier for modifier in item.modifiers if modifier.show_viewport]
    if modifiers and modifiers[-1].type == "SUBSURF" and all(one.type in _KEEPS_FACES for one in modifiers[:-1]):
        # Subdivided by the graphics card as a rule. To ask for the mesh would have the processor do it too.
        return _subdivided(item, modifiers[-1].levels, depsgraph.scene.render)
    evaluated = item.evaluated_get(depsgraph)
    count = triangle_count(evaluated) if evaluated.type == "MESH" and evaluated.data else 0
    if not any(modifier.type == "NODES" for modifier in modifiers):
        return count
    until = time.thread_time() + _MOST_SECONDS  # not of the clock: others may have the processor for as long
    for instance in depsgraph.object_instances:
        if time.thread_time() > until:
            return None
        if instance.is_instance and instance.parent is not None and instance.parent.original == item:
            count += triangle_count(instance.object) if instance.object.type == "MESH" else 0
    return count


def _subdivided(item: bpy.types.Object, levels: int, render: bpy.types.RenderSettings) -> int:
    """Each corner of a face becomes a quad, and each quad four with every further level."""
    from .selection import triangle_count

    if render.use_simplify:
        levels = min(levels, render.simplify_subdivision)
    return 2 * len(item.data.loops) * 4 ** (levels - 1) if levels else triangle_count(item)


counts = TriangleCounts()


def _count_soon() -> None:
    if not bpy.app.background and not bpy.app.timers.is_registered(_on_timer):
        bpy.app.timers.register(_on_timer, first_interval=_SOON_SECONDS)


def _on_timer() -> float | None:
    windows = list(bpy.context.window_manager.windows)
    if any(window.screen.is_animation_playing for window in windows):
        return _PLAYING_SECONDS
    if counts.is_changing():
        return _SOON_SECONDS
    layers = list(dict.fromkeys(window.view_layer for window in windows))
    if counts.count(layers):
        for window in windows:
            for area in window.screen.areas:
                if area.type == "VIEW_3D":
                    area.tag_redraw()
    return None


@persistent
def on_depsgraph_update(_scene: bpy.types.Scene, depsgraph: bpy.types.Depsgraph) -> None:
    """Blender has evaluated something anew."""
    counts.changed(depsgraph)


def stop() -> None:
    """Ends the timer: one that is left at exit hangs Blender 4.5."""
    if bpy.app.timers.is_registered(_on_timer):
        bpy.app.timers.unregister(_on_timer)
