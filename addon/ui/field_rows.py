"""A field with its name, its value and the buttons that help to fill it in: side by side, or below each other."""

from __future__ import annotations

from typing import Any

import bpy

from ..props.field_info import CapabilityInfo, FieldInfo
from ..text_layout import fits, is_narrow, paragraph, region_width
from . import prompt_menu

_LONG = 200  # characters; texts that may be longer get a button that opens a wide field
_LABEL = 0.4  # of the width, as Blender has it for fields with their names beside them


def draw(
    column: bpy.types.UILayout,
    context: bpy.types.Context,
    group: Any,
    info: CapabilityInfo,
    field: FieldInfo,
    *,
    is_wrong: bool,
) -> None:
    """Draws one field, red where what it holds is wrong; a long text is also written out below it."""
    named_above = is_narrow(context)
    part = column.column(align=True)
    part.alert = is_wrong
    row = part.row(align=True)
    if named_above and field.kind != "switch":
        row.row().label(text=_name(group, field))
        _draw_help(row, info, field)
        _draw_value(part.row(align=True), group, info, field, named=False)
    else:
        _draw_value(row, group, info, field, named=not field.placeholder)
        _draw_help(row, info, field)
    if field.longest >= _LONG:
        words = getattr(group, field.name)
        taken = 0 if named_above or field.placeholder else int(_LABEL * region_width(context))
        if not fits(words, context, taken=taken):
            paragraph(column, words, context, quiet=True)


def _draw_value(row: bpy.types.UILayout, group: Any, info: CapabilityInfo, field: FieldInfo, *, named: bool) -> None:
    words = {} if named else {"text": ""}
    if field.start is not None:
        _draw_number(row, group, info, field, named=named)
    elif field.placeholder or field.empty:
        row.prop(group, field.name, placeholder=field.placeholder or field.empty, **words)
    else:
        row.prop(group, field.name, **words)


def _draw_number(row: bpy.types.UILayout, group: Any, info: CapabilityInfo, field: FieldInfo, *, named: bool) -> None:
    """A number that may be left to the service: a button that says so, or the number and a way back."""
    if getattr(group, field.name) == field.unset:
        if named:
            row = row.split(factor=_LABEL, align=True)
            label = row.row()
            label.alignment = "RIGHT"
            label.label(text=_name(group, field))
        operator = row.operator("assetgen.set_auto", text="Auto")
    else:
        row.prop(group, field.name, **({} if named else {"text": ""}))
        operator = row.operator("assetgen.set_auto", text="", icon="X")
        operator.auto = True
    operator.capability, operator.field = info.name, field.name


def _draw_help(row: bpy.types.UILayout, info: CapabilityInfo, field: FieldInfo) -> None:
    """The buttons beside a field that help to fill it in."""
    prompt_menu.draw_button(row, info, field)
    commands = []
    if field.longest >= _LONG:
        commands.append(("assetgen.edit_text", "FULLSCREEN_ENTER"))
    if field.kind == "files":
        commands.append(("assetgen.choose_files", "FILEBROWSER"))
    for command, icon in commands:
        operator = row.operator(command, text="", icon=icon)
        operator.capability, operator.field = info.name, field.name
    if field.takes_image:
        operator = row.operator_menu_enum("assetgen.take_picture", "source", text="", icon="IMAGE_DATA")
        operator.capability, operator.field = info.name, field.name


def _name(group: Any, field: FieldInfo) -> str:
    return str(group.bl_rna.properties[field.name].name)
