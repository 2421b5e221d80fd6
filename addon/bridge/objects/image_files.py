"""Blender's images as files: a field that takes an image's path takes ``image:NAME`` as well.

What is written for it lies in the data folder, since a job may upload it again after a restart.
"""

from __future__ import annotations

import hashlib
import uuid
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import bpy

from ...core.errors import Refused
from ...core.paths import Locations, make_private
from ...translation.operator_errors import words_of
from . import unsaved_images

PREFIX = "image:"
"""What a path begins with that names an image of the open file."""

FORMATS = frozenset({".png", ".jpg", ".jpeg", ".webp", ".bmp", ".tif", ".tiff"})
"""Files of these kinds go out as they are; all others as PNG."""

_RENDER = "RENDER_RESULT"

_SHOWS_TEXTURES = {"MATERIAL", "NODETREE", "WORLD", "LIGHT", "TEXTURE", "BRUSH"}
"""What uses images as textures."""

_SHOWS_PICTURES = {"OBJECT", "CAMERA"}
"""What shows images as pictures: an empty with a reference, the background of a camera."""

_UNSENDABLE = {
    "MOVIE": "is a film: save the frame that is wanted as an image",
    "SEQUENCE": "is a sequence of images: open the one that is wanted",
    "TILED": "is divided into UDIM tiles: open the tile that is wanted",
    "VIEWER": "is what the compositor shows: save it as an image first",
}
"""By the source of an image, why it cannot be sent."""

_taken: set[str] = set()
"""The pictures of this session that lie among the system's temporary files until a job takes them."""


def folder_in(folder: Path) -> Path:
    """Where images are written, in the folder of a job's files."""
    return Locations(folder).images


def reference_to(image: bpy.types.Image) -> str:
    """How a field refers to an image."""
    return f"{PREFIX}{image.name}"


def pictures() -> list[bpy.types.Image]:
    """The images of the open file that are pictures of their own, in the order of their names: no maps of materials,
    no renders, no films. What is shown in an Image Editor or as a reference is one, whatever else it is used for.
    """
    images = [image for image in bpy.data.images if image.type != _RENDER and _can_be_sent(image)]
    users = bpy.data.user_map(subset=images, key_types={"IMAGE"}, value_types=_SHOWS_TEXTURES | _SHOWS_PICTURES)
    shown = _images_in_editors()

    def is_picture(image: bpy.types.Image) -> bool:
        kinds = {user.id_type for user in users.get(image, ())}
        if image in shown or kinds & _SHOWS_PICTURES:
            return True
        return not kinds and not image.colorspace_settings.is_data

    return sorted((image for image in images if is_picture(image)), key=lambda image: image.name)


def remember_taken(path: Path) -> None:
    """Has a job that uses this temporary file take a copy of it, so that it outlives this Blender."""
    _taken.add(str(path))


def save_render(path: Path) -> None:
    """Writes the last render as a PNG.

    Raises:
        Refused: Nothing was rendered yet, or it cannot be written.
    """
    image = next((image for image in bpy.data.images if image.type == _RENDER), None)
    try:
        if image is not None:  # whether it has data is only certain once it was shown
            _save_render(image, path)
    except RuntimeError as error:
        if image is not None and image.has_data:
            raise Refused(f"The last render could not be written: {words_of(error)}") from error
    if not path.is_file():
        raise Refused("Nothing was rendered yet", "Render an image first")


def write_images(fields: Mapping[str, Any], folder: Path) -> dict[str, Any]:
    """The fields with every image of Blender's own written to a file in ``folder`` and named by its path.

    Raises:
        Refused: There is no such image, or it cannot be written.
    """
    file_fields = dict(fields)
    for name, value in fields.items():
        if isinstance(value, str):
            file_fields[name] = _file_of(value, folder)
        elif isinstance(value, list):
            file_fields[name] = [_file_of(item, folder) if isinstance(item, str) else item for item in value]
    return file_fields


