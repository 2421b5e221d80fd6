"""Started by path inside a background Blender: what models of many objects are worked on with.

With ``model`` in the request, its capability works on that model. Answer: ``operators``, the names of the operators of
Blender's that this called, in order. Else seventy objects of all kinds are joined by Blender's operator, and as many
objects are. Answer: ``differs``, the names of what is not the same then.
"""

from __future__ import annotations

import importlib
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

_VENDOR = Path(__file__).resolve().parents[3] / "vendor"
_PACKAGE = "assetgen_engine"
_OBJECTS = 70


class _Counted:
    """An operator, or a group of them, that counts its calls."""

    def __init__(self, operator: Any, calls: list[str]) -> None:
        self._operator, self._calls = operator, calls

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._operator, name)
        return found if name == "get_rna_type" else _Counted(found, self._calls)

    def __call__(self, *arguments: Any, **options: Any) -> Any:
        self._calls.append(self._operator.idname_py())
        return self._operator(*arguments, **options)


def _operators_called(request: dict[str, Any], report: Any) -> list[str]:
    """The names of the operators that the engine called for a request."""
    import bpy

    importlib.import_module(f"{_PACKAGE}.capabilities.{request['type']}")
    calls: list[str] = []
    names = {name: getattr(bpy, name) for name in dir(bpy) if not name.startswith("__")}
    counting = SimpleNamespace(**names | {"ops": _Counted(bpy.ops, calls)})
    modules = [module for name, module in sys.modules.items() if name.startswith(_PACKAGE) and hasattr(module, "bpy")]
    for module in modules:
        module.bpy = counting
    engine_main_module.work(request, report)
    for module in modules:
        module.bpy = bpy
    return calls


def _made() -> list[Any]:
    """Objects with and without materials, texture coordinates, colours, flat faces and normals of their own."""
    import bmesh
    import bpy
    import numpy as np

    numbers = np.random.default_rng(3)
    materials = [bpy.data.materials.new(f"Material {index}") for index in range(4)]
    made = []
    for index in range(_OBJECTS):
        mesh = bpy.data.meshes.new(f"Part {index}")
        edit = bmesh.new()
        bmesh.ops.create_icosphere(edit, subdivisions=1 + index % 2, radius=1)
        edit.to_mesh(mesh)
        edit.free()
        slots = numbers.permutation(4)[: 1 + index % 3]
        for slot in slots.tolist():
            mesh.materials.append(materials[slot] if index % 7 else None)
        mesh.polygons.foreach_set("material_index", numbers.integers(len(slots), size=len(mesh.polygons)))
        mesh.polygons.foreach_set("use_smooth", numbers.random(len(mesh.polygons)) > 0.5)
        if index % 3 == 0:
            uvs = mesh.uv_layers.new(name="UVMap").uv
            uvs.foreach_set("vector", numbers.random(2 * len(mesh.loops)).astype(np.float32))
        if index % 5 == 1:
            colors = mesh.color_attributes.new("Color", "BYTE_COLOR", "CORNER").data
            colors.foreach_set("color", numbers.random(4 * len(mesh.loops)).astype(np.float32))
        if index % 4 == 2:
            mesh.normals_split_custom_set(numbers.normal(size=(len(mesh.loops), 3)).tolist())
        made.append(bpy.data.objects.new(mesh.name, mesh))
        made[-1].location, made[-1].rotation_euler = (index, 0, 0), (index, 0, 1)
        bpy.context.collection.objects.link(made[-1])
    bpy.context.view_layer.update()
    return made


def _told(objects: list[Any], few: int) -> dict[str, list[Any]]:
    """All that the joined mesh has, by names; ``few`` objects are joined by the operator."""
    merged = importlib.import_module(f"{_PACKAGE}.mesh.merged")
    before, merged._FEW = merged._FEW, few
    mesh = merged.merge(objects, "whole").whole.data
    merged._FEW = before
    has_color = [index % 5 == 1 for index, item in enumerate(objects) for _ in item.data.loops]
    colors = mesh.color_attributes["Color"].data
    return {
        "places": [round(number, 5) for vertex in mesh.vertices for number in vertex.co],
        "corners": [loop.vertex_index for loop in mesh.loops],
        "normals": [round(number, 3) for normal in mesh.corner_normals for number in normal.vector],
        "smooth": [face.use_smooth for face in mesh.polygons],
        "materials": [getattr(mesh.materials[face.material_index], "name", None) for face in mesh.polygons],
        "uvs": [round(number, 5) for uv in mesh.uv_layers["UVMap"].uv for number in uv.vector],
        "colors": [tuple(color.color) for color, has in zip(colors, has_color, strict=True) if has],
        "edges": [len(mesh.edges)],
    }


def work(request: dict[str, Any], report: Any) -> dict[str, Any]:
    """Counts or compares."""
    if request.get("model"):
        return {"operators": _operators_called(request, report)}
    objects = _made()
    by_operator, appended = _told(objects, _OBJECTS), _told(objects, 1)
    return {"differs": [name for name, told in by_operator.items() if told != appended[name]]}


if __name__ == "__main__":
    from small_engine import engine_main  # this folder is where Python looks first

    sys.path.insert(0, str(_VENDOR))
    engine_main_module = engine_main()
    from background_blender.child import main

    main(work)
