"""What a task gives beside its model: a preview, views, a video. Without them the job is as good."""

from __future__ import annotations

import logging

from ....vendor.assetgen import AssetGenError, StoppedError
from ..errors import CoreError
from .task_files import TaskFiles, file_names

log = logging.getLogger(__name__)

PREVIEW = "rendered_image"
"""Key of the link to the picture of the model; its file is called ``preview``."""

_MAX_PREVIEW_BYTES = 64 * 1024 * 1024
_MAX_BYTES = 512 * 1024 * 1024
_MOST = 32


def fetch_extras(outputs: TaskFiles, job_id: str, *, besides: str) -> list[tuple[str, str]]:
    """Fetches all further files of a task, the preview first: key and path of each that could be had.

    One that fails is said in the log and left out. They are fetched together with the model and not again by
    themselves: that would cost a reading of the task at every retry.

    Args:
        outputs: The task's links.
        job_id: For the log.
        besides: Key of the main file, which is here already.

    Raises:
        StoppedError: The user wants to stop.
    """
    keys = sorted((key for key in outputs.links() if key != besides), key=lambda key: key != PREVIEW)
    found: list[tuple[str, str]] = []
    names = file_names(keys)
    for key in keys[:_MOST]:
        name = "preview" if key == PREVIEW else names[key]
        limit = _MAX_PREVIEW_BYTES if key == PREVIEW else _MAX_BYTES
        try:
            found.append((key, str(outputs.fetch(key, name, max_bytes=limit))))
        except StoppedError:
            raise
        except (AssetGenError, CoreError) as error:
            log.warning("job %s: its %s could not be fetched: %s", job_id, key.replace("_", " "), error)
    return found
