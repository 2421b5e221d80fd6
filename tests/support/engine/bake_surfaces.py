"""Started by path inside a background Blender: bakes what many texture prompts look like, all at once and small.

Request: ``{"prompts": {key: words}, "seed": 1, "materials": bool, "output": path of an .npz}``; with ``materials``
every material that the engine knows is a prompt as well. The file has per key ``color:<key>`` (cell, cell, 4) with
opacity last and ``orm:<key>`` (cell, cell, 3), sRGB curve and 0..1. Answer: ``{"materials": {word: first word of the
same}}``.
"""

from __future__ import annotations

import importlib
import sys
from pathlib import Path
from typing import Any

_VENDOR = Path(__file__).resolve().parents[3] / "vendor"
_PACKAGE = "assetgen_engine"
CELL = 64


def work(request: dict[str, Any], report: Any) -> dict[str, Any]:
    """Bakes two maps of one mesh that has a ball for every prompt, each with a material and a square of its own."""
    import numpy as np

    engine = {name: importlib.import_module(f"{_PACKAGE}.{name}") for name in
              ("materials.bake", "materials.library", "mesh.measure", "mesh.build", "images.arrays", "materials.prompt",
               "files.model_io", "materials.shading")}  # fmt: skip
    prompts, first = dict(request["prompts"]), {}
    if request.get("materials"):
        seen: dict[Any, str] = {}
        for word, swatch in engine["materials.library"].MATERIALS.items():
            first[word] = seen.setdefault(swatch, word)
        prompts |= {word: word for word in seen.values()}
    engine["files.model_io"].reset()
    columns = int(np.ceil(np.sqrt(len(prompts))))
    size = 1 << (columns * CELL - 1).bit_length()
    columns = size // CELL
    points, quads, uv = _ball()
    count, cells = len(prompts), np.array([(n % columns, n // columns) for n in range(len(prompts))])
    faces = (quads[None] + np.arange(count)[:, None, None] * len(points)).reshape(-1, 4)
    target = engine["mesh.build"].new_object("sheet", np.tile(points, (count, 1)), faces)
    places = (uv[quads].reshape(-1, 2)[None] * 0.94 + 0.03 + cells[:, None]) / columns
    engine["mesh.build"].set_uv(target.data, places.reshape(-1, 2))
    target.data.polygons.foreach_set("material_index", np.repeat(np.arange(count), len(quads)).astype(np.int32))
    box = engine["mesh.measure"].bounds([target])
    surface_of, shader_of = engine["materials.prompt"].surface_of, engine["materials.shading"].Shader
    shaders = [shader_of(surface_of(words), box, int(request.get("seed", 1))) for words in prompts.values()]
    for shader in shaders:
        target.data.materials.append(shader.material)
    maps = {}
    for name in ("show", "show_opacity_and_glow"):
        for shader in shaders:
            getattr(shader, name)()
        report(0.3, name)
        maps[name], coverage = engine["materials.bake"].bake("EMIT", target, size)
    fill = engine["images.arrays"].fill
    linear, orm = (fill(picture, coverage) for picture in engine["materials.shading"].unpacked(maps["show"]))
    color = engine["images.arrays"].to_srgb(linear)
    color = np.concatenate((color, fill(maps["show_opacity_and_glow"], coverage)[..., :1]), axis=2)
    surfaces = {}
    for key, (x, y) in zip(prompts, cells, strict=True):
        cut = np.s_[y * CELL + 4 : y * CELL + CELL - 4, x * CELL + 4 : x * CELL + CELL - 4]
        surfaces[f"color:{key}"], surfaces[f"orm:{key}"] = color[cut], orm[cut]
    np.savez(request["output"], **surfaces)
    return {"materials": first}


def _ball(rows: int = 16) -> tuple[Any, Any, Any]:
    """A ball of quads from below to above: points, faces, and where each point is in the unit square."""
    import numpy as np

    up, around = (grid.ravel() for grid in np.meshgrid(np.arange(rows + 1), np.arange(rows * 2 + 1), indexing="ij"))
    height, turn = np.pi * (0.06 + 0.88 * up / rows), np.pi * around / rows
    points = np.stack((np.sin(height) * np.cos(turn), np.sin(height) * np.sin(turn), -np.cos(height)), axis=1) * 0.5
    x, y = (grid.ravel() for grid in np.meshgrid(np.arange(rows * 2), np.arange(rows)))
    here = y * (rows * 2 + 1) + x
    quads = np.stack((here, here + 1, here + rows * 2 + 2, here + rows * 2 + 1), axis=1)
    return points, quads, np.stack((around / (rows * 2), up / rows), axis=1)


if __name__ == "__main__":
    from small_engine import engine_main  # this folder is where Python looks first

    sys.path.insert(0, str(_VENDOR))
    engine_main()
    from background_blender.child import main

    main(work)
