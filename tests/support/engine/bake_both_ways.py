"""Started by path inside a background Blender: colour and normals of a ball for a coarser one, in one bake and in two.

Answer: the largest differences on the scale of 0 to 255, ``{"color": ..., "normal": ...}``, left out the thousandth of
the pixels where they are largest; and ``missing``, the part of the pixels that only one of the ways covers.
"""

from __future__ import annotations

import importlib
import sys
from pathlib import Path
from typing import Any

_VENDOR = Path(__file__).resolve().parents[3] / "vendor"
_PACKAGE = "assetgen_engine"
_SIZE = 256
_REACH = (0.2, 0.5)


def work(request: dict[str, Any], report: Any) -> dict[str, Any]:
    """Bakes them."""
    import bpy
    import numpy as np

    bake, emission, transfer, arrays, unwrap, texels, model_io = (
        importlib.import_module(f"{_PACKAGE}.{name}")
        for name in ("materials.bake", "materials.emission", "materials.transfer", "images.arrays", "mesh.unwrap",
                     "mesh.texels", "files.model_io")
    )  # fmt: skip
    model_io.reset()
    bpy.ops.mesh.primitive_uv_sphere_add(segments=48, ring_count=24)
    high = bpy.context.object
    bpy.ops.mesh.primitive_ico_sphere_add(subdivisions=2)
    low = bpy.context.object
    bpy.ops.object.shade_smooth()
    material = bpy.data.materials.new("Noise")
    material.use_nodes = True
    tree = material.node_tree
    noise = tree.nodes.new("ShaderNodeTexNoise")
    tree.links.new(noise.outputs["Color"], tree.nodes["Principled BSDF"].inputs["Base Color"])
    high.data.materials.append(material)
    unwrap.unwrap(low, _SIZE)
    color, normal, *_ = transfer.look(high, low, _SIZE, _REACH, ())
    expected, coverage = bake.bake("NORMAL", low, _SIZE, source=high, reach=_REACH)
    with emission.emitting(high, "color"):
        colors, _ = bake.bake("EMIT", low, _SIZE, source=high, reach=_REACH)
    both = coverage & texels.texels_of(low.data, _SIZE).coverage
    pairs = {"color": (color, arrays.to_srgb(colors)), "normal": (normal, expected)}
    differences = {name: np.abs(one - other)[both].max(axis=1) * 255 for name, (one, other) in pairs.items()}
    answer = {name: float(np.quantile(values, 0.999)) for name, values in differences.items()}
    return answer | {"missing": float(1 - both.sum() / max(coverage.sum(), 1))}


if __name__ == "__main__":
    from small_engine import engine_main  # this folder is where Python looks first

    sys.path.insert(0, str(_VENDOR))
    engine_main()
    from background_blender.child import main

    main(work)
