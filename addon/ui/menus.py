"""The ways in beside the panel: Blender's menus, and with them its search (F3), which looks through menus."""

from __future__ import annotations

from collections.abc import Iterable

import bpy

from ..bridge.session import session
from ..core.errors import Refused
from ..ops import assets, pictures
from ..props.field_info import WITHOUT_SELECTION, CapabilityInfo
from ..props.task_properties import CAPABILITIES
from ..translation.interface import translated

_LABEL = "Asset Generation"
_ICON = "SHADERFX"

FROM_NOTHING = tuple(info for info in CAPABILITIES.values() if info.takes in ("nothing", "images"))
"""What needs no selected object: models and images out of words and pictures."""

OF_OBJECTS = tuple(info for info in CAPABILITIES.values() if info.takes not in WITHOUT_SELECTION)
"""What works on the selected objects."""

OF_IMAGES = tuple(info for info in CAPABILITIES.values() if info.image_action)
"""What works on one image."""


class ASSETGEN_MT_add(bpy.types.Menu):
    """Models and images out of words and pictures."""

    bl_idname = "ASSETGEN_MT_add"
    bl_label = _LABEL

    def draw(self, _context: bpy.types.Context) -> None:
        _draw_groups(self.layout, FROM_NOTHING)


class ASSETGEN_MT_object(bpy.types.Menu):
    """What can be done with the selected objects."""

    bl_idname = "ASSETGEN_MT_object"
    bl_label = _LABEL

    def draw(self, context: bpy.types.Context) -> None:
        from ..bridge import library  # here, as below: enabling the extension need not wait for it

        _draw_groups(self.layout, OF_OBJECTS, context)
        self.layout.separator()
        row = self.layout.row()
        job = library.job_of(context.object)
        row.enabled = job is not None and assets.can_save(job)
        row.operator("assetgen.save_as_asset", icon="ASSET_MANAGER").job_id = job.id if job is not None else ""


class ASSETGEN_MT_image(bpy.types.Menu):
    """What can be done with the image that is looked at, and images out of words."""

    bl_idname = "ASSETGEN_MT_image"
    bl_label = _LABEL

    def draw(self, context: bpy.types.Context) -> None:
        layout = self.layout
        draw_image_actions(layout, context)
        layout.separator()
        _draw_groups(layout, [info for info in FROM_NOTHING if info.takes == "nothing" and info.gives == "images"])


def draw_image_actions(layout: bpy.types.UILayout, context: bpy.types.Context, *, briefly: bool = False) -> None:
    """A button for each thing that can be done with the image of an Image Editor; ``briefly``: in few words."""
    column = layout.column()
    column.enabled = pictures.shown_image(context) is not None
    column.operator_context = "INVOKE_DEFAULT"
    for info in OF_IMAGES:
        words = translated(f"{info.label if briefly else info.image_action}...")
        operator = column.operator("assetgen.use_shown_image", text=words, icon=info.icon, translate=False)
        operator.capability = info.name


def _draw_groups(
    layout: bpy.types.UILayout, infos: Iterable[CapabilityInfo], context: bpy.types.Context | None = None
) -> None:
    """Lists operations, a line between groups; those that work on the selection are grey where they cannot."""
    layout.operator_context = "INVOKE_DEFAULT"
    tier = ""
    for info in infos:
        if tier and info.tier != tier:
            layout.separator()
        tier = info.tier
        row = layout.row()
        row.enabled = context is None or _can_run(info, context)
        words = translated(f"{info.label}...")
        operator = row.operator(f"assetgen.{info.name}", text=words, icon=info.icon, translate=False)
        operator.use_panel_settings = bool(info.file_kinds)  # it asks for the file, and knows its format from the panel


def _can_run(info: CapabilityInfo, context: bpy.types.Context) -> bool:
    from ..ops import sources

    try:
        sources.panel_source(context, info, session.settings)
    except Refused:
        return False
    return True


def _append_add(menu: bpy.types.Menu, _context: bpy.types.Context) -> None:
    menu.layout.separator()
    menu.layout.menu(ASSETGEN_MT_add.bl_idname, icon=_ICON)


def _append_object(menu: bpy.types.Menu, _context: bpy.types.Context) -> None:
    menu.layout.separator()
    menu.layout.menu(ASSETGEN_MT_object.bl_idname, icon=_ICON)


def _append_image(menu: bpy.types.Menu, _context: bpy.types.Context) -> None:
    menu.layout.separator()
    menu.layout.menu(ASSETGEN_MT_image.bl_idname, icon=_ICON)


_APPENDED = (
    ("VIEW3D_MT_add", _append_add),
    ("VIEW3D_MT_object", _append_object),
    ("VIEW3D_MT_object_context_menu", _append_object),
    ("OUTLINER_MT_object", _append_object),
    ("IMAGE_MT_image", _append_image),
)
"""Blender's menus, by name, and what is added at the end of each."""


def register() -> None:
    """Adds to Blender's menus."""
    for name, function in _APPENDED:
        if menu := getattr(bpy.types, name, None):
            menu.append(function)


def unregister() -> None:
    """Takes it out of them."""
    for name, function in _APPENDED:
        if menu := getattr(bpy.types, name, None):
            menu.remove(function)


CLASSES = (ASSETGEN_MT_add, ASSETGEN_MT_object, ASSETGEN_MT_image)
