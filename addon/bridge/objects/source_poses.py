"""Where the sources of a job stood when it was started, and how far they have been moved since."""

from __future__ import annotations

import itertools
import struct
import zlib
from collections.abc import Iterator, Sequence

import bpy
from mathutils import Matrix

from ...core.jobs.job import SourcePose
from . import transforms

_LOOKED_AT = 64
"""Vertices that are looked at: what edits most of them, such as applied transforms or a new origin, is noticed."""

_READ_AT_ONCE = 4096
"""Of a mesh with no more vertices all are read, in one call: that is quicker than to ask for some of them."""

_POINT = struct.Struct("=3f")


def pose_of(item: bpy.types.Object, scene: bpy.types.Scene) -> SourcePose:
    """Where an object stands now."""
    shape = _shape(item.data, len(item.data.vertices))
    return SourcePose(transforms.to_numbers(item.matrix_world), shape, scene.frame_current)


def moved_since(item: bpy.types.Object, pose: SourcePose, scene: bpy.types.Scene) -> Matrix | None:
    """The matrix that takes what stood with an object then to where that is now.

    None when there is no one answer: its mesh was edited so that it lies otherwise around its origin, or its own
    animation has taken it somewhere else. Wherever a parent has taken it, it is there.
    """
    then = transforms.from_numbers(pose.matrix)
    if item.type != "MESH":  # it can have been converted
        return None
    if then.determinant() == 0 or item.matrix_world.determinant() == 0 or not _lies_as_before(item.data, pose.shape):
        return None
    if pose.scene_frame != scene.frame_current and _moves_by_itself(item):
        return None
    move = item.matrix_world @ then.inverted()
    return Matrix.Identity(4) if transforms.nearly_equal(move, Matrix.Identity(4)) else move


def _shape(mesh: bpy.types.Mesh, count: int) -> str:
    """How many vertices, and for some of the first ``count`` a checksum each of where they lie."""
    return " ".join([str(count), *_places(mesh, count)])


def _places(mesh: bpy.types.Mesh, count: int) -> Iterator[str]:
    vertices = mesh.vertices
    indices = range(0, count, max(1, count // _LOOKED_AT))
    if len(vertices) > _READ_AT_ONCE:
        for index in indices:
            yield f"{zlib.crc32(_POINT.pack(*vertices[index].co)):08x}"
        return
    import numpy as np  # here: enabling the extension must be quick

    points = np.empty(len(vertices) * 3, dtype=np.float32)
    vertices.foreach_get("co", points)
    size, data = _POINT.size, points.tobytes()
    for index in indices:
        yield f"{zlib.crc32(data[index * size : (index + 1) * size]):08x}"


def _lies_as_before(mesh: bpy.types.Mesh, shape: str) -> bool:
    """Whether at least half of the vertices are where they were: then it was edited here and there at most."""
    number, *then = shape.split()
    count = int(number)
    if len(mesh.vertices) < count:
        return False
    if len(then) != len(range(0, count, max(1, count // _LOOKED_AT))):  # a job of an earlier version
        return False
    needed = -(-len(then) // 2)
    same = (one for one, other in zip(then, _places(mesh, count), strict=True) if one == other)
    return len(list(itertools.islice(same, needed))) == needed  # no more is read than that takes: there may be many


def _moves_by_itself(item: bpy.types.Object) -> bool:
    return item.animation_data is not None or bool(item.constraints)


def poses_of(
    sources: Sequence[bpy.types.Object], names: Sequence[tuple[str, int]], poses: Sequence[SourcePose]
) -> dict[bpy.types.Object, SourcePose]:
    """The poses of those sources that are still there.

    Args:
        sources: They, in the order of ``names``.
        names: Name and session id of all that there were.
        poses: One for each of these.
    """
    if len(poses) != len(names):
        return {}
    if len(sources) == len(poses):
        return dict(zip(sources, poses, strict=True))
    known = {name: pose for (name, _), pose in zip(names, poses, strict=True)}
    known_ids = {uid: pose for (_, uid), pose in zip(names, poses, strict=True)}
    found = {item: known_ids.get(item.session_uid) or known.get(item.name) for item in sources}
    return {item: pose for item, pose in found.items() if pose is not None}
