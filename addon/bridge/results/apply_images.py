"""Applies generated images: they become image datablocks, packed, named after their job and view."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path

import bpy

from ...core.errors import BrokenResult
from ...core.jobs.job import JobView
from ...core.status.job_words import PICTURE
from ..objects import png
from ..objects.image_files import FORMATS
from . import show

VIEWS = ("front_view", "left_view", "back_view", "right_view")
"""The keys under which a job has the views that it made, in the order of the API."""


def fetched_images(job: JobView) -> list[tuple[str, str]]:
    """The images that a job fetched, each with its key: what it is for. A picture of the result counts if it is all."""
    images = [(key, path) for key, path in job.files if Path(path).suffix.lower() in FORMATS]
    return [(key, path) for key, path in images if key != PICTURE] or images


class _State:
    """Whether Blender has read an image in this session."""

    def __init__(self) -> None:
        self.has_read = False


_state = _State()


def prepare(job: JobView) -> bool:
    """Has Blender read a tiny image before the first real one of a session; whether it did so now.

    The first one takes it some 40 ms, whatever its size: with the images themselves, the step of undo and the drawing
    that follows, that is too much at once. Nothing is added to the file, so nothing is drawn again for it.
    """
    if _state.has_read or bpy.app.background or not fetched_images(job):
        return False
    _state.has_read = True
    import imbuf
    import numpy as np

    with tempfile.TemporaryDirectory(prefix="asset-generation-") as folder:
        path = Path(folder) / "dot.png"
        png.write(np.zeros((1, 1, 3), dtype=np.uint8), path)
        imbuf.load(str(path)).free()
    return True


def apply(job: JobView, fetched: Sequence[tuple[str, str]]) -> list[bpy.types.Image]:
    """Loads images, packs them, and shows the first one in an image editor that is open.

    Raises:
        BrokenResult: One is not there or is no image.
    """
    images = [_load(job, key, path) for key, path in fetched]
    if place := show.image_editor():
        show.put_image(images[0], place)
    return images


def _load(job: JobView, key: str, path: str) -> bpy.types.Image:
    try:
        image = bpy.data.images.load(path, check_existing=False)
        image.pack()
    except RuntimeError as error:
        raise BrokenResult("The image cannot be opened", "Press Retry to fetch it again") from error
    view = key.removesuffix("_view").capitalize() if key in VIEWS else ""
    image.name = " ".join(word for word in (job.title or job.name, view) if word)
    image.use_fake_user = True  # nothing uses it yet, and saving the file would drop it
    return image
