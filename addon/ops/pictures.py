"""Pictures for the fields of an operation, taken from what is at hand: the clipboard, the viewport, the camera, the
last render, and the selected object from four sides.

(No postponed annotations in this file: Blender reads the properties from them.)
"""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import bpy
from bpy.props import EnumProperty, StringProperty

from ..bridge import pump, redraw
from ..bridge.callbacks import callbacks
from ..bridge.objects import image_files
from ..bridge.session import session
from ..core import text_values
from ..core.errors import CoreError, Refused, sentences
from ..core.log import logger
from ..props import scene_settings
from ..props.field_info import PATHS_BETWEEN, CapabilityInfo
from ..props.task_properties import CAPABILITIES
from ..translation.interface import translated
from .inputs import FillsField
from .reports import report_error, report_unexpected

if TYPE_CHECKING:
    from concurrent.futures import Future

    from ..bridge.captures.offscreen import Drawing
    from ..bridge.objects.pixel_files import Pixels

IMAGE, NOTHING = "IMAGE", "NONE"

SOURCES = (
    (IMAGE, "Image of This File...", "Take a picture that is open in Blender", "IMAGE_DATA"),
    ("CLIPBOARD", "From the Clipboard", "Paste an image, or take the image file whose path was copied", "PASTEDOWN"),
    ("VIEWPORT", "The Viewport", "Take what the 3D viewport shows, without grid, outlines and gizmos", "VIEW3D"),
    ("CAMERA", "The Active Camera", "Take what the camera sees, shaded like the 3D viewport", "CAMERA_DATA"),
    ("RENDER", "The Last Render", "Take the image that was rendered last", "RENDER_RESULT"),
    (NOTHING, "No Image", "Empty the field", "X"),
)
"""Where a picture can come from: name, label, tooltip, icon."""


_SIDES = 4
"""From how many sides pictures of an object are taken."""


def view_fields(info: CapabilityInfo) -> tuple[str, ...]:
    """The fields for the same thing from four sides, from the front to its right; empty for a capability without."""
    names = tuple(
        field.name for field in info.own_fields if field.kind == "file" and field.panel and not field.advanced
    )
    return names if len(names) == _SIDES else ()


def image_field(info: CapabilityInfo) -> str:
    """The first field for an image of a capability that takes some."""
    return next(field.name for field in info.own_fields if field.takes_image and field.panel)


class ASSETGEN_OT_take_picture(FillsField, bpy.types.Operator):
    """Take a picture from what is at hand."""

    bl_idname = "assetgen.take_picture"
    bl_label = "Take a Picture"
    bl_description = "Take an image of this file, the clipboard, the viewport, the camera or the last render"
    bl_options = {"INTERNAL", "UNDO"}

    source: EnumProperty(
        name="Source",
        items=[(*source, number) for number, source in enumerate(SOURCES)],
        default=NOTHING,
        options={"SKIP_SAVE"},
    )

    @classmethod
    def description(cls, _context: bpy.types.Context, properties: bpy.types.OperatorProperties) -> str:
        if not properties.is_property_set("source"):
            return translated(cls.bl_description)
        return translated(next(tooltip for name, _, tooltip, _ in SOURCES if name == properties.source))

    def invoke(self, context: bpy.types.Context, _event: bpy.types.Event) -> set[str]:
        if self.source == IMAGE:
            arguments = {"capability": self.capability, "field": self.field}
            return set(bpy.ops.assetgen.take_image("INVOKE_DEFAULT", **arguments))
        return self.execute(context)

    def execute(self, context: bpy.types.Context) -> set[str]:
        if self.source == NOTHING:
            self._group(context).property_unset(self.field)
            redraw.redraw()
            return {"FINISHED"}
        try:
            path = take(context, self.source)
        except CoreError as error:
            return report_error(self, error)
        except Exception as error:  # whatever a driver says: a sentence for the user, the rest for the log
            logger(__name__).exception("taking a picture")
            return report_unexpected(self, error)
        self._fill(context, [str(path)], add=True)
        redraw.redraw()
        return {"FINISHED"}


class ASSETGEN_OT_take_views(bpy.types.Operator):
    """Take four views of the selected object."""

    bl_idname = "assetgen.take_views"
    bl_label = "Four Views of the Selection"
    bl_description = (
        "Take the selected object from the front, its left, the back and its right, alone and without a background"
    )
    bl_options = {"INTERNAL", "UNDO"}

    capability: StringProperty(options={"HIDDEN", "SKIP_SAVE"})

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        from ..bridge.captures import object_views  # here, and below: enabling the extension need not wait for it

        if object_views.visible_selection(context):
            return True
        cls.poll_message_set("Select the object whose views are wanted")
        return False

    def execute(self, context: bpy.types.Context) -> set[str]:
        from ..bridge.captures import object_views

        names = view_fields(CAPABILITIES[self.capability])
        try:
            views = object_views.take_views(context, names)
            folder = session.staging_folder()
            paths = [_write(picture, folder / f"{title}.png") for title, picture in views]
        except CoreError as error:
            return report_error(self, error)
        except Exception as error:  # as above
            logger(__name__).exception("taking views")
            return report_unexpected(self, error)
        group = getattr(scene_settings.settings_of(context), self.capability)
        for name, path in zip(names, paths, strict=True):
            setattr(group, name, str(path))
        redraw.redraw()
        return {"FINISHED"}


