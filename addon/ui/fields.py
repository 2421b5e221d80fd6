"""The fields of an operation, as far as the chosen model version takes them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import bpy

from ..bridge import titles
from ..core import text_values
from ..ops import pictures, use_result
from ..props import field_values, scene_settings
from ..props.field_info import PATHS_BETWEEN, CapabilityInfo, FieldInfo
from ..text_layout import BOX, ICON, fitting, is_narrow, paragraph, shortened
from ..translation.interface import translated

if TYPE_CHECKING:
    from ..ops.checks import PanelTroubles

_PATHS = frozenset({"file", "files"})


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
    views = _views_field(info)
    fields = field_values.shown_fields(group, info)
    return [field for field in fields if field.kind not in replaced and field.name != views]


def _column(
    layout: bpy.types.UILayout,
    context: bpy.types.Context,
    group: Any,
    info: CapabilityInfo,
    fields: list[FieldInfo],
    troubles: PanelTroubles,
) -> None:
    from . import field_rows  # here, as below: enabling the extension need not wait for it

    column = layout.column()
    column.use_property_split = not is_narrow(context)
    column.use_property_decorate = False
    images = [field for field in fields if field.takes_image]
    for field in fields:
        words = troubles.words.get(field.name, "")
        is_wrong = bool(words) and field.name not in troubles.advice
        field_rows.draw(column, context, group, info, field, is_wrong=is_wrong)
        if words:
            below = column.column()
            below.alert = is_wrong
            icon = "ERROR" if is_wrong else "INFO"
            paragraph(below, words + ".", context, icon=icon, quiet=not is_wrong)
        if images and field is images[-1]:
            _draw_images(column, context, info, group, images)


def _draw_images(
    layout: bpy.types.UILayout, context: bpy.types.Context, info: CapabilityInfo, group: Any, fields: list[FieldInfo]
) -> None:
    """What the fields for images hold, as small pictures; where they are views, a way to take all of them."""
    from . import thumbnails

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
        words = fitting(("Four Views of the Selection", "Four Views"), context, ICON)
        layout.operator("assetgen.take_views", text=words, icon="VIEW_ORTHO", translate=False).capability = info.name


def _views_field(info: CapabilityInfo) -> str:
    """The field that names the task whose views are taken; empty for a capability that takes none."""
    name = use_result.views_field(info.name)
    return name if use_result.takes_views(info) and any(field.name == name for field in info.fields) else ""


def _draw_views(layout: bpy.types.UILayout, context: bpy.types.Context, info: CapabilityInfo, task_id: str) -> None:
    needed = info.takes == field_values.VIEWS_TASK
    if task_id:
        row = layout.box().row(align=True)
        words = shortened(translated(f"Views of {titles.task_title(task_id)}"), context, taken=BOX + 2 * ICON)
        row.label(text=words, icon="RENDERLAYERS", translate=False)
        row.operator("assetgen.forget_views", text="", icon="X", emboss=False).capability = info.name
    elif use_result.views_of(info.name):
        words = translated("Choose Views" if needed else "Take Views of a Job")
        layout.menu(ASSETGEN_MT_views.bl_idname, text=words, icon="RENDERLAYERS", translate=False)
    elif needed:
        paragraph(layout, "There are no views yet: run Image to Multiview first.", context, icon="RENDERLAYERS")


CLASSES = (ASSETGEN_MT_views,)
