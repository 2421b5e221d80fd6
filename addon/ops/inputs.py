"""Help with filling in fields of the panel: several files at once, an image of Blender's own, a long prompt.

(No postponed annotations in this file: Blender reads the properties from them.)
"""

from pathlib import Path
from typing import Any

import bpy
from bpy.props import BoolProperty, CollectionProperty, EnumProperty, StringProperty

from ..bridge import redraw
from ..bridge.objects import image_files
from ..core import text_values
from ..props import scene_settings
from ..props.field_info import PATHS_BETWEEN, FieldInfo
from ..props.task_properties import CAPABILITIES
from ..text_layout import paragraph
from ..translation.interface import translated

_DIALOG_WIDTH = 640
_FILTER = ";".join(f"*{suffix}" for suffix in sorted(image_files.FORMATS))

_Item = tuple[str, str, str, str, int]
_items: dict[tuple[str, int], _Item] = {}
"""Blender keeps no texts of a menu that is made by a function, so somebody else has to, and for good: a menu that is
open still shows those of an earlier call. By name and number of the image.
"""

_NO_PICTURES = "There are no pictures of their own in this file: maps of materials are not offered"


class FillsField:
    """What the operators have in common: which field they fill in."""

    capability: StringProperty(options={"HIDDEN", "SKIP_SAVE"})
    field: StringProperty(options={"HIDDEN", "SKIP_SAVE"})

    def _group(self, context: bpy.types.Context) -> Any:
        return getattr(scene_settings.settings_of(context), self.capability)

    def _info(self) -> FieldInfo:
        return next(field for field in CAPABILITIES[self.capability].fields if field.name == self.field)

    def _fill(self, context: bpy.types.Context, values: list[str], *, add: bool) -> None:
        group = self._group(context)
        several = self._info().kind == "files"
        before = text_values.split(getattr(group, self.field), PATHS_BETWEEN) if add and several else []
        setattr(group, self.field, text_values.join([*before, *values], PATHS_BETWEEN) if several else values[0])


def _image_items(_operator: object, _context: object) -> list[_Item]:
    # Blender remembers the number of what was chosen, so it must not become another image's when one is added.
    return [_item(image.name, image.session_uid) for image in image_files.pictures()]


def _item(name: str, number: int) -> _Item:
    return _items.setdefault((name, number), (name, name, "", "NONE", number))


class ASSETGEN_OT_take_image(FillsField, bpy.types.Operator):
    """Take an image of this file instead of one on the disk."""

    bl_idname = "assetgen.take_image"
    bl_label = "Use Image of This File"
    bl_description = "Take an image that is open in Blender. It is written to a file when the job starts"
    bl_options = {"INTERNAL", "UNDO"}
    bl_property = "image"

    image: EnumProperty(name="Image", items=_image_items, options={"SKIP_SAVE"})

    def invoke(self, context: bpy.types.Context, _event: bpy.types.Event) -> set[str]:
        if not image_files.pictures():
            self.report({"ERROR"}, translated(f"{_NO_PICTURES}. Open one, or choose a file"))
            return {"CANCELLED"}
        context.window_manager.invoke_search_popup(self)
        return {"INTERFACE"}

    def execute(self, context: bpy.types.Context) -> set[str]:
        self._fill(context, [image_files.PREFIX + self.image], add=True)
        redraw.redraw()
        return {"FINISHED"}


class ASSETGEN_OT_choose_files(FillsField, bpy.types.Operator):
    """Choose images on the disk; several at once."""

    bl_idname = "assetgen.choose_files"
    bl_label = "Choose Images"
    bl_description = "Choose images on the disk; several at once, with Shift"
    bl_options = {"INTERNAL", "UNDO"}

    directory: StringProperty(subtype="DIR_PATH", options={"HIDDEN", "SKIP_SAVE"})
    files: CollectionProperty(type=bpy.types.OperatorFileListElement, options={"HIDDEN", "SKIP_SAVE"})
    filter_glob: StringProperty(default=_FILTER, options={"HIDDEN"})

    def invoke(self, context: bpy.types.Context, _event: bpy.types.Event) -> set[str]:
        context.window_manager.fileselect_add(self)
        return {"RUNNING_MODAL"}

    def execute(self, context: bpy.types.Context) -> set[str]:
        chosen = [str(Path(self.directory) / item.name) for item in self.files if item.name]
        if not chosen:
            return {"CANCELLED"}
        self._fill(context, chosen, add=False)
        return {"FINISHED"}


class ASSETGEN_OT_set_auto(FillsField, bpy.types.Operator):
    """Take a number from Auto, or leave it to the service again."""

    bl_idname = "assetgen.set_auto"
    bl_label = "Auto"
    bl_description = "Take a number from Auto, or leave it to the service again"
    bl_options = {"INTERNAL", "UNDO"}

    auto: BoolProperty(options={"HIDDEN", "SKIP_SAVE"})

    @classmethod
    def description(cls, context: bpy.types.Context, properties: Any) -> str:
        if properties.auto:
            return translated("Back to Auto: the service decides")
        group = getattr(scene_settings.settings_of(context), properties.capability)
        return translated(f"{group.bl_rna.properties[properties.field].description}. Click to set it yourself")

    def execute(self, context: bpy.types.Context) -> set[str]:
        field = self._info()
        setattr(self._group(context), self.field, field.unset if self.auto else field.start)
        return {"FINISHED"}


class ASSETGEN_OT_edit_text(FillsField, bpy.types.Operator):
    """Write a long text in a wide window."""

    bl_idname = "assetgen.edit_text"
    bl_label = "Edit Text"
    bl_description = "Write a long text in a wide field, and see all of it"
    bl_options = {"INTERNAL"}

    def invoke(self, context: bpy.types.Context, _event: bpy.types.Event) -> set[str]:
        return context.window_manager.invoke_props_dialog(self, width=_DIALOG_WIDTH)

    def draw(self, context: bpy.types.Context) -> None:
        layout = self.layout
        group, longest = self._group(context), self._info().longest
        layout.label(text=translated(group.bl_rna.properties[self.field].name), translate=False)
        row = layout.row()
        row.activate_init = True
        row.prop(group, self.field, text="")
        words = getattr(group, self.field)
        paragraph(layout, words, context, quiet=True, width=_DIALOG_WIDTH)
        if longest:
            row = layout.row()
            row.alignment = "RIGHT"
            row.active = len(words) > longest
            row.label(text=translated(f"{len(words)} of {longest} characters"), translate=False)

    def execute(self, _context: bpy.types.Context) -> set[str]:
        return {"FINISHED"}


CLASSES = (ASSETGEN_OT_take_image, ASSETGEN_OT_choose_files, ASSETGEN_OT_set_auto, ASSETGEN_OT_edit_text)
