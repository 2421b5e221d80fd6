"""Stylize: the model rebuilt from bricks, voxels or blocks, as a lattice of struts, or as a key ring, magnet or keycap.

``style`` is lego where it is left out. ``block_size`` is in thousandths of the model's longest side: the size of a
block (lego, voxel, minecraft), or the distance between the knots of the lattice (voronoi); a model has at most 128
blocks along a side, and the other styles have none. ``render_image`` renders a picture of the result also where the
engine was started without previews. ``vxc`` is for entitled accounts of the online service; here it changes nothing.
The result is as large as the source and in its place; lego studs and what key rings and keycaps add stand out of it.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from ..errors import EngineError
from ..files import model_io
from ..mesh.merged import merge
from ..output import answer_files
from ..styles import blocks, lattice, printables
from ..styles.block_grid import block_grid_of
from ..styles.surface_samples import samples_of
from ..task import Task

_SIZES = {"lego": 31, "voxel": 25, "voronoi": 90, "minecraft": 25}
"""``block_size`` where the request has none: 32 and 40 blocks along the longest side, and some hundred knots."""

_GOODS = {"keyring": printables.keyring, "fridge_magnet": printables.magnet, "keycap": printables.keycap}
_STYLES = (*_SIZES, *_GOODS)

_MOST_BLOCKS = 128
_FEW_BLOCKS = 64
_SAMPLES, _MANY_SAMPLES = 1024, 2048  # pixels of the picture whose pixels are the samples of the surface


def run(task: Task) -> dict[str, Any]:
    """Rebuilds the model.

    Raises:
        EngineError: The model cannot be read, or the style is not known here.
    """
    style = task.body.get("style") or "lego"
    if style not in _STYLES:
        raise EngineError(f"The local engine has no style {style!r}; it has {', '.join(_STYLES)}.")
    task.report(0.02, "Reading the model")
    source = merge(model_io.load(task.model()), "source")
    model_io.keep_only([source.whole])
    result, facts = _rebuilt(task, style, source.whole)
    source.remove()
    pictured = replace(task, preview=True) if task.flag("render_image") else task
    answer = answer_files.model_and_preview(pictured, result, 0.8)
    answer["facts"] |= facts
    return answer


def _rebuilt(task: Task, style: str, whole: Any) -> tuple[list[Any], dict[str, int]]:
    """The objects of the result, and what is counted in it."""
    if style in _GOODS:
        task.report(0.1, "Closing the surface")
        return _GOODS[style](whole), {}
    task.report(0.1, "Looking at the surface")
    size = max(float(task.body.get("block_size") or _SIZES[style]) / 1000, 1 / _MOST_BLOCKS)
    if style == "voronoi":
        samples = samples_of(whole, _SAMPLES)
        task.report(0.4, "Growing the struts")
        return lattice.lattice(samples, whole, size)
    count = max(1, round(1 / size))
    samples = samples_of(whole, _SAMPLES if count <= _FEW_BLOCKS else _MANY_SAMPLES)
    volume = block_grid_of(samples, count, blocks.HEIGHT if style == "lego" else 1.0)
    facts = {"blocks": int(volume.filled.sum())}
    task.report(0.5, "Laying the blocks")
    if style == "lego":
        model, counts = blocks.bricks(volume)
        return [model], facts | counts
    return [blocks.voxels(volume) if style == "voxel" else blocks.minecraft(volume)], facts
