"""Run by path with a folder: models read and written by Blender's own importer and exporter, and large meshes apart.

Prints, for each of the models, ``{"read": differences, "filled": meshes, "written": differences, "apart": meshes,
"free": meshes, "shaded": differences}``: what differs between the two ways, how many of its meshes were read and
written apart from the rest, how many have the file's own normals where they may, and what is shaded differently then.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import bpy
import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "vendor"))

from background_blender import exporters, importers, large_meshes
from background_blender.glb_files import Glb
from mathutils import Matrix

_NEVER = 1 << 40
_PACKED = 2e-4  # the most that a normal is off once it is packed
_PARTS = {
    "FLOAT_VECTOR": ("vector", 3, np.float32),
    "FLOAT2": ("vector", 2, np.float32),
    "INT": ("value", 1, np.int32),
    "BOOLEAN": ("value", 1, bool),
    "INT32_2D": ("value", 2, np.int32),
    "INT16_2D": ("value", 2, np.int16),
    "BYTE_COLOR": ("color", 4, np.float32),
    "FLOAT_COLOR": ("color", 4, np.float32),
}


def _ball(*, name: str = "Ball", materials: int = 2, layers: int = 2) -> Any:
    """A ball of triangles and squares, smooth above and flat below, with materials on its sides and a seam."""
    bpy.ops.mesh.primitive_uv_sphere_add(segments=24, ring_count=12)
    ball = bpy.context.object
    ball.name = ball.data.name = name
    for number in range(materials):
        material = bpy.data.materials.new(f"{name} {number}")
        material.use_nodes = True
        image = bpy.data.images.new(f"{name} {number}", 4, 4)
        image.pixels = [0.1 * number, 0.5, 0.2, 1.0] * 16
        image.pack()
        node = material.node_tree.nodes.new("ShaderNodeTexImage")
        node.image = image
        shader = next(one for one in material.node_tree.nodes if one.type == "BSDF_PRINCIPLED")
        material.node_tree.links.new(node.outputs["Color"], shader.inputs["Base Color"])
        ball.data.materials.append(material)
    for face in ball.data.polygons:
        face.use_smooth = face.center.z > 0
        face.material_index = int(face.center.x > 0) if materials > 1 else 0
    while len(ball.data.uv_layers) < layers:
        ball.data.uv_layers.new(name=f"More {len(ball.data.uv_layers)}")
    while len(ball.data.uv_layers) > layers:
        ball.data.uv_layers.remove(ball.data.uv_layers[-1])
    ball.location, ball.rotation_euler = (1, 2, 3), (0.1, 0.2, 0.3)
    return ball


def _family() -> None:
    parent, child = _ball(name="Parent"), _ball(name="Child", materials=1, layers=1)
    child.parent = parent
    child.data["note"] = "kept"
    twin = bpy.data.objects.new("Twin", child.data)
    bpy.context.scene.collection.objects.link(twin)


def _mixed() -> None:
    """Two meshes of which one has colours."""
    _ball(name="Plain")
    _colored()


def _beside_a_triangle() -> None:
    """The exporter gives a triangle and what stands for the ball the same numbers, once."""
    _ball(materials=1)
    mesh = bpy.data.meshes.new("Triangle")
    mesh.from_pydata([(0, 0, 0), (1, 0, 0), (0, 1, 0)], [], [(0, 1, 2)])
    mesh.color_attributes.new("Col", "FLOAT_COLOR", "POINT")
    bpy.context.scene.collection.objects.link(bpy.data.objects.new("Triangle", mesh))


def _colored() -> None:
    colors = _ball().data.color_attributes.new("Col", "FLOAT_COLOR", "POINT")
    colors.data.foreach_set("color", np.linspace(0, 1, 4 * len(colors.data), dtype=np.float32))


def _keyed() -> None:
    ball = _ball()
    ball.shape_key_add(name="Basis")
    ball.shape_key_add(name="Up").data[0].co.z += 1


def _rigged() -> None:
    ball = _ball()
    bpy.ops.object.armature_add()
    armature = bpy.context.object
    ball.parent = armature
    ball.modifiers.new("Armature", "ARMATURE").object = armature
    ball.vertex_groups.new(name="Bone").add(range(len(ball.data.vertices)), 1.0, "REPLACE")


def _with_a_triangle_twice(glb: Glb) -> None:
    """The importer leaves out a triangle that is there already."""
    accessor = glb.document["accessors"][glb.document["meshes"][0]["primitives"][0]["indices"]]
    index = glb.values(glb.document["meshes"][0]["primitives"][0]["indices"])[:, 0]
    accessor |= glb.added(np.concatenate((index, index[:3])))


def _interleaved(glb: Glb) -> None:
    """All attributes of a point beside each other."""
    attributes = glb.document["meshes"][0]["primitives"][0]["attributes"]
    columns = {name: glb.values(number) for name, number in attributes.items()}
    rows = np.concatenate(list(columns.values()), axis=1)
    view = glb.added(rows.ravel())["bufferView"]
    glb.document["bufferViews"][view] |= {"byteStride": rows.strides[0]}
    offset = 0
    for name, values in columns.items():
        glb.document["accessors"][attributes[name]] |= {"bufferView": view, "byteOffset": offset}
        offset += values.strides[0]


def _sparse(glb: Glb) -> None:
    """Some points are elsewhere than their view says."""
    accessor = glb.document["accessors"][glb.document["meshes"][0]["primitives"][0]["attributes"]["POSITION"]]
    index = {"bufferView": glb.added(np.arange(9, dtype=np.uint16))["bufferView"], "componentType": 5123}
    places = {"bufferView": glb.added(np.ones((9, 3), np.float32))["bufferView"]}
    accessor["sparse"] = {"count": 9, "indices": index, "values": places}


def _quantised(glb: Glb) -> None:
    """UVs are of two bytes each."""
    attributes = glb.document["meshes"][0]["primitives"][0]["attributes"]
    uv = np.round(glb.values(attributes["TEXCOORD_0"]) * 65535).astype(np.uint16)
    glb.document["accessors"][attributes["TEXCOORD_0"]] |= {**glb.added(uv), "normalized": True}


def _sharing(glb: Glb) -> None:
    """A mesh has the points of another one, and a part of its triangles."""
    meshes = glb.document["meshes"]
    primitive = dict(meshes[0]["primitives"][0])
    half = {**glb.document["accessors"][primitive["indices"]], "count": 99}
    glb.document["accessors"].append(half)
    meshes.append({"name": "Half", "primitives": [primitive | {"indices": len(glb.document["accessors"]) - 1}]})
    glb.document["nodes"][0]["children"] = [len(glb.document["nodes"])]
    glb.document["nodes"].append({"name": "Half", "mesh": len(meshes) - 1, "scale": [-1, 1, 2]})


def _in_many_places(glb: Glb) -> None:
    """A node says where its mesh is three times."""
    places = glb.added(np.arange(9, dtype=np.float32).reshape(3, 3))
    glb.document["accessors"].append(places)
    several = {"attributes": {"TRANSLATION": len(glb.document["accessors"]) - 1}}
    glb.document["nodes"][0]["extensions"] = {"EXT_mesh_gpu_instancing": several}
    glb.document["extensionsUsed"] = ["EXT_mesh_gpu_instancing"]


def _noted(glb: Glb) -> None:
    """Custom properties have names that mean something elsewhere."""
    glb.document["nodes"][0]["extras"] = {"bufferView": 1, "note": "kept"}
    glb.document["asset"]["extras"] = {"bufferView": "any"}


def _marked(glb: Glb) -> None:
    """A mesh has our mark, from a file."""
    glb.document["meshes"][0]["extras"] = {large_meshes._MARK: 7}


def _compressed(glb: Glb) -> None:
    """An extension may say where the bytes of a view are: whoever moves them has to know it."""
    glb.document["bufferViews"][-1]["extensions"] = {"EXT_in_other_bytes": {"buffer": 0, "byteOffset": 0}}


MODELS: dict[str, Callable[[], Any]] = {
    "ball": _ball,
    "bare": lambda: _ball(materials=0, layers=0),
    "family": _family,
    "colored": _colored,
    "keyed": _keyed,
    "rigged": _rigged,
    "mixed": _mixed,
    "beside a triangle": _beside_a_triangle,
}

EDITS: dict[str, Callable[[Glb], None]] = {
    "twice": _with_a_triangle_twice,
    "interleaved": _interleaved,
    "sparse": _sparse,
    "quantised": _quantised,
    "sharing": _sharing,
    "in many places": _in_many_places,
    "noted": _noted,
    "marked": _marked,
    "compressed": _compressed,
}
"""What other exporters write and Blender's does not: done to the file of a ball."""


