"""Segment: cuts a model into limbs where it is a body, else into its loose pieces, else where thick becomes thin.

Every face of the model is in exactly one part. A body's parts are named for what they are (``head``, ``arm_left``,
``leg_front_right``, ``tail`` ...), others ``part_0`` and so on, the largest first; a model of which nothing stands out
is one part. Where only the pose that one sees is a body, and not the rest pose, that pose is cut. ``ref_image`` and
``model_version`` change nothing here; a rig and morph targets are lost.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from ..body.classify import Body, examine_poses
from ..files import model_io
from ..mesh.merged import merge
from ..output import answer_files
from ..parts import labels
from ..parts.cut import cut, tint
from ..parts.face_graph import FaceGraph
from ..rigging.armature import keep_pose, poses_of
from ..task import MODEL, Task


def run(task: Task) -> dict[str, Any]:
    """Writes a model with one object for each part.

    Raises:
        EngineError: The model cannot be read.
    """
    whole, body, surface = whole_model(task)
    task.report(0.3, "Finding parts")
    return write_parts(task, whole, labels.find_parts(body, surface))


def whole_model(task: Task) -> tuple[Any, Body, FaceGraph]:
    """The model as one object, what is known about it as a body, and its faces, turned as the body is."""
    task.report(0.02, "Reading the model")
    objects = model_io.load(task.model())
    for scene_object in objects:
        if not len(scene_object.data.materials):
            scene_object.data.materials.append(None)  # else Blender 4.2 gives it the first material of the others
    task.report(0.1, "Measuring the model")
    body, pose = examine_poses(poses_of(objects))
    if pose:
        keep_pose(objects)
    whole = merge(objects, "whole").whole
    model_io.keep_only([whole])
    surface = FaceGraph.from_mesh(whole.data)
    return whole, body, replace(surface, middles=body.to_body(surface.middles))


def write_parts(task: Task, whole: Any, found: labels.PartLabels) -> dict[str, Any]:
    """Cuts the model, writes it, notes the names of the parts for later tasks, and pictures each in its own colour."""
    task.report(0.5, "Cutting")
    parts = cut(whole, found)
    task.report(0.7, "Writing the model")
    model_io.save_glb(task.folder / MODEL)
    tint(parts)
    result = answer_files.preview_and_answer(task, parts, MODEL, 0.85)
    result["facts"]["part_names"] = found.names
    return result
