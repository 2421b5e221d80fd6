"""Makes the plain objects of a result anew, one at a time, from what a worker has read of them.

Blender takes an object into a file by a look at all that is in it; to make one takes as long whatever there is already.
Which of them are plain a background Blender found out (:mod:`...headless.plain_objects`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import bpy
from mathutils import Matrix

from ...headless.mesh_notes import NOTE
from ...headless.mesh_slices import CHANNELS
from . import mesh_arrays
from .datablocks import Loaded
from .naming import Names

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


class Making:
    """Makes objects, and joins them with the rest of their result in the end.

    Args:
        made: What there is of them.
        titles: See :func:`.naming.likely_titles`.
    """

    def __init__(self, made: Made, titles: Callable[[str], Any]) -> None:
        self._made = made
        self._titles = titles
        self._objects: list[bpy.types.Object] = []

    def steps(self) -> Iterator[bpy.types.Object]:
        """Makes one after the other and yields it, in no collection, without a parent and without materials.

        Raises:
            LookupError: This Blender has other kinds of arrays.
        """
        objects, meshes = Names(bpy.data.objects), Names(bpy.data.meshes)
        for number, (row, arrays) in enumerate(zip(self._made.rows, self._made.arrays, strict=True)):
            first = row["mesh"]
            title = self._titles(row["facts"].get(NOTE, {}).get("name", ""))
            if first == number:
                mesh = _make_mesh(meshes.take(title) if title else row["own"]["name"], row["own"], arrays)
            else:
                mesh = self._objects[first].data
            arrays.clear()
            item = bpy.data.objects.new(objects.take(title) if title else row["name"], mesh)
            for name in CHANNELS:
                setattr(item, name, row["channels"][name])
            for name, value in row["facts"].items():
                item[name] = value
            self._objects.append(item)
            yield item

    def join(self, loaded: Loaded, parents: Mapping[int, bpy.types.Object]) -> None:
        """Gives all objects what they lack. Each of these has Blender build the graph of all that is in the scene anew,
        which it does once for all that is done at one time.

        Args:
            loaded: What was appended for them: their materials, and the collection that gets the objects.
            parents: The objects that rows call parents, by their numbers.

        Raises:
            ReferenceError: Something of it is not in the file any more.
            LookupError: One of the parents is not.
        """
        (collection, *_), materials, _ = loaded
        for number, (item, row) in enumerate(zip(self._objects, self._made.rows, strict=True)):
            if row["mesh"] == number:
                for slot in row["own"]["materials"]:
                    item.data.materials.append(None if slot is None else materials[slot])
            if row["parent"] is not None:
                item.parent = parents[row["parent"]]
                item.matrix_parent_inverse = Matrix(row["inverse"])
            collection.objects.link(item)


def _make_mesh(name: str, row: dict[str, Any], arrays: dict[str, Any]) -> bpy.types.Mesh:
    mesh = bpy.data.meshes.new(name)
    mesh.vertices.add(row["vertices"])
    mesh.edges.add(row["edges"])
    mesh.loops.add(row["corners"])
    mesh.polygons.add(row["faces"])
    mesh.polygons.foreach_set("loop_start", arrays[STARTS][:-1])
    for attribute in row["attributes"]:
        mesh_arrays.set_attribute(mesh, attribute, arrays[attribute["name"]])
    mesh_arrays.choose_layers(mesh, row)
    mesh.update()
    return mesh
