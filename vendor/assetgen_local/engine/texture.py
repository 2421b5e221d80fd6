"""Texture: a new PBR material from words or pictures, unwrapped and baked to glTF maps. The geometry stays as it is."""

from __future__ import annotations

import zlib
from typing import Any

from . import bake, finish, mesh_facts, projection, scene_io
from .errors import EngineError
from .finish import Maps
from .materials import surface_of
from .merged import Merged, merge
from .pictures import fill, normalised, to_srgb
from .shading import Shader
from .task import Task
from .unwrap import unwrap

SIZES = {"standard": 1024, "detailed": 2048, "extreme": 4096}
"""Pixels of the maps for each ``texture_quality``."""

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
    target = merge(objects, "target").welded(mesh_facts.bounds(objects).diagonal)
    unwrap(target.whole, size)
    bake.prepare()
    maps = _baked(task, target, size, pbr)
    target.write_back_uv()
    target.remove()
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


def _baked(task: Task, target: Merged, size: int, pbr: bool) -> Maps:
    box = mesh_facts.bounds([target.whole])
    views = projection.views_of(task)
    shader = Shader(surface_of(_words(task)), box, seed_of(task))
    target.whole.data.materials.append(shader.material)
    task.report(0.2, "Painting the base colour")
    if views:
        color = projection.bake_views(target.whole, views, box, size)
    else:
        shader.show_color()
        color = to_srgb(fill(*bake.bake("EMIT", target.whole, size)))
    if not pbr:
        return Maps(color, roughness=0.6)
    task.report(0.4, "Painting roughness and metal")
    if views:
        return Maps(color, projection.plain_orm(size), projection.plain_normal(size))
    shader.show_orm()
    orm = fill(*bake.bake("EMIT", target.whole, size))
    task.report(0.55, "Painting the relief")
    shader.show_relief()
    normal, known = bake.bake("NORMAL", target.whole, size)
    return Maps(color, orm, normalised(fill(normal, known)), roughness=1.0, metallic=1.0)
