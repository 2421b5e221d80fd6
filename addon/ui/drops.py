"""Files that are dropped onto a 3D viewport: images make models, a model goes through the service.

Blender asks which is meant where it has a way of its own for such a file. (No postponed annotations in this file:
Blender reads the properties from them.)
"""

from pathlib import Path
from typing import Any

import bpy
from bpy.props import CollectionProperty, EnumProperty, StringProperty

from ..bridge import prefs
from ..bridge.objects import image_files
from ..bridge.session import session
from ..core.jobs.place import Place
from ..ops import pictures
from ..ops.dialogs import WIDTH
from ..ops.waiting_press import WaitsForLoading
from ..props import scene_settings
from ..props.field_info import CapabilityInfo
from ..props.task_properties import CAPABILITIES
from ..text_layout import ICON, inside, paragraph, shortened
from ..translation.interface import translated
from ..translation.operator_errors import words_of
from . import menus

MODEL_SUFFIXES = frozenset({".glb", ".gltf", ".obj", ".fbx", ".stl", ".3mf", ".usdz", ".usd", ".usda", ".usdc", ".ply"})
"""Models that can be dropped. A .blend is none of them: Blender opens or appends it."""

ONE_MODEL = next(info for info in menus.OF_IMAGES if info.gives == "model")
"""What makes a model of one image."""

OF_VIEWS = next(info for info in CAPABILITIES.values() if pictures.view_fields(info))
"""What makes a model of several views."""

_UPLOAD = next(info for info in CAPABILITIES.values() if info.takes == "model_file")


class _Dropped(WaitsForLoading):
    """What was dropped, the way Blender hands it over."""

    layout: Any
    report: Any

    directory: StringProperty(subtype="DIR_PATH", options={"HIDDEN", "SKIP_SAVE"})
    files: CollectionProperty(type=bpy.types.OperatorFileListElement, options={"HIDDEN", "SKIP_SAVE"})

    def paths(self) -> list[str]:
        """The files, in the order of their names."""
        return sorted(str(Path(self.directory) / item.name) for item in self.files if item.name)

    def ask(self, context: bpy.types.Context, info: CapabilityInfo) -> set[str]:
        """Opens the dialog."""
        if not self.paths():
            return {"CANCELLED"}
        if self.has_waited:
            return self.press_anew()
        return set(context.window_manager.invoke_props_dialog(self, width=WIDTH, title=info.label, confirm_text="Run"))

    def run(self, info: CapabilityInfo, **properties: Any) -> bool:
        """Starts one job; a refusal becomes a report."""
        try:
            return "FINISHED" in getattr(bpy.ops.assetgen, info.name)("EXEC_DEFAULT", **properties)
        except RuntimeError as error:
            self.report({"ERROR"}, translated(words_of(error)))
            return False


class ASSETGEN_OT_drop_images(_Dropped, bpy.types.Operator):
    """Make models of images that were dropped."""

    bl_idname = "assetgen.drop_images"
    bl_label = "Make a Model of Images"
    bl_description = "Make a model of each image, or one of several that show the same thing from its sides"
    bl_options = {"REGISTER", "INTERNAL"}

    purpose: EnumProperty(
        name="Make",
        description="What the images are for",
        items=[
            ("EACH", "A Model of Each", "The images show different things"),
            ("VIEWS", "One Model", "The images show the same thing from the front, its left, the back and its right"),
        ],
        options={"SKIP_SAVE"},
    )

    def press(self, context: bpy.types.Context, _event: bpy.types.Event) -> set[str]:
        """Asks what the images are for."""
        from ..core.view_names import views_by_name  # here, as below: enabling the extension need not wait for it

        if not self.properties.is_property_set("purpose") and views_by_name(self.paths(), _view_names()):
            self.purpose = "VIEWS"
        return self.ask(context, self._info())

    def draw(self, context: bpy.types.Context) -> None:
        from ..ops import checks
        from . import fields

        layout, info, paths = self.layout, self._info(), self.paths()
        with inside(WIDTH):
            if len(paths) > 1:
                layout.row().prop(self, "purpose", expand=True)
            _draw_images(layout, context, info, paths)
            group = getattr(scene_settings.settings_of(context), info.name)
            seen, troubles = info.for_service(is_local=session.settings.is_local), checks.PanelTroubles()
            fields.draw(layout, context, seen, group, troubles, images=False)
            fields.draw_advanced(layout, context, seen, group, troubles)
            _draw_end(layout, context, info, group, 1 if info is OF_VIEWS else len(paths))

    def execute(self, context: bpy.types.Context) -> set[str]:
        from ..core.view_names import views_in_order

        settings, info, paths = scene_settings.settings_of(context), self._info(), self.paths()
        scene_settings.choose_capability(settings, info.name)
        group = getattr(settings, info.name)
        if info is OF_VIEWS:
            views = views_in_order(paths, _view_names())
            group.property_unset(str(info.task_field))  # else the views of an earlier job would be taken
            for name in _view_names():
                setattr(group, name, views.get(name, ""))
            return {"FINISHED"} if self.run(info, use_panel_settings=True) else {"CANCELLED"}
        started = 0
        for path in paths:
            setattr(group, pictures.image_field(info), path)
            if not self.run(info, use_panel_settings=True):
                break
            started += 1
        return {"FINISHED"} if started else {"CANCELLED"}

    def _info(self) -> CapabilityInfo:
        return OF_VIEWS if self.purpose == "VIEWS" and len(self.paths()) > 1 else ONE_MODEL


