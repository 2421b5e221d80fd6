"""Blender's images as files: a field that takes an image's path takes ``image:NAME`` as well.

What is written for it lies in the data folder, since a job may upload it again after a restart.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import bpy

from ...core.errors import Refused
from ...core.paths import Locations, make_private

if TYPE_CHECKING:  # enabling the extension need not wait for it
    from concurrent.futures import Future
    from typing import Protocol

    from .pixel_files import EncodedImage, Pixels

    class Picture(Protocol):
        """What was taken, in memory: how many bytes it takes there, and what makes a PNG of it."""

        @property
        def nbytes(self) -> int:
            """Of its memory."""

        def save(self, path: Path) -> None:
            """Writes it. For a thread."""


PREFIX = "image:"
"""What a path begins with that names an image of the open file."""

FORMATS = frozenset({".png", ".jpg", ".jpeg", ".webp", ".bmp", ".tif", ".tiff"})
"""Files of these kinds go out as they are; all others as PNG."""

_RENDER = "RENDER_RESULT"
_PREFIX = "asset-generation-render-"

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

_checksums: dict[str, str] = {}
"""By the name of a file that was written in this session, what the image showed."""

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


def write_taken(picture: Picture, path: Path) -> Future[Path]:
    """Has a picture that was taken become such a file, as a late one: to encode it takes longer than to take it."""
    from ...core.jobs.late_files import late_files  # here: enabling the extension must be quick

    remember_taken(path)
    return late_files.add(path, picture.nbytes, picture.save)


def take_render() -> Pixels:
    """The last render.

    Raises:
        Refused: Nothing was rendered yet, or it cannot be had.
    """
    from ...translation.operator_errors import words_of  # here, as below: enabling the extension need not wait for it

    image = next((image for image in bpy.data.images if image.type == _RENDER), None)
    try:
        if image is not None:  # whether it has data is only certain once it was shown
            return _pixels_of_render(image)
    except RuntimeError as error:
        if image is not None and image.has_data:
            raise Refused(f"The last render could not be written: {words_of(error)}") from error
    except FileNotFoundError:  # Blender has written nothing, and says nothing of it
        pass
    raise Refused("Nothing was rendered yet", "Render an image first")


def write_images(fields: Mapping[str, Any], folder: Path) -> dict[str, Any]:
    """The fields with every image of Blender's own as a file in ``folder``, named by its path. What has to be encoded
    is a late file: ``late_files`` says when it is there, and what it is called then.

    Raises:
        Refused: There is no such image, or it cannot be read.
    """
    file_fields = dict(fields)
    for name, value in fields.items():
        if isinstance(value, str):
            file_fields[name] = _file_of(value, folder)
        elif isinstance(value, list):
            file_fields[name] = [_file_of(item, folder) if isinstance(item, str) else item for item in value]
    return file_fields


def images_to_copy(fields: Mapping[str, Any]) -> list[bpy.types.Image]:
    """The images of Blender's own among the fields whose pixels :func:`write_images` will copy."""
    values = [item for value in fields.values() for item in (value if isinstance(value, list) else [value])]
    names = {value.removeprefix(PREFIX) for value in values if isinstance(value, str) and value.startswith(PREFIX)}
    images = [image for name in sorted(names) if (image := bpy.data.images.get(name)) is not None]
    return [
        image
        for image in images
        if image.type != _RENDER
        and image.has_data
        and _can_be_sent(image)
        and not _has_encoded(image)
        and _own_file(image) is None
    ]


def is_in_file(value: str, path: str) -> bool:
    """Whether a file of a job that was started in this session has what a field's ``image:NAME`` shows now.

    Raises:
        Refused: There is no such image, or the file could not be written.
    """
    from ...core.jobs.late_files import late_files  # here: enabling the extension must be quick

    image = _image_of(value)
    own = _own_file(image)
    if own is not None:
        return Path(path) == own
    late_files.wait_for(Path(path).parent)
    return _checksums.get(Path(path).name) == _shown_by(image).checksum()


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
    image = _image_of(value)
    try:
        make_private(folder)
    except OSError as error:
        raise Refused(
            f'The image "{image.name}" could not be written to {folder}: {error.strerror or error}'
        ) from error
    return str(_written(image, folder))


def _image_of(value: str) -> bpy.types.Image:
    name = value.removeprefix(PREFIX)
    image = bpy.data.images.get(name)
    if image is None:
        raise Refused(f'There is no image "{name}" in this file')
    refuse_unsendable(image)
    return image