def _state() -> dict[str, Any]:
    """All that an import makes, by names that say what is what."""
    state: dict[str, Any] = {
        "images": sorted((item.name, tuple(item.size)) for item in bpy.data.images),
        "materials": sorted(item.name for item in bpy.data.materials),
        "collections": sorted((one.name, sorted(one.all_objects.keys())) for one in bpy.data.collections),
    }
    for item in bpy.data.objects:
        parent, data = (other.name if other else "" for other in (item.parent, item.data))
        slots = [slot.name for slot in item.material_slots]
        state[item.name] = (item.type, parent, data, slots, item.matrix_world.copy().freeze(), sorted(item.keys()))
    for mesh in bpy.data.meshes:
        state[f"{mesh.name}:"] = (
            {key: str(value) for key, value in mesh.items()},
            [material and material.name for material in mesh.materials],
            [(layer.name, layer.active, layer.active_render) for layer in mesh.uv_layers],
            len(mesh.shape_keys.key_blocks) if mesh.shape_keys else 0,
        )
        for layer in mesh.attributes:
            part, width, kind = _PARTS[layer.data_type]
            state[f"{mesh.name}: {layer.name}"] = (layer.domain, _numbers(layer.data, part, width, kind))
        state[f"{mesh.name}: normals"] = _numbers(mesh.corner_normals, "vector", 3, np.float32)
        state[f"{mesh.name}: sizes"] = _numbers(mesh.polygons, "loop_total", 1, np.int32)
    return state