class ASSETGEN_OT_drop_models(_Dropped, bpy.types.Operator):
    """Bring models that were dropped into the service."""

    bl_idname = "assetgen.drop_models"
    bl_label = "Import Through Asset Generation"
    bl_description = "Upload the model, so that operations can work on it, and bring it into the scene"
    bl_options = {"REGISTER", "INTERNAL"}

    def press(self, context: bpy.types.Context, _event: bpy.types.Event) -> set[str]:
        """Asks before anything is uploaded."""
        return self.ask(context, _UPLOAD)

    def draw(self, context: bpy.types.Context) -> None:
        layout, paths = self.layout, self.paths()
        with inside(WIDTH):
            for path in paths[:8]:
                name = shortened(Path(path).name, context, taken=ICON)
                layout.label(text=name, icon="FILE_3D", translate=False)
            if len(paths) > 8:
                layout.label(text=translated(f"and {len(paths) - 8} more"), translate=False)
            paragraph(layout, f"{_UPLOAD.summary}. It comes into the scene as the file has it.", context, quiet=True)
            _draw_end(layout, context, _UPLOAD, getattr(scene_settings.settings_of(context), _UPLOAD.name), len(paths))

    def execute(self, _context: bpy.types.Context) -> set[str]:
        started = 0
        for path in self.paths():
            if not self.run(_UPLOAD, placement=Place.FILE.value, **{str(_UPLOAD.source_field): path}):
                break
            started += 1
        return {"FINISHED"} if started else {"CANCELLED"}


def _view_names() -> tuple[str, ...]:
    return pictures.view_fields(OF_VIEWS)


def _draw_images(
    layout: bpy.types.UILayout, context: bpy.types.Context, info: CapabilityInfo, paths: list[str]
) -> None:
    from ..core.view_names import views_by_name, views_in_order
    from . import thumbnails

    if info is not OF_VIEWS:
        thumbnails.draw(layout, [("", path) for path in paths])
        return
    views = views_in_order(paths, _view_names())
    thumbnails.draw(layout, [(name.title(), path) for name, path in views.items()])
    if not views_by_name(paths, _view_names()):
        words = "The names do not say which side is shown, so they are taken in their order."
        if len(paths) > len(views):
            words += f" Only the first {len(views)} are taken."
        paragraph(layout, words, context, icon="INFO")


def _draw_end(
    layout: bpy.types.UILayout, context: bpy.types.Context, info: CapabilityInfo, group: Any, jobs: int
) -> None:
    """What it costs, and what stands in the way."""
    from ..bridge import preflight
    from ..ops import costs
    from . import operation

    settings = session.settings
    if price := costs.price_text(info, group, settings, uploads=False):
        paragraph(layout, f"{price} for each of {jobs}" if jobs > 1 else price, context, quiet=True)
    if reason := preflight.obstacle(settings) or operation.not_local(info, settings):
        paragraph(layout, f"{reason}.", context, icon="INFO")
    else:
        costs.draw_budget(layout, context, info, costs.set_fields(info, group) or {}, jobs)


def _is_viewport(context: bpy.types.Context) -> bool:
    area, region = context.area, context.region
    return area is not None and area.type == "VIEW_3D" and (region is None or region.type == "WINDOW")


class ASSETGEN_FH_images(bpy.types.FileHandler):
    """Images onto a 3D viewport."""

    bl_idname = "ASSETGEN_FH_images"
    bl_label = "Make a model (Asset Generation)"
    bl_import_operator = "assetgen.drop_images"
    bl_file_extensions = ";".join(sorted(image_files.FORMATS))

    @classmethod
    def poll_drop(cls, context: bpy.types.Context) -> bool:
        return _is_viewport(context)


class ASSETGEN_FH_models(bpy.types.FileHandler):
    """Models onto a 3D viewport."""

    bl_idname = "ASSETGEN_FH_models"
    bl_label = "Import through the service (Asset Generation)"
    bl_import_operator = "assetgen.drop_models"
    bl_file_extensions = ";".join(sorted(MODEL_SUFFIXES))

    @classmethod
    def poll_drop(cls, context: bpy.types.Context) -> bool:
        return _is_viewport(context) and bool((values := prefs.preferences()) and values.asks_about_models)


CLASSES = (ASSETGEN_OT_drop_images, ASSETGEN_OT_drop_models, ASSETGEN_FH_images, ASSETGEN_FH_models)
