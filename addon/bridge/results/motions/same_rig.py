"""Is the rig of a result one that is in this file already? Then its motion fits that one, bone by bone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import bpy
from mathutils import Matrix

from ...objects import provenance

_SAME = 1e-3
"""Share of the skeleton's size by which bones may lie elsewhere; and how far the numbers of their rotations may differ.

Two files of one rig differ by rounding only, 1e-6 between two GLBs and 2e-5 between a GLB and an FBX.
"""


def rig_in_file(
    rig: bpy.types.Object,
    sources: Sequence[bpy.types.Object],
    source_task: str,
    scene: bpy.types.Scene,
) -> bpy.types.Object | None:
    """The rig in a scene that a result's rig is the same as; None when there is none, or somebody changed its bones.

    Args:
        rig: That of the result.
        sources: What the job worked on, as far as that is in this file; the rig that moves it comes first.
        source_task: The task that made the rig which the result's motion is for.
        scene: Where the result goes.
    """
    own = [item.find_armature() for item in sources if item.type == "MESH"]
    others = [item.find_armature() for item in provenance.made_with(source_task, scene.objects)]
    for candidate in dict.fromkeys([*own, *others]):
        if candidate is None or candidate == rig or candidate.name not in scene.objects:
            continue
        if candidate.is_editable and candidate.override_library is None and has_same_bones(rig, candidate):
            return candidate
    return None


def has_same_bones(one: bpy.types.Object, other: bpy.types.Object) -> bool:
    """Whether two rigs have bones of the same names, parents, rest poses and kinds of rotation."""
    bones, others = one.data.bones, other.data.bones
    if set(bones.keys()) != set(others.keys()):
        return False
    size = skeleton_size(one)
    return all(
        _parent(bone) == _parent(others[bone.name])
        and one.pose.bones[bone.name].rotation_mode == other.pose.bones[bone.name].rotation_mode
        and _nearly_equal(bone.matrix_local, others[bone.name].matrix_local, size)
        for bone in bones
    )


def skeleton_size(rig: bpy.types.Object) -> float:
    """The longest side of the box around the ends of a rig's bones."""
    ends = [end for bone in rig.data.bones for end in (bone.head_local, bone.tail_local)]
    if not ends:
        return 0.0
    return max(max(axis) - min(axis) for axis in zip(*ends, strict=True))


def _parent(bone: bpy.types.Bone) -> str:
    return bone.parent.name if bone.parent else ""


def _nearly_equal(one: Matrix, other: Matrix, size: float) -> bool:
    return all(difference <= allowed for difference, allowed in _differences(one, other, size))


def _differences(one: Matrix, other: Matrix, size: float) -> Iterator[tuple[float, float]]:
    for row in range(3):
        for column in range(4):
            yield abs(one[row][column] - other[row][column]), _SAME * (size if column == 3 else 1.0)
