"""Texture: procedural materials that the words name, or pictures projected on, baked to PBR maps on new UVs; no AI."""

from __future__ import annotations

import zlib
from dataclasses import replace
from typing import Any

import numpy as np
from background_blender.large_meshes import free_normals

from ..errors import EngineError
from ..files import model_io
from ..images.arrays import fill
from ..materials import bake, emission, pbr_material, projection, shading, transfer
from ..materials.pbr_material import PbrMaps
from ..materials.prompt import surface_of
from ..mesh import measure
from ..mesh.merged import merge
from ..mesh.unwrap import unwrap
from ..output import answer_files, understood
from ..task import Task

_DETAIL_SIZE = 2048  # of the map of the model's own normals


def run(task: Task) -> dict[str, Any]:
    """Paints the model anew.

    Raises:
        EngineError: The model or a picture cannot be read, or nothing is left to do.
    """
    if not task.flag("pbr", True) and not task.flag("texture", True):
        raise EngineError("With texture and pbr both off there is nothing to do.")
    if not _prompt_text(task).strip() and not task.images:
        raise EngineError("There is nothing to paint: give words or an image of the look.")
    task.report(0.02, "Reading the model")
    with free_normals():  # nothing is done to the faces themselves
        everything = model_io.load(task.model())
    objects = model_io.parts_named(everything, task.body.get("part_names"))
    painter = _Painter(task, objects)
    # One texture set for all, or one for each part, which then has all of its pixels for itself.
    groups = [objects] if task.flag("bake", True) else [[scene_object] for scene_object in objects]
    for number, group in enumerate(groups):
        painter.progress = (0.1 + 0.65 * number / len(groups), 0.65 / len(groups))
        painter.paint(group, "Texture" if len(groups) == 1 else f"Texture {group[0].name}")
    views, draco = task.flag("return_multiview"), task.body.get("compress") == "geometry"
    result = answer_files.model_and_preview(task, everything, 0.8, views=views, draco=draco, motions_of=task.source)
    words = _prompt_text(task)
    unread = "The picture was put on, and the words were not read" if words and task.images else ""
    result["values"] |= understood.answer(words, () if unread else surface_of(words).taken, unread)
    return result


def _prompt_text(task: Task) -> str:
    return str((task.body.get("texture_prompt") or {}).get("text") or "")


class _Painter:
    """What all parts of a model have in common while they are painted: what they shall look like, size, the box.

    Attributes:
        progress: Where the current group begins, and how much of the task it is.
    """

    def __init__(self, task: Task, objects: list[Any]) -> None:
        self._task = task
        self._size = pbr_material.SIZES[task.body.get("texture_quality") or "standard"]
        self._pbr = task.flag("pbr", True)
        seed = task.body.get("texture_seed")
        # Made from the words where none is asked for, so that the same request looks the same.
        self._seed = zlib.crc32(_prompt_text(task).encode()) if seed is None else int(seed)
        self._box = measure.bounds(objects)
        self._views = projection.views_of(task.images)
        self._by_geometry = task.body.get("texture_alignment") == "geometry"
        if self._views and self._by_geometry:
            whole = merge(objects, "outline")
            self._views = [projection.fitted(view, whole.whole.data, self._box) for view in self._views]
            whole.remove()
        self.progress = (0.1, 0.65)

    def paint(self, objects: list[Any], name: str) -> None:
        """Gives the objects together new UVs and one material."""
        self._report(0.0, "Unwrapping")
        materials = [material for scene_object in objects for material in scene_object.data.materials if material]
        # The detail of their own normal maps: of decimated models, all that is left of their shape.
        source = merge(objects, "source") if emission.has_detail(materials) else None
        for scene_object in objects:
            scene_object.data.materials.clear()  # else a bake would read their images
        target = merge(objects, "target").welded(self._box.diagonal, shaded=source is not None or bool(self._views))
        unwrap(target.whole, self._size)
        maps = self._from_views(target.whole) if self._views else self._from_words(target.whole)
        if source is not None and maps.normal is not None:
            reach = (self._box.diagonal * 1e-4, self._box.diagonal * 2e-4)
            normal = transfer.with_shape(maps.normal, source.whole, target.whole, _DETAIL_SIZE, reach)
            maps = replace(maps, normal=normal)
        target.write_back_uv()
        for copy in filter(None, (source, target)):
            copy.remove()
        self._report(0.95, "Assembling the material")
        pbr_material.assign(objects, pbr_material.material_of(maps, name))

    def _report(self, part: float, words: str) -> None:
        start, share = self.progress
        self._task.report(start + share * part, words)

    def _from_views(self, target: Any) -> PbrMaps:
        self._report(0.15, "Projecting the image")
        color = projection.bake_views(target, self._views, self._box, self._size, by_geometry=self._by_geometry)
        return projection.maps_of(color, pbr=self._pbr)

    def _from_words(self, target: Any) -> PbrMaps:
        shader = shading.Shader(surface_of(_prompt_text(self._task)), self._box, self._seed)
        maps = shading.painted(target, [shader], self._size, pbr=self._pbr, report=self._report)
        if shader.sees_through or shader.glow:
            shader.show_opacity_and_glow()
            more = fill(*bake.bake("EMIT", target, self._size))
            glow = maps.color * more[..., 1:2] if shader.glow else None
            color = np.concatenate((maps.color, more[..., :1]), axis=2) if shader.sees_through else maps.color
            maps = replace(maps, color=color, glow=glow, strength=shader.glow)
        return maps