def shown_image(context: bpy.types.Context) -> bpy.types.Image | None:
    """The image that the Image Editor shows; in other editors that of the selected reference image, if it is one."""
    space = context.space_data
    if space is not None and space.type == "IMAGE_EDITOR":
        return space.image
    item = context.view_layer.objects.active
    is_reference = item is not None and item.type == "EMPTY" and item.select_get()
    return item.data if is_reference and isinstance(item.data, bpy.types.Image) else None


def reference_of(image: bpy.types.Image) -> str:
    """How a field refers to an image of the file."""
    return image_files.reference_to(image)


class ASSETGEN_OT_use_shown_image(bpy.types.Operator):
    """Do something with the image that is looked at."""

    bl_idname = "assetgen.use_shown_image"
    bl_label = "Make a Model of This Image"
    bl_description = "Start with the image that is looked at; what else is wanted is asked for"
    bl_options = {"REGISTER", "UNDO"}

    capability: EnumProperty(
        name="Operation",
        items=[(info.name, info.image_action, info.summary) for info in CAPABILITIES.values() if info.image_action],
        options={"SKIP_SAVE"},
    )

    @classmethod
    def description(cls, _context: bpy.types.Context, properties: bpy.types.OperatorProperties) -> str:
        return translated(CAPABILITIES[properties.capability].summary)

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        if shown_image(context) is not None:
            return True
        cls.poll_message_set("Open an image in this editor, or select a reference image")
        return False

    def execute(self, context: bpy.types.Context) -> set[str]:
        image = shown_image(context)
        info = CAPABILITIES[self.capability]
        try:
            if image.type == "RENDER_RESULT":
                value = str(take(context, "RENDER"))
            else:
                image_files.refuse_unsendable(image)
                value = image_files.reference_to(image)
        except CoreError as error:
            return report_error(self, error)
        settings = scene_settings.settings_of(context)
        scene_settings.choose_capability(settings, info.name)
        name = image_field(info)
        several = any(field.name == name and field.kind == "files" for field in info.fields)
        value = text_values.join([value], PATHS_BETWEEN) if several else value
        setattr(getattr(settings, info.name), name, value)
        redraw.redraw()
        if bpy.app.background:
            return {"FINISHED"}
        return set(getattr(bpy.ops.assetgen, info.name)("INVOKE_DEFAULT"))


def take(context: bpy.types.Context, source: str) -> Path:
    """Takes a picture. With a window it becomes a file of this session a moment later, behind the press.

    Args:
        context: Where it is taken.
        source: One of :data:`SOURCES` that gives a new picture.

    Raises:
        Refused: There is none to be had; the sentence says why.
        RuntimeError: Blender cannot give it out.
    """
    name, take_source = _TAKES[source]
    try:
        taken = take_source(context)
    except OSError as error:
        raise _unwritten(error) from error
    return taken if isinstance(taken, Path) else _write(taken, session.staging_folder() / f"{name}.png")


def _write(picture: "Pixels | Drawing", path: Path) -> Path:
    """Has a picture become a file, and be shown when it is there."""
    written = image_files.write_taken(picture, path)
    if bpy.app.background:  # nobody is held up, and a script may read it at once
        try:
            return written.result()
        except OSError as error:
            raise _unwritten(error) from error
    pump.when_done(written, _show_written)
    return path


def _show_written(written: "Future[Path]") -> None:
    error = written.exception()
    if isinstance(error, OSError) and callbacks.report_end is not None:
        refusal = _unwritten(error)
        callbacks.report_end(sentences(str(refusal), refusal.advice), False)
    elif error is not None:
        logger(__name__).error("writing a picture", exc_info=error)
    redraw.redraw()


def _unwritten(error: OSError) -> Refused:
    return Refused(f"The picture could not be written: {error.strerror or error}", "Make room on the disk")


# The modules are imported when a picture is taken: enabling the extension need not wait for them.


def _from_clipboard(context: bpy.types.Context) -> "Path | Pixels":
    from ..bridge.captures import clipboard

    return clipboard.take_clipboard(context)


def _from_viewport(context: bpy.types.Context) -> "Drawing":
    from ..bridge.captures import viewport

    return viewport.take_viewport(context)


def _from_camera(context: bpy.types.Context) -> "Drawing":
    from ..bridge.captures import viewport

    return viewport.take_camera(context)


def _from_render(_context: bpy.types.Context) -> "Pixels":
    return image_files.take_render()


_TAKES: dict[str, tuple[str, "Callable[[bpy.types.Context], Path | Pixels | Drawing]"]] = {
    "CLIPBOARD": ("Clipboard", _from_clipboard),
    "VIEWPORT": ("Viewport", _from_viewport),
    "CAMERA": ("Camera", _from_camera),
    "RENDER": ("Render", _from_render),
}

CLASSES = (ASSETGEN_OT_take_picture, ASSETGEN_OT_take_views, ASSETGEN_OT_use_shown_image)
