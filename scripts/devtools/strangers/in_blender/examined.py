"""The results of one model, one after the other: read, measured, drawn. See ``look.py`` for request and answer."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import bpy
import numpy as np

from .. import plan
from . import drawing, figures, measures, scene
from .measures import Array

_STRIDE = 0.3
"""Where in the walk its picture is taken, from its first frame to its last."""


def examine(request: dict[str, Any], report: Callable[[float, str], None]) -> dict[str, Any]:
    """Measures and draws; the answer has what there is of every step."""
    originals: dict[str, list[Array]] = {}
    answers: dict[str, Any] = {}
    for number, result in enumerate(request["results"]):
        key = result["key"]
        report(number / len(request["results"]), key)
        try:
            answers[key] = {"figures": _examine(result, request, originals), "trouble": ""}
        # A result may be broken in any way; that is what is looked for.
        except Exception as error:
            answers[key] = {"figures": {}, "trouble": f"{type(error).__name__}: {error}"[:300]}
    return answers


def _examine(result: dict[str, Any], request: dict[str, Any], originals: dict[str, list[Array]]) -> dict[str, Any]:
    compared = None
    if result["compared"] == plan.SOURCE:
        scene.read(Path(request["source"]))
        compared = scene.all_triangles(scene.meshes())
    scene.read(Path(result["path"]))
    seen = scene.meshes()
    if result["compared"] != plan.SOURCE:
        scene.show("REST")
    resting = scene.meshes()
    if result["compared"] in originals:
        # At rest, where it is or as it is seen to stand, or as it is seen: a capability may work on any.
        compared = measures.likest_of(originals[result["compared"]], scene.all_triangles(resting))
    found = figures.Found(resting, compared, request["joints"])
    measured = figures.measured(result["measures"], found)
    if result["key"] == plan.IMPORT:
        scene.show("REST")
        rest, shown = scene.all_triangles(scene.meshes()), scene.all_triangles(seen)
        originals[plan.IMPORT] = [rest, shown, *_turned(rest, shown)]
    if result["drawn"]:
        # Bones and cuts are where they are at rest; what is plain shows the pose that one sees.
        at_rest = result["compared"] and result["drawn"] != "plain"
        picture = _picture(result["drawn"], found.meshes if at_rest else seen)
        np.save(Path(request["folder"]) / f"{result['key']}.npy", picture)
    return measured


def _turned(rest: Array, seen: Array) -> list[Array]:
    """Where the two differ: the original at rest where it is seen to stand, by one, two and three quarter turns."""
    (low, high), (floor, top) = measures.box_of(rest), measures.box_of(seen)
    if np.allclose((low, high), (floor, top), atol=1e-3 * float(np.ptp((low, high)))):
        return []
    at_origin = rest - [*(low + high)[:2] / 2, low[2]]
    there = np.array([*(floor + top)[:2] / 2, floor[2]])
    x, y, z = np.moveaxis(at_origin, -1, 0)
    return [np.stack(turned, axis=-1) + there for turned in ((-y, x, z), (-x, -y, z), (y, -x, z))]


def _picture(kind: str, found: Any) -> Array:
    rig = scene.rig()
    if kind == "walk" and rig is not None:
        start, end = bpy.context.scene.frame_start, bpy.context.scene.frame_end
        scene.show("POSE")
        bpy.context.scene.frame_set(round(start + (end - start) * _STRIDE))
        return drawing.draw(scene.meshes())
    bones = []
    if kind == "bones" and rig is not None:
        # A bone's own tail says nothing: importers make it up.
        joints = {bone.name: np.array(rig.matrix_world @ bone.head_local) for bone in rig.data.bones}
        bones = [(joints[bone.parent.name], joints[bone.name]) for bone in rig.data.bones if bone.parent]
    return drawing.draw(found, by_part=kind == "parts", bones=bones)
