"""Rig: fits a skeleton to the measured body and weights every vertex by the way to the bones through the volume.

A rig that the model came with is replaced; its morph targets stay, its animations do not. The rest pose stands where
one sees the model and faces the same side. Where only the pose that one sees is a body, and not the rest pose, this
pose becomes the rest pose, without morph targets. ``model_version`` changes nothing here. Bipeds and quadrupeds can be
rigged; ``spec`` names the bones, ``tripo`` where nothing is asked for.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..array_types import Array
from ..body.classify import BIPED, OTHERS, QUADRUPED, Body, examine_poses
from ..errors import EngineError
from ..files import model_io
from ..mesh.measure import values, world_coordinates
from ..output import answer_files, understood
from ..parts.face_graph import places as same_place
from ..rigging import armature
from ..rigging.skeleton import Bone, bones_for
from ..rigging.weights import weights_for
from ..task import Task

_UNSURE = 0.5  # confidence; what is less sure is said


def run(task: Task) -> dict[str, Any]:
    """Writes the rigged model; an FBX has the GLB beside it that later tasks work on.

    Raises:
        EngineError: The model cannot be read, is no body of the asked type, or an option cannot be honoured.
    """
    rig_type = str(task.body.get("rig_type") or BIPED).lower()
    spec, kind = task.body.get("spec") or "tripo", task.body.get("out_format") or "glb"
    if rig_type not in (BIPED, QUADRUPED):
        raise EngineError(f"The local engine rigs biped and quadruped models, not {rig_type}.")
    if spec == "mixamo" and rig_type == QUADRUPED:
        raise EngineError("Mixamo's skeleton is for bipeds; choose the spec tripo for a quadruped.")
    task.report(0.02, "Reading the model")
    objects = model_io.load(task.model())
    task.report(0.1, "Measuring the body")
    body, pose = examine_poses(poses := armature.poses_of(objects))
    if body.kind == OTHERS:
        raise EngineError(f"The model cannot be rigged: {body.reason}.")
    if body.kind != rig_type:
        raise EngineError(f"The model is a {body.kind}, not a {rig_type}; set rig_type to {body.kind}.")
    if pose:
        armature.keep_pose(objects)
    armature.release(objects)
    model_io.keep_only(objects)
    task.report(0.3, "Fitting the skeleton")
    bones = bones_for(body.kind, {name: body.to_world(point) for name, point in body.joints.items()})
    rig = armature.build_armature(bones, spec, body.to_world(np.array([0.0, -1.0, 0.0])))
    task.report(0.35, "Weighting the vertices")
    moving = [bone for bone in bones if bone.role not in body.unseen]
    for scene_object, weights in zip(objects, _weights(body, moving, objects), strict=True):
        armature.bind(rig, scene_object, moving, spec, weights)
    if not pose:
        armature.stand_as_seen(rig, objects, poses[0], poses[-1])
    options = {"preset": "mixamo" if spec == "mixamo" else "blender", "animations": False}
    result = answer_files.model_and_preview(task, objects, 0.7, fbx=options if kind == "fbx" else None)
    note = f"That this is a {body.kind} has a confidence of {body.confidence:.0%} only: look at its bones"
    result["values"] = {"rig_type": body.kind} | understood.answer("", (), note if body.confidence < _UNSURE else "")
    result["facts"] |= {"bones": len(bones), "confidence": round(body.confidence, 2)}
    return result


def _weights(body: Body, bones: Sequence[Bone], objects: Sequence[Any]) -> list[Array]:
    """The weights of each object's vertices; all objects together, and vertices at the same place as one."""
    places = [world_coordinates(scene_object) for scene_object in objects]
    points = np.concatenate(places)
    group = same_place(points)
    first = np.unique(group, return_index=True)[1]
    starts = np.cumsum([0, *(len(part) for part in places)])
    pairs = [values(scene_object.data.edges, "vertices", 2, np.int32) for scene_object in objects]
    edges = np.concatenate([own + start for own, start in zip(pairs, starts[:-1], strict=True)])
    edges = np.unique(np.sort(group[edges], axis=1), axis=0)
    turned = [Bone(bone.role, bone.parent, body.to_body(bone.head), body.to_body(bone.tail)) for bone in bones]
    weights = weights_for(body.inside, turned, body.to_body(points[first]), edges[edges[:, 0] != edges[:, 1]])[group]
    return np.split(weights, starts[1:-1])