def _numbers(items: Any, part: str, width: int, kind: Any) -> bytes:
    numbers = np.empty(len(items) * width, kind)
    items.foreach_get(part, numbers)
    return numbers.tobytes()


def _read(path: Path, least: int) -> tuple[dict[str, Any], int]:
    """What is in the scene then, and how many meshes were filled."""
    bpy.ops.wm.read_homefile(use_factory_startup=True, use_empty=True)
    filled = []
    fill = large_meshes._fill
    large_meshes._LARGE, large_meshes._fill = least, lambda *mesh: (filled.append(mesh), fill(*mesh))[1]
    importers.READERS["glb"](path)
    large_meshes._fill = fill
    return _state(), len(filled)


def _shading() -> tuple[dict[str, Any], int]:
    """The normals of all corners, and how many meshes have those of a file."""
    layers = [mesh.attributes.get("custom_normal") for mesh in bpy.data.meshes]
    free = sum(layer is not None and layer.data_type == "FLOAT_VECTOR" for layer in layers)
    return {mesh.name: _corner_normals(mesh) for mesh in bpy.data.meshes}, free


def _wrong_in_mirror() -> list[str]:
    """Mirrors all meshes that have normals of a file; those whose normals are not mirrored with them."""
    wrong = []
    for mesh in bpy.data.meshes:
        layer = mesh.attributes.get("custom_normal")
        if layer is None or layer.data_type != "FLOAT_VECTOR":
            continue
        before = _by_point(mesh)
        mesh.transform(Matrix.Diagonal((-1.0, 1.0, 1.0, 1.0)))
        mesh.flip_normals()
        if not np.allclose(before * (-1, 1, 1), _by_point(mesh), atol=1e-5):
            wrong.append(mesh.name)
    return wrong


