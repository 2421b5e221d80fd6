"""Where the sources of a job stood when it was started, and how far they have been moved since."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import bpy
from mathutils import Matrix

from ...core.jobs.job import SourcePose
from . import transforms

_LOOKED_AT = 64
"""Vertices that are looked at: what edits most of them, such as applied transforms or a new origin, is noticed."""

_READ_AT_ONCE = 4096
"""Of a mesh with no more vertices all are read, in one call: that is quicker than to ask for some of them."""

_DIGITS = 8  # of a checksum in the text of a pose
_FACTORS = (0x9E3779B1, 0x85EBCA77, 0xC2B2AE3D)
"""Odd numbers of many ones and zeros, one for each axis: what differs in a few bits differs in many of the product."""


def pose_of(item: bpy.types.Object, scene: bpy.types.Scene) -> SourcePose:
    """Where an object stands now."""
    (pose,) = all_poses([item], scene)
    return pose


def all_poses(objects: Sequence[bpy.types.Object], scene: bpy.types.Scene) -> tuple[SourcePose, ...]:
    """Where objects stand now, one for each. Their points are summed up all at once: a press may be on hundreds of
    objects.
    """
    import numpy as np

    counts = [len(item.data.vertices) for item in objects]
    points = [_points(item.data, count) for item, count in zip(objects, counts, strict=True)]
    digits = _checksums(np.concatenate(points)).tobytes().hex()
    poses, at = [], 0
    for item, count, own in zip(objects, counts, points, strict=True):
        end = at + _DIGITS * len(own)
        shape = f"{count} {digits[at:end]}"
        poses.append(SourcePose(transforms.to_numbers(item.matrix_world), shape, scene.frame_current))
        at = end
    return tuple(poses)


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
    if item.matrix_world == then:  # of hundreds of sources most stand still
        return Matrix.Identity(4)
    move = item.matrix_world @ then.inverted()
    return Matrix.Identity(4) if transforms.nearly_equal(move, Matrix.Identity(4)) else move


def _points(mesh: bpy.types.Mesh, count: int) -> Any:
    """Where some of the first ``count`` vertices lie: float32, a row for each."""
    import numpy as np  # here, as below: enabling the extension must be quick

    vertices, step = mesh.vertices, _step(count)
    if len(vertices) > _READ_AT_ONCE:
        return np.array([vertices[index].co for index in range(0, count, step)], dtype=np.float32).reshape(-1, 3)
    values = np.empty(len(vertices) * 3, dtype=np.float32)
    vertices.foreach_get("co", values)
    return values.reshape(-1, 3)[:count:step]


def _checksums(points: Any) -> Any:
    """A number of 32 bits for each point."""
    import numpy as np

    bits = np.ascontiguousarray(points).view(np.uint32)
    mixed = (bits ^ (bits >> 15)) * np.array(_FACTORS, dtype=np.uint32)
    return np.bitwise_xor.reduce(mixed ^ (mixed >> 13), axis=1).astype("<u4")


def _step(count: int) -> int:
    return max(1, count // _LOOKED_AT)


def _lies_as_before(mesh: bpy.types.Mesh, shape: str) -> bool:
    """Whether at least half of the vertices are where they were: then it was edited here and there at most."""
    import numpy as np

    number, _, digits = shape.partition(" ")
    count = int(number)
    looked_at = len(range(0, count, _step(count)))
    if len(mesh.vertices) < count:
        return False
    if len(digits) != _DIGITS * looked_at:  # a job of an earlier version
        return False
    then = np.frombuffer(bytes.fromhex(digits), dtype="<u4")
    return 2 * np.count_nonzero(then == _checksums(_points(mesh, count))) >= looked_at


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
