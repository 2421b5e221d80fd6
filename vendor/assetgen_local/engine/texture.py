"""Texture: a new PBR material from words or pictures, unwrapped and baked to glTF maps. The geometry stays as it is."""

from __future__ import annotations

import zlib
from typing import Any

import numpy as np

from . import bake, finish, mesh_facts, projection, relief, scene_io, source_look, transfer
from .bake import Picture
from .errors import EngineError
from .finish import Maps
from .merged import merge
from .pictures import enlarged, fill, to_srgb
from .prompt import surface_of
from .shading import Shader
from .task import Task
from .unwrap import unwrap

SIZES = {"standard": 1024, "detailed": 2048, "extreme": 4096}
"""Pixels of the maps for each ``texture_quality``."""

_WORKING_SIZE = 1024  # of maps that only help to make others

_UNSUPPORTED = {"asset_map": "a map of assets", "return_multiview": "the views used for the texture"}


def run(task: Task) -> dict[str, Any]:
    """Paints the model anew.

    Raises:
        EngineError: The model or a picture cannot be read, or an option is not supported here.
    """
    for name, words in _UNSUPPORTED.items():
        if task.body.get(name):
            raise EngineError(f"The local engine cannot do {name} ({words}).")
    pbr = task.flag("pbr", True)
    if not pbr and not task.flag("texture", True):
        raise EngineError("With texture and pbr both off there is nothing to do.")
    task.report(0.02, "Reading the model")
    everything = scene_io.load(task.model())
    objects = scene_io.part(everything, task.body.get("part_names"))
    size = SIZES[task.body.get("texture_quality") or "standard"]
    task.report(0.12, "Unwrapping")
    source = merge(objects, "source")
    target = merge(objects, "target").welded(mesh_facts.bounds(objects).diagonal)
    unwrap(target.whole, size)
    bake.prepare()
    maps = _baked(task, source.whole, target.whole, size, pbr)
    target.write_back_uv()
    target.remove()
    source.remove()
    task.report(0.75, "Assembling the material")
    finish.drop_vertex_colors(objects)
    finish.put_on(objects, finish.material_of(maps, "Texture"))
    return finish.model_and_preview(task, everything, 0.8, draco=task.body.get("compress") == "geometry")


def seed_of(task: Task) -> int:
    """The seed of the patterns: as asked for, else made from the words, so that the same request looks the same."""
    given = task.body.get("texture_seed")
    return int(given) if given is not None else zlib.crc32(_words(task).encode())


def _words(task: Task) -> str:
    return str((task.body.get("texture_prompt") or {}).get("text") or "")


def _baked(task: Task, source: Any, target: Any, size: int, pbr: bool) -> Maps:
    box = mesh_facts.bounds([target])
    views = projection.views_of(task)
    if views:
        task.report(0.2, "Projecting the image")
        color = projection.bake_views(target, views, box, size)
        if not pbr:
            return Maps(color, roughness=projection.PLAIN_ROUGHNESS)
        plain = projection.plain_normal(size)
        return Maps(color, projection.plain_orm(size), _with_detail(source, target, plain, box.diagonal), 1.0, 1.0)
    task.report(0.2, "Painting the base colour")
    shader = Shader(surface_of(_words(task)), box, seed_of(task))
    target.data.materials.append(shader.material)
    shader.show_color()
    color = to_srgb(fill(*bake.bake("EMIT", target, size)))
    if not pbr:
        return Maps(color)
    task.report(0.4, "Painting roughness and metal")
    shader.show_height_and_orm()
    orm, known = bake.bake("EMIT", target, size)
    task.report(0.55, "Shaping the relief")
    orm = fill(orm, known)
    position = bake.bake_geometry(target, min(size, _WORKING_SIZE), "Position")
    normal = relief.normals(orm[..., 0] * np.float32(shader.relief), *position)
    orm[..., 0] = 1.0  # where glTF has occlusion, which these maps do not carry
    return Maps(color, orm, _with_detail(source, target, normal, box.diagonal), 1.0, 1.0)


def _with_detail(source: Any, target: Any, normal: Picture, diagonal: float) -> Picture:
    """Adds the detail that the model's own normal maps have: of a decimated model, all that is left of its shape."""
    if not source_look.has_detail([material for material in source.data.materials if material]):
        return normal
    reach = (diagonal * 1e-4, diagonal * 2e-4)
    size = min(normal.shape[0], _WORKING_SIZE * 2)
    return relief.combined(enlarged(transfer.shape(source, target, size, reach), normal.shape[0]), normal)
