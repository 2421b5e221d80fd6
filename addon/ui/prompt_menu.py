"""The menu beside a prompt: favourites, and the words that were used last."""

from __future__ import annotations

import bpy

from ..ops import history
from ..props import scene_settings
from ..props.field_info import CapabilityInfo, FieldInfo
from ..props.task_properties import CAPABILITIES

_LONGEST = 60  # letters of a line in the menu; the tooltip has them all


def prompt_field(info: CapabilityInfo) -> FieldInfo | None:
    """The field of an operation that holds its prompt."""
    return next((field for field in info.fields if history.is_prompt(field)), None)


class ASSETGEN_MT_prompts(bpy.types.Menu):
    """The prompts of the chosen operation."""

    bl_idname = "ASSETGEN_MT_prompts"
    bl_label = "Prompts"
    bl_description = "Words that were used before, and favourites"

    def draw(self, context: bpy.types.Context) -> None:
        from ..bridge.records import records  # here, as below: enabling the extension need not wait for it
        from ..core.status.prompts import recent_prompts  # here: it is not needed before

        records.look_for_prompts()
        settings = scene_settings.settings_of(context)
        info = CAPABILITIES[scene_settings.chosen_capability(settings)]
        field = prompt_field(info)
        if field is None:
            return
        words = getattr(getattr(settings, info.name), field.name)
        layout = self.layout
        if words.strip():
            is_kept = words in records.favourites
            star = layout.operator(
                "assetgen.star_prompt",
                text="Remove from Favourites" if is_kept else "Add to Favourites",
                icon="SOLO_ON" if is_kept else "SOLO_OFF",
            )
            star.text, star.add = words, not is_kept
            layout.separator()
        recent = recent_prompts(records.asked, field.name)
        for text in records.favourites:
            _line(layout, info, field, text, "SOLO_ON")
        if records.favourites and recent:
            layout.separator()
        for text in recent:
            if text not in records.favourites:
                _line(layout, info, field, text, "TIME")
        if not records.favourites and not recent:
            layout.label(text="No words were used yet")


def draw_button(layout: bpy.types.UILayout, info: CapabilityInfo, field: FieldInfo) -> None:
    """The button beside a field, where that holds a prompt."""
    if field is prompt_field(info):
        from ..bridge.records import records

        records.look_for_prompts()  # a worker reads them, so that they are there when the menu opens
        layout.menu(ASSETGEN_MT_prompts.bl_idname, text="", icon="TIME")


def _line(layout: bpy.types.UILayout, info: CapabilityInfo, field: FieldInfo, text: str, icon: str) -> None:
    line = " ".join(text.split())
    line = line if len(line) <= _LONGEST else f"{line[: _LONGEST - 3]}..."
    operator = layout.operator("assetgen.use_prompt", text=line, icon=icon, translate=False)
    operator.capability, operator.field, operator.text = info.name, field.name, text


CLASSES = (ASSETGEN_MT_prompts,)
