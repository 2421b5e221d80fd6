"""Started by path inside a background Blender: a ball of two materials for a coarser one, whose bakes are counted.

Answer: for ``plain`` materials, in a ``large`` map too, where one has a ``painted`` roughness and light, and where
there are ``many`` others that no face has, ``{"bakes": number, "sizes": [...], "apart": x}``: pixels of the maps of
roughness and of light; the largest difference of roughness, metalness and light from what they are, 0 to 1, away from
where the materials meet.
"""

from __future__ import annotations

import importlib
import sys
from pathlib import Path
from typing import Any

_VENDOR = Path(__file__).resolve().parents[3] / "vendor"
_PACKAGE = "assetgen_engine"
_MOST_KINDS = 64  # that a bake of the look tells apart
_ROUGHNESS, _METALLIC, _STRENGTH = (0.2, 0.8), (1.0, 0.0), (2.0, 4.0)
_LIGHT = ((0.0, 0.5, 0.0, 1.0), (1.0, 0.25, 0.05, 1.0))


def work(request: dict[str, Any], report: Any) -> dict[str, Any]:
    """Bakes them."""
    return {
        "plain": _baked(),
        "large": _baked(size=2048),
        "painted": _baked(painted=True),
        "many": _baked(others=_MOST_KINDS - 1),
    }


def _baked(*, size: int = 128, painted: bool = False, others: int = 0) -> dict[str, Any]:
    import bpy
    import numpy as np

    bake, transfer, arrays, unwrap, texels, model_io = (
        importlib.import_module(f"{_PACKAGE}.{name}")
        for name in ("materials.bake", "materials.transfer", "images.arrays", "mesh.unwrap", "mesh.texels",
                     "files.model_io")
    )  # fmt: skip
    model_io.reset()
    bpy.ops.mesh.primitive_uv_sphere_add(segments=48, ring_count=24)
    high = bpy.context.object
    for number in range(2):
        high.data.materials.append(_material(number, painted=painted))
    for number in range(others):
        other = _material(0, painted=False)
        other.node_tree.nodes["Principled BSDF"].inputs["Roughness"].default_value = 0.5 + number / 200
        high.data.materials.append(other)
    for face in high.data.polygons:
        face.material_index = int(face.center.x > 0)
    bpy.ops.mesh.primitive_ico_sphere_add(subdivisions=3)
    low = bpy.context.object
    unwrap.unwrap(low, size)
    calls, once = [], bake.bake
    bake.bake = lambda *args, **options: calls.append(args) or once(*args, **options)
    try:
        maps = transfer.transfer(high, low, size, 3.5)
    finally:
        bake.bake = once
    shares = np.array(_LIGHT)[:, :3] * np.array(_STRENGTH)[:, None] / max(_STRENGTH)
    surface = np.stack((_ROUGHNESS, _METALLIC), axis=1)

    def apart(picture: Any, of_each: Any) -> float:
        seen = texels.texels_of(low.data, len(picture))
        across = seen.positions(low.data)[:, 0]
        sure = np.abs(across) > 0.2
        return float(np.abs(picture[seen.coverage][sure] - of_each[(across[sure] > 0).astype(int)]).max())

    most = max(apart(maps.orm[..., 1:], surface), apart(maps.glow, arrays.to_srgb(shares)))
    return {"bakes": len(calls), "sizes": [len(maps.orm), len(maps.glow)], "apart": most}


def _material(number: int, *, painted: bool) -> Any:
    import bpy

    material = bpy.data.materials.new("Half")
    material.use_nodes = True
    surface = material.node_tree.nodes["Principled BSDF"]
    values = {"Roughness": _ROUGHNESS, "Metallic": _METALLIC, "Emission Color": _LIGHT, "Emission Strength": _STRENGTH}
    for name, of_each in values.items():
        surface.inputs[name].default_value = of_each[number]
    if painted and number:
        for name, kind in (("Roughness", "ShaderNodeValue"), ("Emission Color", "ShaderNodeRGB")):
            node = material.node_tree.nodes.new(kind)
            node.outputs[0].default_value = values[name][number]
            material.node_tree.links.new(node.outputs[0], surface.inputs[name])
    return material


if __name__ == "__main__":
    from small_engine import engine_main  # this folder is where Python looks first

    sys.path.insert(0, str(_VENDOR))
    engine_main()
    from background_blender.child import main

    main(work)
