"""Helpers for tests of the extension inside Blender."""

from __future__ import annotations

import json
import shutil
import struct
import subprocess
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import bpy
from mathutils import Matrix, Vector

from .fork_server.command import forked_python

_EXPORT = Path(__file__).parent / "models" / "export_glb.py"


def echo_runner(
    request: Mapping[str, Any], *, on_progress: Callable[[float, str], None], stopped: Callable[[], bool]
) -> dict[str, Any]:
    """Gives back the model that a task works on: what goes out comes in again, so that places can be compared."""
    on_progress(0.5, "half done")
    shutil.copyfile(request["model"], Path(request["output_dir"]) / "model.glb")
    return {"files": {"model_url": "model.glb"}, "values": {}, "facts": {}}


def normalising_runner(
    request: Mapping[str, Any], *, on_progress: Callable[[float, str], None], stopped: Callable[[], bool]
) -> dict[str, Any]:
    """Like a service that brings every model to a size and place of its own."""
    answer = echo_runner(request, on_progress=on_progress, stopped=stopped)
    if request["type"] != "import_model":
        change_nodes(Path(request["output_dir"]) / "model.glb", scale=[0.25, 0.25, 0.25], translation=[0.5, -3.0, 2.0])
    return answer


def change_nodes(glb: Path, **values: Any) -> None:
    """Sets properties of every node of a GLB."""
    data = glb.read_bytes()
    (length,) = struct.unpack_from("<I", data, 12)
    document = json.loads(data[20 : 20 + length])
    for node in document["nodes"]:
        node.update(values)
    text = json.dumps(document).encode()
    text += b" " * (-len(text) % 4)
    rest = data[20 + length :]
    head = struct.pack("<4sII", b"glTF", 2, 20 + len(text) + len(rest)) + struct.pack("<I4s", len(text), b"JSON")
    glb.write_bytes(head + text + rest)


def add_mesh(name: str = "Thing", kind: str = "monkey", **transform: Any) -> bpy.types.Object:
    """Adds a mesh, makes it the selection, and places it."""
    bpy.ops.object.select_all(action="DESELECT")
    getattr(bpy.ops.mesh, f"primitive_{kind}_add")()
    item = bpy.context.view_layer.objects.active
    item.name = name
    item.data.name = name
    for key, value in transform.items():
        setattr(item, key, value)
    bpy.context.view_layer.update()
    return item


def place_on_points(item: bpy.types.Object, kind: str = "GeometryNodeMeshCube", *, joined: bool = False) -> None:
    """Has Geometry Nodes place something on every vertex of an object, in the material "Granite" where there is one.

    ``kind`` is the node that gives it: a cube of its own, the object "Stone" or the collection "Stones"; ``joined`` is
    whether the object's own mesh stays.
    """
    group = bpy.data.node_groups.new("Place", "GeometryNodeTree")
    for direction in ("INPUT", "OUTPUT"):
        group.interface.new_socket("Geometry", in_out=direction, socket_type="NodeSocketGeometry")
    names = ("NodeGroupInput", "NodeGroupOutput", "GeometryNodeInstanceOnPoints", "GeometryNodeJoinGeometry", kind)
    given, made, place, join, thing = (group.nodes.new(name) for name in names)
    paint = group.nodes.new("GeometryNodeSetMaterial")
    paint.inputs["Material"].default_value = bpy.data.materials.get("Granite")
    for socket, value in (("Object", bpy.data.objects), ("Collection", bpy.data.collections)):
        if socket in thing.inputs:
            thing.inputs[socket].default_value = value["Stone" if socket == "Object" else "Stones"]
    given_thing = next(socket for socket in thing.outputs if socket.type == "GEOMETRY")
    links = group.links
    links.new(given.outputs[0], place.inputs["Points"])
    links.new(given_thing, place.inputs["Instance"])
    links.new(place.outputs[0], join.inputs[0])
    if joined:
        links.new(given.outputs[0], join.inputs[0])
    links.new(join.outputs[0], paint.inputs["Geometry"])
    links.new(paint.outputs[0], made.inputs[0])
    item.modifiers.new("Place", "NODES").node_group = group
    bpy.context.view_layer.update()


def is_under_way(job: Any) -> bool:
    """Whether nothing of a job's result is there yet. Where much else runs, a stage of its own may pass by unseen."""
    return job.stage not in ("ready", "applied")


def select(*objects: bpy.types.Object) -> None:
    """Makes these objects the selection, the first one active."""
    for item in bpy.context.view_layer.objects:
        item.select_set(False)
    for item in objects:
        item.hide_set(False)
        item.select_set(True)
    bpy.context.view_layer.objects.active = objects[0] if objects else None


def world_points(item: bpy.types.Object) -> list[Vector]:
    """Where the vertices of a mesh are seen, modifiers applied."""
    bpy.context.view_layer.update()
    evaluated = item.evaluated_get(bpy.context.evaluated_depsgraph_get())
    points = [evaluated.matrix_world @ vertex.co for vertex in evaluated.data.vertices]
    return points


def world_box(*objects: bpy.types.Object) -> tuple[Vector, Vector]:
    """Lowest and highest corner of what is seen of some objects."""
    points = [point for item in objects for point in world_points(item)]
    return Vector(map(min, zip(*points, strict=True))), Vector(map(max, zip(*points, strict=True)))


def box_error(found: tuple[Vector, Vector], wanted: tuple[Vector, Vector]) -> float:
    """The largest difference of two boxes as a share of the wanted one's largest side."""
    size = max(wanted[1] - wanted[0])
    return max(max(map(abs, found[side] - wanted[side])) for side in (0, 1)) / size


def volume(item: bpy.types.Object) -> float:
    """The volume that a closed mesh encloses; negative when its faces look inwards."""
    bpy.context.view_layer.update()
    mesh = item.evaluated_get(bpy.context.evaluated_depsgraph_get()).data
    mesh.calc_loop_triangles()
    places = [item.matrix_world @ vertex.co for vertex in mesh.vertices]
    total = 0.0
    for triangle in mesh.loop_triangles:
        a, b, c = (places[index] for index in triangle.vertices)
        total += a.dot(b.cross(c)) / 6
    return total


def shear_of(matrix: Matrix) -> float:
    """How far the axes of a matrix are from being at right angles."""
    x, y, z = (matrix.to_3x3().col[axis].normalized() for axis in range(3))
    return max(abs(x.dot(y)), abs(y.dot(z)), abs(z.dot(x)))


def block_names() -> dict[str, set[str]]:
    """All datablocks of the file, to tell whether something was left behind."""
    tables = ("objects", "meshes", "materials", "images", "collections", "libraries", "node_groups", "armatures")
    return {table: {block.name_full for block in getattr(bpy.data, table)} for table in tables}


def export_glb(path: Path) -> None:
    """Writes the open file as a GLB, elsewhere: a process that has done so does not end well."""
    blend = path.with_suffix(".export.blend")
    bpy.ops.wm.save_as_mainfile(filepath=str(blend), copy=True)
    command = forked_python().argv(_EXPORT, str(blend), str(path))
    done = subprocess.run(command, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr
    blend.unlink()
