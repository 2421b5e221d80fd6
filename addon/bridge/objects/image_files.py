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
from . import unsaved_images

PREFIX = "image:"
"""What a path begins with that names an image of the open file."""

FORMATS = frozenset({".png", ".jpg", ".jpeg", ".webp", ".bmp", ".tif", ".tiff"})
"""Files of these kinds go out as they are; all others as PNG."""

_RENDER = "RENDER_RESULT"


def folder_in(folder: Path) -> Path:
    """Where images are written, in the folder of a job's files."""
    return Locations(folder).images


def reference_to(image: bpy.types.Image) -> str:
    """How a field refers to an image."""
    return f"{PREFIX}{image.name}"


def sendable_images() -> list[bpy.types.Image]:
    """The images of the open file that can be sent, in the order of their names."""
    return sorted((image for image in bpy.data.images if _can_be_sent(image)), key=lambda image: image.name)


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


def _can_be_sent(image: bpy.types.Image) -> bool:
    if image.type == _RENDER:
        return bool(image.has_data)
    return image.source in {"FILE", "GENERATED"} and image.type in {"IMAGE", "UV_TEST"}


def _file_of(value: str, folder: Path) -> str:
    if not value.startswith(PREFIX):
        return value
    name = value.removeprefix(PREFIX)
    image = bpy.data.images.get(name)
    if image is None:
        raise Refused(f'There is no image "{name}" in this file')
    if not _can_be_sent(image):
        raise Refused(f'The image "{name}" has no pixels that can be sent')
    try:
        return str(_written(image, make_private(folder)))
    except (OSError, RuntimeError) as error:
        reason = getattr(error, "strerror", None) or str(error).strip().removeprefix("Error: ")
        raise Refused(f'The image "{name}" could not be written to {folder}: {reason}') from error


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
            unsaved_images.save_copy(image, part, "PNG")
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
