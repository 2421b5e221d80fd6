"""Several objects as one temporary mesh in world space, to unwrap and bake them together, and the way back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

import bmesh
import bpy
import numpy as np

from ..array_types import Array
from .build import UV, filled, in_scene, remove, replace_mesh, set_uv
from .connected import same_places
from .measure import coordinates, corner_normals, corners, face_of_corner, face_sizes, values
from .operators import acting_on, edited

_FEW = 256  # objects are joined by Blender's operator, which is quicker where they are large


@dataclass(frozen=True, slots=True)
class Merged:
    """A joined copy of objects. Its corners (loops) are those of the objects, one object after the other.

    Attributes:
        whole: The joined copy, with identity transform.
        parts: The objects that it was made of.
    """

    whole: Any
    parts: tuple[Any, ...]

    def welded(self, diagonal: float, *, shaded: bool = True) -> Merged:
        """The same with vertices joined that lie at the same place, so that the surface is connected.

        GLB splits vertices along UV seams and hard edges. Number and order of the faces and corners stay; so do the
        vertices of faces that would collapse. Materials and UVs are left out.

        Args:
            diagonal: Of the model's box; a millionth of it counts as the same place.
            shaded: Whether it is shaded like the parts, so that normal maps baked here fit them. It takes seconds for a
                million triangles.
        """
        old = self.whole.data
        sizes = face_sizes(old)
        joined = _joined_corners(old, sizes, diagonal * 1e-6)
        used = np.bincount(joined, minlength=len(old.vertices)) > 0
        mesh = filled(bpy.data.meshes.new("welded"), coordinates(old)[used], (np.cumsum(used) - 1)[joined], sizes)
        mesh.polygons.foreach_set("use_smooth", values(old.polygons, "use_smooth", kind=bool))
        if shaded:
            mesh.normals_split_custom_set(corner_normals(old))
        self.whole.data = mesh
        bpy.data.meshes.remove(old)
        return self

    def write_back_uv(self) -> None:
        """Gives the parts the UVs of the whole as their only UV map."""
        ends = np.cumsum([len(part.data.loops) for part in self.parts])
        assert ends[-1] == len(self.whole.data.loops), "faces were changed after merging"
        uv = np.split(values(self.whole.data.uv_layers[UV].uv, "vector", 2), ends[:-1])
        for part, own in zip(self.parts, uv, strict=True):
            set_uv(part.data, own)

    def remove(self) -> None:
        """Takes the copy out of the file."""
        remove([self.whole])


def merge(objects: Sequence[Any], name: str) -> Merged:
    """Joins copies of the objects, without modifiers, shape keys and vertex groups."""
    copies = [_bare_copy(scene_object, name) for scene_object in objects]
    if len(copies) > _FEW:
        _append(copies)
    elif len(copies) > 1:
        with acting_on(*copies):  # in the order that the faces have then
            bpy.ops.object.join()
    _keep_active_color(copies[0].data)
    return Merged(copies[0], tuple(objects))


def _append(copies: Sequence[Any]) -> None:
    """Joins many objects to the first one: Blender's operator looks through the whole file for each that it removes."""
    meshes = [copy.data for copy in copies]
    whole = max(meshes, key=lambda mesh: mesh.has_custom_normals).copy()
    slots = [list(mesh.materials) or [None] for mesh in meshes]
    numbers = {material: number for number, material in enumerate(dict.fromkeys(chain.from_iterable(slots)))}
    whole.materials.clear()
    for material in numbers:
        whole.materials.append(material)
    for mesh, own in zip(meshes, slots, strict=True):
        for layer in mesh.attributes:
            if layer.name not in whole.attributes:
                whole.attributes.new(layer.name, layer.data_type, layer.domain)
        index = np.minimum(values(mesh.polygons, "material_index", kind=np.int32), len(own) - 1)
        mesh.polygons.foreach_set("material_index", np.array([numbers[material] for material in own], np.int32)[index])
    with edited(whole) as edit:
        bmesh.ops.delete(edit, geom=edit.verts[:], context="VERTS")  # its layers stay; what has none there is lost
    with edited(whole) as edit:
        for mesh in meshes:
            edit.from_mesh(mesh)
    replace_mesh(copies[0], whole)
    bpy.data.meshes.remove(meshes[0])
    remove(copies[1:])


def _keep_active_color(mesh: Any) -> None:
    """Joining to an object without vertex colours makes none active (4.2 to 5.2): what names none would show black."""
    colors = mesh.color_attributes
    if len(colors) and colors.active_color is None:
        colors.active_color = colors[0]
    if len(colors) and colors.render_color_index < 0:
        colors.render_color_index = 0


def _joined_corners(mesh: Any, sizes: Array, distance: float) -> Array:
    """The vertex of every corner: one for each place, except in faces that would lose a corner."""
    before = corners(mesh)
    group = same_places(coordinates(mesh), distance)
    after = np.unique(group, return_index=True)[1][group][before].astype(np.int32)
    face = face_of_corner(mesh)
    keep = np.zeros(len(sizes), bool)
    keys = np.sort(face * len(group) + after)
    keep[keys[1:][keys[1:] == keys[:-1]] // len(group)] = True
    return np.where(keep[face], before, after).astype(np.int32)


def _bare_copy(scene_object: Any, name: str) -> Any:
    copy = in_scene(name, scene_object.data.copy())
    if copy.data.shape_keys is not None:
        copy.shape_key_clear()
    copy.vertex_groups.clear()
    copy.data.transform(scene_object.matrix_world)
    layer = next((layer for layer in copy.data.uv_layers if layer.active_render), None)
    if layer is not None and UV not in copy.data.uv_layers:
        layer.name = UV  # materials read the active map; joining matches maps by name
    return copy
