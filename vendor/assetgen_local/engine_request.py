"""What the engine is asked for a task: the request as the contract reads it, with paths for all that it refers to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..assetgen.contract import CAPABILITIES, Gives
from .files import Files
from .store import Store
from .tasks import MODEL_FIELD, MODEL_KEY, VIEW_KEYS, Task, image_key


@dataclass(frozen=True, slots=True)
class EngineRequests:
    """Makes the requests. What they refer to was checked when the task was created, and tasks and uploads stay."""

    store: Store
    files: Files

    def of(self, task: Task) -> dict[str, Any]:
        """The request; ``engine/main.py`` says what is in it."""
        images = {field: self._paths(given) for field, given in task.sources.tokens.items()}
        model = images.pop(MODEL_FIELD, None)
        source = self.store.task(task.sources.task_id) if task.sources.task_id else None
        origin = self._origin(source) if source is not None else None
        if source is not None and origin is not None:
            if MODEL_KEY in origin["files"]:
                model = str(self.files.source_model(source.id, Path(origin["files"][MODEL_KEY]).name))
            images |= _views(source, origin["files"])
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
            return [self._path(reference) for reference in given]
        return self._path(given)

    def _path(self, reference: str) -> str:
        """The file of a token, or the image of a task."""
        upload = self.store.upload(reference)
        if upload is not None:
            return str(self.files.upload(reference, upload.format))
        task = self.store.task(reference)
        assert task is not None and task.result is not None
        return str(self.files.results(task.id) / task.result.files[image_key(task.result)])


def _views(source: Task, files: Mapping[str, str]) -> dict[str, str]:
    """The views of a task that gives images, by the names that the fields of a request have for them."""
    if CAPABILITIES[source.capability].gives is not Gives.IMAGES:
        return {}
    return {view: files[key] for view, key in VIEW_KEYS.items() if key in files}
