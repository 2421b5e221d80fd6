"""A picture from the clipboard: an image that was copied, or the name of an image file."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from urllib.parse import unquote, urlsplit

import bpy

from ...core.errors import Refused
from ..objects import image_files, unsaved_images
from ..objects.pixel_files import Pixels

_NOTHING = "There is no image on the clipboard"
_ADVICE = "Copy an image, or the path of an image file, and try again"


def take_clipboard(context: bpy.types.Context) -> Pixels | Path:
    """The copied image, or the file whose name was copied.

    Raises:
        Refused: There is no image on the clipboard, or this system does not let Blender see it.
    """
    if copied := copied_path(context.window_manager.clipboard):
        return copied
    before = set(bpy.data.images)
    with suppress(RuntimeError), _image_editor(context):  # Blender says the same for every reason, and not to a user
        bpy.ops.image.clipboard_paste()
    pasted = [image for image in bpy.data.images if image not in before]
    if not pasted:
        raise Refused(_NOTHING, _ADVICE)
    try:
        return unsaved_images.pixels_of(pasted[0])
    except RuntimeError as error:
        raise Refused(_NOTHING, _ADVICE) from error
    finally:
        for image in pasted:
            bpy.data.images.remove(image)


def copied_path(text: str) -> Path | None:
    """The image file that a text names; None where it names none."""
    line = text.strip().strip("\"'")
    if not line or "\n" in line:
        return None
    if line.lower().startswith("file://"):
        line = unquote(urlsplit(line).path)
    path = Path(line)
    try:
        return path if path.suffix.lower() in image_files.FORMATS and path.is_absolute() and path.is_file() else None
    except (OSError, ValueError):  # not the name of any file
        return None


@contextmanager
def _image_editor(context: bpy.types.Context) -> Iterator[None]:
    """Blender pastes images in an Image Editor only; where none is open, another area is one for a moment."""
    if context.window is None:
        yield
        return
    areas = list(context.window.screen.areas)
    area = next((area for area in areas if area.type == "IMAGE_EDITOR"), None)
    if area is not None:
        image = area.spaces.active.image
        with context.temp_override(area=area, region=_window_region(area)):
            try:
                yield
            finally:
                area.spaces.active.image = image
        return
    area = min(
        (area for area in areas if area != context.area), key=lambda area: area.width * area.height, default=None
    )
    if area is None:
        yield
        return
    kind = area.ui_type
    area.type = "IMAGE_EDITOR"
    try:
        with context.temp_override(area=area, region=_window_region(area)):
            image = area.spaces.active.image
            try:
                yield
            finally:
                area.spaces.active.image = image
    finally:
        area.ui_type = kind


def _window_region(area: bpy.types.Area) -> bpy.types.Region:
    return next(region for region in area.regions if region.type == "WINDOW")