def _by_point(mesh: Any) -> Any:
    """A corner's normal of each point: all have the same."""
    found = np.zeros((len(mesh.vertices), 3), np.float32)
    found[np.frombuffer(_numbers(mesh.loops, "vertex_index", 1, np.int32), np.int32)] = _corner_normals(mesh)
    return found


def _corner_normals(mesh: Any) -> Any:
    return np.frombuffer(_numbers(mesh.corner_normals, "vector", 3, np.float32), np.float32).reshape(-1, 3)


def _written(path: Path, least: int) -> tuple[dict[str, Any], dict[str, Any], int]:
    """The document of a GLB without its numbers, each triangle's corners, and how many meshes were written apart."""
    exporters._LARGE = least
    apart = len(exporters._large_meshes())
    exporters.write_glb(path, export_animations=False)
    glb = Glb.parsed(memoryview(path.read_bytes()))
    corners = {}
    for mesh in glb.document["meshes"]:
        for number, primitive in enumerate(mesh["primitives"]):
            accessors = {"indices": primitive["indices"], **primitive["attributes"]}
            index = glb.values(primitive["indices"])[:, 0]
            for name, accessor in accessors.items():
                said = {**glb.document["accessors"][accessor], "bufferView": 0}
                as_they_stand = name != "indices" and "normalized" not in said
                at = (glb.values(accessor)[index] + 0).tolist() if as_they_stand else []
                corners[f"{mesh['name']} {number} {name}"] = (said, at)
            primitive |= {"indices": 0, "attributes": sorted(primitive["attributes"])}
    for part in glb.document.get("images", ()):
        del part["bufferView"]
    for name in ("accessors", "bufferViews", "buffers"):
        del glb.document[name]
    return glb.document, corners, apart


def _far(one: dict[str, Any], other: dict[str, Any]) -> list[str]:
    """What differs by more than a packed normal does from itself."""
    return sorted(name for name in one.keys() | other.keys() if not np.allclose(one[name], other[name], atol=_PACKED))


def _differences(one: dict[str, Any], other: dict[str, Any]) -> list[str]:
    return sorted(name for name in one.keys() | other.keys() if one.get(name) != other.get(name))


def main(folder: Path) -> None:
    """Prints what differs."""
    result = {}
    for name, make in {**MODELS, **dict.fromkeys(EDITS, _ball)}.items():
        bpy.ops.wm.read_homefile(use_factory_startup=True, use_empty=True)
        make()
        bpy.context.view_layer.update()
        names = sorted(mesh.name for mesh in bpy.data.meshes)
        document, corners, _ = _written(folder / f"{name}.glb", _NEVER)
        other_document, other_corners, apart = _written(folder / f"{name} apart.glb", 0)
        written = _differences(document, other_document) + _differences(corners, other_corners)
        if sorted(mesh.name for mesh in bpy.data.meshes) != names:
            written.append("the meshes of the scene")
        if name in EDITS:
            glb = Glb.parsed(memoryview((folder / f"{name}.glb").read_bytes()))
            EDITS[name](glb)
            glb.write(folder / f"{name}.glb")
        state, _ = _read(folder / f"{name}.glb", _NEVER)
        other_state, filled = _read(folder / f"{name}.glb", 0)
        shading, _ = _shading()
        with large_meshes.free_normals():
            _read(folder / f"{name}.glb", 0)
        other_shading, free = _shading()
        result[name] = {
            "read": _differences(state, other_state),
            "filled": filled,
            "written": written,
            "apart": apart,
            "free": free,
            "shaded": _far(shading, other_shading) + _wrong_in_mirror(),
        }
    print("RESULT", json.dumps(result), flush=True)
    os._exit(0)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
