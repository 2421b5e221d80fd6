"""What an image shows, as a text that differs when its content does: no more is read than a press has time for."""

from __future__ import annotations

from pathlib import Path

import bpy

from . import unsaved_images

MAX_PIXELS = 2 * 2048 * 2048
"""Of painted images, for one object: about 20 ms. Where there are more, nobody knows whether they were painted on."""

_SETTINGS = ("source", "filepath", "alpha_mode", "generated_type", "generated_width", "generated_height")


class TooMuchPaint(Exception):
    """The content cannot be told in the time that there is."""


class ImageReader:
    """Reads the images of one object; together they have :data:`MAX_PIXELS`.

    Attributes:
        packed: The packed images that were met, in this order. Their content is not read: there may be 100 MB of it.
    """

    def __init__(self) -> None:
        self.packed: list[bpy.types.Image] = []
        self._left = MAX_PIXELS

    def content(self, image: bpy.types.Image) -> str:
        """What the image shows.

        Raises:
            TooMuchPaint: There is more than can be read at once.
        """
        settings = [str(getattr(image, name)) for name in _SETTINGS]
        colour = ",".join(f"{value:.5g}" for value in image.generated_color)
        return " ".join([*settings, colour, image.colorspace_settings.name, self._pixels(image)])

    @property
    def left(self) -> int:
        """How many painted pixels may still be read."""
        return self._left

    def spend(self, pixels: int) -> None:
        """Counts painted pixels as read.

        Raises:
            TooMuchPaint: There are more than can be read at once.
        """
        self._left -= pixels
        if self._left < 0:
            raise TooMuchPaint

    def _pixels(self, image: bpy.types.Image) -> str:
        if image.is_dirty:
            return self._painted(image)
        if image.packed_file is not None:
            # Asking a packed image for its pixels, or only for their number, would unpack it (docs/platform.md).
            self.packed.append(image)
            return "packed"
        if image.source == "GENERATED":
            return "generated"
        if image.source in {"FILE", "SEQUENCE", "MOVIE"}:
            return _file_state(image)
        if image.source == "TILED":
            return " ".join(_file_state(image, tile.number) for tile in image.tiles)
        raise TooMuchPaint  # what a render or a viewer shows changes by itself

    def _painted(self, image: bpy.types.Image) -> str:
        width, height = image.size
        self.spend(width * height)
        if image.source == "TILED":  # of its tiles, only the first one's pixels can be asked for
            raise TooMuchPaint
        return unsaved_images.pixels_of(image).checksum()


def _file_state(image: bpy.types.Image, tile: int = 1001) -> str:
    """Size and time of an image's file: an upload reads it anew."""
    column, row = (tile - 1001) % 10, (tile - 1001) // 10
    path = image.filepath.replace("<UDIM>", str(tile)).replace("<UVTILE>", f"u{column + 1}_v{row + 1}")
    try:
        state = Path(bpy.path.abspath(path, library=image.library)).stat()
    except OSError:
        return "no file"
    return f"{state.st_size} {state.st_mtime_ns}"