def _images_in_editors() -> set[bpy.types.Image]:
    manager = bpy.context.window_manager
    areas = [area for window in manager.windows for area in window.screen.areas if area.type == "IMAGE_EDITOR"]
    return {area.spaces.active.image for area in areas if area.ui_type == "IMAGE_EDITOR" and area.spaces.active.image}


def refuse_unsendable(image: bpy.types.Image) -> None:
    """Lets pass an image whose pixels can be sent.

    Raises:
        Refused: It has none; the sentence says why.
    """
    if not _can_be_sent(image):
        kind = _UNSENDABLE.get(image.source, "has no pixels that can be sent")
        raise Refused(f'The image "{image.name}" {kind}')


def _can_be_sent(image: bpy.types.Image) -> bool:
    if image.type == _RENDER:
        return bool(image.has_data)
    return image.source in {"FILE", "GENERATED"} and image.type in {"IMAGE", "UV_TEST"}


def _file_of(value: str, folder: Path) -> str:
    if value in _taken:
        return _copy_of_taken(Path(value), folder)
    if not value.startswith(PREFIX):
        return value
    name = value.removeprefix(PREFIX)
    image = bpy.data.images.get(name)
    if image is None:
        raise Refused(f'There is no image "{name}" in this file')
    refuse_unsendable(image)
    try:
        return str(_written(image, make_private(folder)))
    except (OSError, RuntimeError) as error:
        reason = getattr(error, "strerror", None) or words_of(error)
        raise Refused(f'The image "{name}" could not be written to {folder}: {reason}') from error


def _copy_of_taken(path: Path, folder: Path) -> str:
    try:
        return str(_store(path.read_bytes(), make_private(folder), path.suffix))
    except OSError as error:
        raise Refused(f'The picture "{path.stem}" is not there any more', "Take it again") from error


def _written(image: bpy.types.Image, folder: Path) -> Path:
    """A file with what the image shows: its own file where there is one, else a new one, named after its content."""
    own = Path(bpy.path.abspath(image.filepath, library=image.library)) if image.filepath else None
    if own is not None and own.suffix.lower() in FORMATS and image.source == "FILE" and not image.is_dirty:
        if image.packed_file is not None:
            return _store(bytes(image.packed_file.data), folder, own.suffix.lower())
        if own.is_file():
            return own
    part = folder / f"{uuid.uuid4().hex}.part.png"  # another Blender may write an image of the same number
    try:
        if image.type == _RENDER:
            _save_render(image, part)
        else:
            if not image.has_data and not all(image.size):
                raise RuntimeError("its file is not there")
            unsaved_images.pixels_of(image).save(part)
        return _store(part.read_bytes(), folder, ".png")
    finally:
        part.unlink(missing_ok=True)


def _store(content: bytes, folder: Path, suffix: str) -> Path:
    """A file with that content and a name made of it: written whole or not at all, and never again, since a job may be
    sending it.
    """
    path = folder / f"{hashlib.sha256(content).hexdigest()[:24]}{suffix}"
    if path.is_file():
        path.touch()  # it is as young as its latest job
        return path
    part = folder / f"{uuid.uuid4().hex}.part{suffix}"
    try:
        part.write_bytes(content)
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)
    return path


def _save_render(image: bpy.types.Image, path: Path) -> None:
    """Writes the last render as a PNG, seen as the scene shows it."""
    settings = bpy.context.scene.render.image_settings
    settings_before = {
        name: getattr(settings, name) for name in ("media_type", "file_format", "color_mode") if hasattr(settings, name)
    }
    try:
        if "media_type" in settings_before:
            settings.media_type = "IMAGE"
        settings.file_format, settings.color_mode = "PNG", "RGBA"
        image.save_render(str(path), scene=bpy.context.scene)
    finally:
        for name, value in settings_before.items():
            setattr(settings, name, value)
