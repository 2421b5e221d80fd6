"""Started by path inside a fresh background Blender: opens a model with Blender's importers and says what is in it.

Request: ``{"path": an fbx, usdz, glb, obj, stl}``. Answer: ``bounds`` at rest in Blender's axes, ``triangles``,
``shape_keys``, ``bones`` and ``clips``: name → frames, and how far the first bone's head goes on each axis.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

_VENDOR = Path(__file__).resolve().parents[3] / "vendor"


def work(request: dict[str, Any], _report: Any) -> dict[str, Any]:
    """Imports, measures at rest, then plays every clip."""
    import bpy
    import numpy as np

    bpy.ops.wm.read_homefile(use_factory_startup=True, use_empty=True)
    path = str(request["path"])
    imports = {".fbx": bpy.ops.import_scene.fbx, ".usdz": bpy.ops.wm.usd_import, ".glb": bpy.ops.import_scene.gltf,
               ".obj": bpy.ops.wm.obj_import, ".stl": bpy.ops.wm.stl_import}  # fmt: skip
    imports[Path(path).suffix](filepath=path)
    for armature in bpy.data.armatures:
        armature.pose_position = "REST"
    bpy.context.view_layer.update()
    meshes = [item for item in bpy.context.scene.objects if item.type == "MESH" and item.name != "Icosphere"]
    points = [item.matrix_world @ vertex.co for item in meshes for vertex in item.data.vertices]
    corners = np.array(points)
    rigs = [item for item in bpy.context.scene.objects if item.type == "ARMATURE" and len(item.data.bones) > 1]
    for armature in bpy.data.armatures:
        armature.pose_position = "POSE"
    clips = {}
    for action in bpy.data.actions if rigs else ():
        if not hasattr(action, "slots") and action.fcurves[0].data_path.startswith("key_blocks"):
            continue  # of shape keys, which Blender 4.2 lets one assign to anything
        rig = rigs[0]
        for track in rig.animation_data_create().nla_tracks:
            track.mute = True
        rig.animation_data.action = action
        slots = getattr(rig.animation_data, "action_suitable_slots", None)
        if slots is not None:
            if not len(slots):
                continue
            rig.animation_data.action_slot = slots[0]
        start, end = (int(frame) for frame in action.frame_range)
        heads = []
        for frame in range(start, end + 1):
            bpy.context.scene.frame_set(frame)
            heads.append(rig.matrix_world @ rig.pose.bones[0].head)
        clips[action.name] = {"frames": end - start, "travel": np.ptp(np.array(heads), axis=0).tolist()}
    return {
        "bounds": [corners.min(axis=0).tolist(), corners.max(axis=0).tolist()],
        "triangles": sum(len(item.data.loops) - 2 * len(item.data.polygons) for item in meshes),
        "shape_keys": sorted({key.name for keys in bpy.data.shape_keys for key in keys.key_blocks}),
        "bones": sorted(bone.name for rig in rigs for bone in rig.data.bones),
        "clips": clips,
    }


if __name__ == "__main__":
    sys.path.insert(0, str(_VENDOR))
    from background_blender.child import main

    main(work)
