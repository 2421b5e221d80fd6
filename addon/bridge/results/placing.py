"""Where a result goes in the world: where its sources are by now, or to the 3D cursor."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import bpy
from mathutils import Matrix

from ...core.jobs.job import Placement
from ...headless import mesh_notes
from ..objects import animated_transforms, source_poses, transforms
from . import free_place
from .owners import Owned

Moves = Mapping[bpy.types.Object, Matrix | None]
"""How sources were moved while the job ran; None where that is not clear."""


def moves_of(sources: Sequence[bpy.types.Object], placement: Placement | None, scene: bpy.types.Scene) -> Moves:
    """How each of the sources that are still there was moved since its job was started."""
    if placement is None:
        return {}
    poses = source_poses.poses_of(sources, placement.sources, placement.poses)
    return {item: source_poses.moved_since(item, poses[item], scene) if item in poses else None for item in sources}


def common_move(moves: Moves, placement: Placement | None) -> Matrix:
    """The move that all sources made; identity where they went different ways, or one of them is not known."""
    whole = placement is not None and len(moves) == len(placement.sources)
    return (_one_of(list(moves.values())) if whole else None) or Matrix.Identity(4)


def model_matrix(placement: Placement | None, bounds: mesh_notes.Bounds, context: bpy.types.Context) -> Matrix:
    """The world matrix that the result's model would have got when its job was started.

    Args:
        placement: Where it was to go; to the 3D cursor when it is None.
        bounds: The box around the result as it came, for one that is brought to the size and place of its source; empty
            for others.
        context: Has the cursor.
    """
    if placement is None:
        return Matrix.Translation(context.scene.cursor.location)
    fit = transforms.fit_matrix(bounds, placement.bounds, placement.rest_bounds)
    return transforms.from_numbers(placement.frame) @ fit


def moved_to_free_place(
    placed: Matrix, bounds: mesh_notes.Bounds, layer: bpy.types.ViewLayer, objects: Sequence[bpy.types.Object]
) -> Matrix:
    """The matrix of a model at the 3D cursor, or beside what it was made from, moved on to where nothing else is.

    Args:
        placed: World matrix at the cursor, or of the source.
        bounds: The box around the result as it came.
        layer: What is seen.
        objects: The result.
    """
    return free_place.shift_to_free_place(transforms.moved_box(placed, bounds), layer, objects) @ placed


def place(
    objects: Sequence[bpy.types.Object], placed: Matrix, collection: bpy.types.Collection, *, stretched: bool = False
) -> dict[bpy.types.Object, Matrix]:
    """Moves the objects to where the model is to be.

    Args:
        objects: The model.
        placed: World matrix of the model.
        collection: Where what has to be added goes.
        stretched: Whether what the matrix would shear gets a parent that holds it.

    Returns:
        The objects without a parent, some of which had to be added for it, and where each was to go: what is sheared
        cannot be held by an object that has no parent.
    """
    worlds: dict[bpy.types.Object, Matrix] = {}
    for item in [item for item in objects if item.parent is None]:
        world = placed @ transforms.world_of(item)
        if animated_transforms.has_animated_transform(item) or (stretched and not transforms.can_be_held(world)):
            # Its own motion would carry it back to where the file has it, so its place is that of a parent.
            holder = bpy.data.objects.new(f"{item.name} Place", None)
            collection.objects.link(holder)
            item.parent = holder
            worlds[holder] = placed
        else:
            worlds[item] = world
            if item.animation_data is None:  # importers leave quaternions, which nobody likes to edit by hand
                item.rotation_mode = "XYZ"
    for item, world in worlds.items():
        transforms.set_basis(item, world)
    return worlds


def follow_moves(
    roots: Sequence[Owned], worlds: dict[bpy.types.Object, Matrix], moves: Moves, common: Matrix
) -> dict[bpy.types.Object, Matrix]:
    """Moves what stands with the common move on to where its own sources are, where these went different ways.

    Returns:
        Where each object was to go by now, as in :func:`place`.
    """
    moved = dict(worlds)
    for item, sources, _ in roots:
        own = _one_of([moves.get(source) for source in sources]) if sources else common
        rest = (own or Matrix.Identity(4)) @ common.inverted_safe()
        if not transforms.nearly_equal(rest, Matrix.Identity(4)):
            moved[item] = rest @ worlds[item]
            transforms.set_basis(item, moved[item])
    return moved


def _one_of(moves: Sequence[Matrix | None]) -> Matrix | None:
    """The move, where all are the same."""
    first = moves[0] if moves else None
    if first is None or not all(move is not None and transforms.nearly_equal(first, move) for move in moves):
        return None
    return first
