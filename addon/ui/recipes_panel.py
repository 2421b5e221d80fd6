"""Recipes: choose one, see what it does and what it costs, and run it on the selection."""

from __future__ import annotations

from typing import Any

import bpy

from ..bridge.recipe_runs import recipe_runs
from ..bridge.session import session
from ..core.errors import Refused
from ..props import recipe_settings
from ..text_layout import BOX, ICON, paragraph, shortened
from ..translation.interface import translated
from .main_panel import CATEGORY

_MOST_TROUBLES = 4


class ASSETGEN_MT_recipes(bpy.types.Menu):
    """All recipes there are."""

    bl_idname = "ASSETGEN_MT_recipes"
    bl_label = "Recipes"

    def draw(self, _context: bpy.types.Context) -> None:
        for recipe, name in recipe_runs.known:
            self.layout.operator(
                "assetgen.choose_recipe", text=translated(name), translate=False, icon="PRESET"
            ).recipe = recipe


class ASSETGEN_PT_recipes(bpy.types.Panel):
    """Several steps in one press."""

    bl_idname = "ASSETGEN_PT_recipes"
    bl_label = "Recipes"
    bl_space_type = "VIEW_3D"
    bl_region_type = "UI"
    bl_category = CATEGORY
    bl_order = 5
    bl_options = {"DEFAULT_CLOSED"}

    def draw(self, context: bpy.types.Context) -> None:
        layout = self.layout
        session.warm_up()
        if session.loaded is None:
            paragraph(layout, session.failure or "Connecting...", context, quiet=True)
            return
        settings = recipe_settings.recipe_of(context)
        title = _title(context)
        recipe_runs.look_for_recipes()
        recipe_runs.look(settings.recipe, recipe_settings.values_of(settings), title)
        view = recipe_runs.view
        if view is None:
            paragraph(layout, "Reading...", context, quiet=True)
            return
        layout.menu("ASSETGEN_MT_recipes", text=translated(view.name), translate=False, icon="PRESET")
        if view.description:
            paragraph(layout, view.description, context, quiet=True)
        _draw_values(layout, settings, view)
        _draw_steps(layout, view, context)
        if view.troubles:
            for sentence in view.troubles[:_MOST_TROUBLES]:
                paragraph(layout, sentence, context, icon="ERROR")
            return
        column = layout.column()
        column.use_property_split = True
        column.use_property_decorate = False
        usual = "results, beside the file" if bpy.data.filepath else "in the data folder"
        column.prop(settings, "folder", placeholder=translated(usual))
        if view.needs_selection:
            column.prop(settings, "into_scene")
        _draw_run(layout, view, title, context)


def _title(context: bpy.types.Context) -> str:
    """What is selected, in words; empty for nothing that will do."""
    from ..bridge.objects.selection import selected_meshes  # here: enabling the extension need not wait for it

    try:
        return selected_meshes(context).title
    except Refused:
        return ""


def _draw_values(layout: bpy.types.UILayout, settings: Any, view: Any) -> None:
    variables = {variable.name: variable for variable in view.variables}
    column = layout.column(align=True)
    column.use_property_split = True
    column.use_property_decorate = False
    for item in settings.values:
        variable = variables.get(item.name)
        if variable is not None:
            name = item.name.replace("_", " ").title()
            column.prop(item, "text", text=translated(name), translate=False, placeholder=variable.default)


def _draw_steps(layout: bpy.types.UILayout, view: Any, context: bpy.types.Context) -> None:
    if not view.steps:
        return
    column = layout.box().column(align=True)
    for number, step in enumerate(view.steps, 1):
        times = f" × {step.times}" if step.times > 1 else ""
        words = f"{number}. {translated(step.label)}{times}"
        column.label(text=shortened(words, context, taken=BOX), translate=False)
        for name in step.files:
            row = column.row()
            row.active = False
            row.label(text=shortened(name, context, taken=BOX + ICON), icon="BLANK1", translate=False)
    paragraph(column, f"Price: {view.price}", context, indent=BOX, quiet=True)


def _draw_run(layout: bpy.types.UILayout, view: Any, title: str, context: bpy.types.Context) -> None:
    is_ready = bool(title) or not view.needs_selection
    row = layout.row()
    row.scale_y = 1.4
    row.enabled = is_ready
    label = translated(f"Run on {title}") if title and view.needs_selection else translated("Run Recipe")
    row.operator("assetgen.run_recipe", text=shortened(label, context, taken=ICON), icon="PLAY", translate=False)
    if not is_ready:
        paragraph(layout, "Select a mesh object to run the recipe on.", context, quiet=True)
    progress, end = recipe_runs.progress, recipe_runs.end
    if progress is not None:
        fraction = progress.ended / progress.total if progress.total else 0.0
        words = f"{progress.ended} of {progress.total} done" if progress.total else "Starting..."
        layout.progress(factor=fraction, type="BAR", text=translated(words), translate=False)
    elif recipe_runs.failure:
        paragraph(layout, recipe_runs.failure, context, icon="ERROR")
    elif end is not None:
        _draw_end(layout, end, context)


def _draw_end(layout: bpy.types.UILayout, end: Any, context: bpy.types.Context) -> None:
    for sentence in end.errors[:_MOST_TROUBLES]:
        paragraph(layout, sentence, context, icon="ERROR")
    if not end.errors:
        number = len(end.files)
        words = f"{number} files are written" if number != 1 else "1 file is written"
        if end.unchanged == end.total:
            words = "Nothing has changed since the last time"
        paragraph(layout, f"{words}.", context, icon="CHECKMARK")
    if end.picture:
        operator = layout.operator("wm.path_open", text="Show All Results", icon="IMAGE_DATA")
        operator.filepath = end.picture


CLASSES = (ASSETGEN_MT_recipes, ASSETGEN_PT_recipes)
