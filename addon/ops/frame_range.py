"""The scene's frame range, taken from a motion when the user wants it: a result never sets it by itself.

(No postponed annotations in this file: Blender reads the properties from them.)
"""

from typing import TYPE_CHECKING

import bpy
from bpy.props import StringProperty

from ..bridge.results.open_file import open_file
from ..translation.interface import translated

if TYPE_CHECKING:
    from ..bridge.results.motions.cycles import MotionRange


def range_of_job(job_id: str) -> "MotionRange | None":
    """The range of the first motion that a job brought into this file; None where it brought none."""
    from ..bridge.results.motions import cycles  # here: enabling the extension need not wait for it

    ranges = (cycles.range_of(action) for action in open_file.actions_of(job_id))
    return next((found for found in ranges if found is not None), None)


def range_of_object(item: bpy.types.Object | None) -> "MotionRange | None":
    """The range of what an object is moved by, or the rig that moves it; None where nobody has set one."""
    from ..bridge.results.motions import cycles

    rig = item.find_armature() if item is not None and item.type == "MESH" else None
    data = (rig or item).animation_data if item is not None else None
    return cycles.range_of(data.action) if data is not None and data.action is not None else None


def is_set(found: "MotionRange", scene: bpy.types.Scene) -> bool:
    """Whether the scene has this range already."""
    return (scene.frame_start, scene.frame_end) == found.frames


class ASSETGEN_OT_use_frame_range(bpy.types.Operator):
    """Give the scene the frame range of a motion."""

    bl_idname = "assetgen.use_frame_range"
    bl_label = "Use Frame Range"
    bl_description = (
        "Have the scene begin and end with this motion. Of a motion that repeats, the last frame is left out: "
        "it shows the first pose again"
    )
    bl_options = {"REGISTER", "UNDO"}

    job_id: StringProperty(
        name="Job",
        description="The job that brought the motion; empty for that of the active object",
        options={"HIDDEN", "SKIP_SAVE"},
    )

    def execute(self, context: bpy.types.Context) -> set[str]:
        found = range_of_job(self.job_id) if self.job_id else range_of_object(context.view_layer.objects.active)
        if found is None:
            self.report({"ERROR"}, "There is no motion with a frame range: select the rig that moves")
            return {"CANCELLED"}
        first, last = found.frames
        scene = context.scene
        scene.frame_start, scene.frame_end = first, last
        if scene.frame_start != first:  # Blender keeps the start below the end that it had
            scene.frame_start = first
        self.report({"INFO"}, translated(f"The scene plays frames {first} to {last}"))
        return {"FINISHED"}


CLASSES = (ASSETGEN_OT_use_frame_range,)
