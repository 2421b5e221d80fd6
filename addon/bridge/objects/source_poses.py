"""Where the sources of a job stood when it was started, and how far they have been moved since."""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Sequence

import bpy
from mathutils import Matrix

from ...core.jobs.job import SourcePose
from . import transforms

_LOOKED_AT = 256
"""Vertices that are looked at: what edits all of them, such as applied transforms or a new origin, is noticed."""


def pose_of(item: bpy.types.Object, scene: bpy.types.Scene) -> SourcePose:
    """Where an object stands now."""
    return SourcePose(transforms.to_numbers(item.matrix_world), _shape(item), scene.frame_current)


def moved_since(
    objects: Sequence[bpy.types.Object], poses: Sequence[SourcePose], scene: bpy.types.Scene
) -> Matrix | None:
    """The matrix that takes what stood with the objects then to where they are now.

    None when there is no one answer: an object is gone, its mesh was edited, they went different ways, or their
    animation has taken them somewhere else.
    """
    if not poses or len(objects) != len(poses):
        return None
    moves = []
    for item, pose in zip(objects, poses, strict=True):
        then = transforms.from_numbers(pose.matrix)
        if item.type != "MESH":  # it can have been converted
            return None
        if _shape(item) != pose.shape or then.determinant() == 0 or item.matrix_world.determinant() == 0:
            return None
        if pose.scene_frame != scene.frame_current and _moves_by_itself(item):
            return None
        moves.append(item.matrix_world @ then.inverted())
    if not all(transforms.nearly_equal(moves[0], move) for move in moves):
        return None
    return moves[0]


def _shape(item: bpy.types.Object) -> str:
    """A text that differs when the mesh lies otherwise around the object's origin."""
    vertices = item.data.vertices
    step = max(1, len(vertices) // _LOOKED_AT)
    places = [tuple(vertices[index].co) for index in range(0, len(vertices), step)]
    return f"{len(vertices)} {zlib.crc32(repr(places).encode()):08x}"


def _moves_by_itself(item: bpy.types.Object) -> bool:
    return any(
        part.animation_data is not None or part.constraints or part.parent_type in {"BONE", "VERTEX", "VERTEX_3"}
        for part in _with_parents(item)
    )


def _with_parents(item: bpy.types.Object) -> Iterator[bpy.types.Object]:
    part: bpy.types.Object | None = item
    while part is not None:
        yield part
        part = part.parent
