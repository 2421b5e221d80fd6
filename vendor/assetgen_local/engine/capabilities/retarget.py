"""Retarget: puts motion presets, computed for this skeleton with feet kept on the floor, on a rigged model.

``animations`` (or ``animation``) name presets; ``preset:`` may be left out. Each becomes an animation of its own.
Unless told otherwise the result has the model in it (``export_with_geometry``) and keys on every frame
(``bake_animation``; without it on every third), and walks on its way (``animate_in_place`` keeps the root still, seen
from above).
"""

from __future__ import annotations

from typing import Any

import bpy

from ..errors import EngineError
from ..files import export_formats, model_io
from ..mesh import measure
from ..motion import actions
from ..motion.figure import Figure
from ..motion.presets import motion, preset_name
from ..output import film
from ..task import FBX, MODEL, PREVIEW, Task

_SHOWN = 0.3  # of the first motion: the pose in the preview


def run(task: Task) -> dict[str, Any]:
    """Writes the animated model; an FBX has the GLB beside it.

    Raises:
        EngineError: The model has no skeleton of ours, or an animation is unknown or for another kind of body.
    """
    kind = task.body.get("out_format") or "glb"
    requested = task.body.get("animations") or [task.body["animation"]]
    task.report(0.02, "Reading the model")
    objects = model_io.load(task.model())
    armatures = [scene_object for scene_object in bpy.context.scene.objects if scene_object.type == "ARMATURE"]
    if not armatures:
        raise EngineError("The model has no skeleton; rig it first.")
    figure = Figure.from_rig(armatures[0], objects)
    names = [preset_name(name, figure.kind) for name in requested]
    task.report(0.1, "Computing the motions")
    figure.armature.data.pose_position = "POSE"
    actions.clear(figure.armature)
    motions = [motion(figure, name, task.flag("animate_in_place")) for name in dict.fromkeys(names)]
    tracks = [actions.add(figure, entry, task.flag("bake_animation", True)) for entry in motions]
    files = {"model_url": FBX if kind == "fbx" else MODEL}
    facts: dict[str, Any] = dict(measure.facts(objects))
    facts["animations"] = [entry.name for entry in motions]
    # The pictures first: afterwards the meshes may be gone.
    if task.preview:
        task.report(0.4, "Rendering a preview")
        actions.show(figure.armature, tracks[0], round(_SHOWN * (motions[0].frames - 1)))
        film.pose(task.folder / PREVIEW, objects)
        files["rendered_image_url"] = PREVIEW
    if task.flag("render_video"):
        task.report(0.5, "Rendering a video")
        film.film(task.folder / film.VIDEO, figure.armature, objects, list(zip(tracks, motions, strict=True)))
        files["rendered_video_url"] = film.VIDEO
    task.report(0.85, "Writing the animations")
    actions.show(figure.armature)
    if not task.flag("export_with_geometry", True):
        model_io.keep_only([figure.armature])
    bpy.context.scene.frame_start, bpy.context.scene.frame_end = 0, max(entry.frames for entry in motions) - 1
    model_io.save_glb(task.folder / MODEL)
    if kind == "fbx":
        export_formats.write_fbx(task.folder / FBX)
    return {"files": files, "values": {}, "facts": facts}
