"""Rig check: measures whether the body stands on two or four legs with arms or a head that a skeleton fits into."""

from __future__ import annotations

from typing import Any

from ..body.classify import OTHERS, examine_poses
from ..files import model_io
from ..mesh import measure
from ..output import understood
from ..rigging.armature import poses_of
from ..task import Task


def run(task: Task) -> dict[str, Any]:
    """Answers ``riggable`` and ``rig_type`` (``biped``, ``quadruped`` or ``others``); there is no file.

    Where Rig would refuse the model, there is also its ``reason``, else a note with the confidence.

    Raises:
        EngineError: The model cannot be read.
    """
    task.report(0.02, "Reading the model")
    objects = model_io.load(task.model())
    task.report(0.2, "Looking for limbs")
    body, _ = examine_poses(poses_of(objects))
    values: dict[str, Any] = {"riggable": body.kind != OTHERS, "rig_type": body.kind}
    values |= understood.answer("", (), f"The confidence is {body.confidence:.0%}" if values["riggable"] else "")
    if body.reason:
        values["reason"] = body.reason
    return {"files": {}, "values": values, "facts": measure.facts(objects) | {"confidence": round(body.confidence, 2)}}
