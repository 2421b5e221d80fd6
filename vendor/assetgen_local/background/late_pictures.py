"""Pictures of results that are made when somebody asks for them.

What was imported is nearly always worked on at once, and nobody looks at it; who brings a result into a scene has
loaded it and can draw it there. A picture would take as long as half of the work.
"""

from __future__ import annotations

import asyncio
import logging
import os
import shutil
import tempfile
import threading
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from ...assetgen.contract import Decimate, ImportModel, Texture
from ...background_blender import BlenderTrouble
from ..store.file_store import FileStore
from ..store.tasks import MODEL_KEY, Task
from ..task_runner import InputRejected, TaskRunner

PICTURE_KEY = "rendered_image_url"
"""Output key of the picture of a result."""

LATER = "later"
"""For ``preview`` in the engine's request: its answer names the picture, which is not made yet."""

_PICTURED_LATER = frozenset({ImportModel.name, Decimate.name, Texture.name})

_LOG = logging.getLogger(__name__)


def preview_of(capability: str) -> bool | str:
    """What the engine is asked for as ``preview``."""
    return LATER if capability in _PICTURED_LATER else True


def may_be_missing(request: Mapping[str, Any], key: str) -> bool:
    """Whether a file that an answer names need not be there yet."""
    return key == PICTURE_KEY and request.get("preview") == LATER


class LatePictures:
    """Makes them, one at a time, each once. Used from the event loop's thread.

    Args:
        files: Where results are.
        runner: Does tasks; the picture comes from importing the result.
    """

    def __init__(self, files: FileStore, runner: TaskRunner) -> None:
        self._files = files
        self._runner = runner
        self._threads = ThreadPoolExecutor(1, thread_name_prefix="assetgen-picture")
        self._stopping = threading.Event()
        self._running: dict[str, asyncio.Future[None]] = {}

    async def make(self, task: Task, name: str) -> None:
        """Makes a file of a task's result, if it is a picture that was left for later; nothing where that fails."""
        if task.capability not in _PICTURED_LATER or task.result is None or task.result.files.get(PICTURE_KEY) != name:
            return
        running = self._running.get(task.id)
        if running is None:
            loop = asyncio.get_running_loop()
            running = loop.run_in_executor(self._threads, self._render, task.id, dict(task.result.files), name)
            running.add_done_callback(lambda _: self._running.pop(task.id, None))
            self._running[task.id] = running
        try:
            await asyncio.shield(running)
        except (BlenderTrouble, InputRejected, OSError) as error:
            _LOG.warning("task %s: no picture: %s", task.id, error)

    def close(self) -> None:
        """Makes no more of them."""
        self._stopping.set()
        self._threads.shutdown(wait=False, cancel_futures=True)

    def _render(self, task_id: str, files: Mapping[str, str], name: str) -> None:
        place = self._files.result_folder(task_id)
        with tempfile.TemporaryDirectory(prefix="assetgen-") as folder:
            request: dict[str, Any] = {
                "type": ImportModel.name,
                "task_id": task_id,
                "body": {},
                "model": str(self._files.source_model(task_id, files[MODEL_KEY])),
                "images": {},
                "source": None,
                "output_dir": folder,
                "preview": True,
            }
            answer = self._runner(request, on_progress=lambda *_: None, stopped=self._stopping.is_set)
            part = place / f"{name}.part"
            shutil.copyfile(Path(folder) / answer["files"][PICTURE_KEY], part)
            os.replace(part, place / name)
