"""The parent of a source becomes that of its result, which stays where it is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import bpy
from mathutils import Matrix

from ..objects import transforms
from .owners import Owned, root_of
from .pairs import Pair

_EXACT = 1e-6
"""How far the matrix of an object may be from what its location, rotation and scale can hold."""


def follow_parents(
    roots: Sequence[Owned],
    pairs: Sequence[Pair],
    objects: Sequence[bpy.types.Object],
    worlds: Mapping[bpy.types.Object, Matrix],
) -> None:
    """Gives the objects of a result the parents that their sources have now; where they stand does not change.

    A source whose parent is a source as well is the child of that one's result. What has several sources gets a parent
    only where all of them have the same.

    Args:
        roots: The free-standing objects of the result, placed.
        pairs: Which object is the result of which source.
        objects: All objects of the result.
        worlds: The world matrix that each of the free-standing ones is to have.
    """
    came = set(objects)
    results = {source: root_of(item, came) for item, source in pairs if source is not None}
    new_rigs = {item for item in objects if item.type == "ARMATURE"}
    for item, sources, _ in roots:
        children = [_without_old_rig(source) if new_rigs else source for source in sources]
        parents = {(child.parent, child.parent_type, child.parent_bone) for child in children}
        if len(parents) != 1 or children[0].parent is None:
            continue
        child = children[0]
        replaced = results.get(child.parent) if child.parent_type == "OBJECT" else None
        if replaced is not None and replaced != item:
            _attach(item, worlds[item], replaced, child, worlds[replaced])
        else:
            _attach(item, worlds[item], child.parent, child, _parent_matrix(child))


def _without_old_rig(source: bpy.types.Object) -> bpy.types.Object:
    """The source; its armature where that is its parent, for the result brings one of its own."""
    parent = source.parent
    return parent if parent is not None and parent == source.find_armature() else source


def _parent_matrix(child: bpy.types.Object) -> Matrix:
    """The world matrix that its parent places a child in: the parent's own, or that of a bone or of some vertices."""
    if child.constraints:
        return child.matrix_world @ child.matrix_local.inverted_safe()
    # What is hung on vertices has no local matrix outside the evaluated scene.
    return child.matrix_world @ (child.matrix_parent_inverse @ child.matrix_basis).inverted_safe()


def _attach(
    item: bpy.types.Object, world: Matrix, parent: bpy.types.Object, like: bpy.types.Object, frame: Matrix
) -> None:
    """Makes an object a child in the way that another one is, ``frame`` being what its parent places it in."""
    if abs(frame.determinant()) < 1e-12:  # squeezed flat: nothing can be placed in it
        return
    inverse = like.matrix_parent_inverse.copy()
    local = (frame @ inverse).inverted_safe() @ world
    if not _can_be_held(local, frame @ inverse, world):
        # As Blender's Keep Transform does: a stretched parent would shear it otherwise.
        inverse, local = frame.inverted(), world
    item.parent = parent
    item.parent_type = like.parent_type
    if like.parent_type == "BONE":
        item.parent_bone = like.parent_bone
    elif like.parent_type in {"VERTEX", "VERTEX_3"}:
        item.parent_vertices = like.parent_vertices
    item.matrix_parent_inverse = inverse
    transforms.set_basis(item, local)


def _can_be_held(local: Matrix, frame: Matrix, world: Matrix) -> bool:
    """Whether a matrix is nothing but a place, a rotation and a scale, so that an object can have it."""
    held = Matrix.LocRotScale(*local.decompose())
    return transforms.nearly_equal(frame @ held, world, _EXACT)