def _copy_of_taken(path: Path, folder: Path) -> str:
    from ...core.jobs.late_files import late_files  # here: enabling the extension must be quick

    late_files.wait_for(path.parent)  # only who presses within a moment after it was taken
    try:
        return str(_store(path.read_bytes(), make_private(folder), path.suffix))
    except OSError as error:
        raise Refused(f'The picture "{path.stem}" is not there any more', "Take it again") from error


def _written(image: bpy.types.Image, folder: Path) -> Path:
    """A file with what the image shows: its own file where there is one, else a late one."""
    from ...core.jobs.late_files import late_files  # here: enabling the extension must be quick

    own = _own_file(image)
    if own is not None:
        return own
    shown = _shown_by(image)
    path = folder / f"{os.urandom(16).hex()}.{shown.extension if shown.is_encoded else 'png'}"
    late_files.add(path, shown.nbytes, lambda path: _save_by_content(shown, path))
    return path


def _own_file(image: bpy.types.Image) -> Path | None:
    """The file that an image was read from, where it shows nothing else and can go out as it is."""
    if image.packed_file is not None or image.is_dirty or image.source != "FILE" or not image.filepath:
        return None
    path = Path(bpy.path.abspath(image.filepath, library=image.library))
    return path if path.suffix.lower() in FORMATS and path.is_file() else None


def _shown_by(image: bpy.types.Image) -> Pixels | EncodedImage:
    """What an image shows, copied: a thread makes a file of it, since to encode it takes several times as long.

    Raises:
        Refused: It cannot be read.
    """
    from ...translation.operator_errors import words_of

    try:
        return _copied(image)
    except (OSError, RuntimeError, ValueError) as error:
        reason = getattr(error, "strerror", None) or words_of(error)
        raise Refused(f'The image "{image.name}" could not be read: {reason}') from error


def _copied(image: bpy.types.Image) -> Pixels | EncodedImage:
    from . import unsaved_images
    from .pixel_files import EncodedImage

    if image.type == _RENDER:
        return _pixels_of_render(image)
    if _has_encoded(image):
        return EncodedImage(bytes(image.packed_file.data), Path(image.filepath).suffix.lower().removeprefix("."))
    if not image.has_data and not all(image.size):
        raise RuntimeError("its file is not there")
    return unsaved_images.pixels_of(image)


def _has_encoded(image: bpy.types.Image) -> bool:
    """Whether a file is packed into it that shows what it shows and can go out as it is."""
    is_packed = image.packed_file is not None and image.source == "FILE" and not image.is_dirty
    return is_packed and Path(image.filepath).suffix.lower() in FORMATS


def _save_by_content(shown: Pixels | EncodedImage, path: Path) -> Path:
    """Writes a file that is named after what is in it. For a thread."""
    checksum = shown.checksum()
    part = path.with_suffix(f".part{path.suffix}")
    try:
        shown.save(part)
        stored = _store(part.read_bytes(), path.parent, path.suffix)
    finally:
        part.unlink(missing_ok=True)
    _checksums[path.name] = _checksums[stored.name] = checksum
    return stored


def _store(content: bytes, folder: Path, suffix: str) -> Path:
    """A file with that content and a name made of it: written whole or not at all, and never again, since a job may be
    sending it.
    """
    import hashlib

    path = folder / f"{hashlib.sha256(content).hexdigest()[:24]}{suffix}"
    if path.is_file():
        path.touch()  # it is as young as its latest job
        return path
    part = folder / f"{os.urandom(16).hex()}.part{suffix}"
    try:
        part.write_bytes(content)
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)
    return path


def _pixels_of_render(image: bpy.types.Image) -> Pixels:
    """The last render, seen as the scene shows it. Blender gives it out as a file only."""
    import tempfile

    from .pixel_files import read_targa

    with tempfile.TemporaryDirectory(prefix=_PREFIX) as folder:
        path = Path(folder) / "render.tga"
        _save_render(image, path)
        return read_targa(path)


def _save_render(image: bpy.types.Image, path: Path) -> None:
    """Writes the last render as a plain Targa, seen as the scene shows it."""
    settings = bpy.context.scene.render.image_settings
    settings_before = {
        name: getattr(settings, name) for name in ("media_type", "file_format", "color_mode") if hasattr(settings, name)
    }
    try:
        if "media_type" in settings_before:
            settings.media_type = "IMAGE"
        settings.file_format, settings.color_mode = "TARGA_RAW", "RGBA"
        image.save_render(str(path), scene=bpy.context.scene)
    finally:
        for name, value in settings_before.items():
            setattr(settings, name, value)
