"""What the engine is asked for a task: the request as the contract reads it, with paths for all that it refers to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ...assetgen.contract import CAPABILITIES, Gives
from ..store.database import Database
from ..store.file_store import FileStore
from ..store.tasks import IMAGE_KEY, INPUT_FIELD, MODEL_FIELD, MODEL_KEY, VIEW_KEYS, Task


@dataclass(frozen=True, slots=True)
class EngineRequests:
    """Makes the requests. What they refer to was checked when the task was created, and tasks and uploads stay."""

    database: Database
    files: FileStore

    def of(self, task: Task) -> dict[str, Any]:
        """The request; ``engine/main.py`` says what is in it."""
        images = {field: self._paths(given) for field, given in task.sources.tokens.items()}
        model = images.pop(MODEL_FIELD, None)
        source = self.database.task(task.sources.task_id) if task.sources.task_id else None
        origin = self._origin(source) if source is not None else None
        if source is not None and origin is not None:
            if MODEL_KEY in origin["files"]:
                model = str(self.files.source_model(source.id, Path(origin["files"][MODEL_KEY]).name))
            images |= _images_of(source, origin["files"])
        return {
            "type": task.capability,
            "task_id": task.id,
            "body": dict(task.body),
            "model": model,
            "images": images,
            "source": origin,
            "output_dir": str(self.files.results(task.id)),
        }

    def _origin(self, source: Task) -> dict[str, Any]:
        assert source.result is not None
        folder = self.files.results(source.id)
        return {
            "capability": source.capability,
            "body": dict(source.body),
            "facts": dict(source.result.facts),
            "files": {key: str(folder / name) for key, name in source.result.files.items()},
        }

    def _paths(self, given: str | list[str]) -> str | list[str]:
        if isinstance(given, list):
            return [self._path(token) for token in given]
        return self._path(given)

    def _path(self, token: str) -> str:
        upload = self.database.upload_tokens.find(token)
        assert upload is not None
        return str(self.files.upload(token, upload.format))


def _images_of(source: Task, files: Mapping[str, str]) -> dict[str, str]:
    """The images that a task gave, by the names of the fields that would have them in a request."""
    if CAPABILITIES[source.capability].gives is not Gives.IMAGES:
        return {}
    names = {INPUT_FIELD: IMAGE_KEY, **VIEW_KEYS}
    return {name: files[key] for name, key in names.items() if key in files}
