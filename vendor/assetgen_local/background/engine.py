"""The geometry engine seen from the service: what it can do, what it is asked for a task, the Blender that does it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from ...assetgen.contract import CAPABILITIES, Gives
from ...background_blender import BlenderCommand, BlenderFailed, SpareBlender
from ..store.database import Database
from ..store.file_store import FileStore
from ..store.tasks import IMAGE_KEY, INPUT_FIELD, MODEL_FIELD, MODEL_KEY, VIEW_KEYS, Task
from ..task_runner import InputRejected
from .late_pictures import preview_of

ENGINE_SCRIPT = Path(__file__).resolve().parents[1] / "engine" / "main.py"
_CAPABILITIES = ENGINE_SCRIPT.parent / "capabilities"
INPUT_ERRORS = frozenset({"EngineError"})
"""Class names of the errors with which the engine says that the input, not the engine, is at fault."""


@cache
def capabilities() -> frozenset[str]:
    """Names of the capabilities that the engine has geometry for: each has a file of its name."""
    return frozenset(path.stem for path in _CAPABILITIES.glob("[!_]*.py"))


class BlenderRunner:
    """Runs ``engine/main.py`` in a background Blender, one process per task, and keeps one ready for the next.

    Args:
        command: The Blender to use.
        seconds: After this long a process counts as hung and is ended.
        spare_seconds: How long the one that is ready waits for a task before it is ended; 0 keeps none.
    """

    def __init__(self, command: BlenderCommand, seconds: float, spare_seconds: float) -> None:
        self._blenders = SpareBlender(command, ENGINE_SCRIPT, idle_seconds=spare_seconds)
        self._seconds = seconds

    def __call__(
        self,
        request: Mapping[str, Any],
        *,
        on_progress: Callable[[float, str], None],
        stopped: Callable[[], bool],
    ) -> dict[str, Any]:
        """Does one task; see :class:`.TaskRunner`."""
        try:
            return self._blenders.run(request, on_progress=on_progress, stopped=stopped, timeout=self._seconds)
        except BlenderFailed as error:
            if error.kind in INPUT_ERRORS:
                raise InputRejected(str(error)) from error
            raise

    def warm_up(self) -> None:
        """Starts a process for the first task."""
        self._blenders.prepare()

    def close(self) -> None:
        """Ends the process that is ready."""
        self._blenders.close()


@dataclass(frozen=True, slots=True)
class EngineRequests:
    """Builds the requests for ``engine/main.py``.

    What they refer to was checked when the task was created, and tasks and uploads stay.
    """

    database: Database
    files: FileStore

    def build(self, task: Task) -> dict[str, Any]:
        """The request for a task; the script says what is in it."""
        images = {field: self._paths(tokens) for field, tokens in task.sources.tokens.items()}
        model = images.pop(MODEL_FIELD, None)
        source = self.database.task(task.sources.task_id) if task.sources.task_id else None
        origin = self._origin(source) if source is not None else None
        if source is not None and origin is not None:
            if MODEL_KEY in origin["files"]:
                model = str(self.files.source_model(source.id, Path(origin["files"][MODEL_KEY]).name))
            images |= _source_images(source, origin["files"])
        return {
            "type": task.capability,
            "task_id": task.id,
            "body": dict(task.body),
            "model": model,
            "images": images,
            "source": origin,
            "output_dir": str(self.files.result_folder(task.id)),
            "preview": preview_of(task.capability),
        }

    def _origin(self, source: Task) -> dict[str, Any]:
        assert source.result is not None
        folder = self.files.result_folder(source.id)
        return {
            "capability": source.capability,
            "body": dict(source.body),
            "facts": dict(source.result.facts),
            "files": {key: str(folder / name) for key, name in source.result.files.items()},
        }

    def _paths(self, tokens: str | list[str]) -> str | list[str]:
        if isinstance(tokens, list):
            return [self._path(token) for token in tokens]
        return self._path(tokens)

    def _path(self, token: str) -> str:
        upload = self.database.upload_tokens.find(token)
        assert upload is not None
        return str(self.files.upload_path(token, upload.format))


def _source_images(source: Task, files: Mapping[str, str]) -> dict[str, str]:
    """The images that a task gave, by the names of the fields that would have them in a request."""
    if CAPABILITIES[source.capability].gives is not Gives.IMAGES:
        return {}
    names = {INPUT_FIELD: IMAGE_KEY, **VIEW_KEYS}
    return {name: files[key] for name, key in names.items() if key in files}
