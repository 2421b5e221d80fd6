"""Examples for the first minute: each press shows what can be done, with nothing to be filled in.

(No postponed annotations in this file: Blender reads the properties from them.)
"""

from collections.abc import Callable
from typing import Any

import bpy
from bpy.props import EnumProperty

from ..bridge.session import session
from ..props import scene_settings
from ..props.task_properties import CAPABILITIES
from ..translation.interface import translated
from ..translation.operator_errors import words_of
from .waiting_press import WaitsForLoading


def _chair(_context: bpy.types.Context, settings: Any) -> Any:
    settings.text_to_model.prompt = "a red wooden chair"
    return settings.text_to_model


def _monkey(context: bpy.types.Context, settings: Any) -> Any:
    bpy.ops.mesh.primitive_monkey_add("EXEC_DEFAULT", True, location=context.scene.cursor.location)
    bpy.ops.object.shade_smooth()
    settings.texture.text = "oak planks"
    return settings.texture


def _lighthouse(_context: bpy.types.Context, settings: Any) -> Any:
    settings.text_to_image.prompt = "a lighthouse"
    return settings.text_to_image


EXAMPLES: dict[str, tuple[str, str, Callable[[bpy.types.Context, Any], Any]]] = {
    "CHAIR": ("Make a Red Chair", "Make a model out of words, at the 3D cursor", _chair),
    "MONKEY": ("Texture a Monkey", "Add a monkey and give it a texture of oak planks", _monkey),
    "LIGHTHOUSE": ("Draw a Lighthouse", "Make an image out of words. An open Image Editor shows it", _lighthouse),
}
"""Label, tooltip, and what fills in the panel's fields and gives them back."""


class ASSETGEN_OT_try_example(WaitsForLoading, bpy.types.Operator):
    """Run an example."""

    bl_idname = "assetgen.try_example"
    bl_label = "Try an Example"
    bl_description = "Run an example with the local engine"
    bl_options = {"INTERNAL"}

    example: EnumProperty(items=[(name, *words[:2]) for name, words in EXAMPLES.items()], options={"SKIP_SAVE"})

    @classmethod
    def description(cls, _context: bpy.types.Context, properties: bpy.types.OperatorProperties) -> str:
        return translated(EXAMPLES[properties.example][1])

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        if context.mode == "OBJECT":
            return True
        cls.poll_message_set("Only in Object Mode")
        return False

    def execute(self, context: bpy.types.Context) -> set[str]:
        settings = scene_settings.settings_of(context)
        group = EXAMPLES[self.example][2](context, settings)
        info = next(info for name, info in CAPABILITIES.items() if getattr(settings, name) == group)
        scene_settings.choose_capability(settings, info.name)
        operator = getattr(bpy.ops.assetgen, info.name)
        try:
            if session.settings.is_local or bpy.app.background:
                return set(operator("EXEC_DEFAULT", use_panel_settings=True))
            return set(operator("INVOKE_DEFAULT"))  # where it costs something, the dialog says how much
        except RuntimeError as error:
            self.report({"ERROR"}, translated(words_of(error)))
            return {"CANCELLED"}


CLASSES = (ASSETGEN_OT_try_example,)
