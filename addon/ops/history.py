"""Prompts that were used before.

(No postponed annotations in this file: Blender reads the properties from them.)
"""

import bpy
from bpy.props import BoolProperty, StringProperty

from ..bridge import pump, redraw
from ..props import scene_settings
from ..props.field_info import FieldInfo
from ..props.task_properties import CAPABILITIES
from ..translation.interface import translated


def is_prompt(field: FieldInfo) -> bool:
    """Whether a field holds words that a person may want again."""
    return field.kind == "text" and field.longest > 0 and not field.advanced


class ASSETGEN_OT_use_prompt(bpy.types.Operator):
    """Take words that were used before."""

    bl_idname = "assetgen.use_prompt"
    bl_label = "Use Prompt"
    bl_description = "Put these words into the field"
    bl_options = {"INTERNAL", "UNDO"}

    capability: StringProperty(options={"HIDDEN", "SKIP_SAVE"})
    field: StringProperty(options={"HIDDEN", "SKIP_SAVE"})
    text: StringProperty(options={"HIDDEN", "SKIP_SAVE"})

    @classmethod
    def description(cls, _context: bpy.types.Context, properties: bpy.types.OperatorProperties) -> str:
        return f"{properties.text}\n\n{translated('Put these words into the field')}"

    def execute(self, context: bpy.types.Context) -> set[str]:
        if self.capability not in CAPABILITIES:
            return {"CANCELLED"}
        setattr(getattr(scene_settings.settings_of(context), self.capability), self.field, self.text)
        redraw.redraw()
        return {"FINISHED"}


class ASSETGEN_OT_star_prompt(bpy.types.Operator):
    """Keep words as a favourite, or forget them."""

    bl_idname = "assetgen.star_prompt"
    bl_label = "Favourite"
    bl_description = "Keep these words among the favourites of the data folder"
    bl_options = {"INTERNAL"}

    text: StringProperty(options={"HIDDEN", "SKIP_SAVE"})
    add: BoolProperty(default=True, options={"HIDDEN", "SKIP_SAVE"})

    @classmethod
    def description(cls, _context: bpy.types.Context, properties: bpy.types.OperatorProperties) -> str:
        return translated(cls.bl_description if properties.add else "Take these words from the favourites")

    def execute(self, _context: bpy.types.Context) -> set[str]:
        from ..bridge.records import records  # here: enabling the extension need not wait for it

        if not self.text.strip():
            self.report({"ERROR"}, "There are no words to keep")
            return {"CANCELLED"}
        future = records.change_favourite(self.text, add=self.add)
        if future is None:
            self.report({"ERROR"}, "The data folder is not there yet")
            return {"CANCELLED"}
        if bpy.app.background:
            pump.result_of(future)
        return {"FINISHED"}


CLASSES = (ASSETGEN_OT_use_prompt, ASSETGEN_OT_star_prompt)
