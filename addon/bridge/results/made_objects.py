"""Makes the plain objects of a result anew, one at a time, from what a worker has read of them.

Blender takes an object into a file by a look at all that is in it; to make one takes as long whatever there is already.
Which of them are plain a background Blender found out (:mod:`...headless.plain_objects`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import bpy
from mathutils import Matrix

from ...headless.mesh_slices import CHANNELS
from . import mesh_arrays

STARTS = "starts\n"
"""What the places where faces begin are called among the arrays; no attribute has a line break in its name."""


class Made(NamedTuple):
    """Objects that are to be made.

    Attributes:
        rows: What there is of each (``mesh_slices`` wrote them).
        arrays: The arrays of the mesh of each, where it is the first that shows it; they may be dropped when used.
        materials: What the materials that they have are called in the file that the others come from.
    """

    rows: Sequence[dict[str, Any]]
    arrays: Sequence[dict[str, Any]]
    materials: Sequence[str]


def make(
    made: Made,
    collection: bpy.types.Collection,
    materials: Sequence[bpy.types.Material],
    parents: Sequence[bpy.types.Object],
) -> Iterator[bpy.types.Object]:
    """Makes one after the other and yields it. What is given has to stay in the file until the end.

    Args:
        made: What is to be made.
        collection: Gets the objects.
        materials: Those of ``made``.
        parents: The objects that rows call parents, by their numbers.

    Raises:
        LookupError: This Blender has other kinds of arrays.
    """
    meshes: dict[int, bpy.types.Mesh] = {}
    for number, row in enumerate(made.rows):
        if row["mesh"] == number:
            meshes[number] = _make_mesh(row["own"], made.arrays[number], materials)
            made.arrays[number].clear()
        item = bpy.data.objects.new(row["name"], meshes[row["mesh"]])
        for name in CHANNELS:
            setattr(item, name, row["channels"][name])
        if row["parent"] is not None:
            item.parent = parents[row["parent"]]
            item.matrix_parent_inverse = Matrix(row["inverse"])
        for name, value in row["facts"].items():
            item[name] = value
        collection.objects.link(item)
        yield item


def _make_mesh(row: dict[str, Any], arrays: dict[str, Any], materials: Sequence[bpy.types.Material]) -> bpy.types.Mesh:
    mesh = bpy.data.meshes.new(row["name"])
    mesh.vertices.add(row["vertices"])
    mesh.edges.add(row["edges"])
    mesh.loops.add(row["corners"])
    mesh.polygons.add(row["faces"])
    mesh.polygons.foreach_set("loop_start", arrays[STARTS][:-1])
    for attribute in row["attributes"]:
        mesh_arrays.set_attribute(mesh, attribute, arrays[attribute["name"]])
    for slot in row["materials"]:
        mesh.materials.append(None if slot is None else materials[slot])
    mesh_arrays.choose_layers(mesh, row)
    mesh.update()
    return mesh
