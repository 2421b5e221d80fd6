"""The fields of an operation, as far as the chosen model version takes them."""

from __future__ import annotations

from typing import Any

import bpy

from ..bridge import titles
from ..core import text_values
from ..ops import pictures, use_result
from ..ops.checks import PanelTroubles
from ..props import field_values, scene_settings
from ..props.field_info import PATHS_BETWEEN, CapabilityInfo, FieldInfo
from ..text_layout import fits, paragraph, region_width
from ..translation.interface import translated
from . import prompt_menu, thumbnails

_LONG = 200  # characters; texts that may be longer get a button that opens a wide field
_PATHS = frozenset({"file", "files"})
_LABEL = 0.4  # of the width, as Blender has it for fields with their names beside them


class ASSETGEN_MT_views(bpy.types.Menu):
    """The jobs whose views the chosen operation can take."""

    bl_idname = "ASSETGEN_MT_views"
    bl_label = "Views of"

    def draw(self, context: bpy.types.Context) -> None:
        name = scene_settings.chosen_capability(scene_settings.settings_of(context))
        for job in use_result.views_of(name):
            operator = self.layout.operator("assetgen.choose_views", text=translated(job.name), translate=False)
            operator.capability, operator.task_id = name, job.steps[-1].task_id


def draw(
    layout: bpy.types.UILayout,
    context: bpy.types.Context,
    info: CapabilityInfo,
    group: Any,
    troubles: PanelTroubles,
    *,
    images: bool = True,
) -> set[str]:
    """Draws the fields, each with what is wrong with it, but for the advanced ones.

    Without ``images``, those that say of what are left out.

    Returns:
        The names of those that are seen.
    """
    if images and (views := _views_field(info)):
        _draw_views(layout, context, info, getattr(group, views))
    plain = [field for field in _fields(info, group) if not field.advanced]
    if not images:
        plain = [field for field in plain if not field.takes_image and field.name != info.task_field]
    if plain:
        _column(layout, context, group, info, plain, troubles)
    else:
        paragraph(layout, f"{info.summary}.", context, quiet=True)
    return {field.name for field in plain}


def draw_advanced(
    layout: bpy.types.UILayout,
    context: bpy.types.Context,
    info: CapabilityInfo,
    group: Any,
    troubles: PanelTroubles,
) -> set[str]:
    """Draws the part with the advanced fields, which is closed at first; nothing where there are none.

    Returns:
        The names of those that are seen.
    """
    advanced = [field for field in _fields(info, group) if field.advanced]
    if not advanced:
        return set()
    header, body = layout.panel(f"assetgen_advanced_{info.name}", default_closed=True)
    header.label(text="Advanced")
    if body is None:
        return set()
    _column(body, context, group, info, advanced, troubles)
    return {field.name for field in advanced}


def _fields(info: CapabilityInfo, group: Any) -> list[FieldInfo]:
    """The fields that are drawn as such."""
    replaced = _PATHS if field_values.replaces_files(group, info) else frozenset()
    fields = field_values.shown_fields(group, info)
    return [field for field in fields if field.kind not in replaced and field.name != _views_field(info)]


def _column(
    layout: bpy.types.UILayout,
    context: bpy.types.Context,
    group: Any,
    info: CapabilityInfo,
    fields: list[FieldInfo],
    troubles: PanelTroubles,
) -> None:
    column = layout.column()
    column.use_property_split = True
    column.use_property_decorate = False
    images = [field for field in fields if field.takes_image]
    for field in fields:
        words = troubles.words.get(field.name, "")
        row = column.row(align=True)
        row.alert = bool(words) and field.name not in troubles.advice
        if field.placeholder:
            row.prop(group, field.name, text="", placeholder=field.placeholder)
        elif field.start is not None:
            _draw_number(row, group, info, field)
        elif field.empty:
            row.prop(group, field.name, placeholder=field.empty)
        else:
            row.prop(group, field.name)
        _draw_help(row, info, field)
        if field.longest >= _LONG and not fits(getattr(group, field.name), context, taken=_label(context, field)):
            paragraph(column, getattr(group, field.name), context, quiet=True, translate=False)
        if words:
            below = column.column()
            below.alert = row.alert
            icon = "ERROR" if row.alert else "INFO"
            paragraph(below, words + ".", context, icon=icon, quiet=not row.alert)
        if images and field is images[-1]:
            _draw_images(column, info, group, images)


def _draw_number(row: bpy.types.UILayout, group: Any, info: CapabilityInfo, field: FieldInfo) -> None:
    """A number that may be left to the service: a button that says so, or the number and a way back."""
    if getattr(group, field.name) == field.unset:
        split = row.split(factor=_LABEL, align=True)
        label = split.row()
        label.alignment = "RIGHT"
        label.label(text=translated(group.bl_rna.properties[field.name].name), translate=False)
        operator = split.operator("assetgen.set_auto", text="Auto")
    else:
        row.prop(group, field.name)
        operator = row.operator("assetgen.set_auto", text="", icon="X")
        operator.auto = True
    operator.capability, operator.field = info.name, field.name


def _draw_images(layout: bpy.types.UILayout, info: CapabilityInfo, group: Any, fields: list[FieldInfo]) -> None:
    """What the fields for images hold, as small pictures; where they are views, a way to take all of them."""
    values = []
    for field in fields:
        paths = (
            text_values.split(getattr(group, field.name), PATHS_BETWEEN)
            if field.kind == "files"
            else [getattr(group, field.name)]
        )
        label = group.bl_rna.properties[field.name].name if len(fields) > 1 else ""
        values += [(label, path) for path in paths if path]
    thumbnails.draw(layout, values)
    views = pictures.view_fields(info)
    if views and any(field.name in views for field in fields):
        layout.operator("assetgen.take_views", icon="VIEW_ORTHO").capability = info.name


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


def _label(context: bpy.types.Context, field: FieldInfo) -> int:
    """What the label before a field takes, in pixels at scale 1."""
    if field.placeholder:
        return 0
    return int(_LABEL * region_width(context))


def _views_field(info: CapabilityInfo) -> str:
    """The field that names the task whose views are taken; empty for a capability that takes none."""
    name = use_result.views_field(info.name)
    return name if use_result.takes_views(info) and any(field.name == name for field in info.fields) else ""


def _draw_views(layout: bpy.types.UILayout, context: bpy.types.Context, info: CapabilityInfo, task_id: str) -> None:
    needed = info.takes == field_values.VIEWS_TASK
    if task_id:
        row = layout.box().row(align=True)
        words = translated(f"Views of {titles.task_title(task_id)}")
        row.label(text=words, icon="RENDERLAYERS", translate=False)
        row.operator("assetgen.forget_views", text="", icon="X", emboss=False).capability = info.name
    elif use_result.views_of(info.name):
        words = translated("Choose Views" if needed else "Take Views of a Job")
        layout.menu(ASSETGEN_MT_views.bl_idname, text=words, icon="RENDERLAYERS", translate=False)
    elif needed:
        paragraph(layout, "There are no views yet: run Image to Multiview first.", context, icon="RENDERLAYERS")


CLASSES = (ASSETGEN_MT_views,)
