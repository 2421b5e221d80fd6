"""Selecting what a job brought in.

(No postponed annotations in this file: Blender reads the properties from them.)
"""

import bpy
from bpy.props import StringProperty

from ..bridge.state import state
from ..translation.interface import translated


class ASSETGEN_OT_select_result(bpy.types.Operator):
    """Select what a job brought into the scene."""

    bl_idname = "assetgen.select_result"
    bl_label = "Select Result"
    bl_description = "Select what this job brought into the scene, and nothing else"
    bl_options = {"REGISTER", "UNDO"}

    job_id: StringProperty(
        name="Job", description="Which job; the one that was started last when left out", options={"SKIP_SAVE"}
    )

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        from ..bridge.objects.selection import mode_name  # here: enabling the extension need not wait for it

        if context.mode != "OBJECT":
            words = f"Leave {mode_name(context)} first: objects are selected in Object Mode"
            cls.poll_message_set(translated(words))
            return False
        return True

    def execute(self, context: bpy.types.Context) -> set[str]:
        from ..bridge import scripting  # here: enabling the extension need not wait for it
        from ..bridge.results import result_selection

        job = scripting.last_job() if not self.job_id else state.jobs.get(self.job_id)
        objects = scripting.result_objects(job.id) if job is not None else []
        if result_selection.select(objects, context.view_layer):
            return {"FINISHED"}
        self.report({"WARNING"}, translated(_reason(objects, context)))
        return {"CANCELLED"}


def _reason(objects: list[bpy.types.Object], context: bpy.types.Context) -> str:
    """Why none of the objects can be selected."""
    if not objects:
        return "The result of this job is not in this file any more"
    if any(item.name in context.scene.objects for item in objects):
        return "The result of this job is hidden, or its collection is"
    scenes = [scene.name for item in objects for scene in item.users_scene]
    return (
        f'The result of this job is in the scene "{scenes[0]}"' if scenes else "The result of this job is in no scene"
    )


CLASSES = (ASSETGEN_OT_select_result,)
