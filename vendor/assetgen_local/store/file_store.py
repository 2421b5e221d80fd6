"""The files of a data folder: uploads by token, results by task. Files are kept as files."""

from __future__ import annotations

import os
import secrets
import shutil
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

_PART = ".part"
SOURCE_MODEL = "model.glb"
"""What a follow-up task works on, where the engine left one beside a result in another format."""


@dataclass(frozen=True, slots=True)
class FileStore:
    """Where the files of a data folder are."""

    root: Path

    def prepare(self) -> None:
        """Makes the folders, and removes what an interrupted upload left behind."""
        for folder in (self._uploads, self._tasks):
            folder.mkdir(parents=True, exist_ok=True)
        for part in self._uploads.glob(f"*{_PART}"):
            with suppress(OSError):
                part.unlink()

    @property
    def _uploads(self) -> Path:
        return self.root / "uploads"

    @property
    def _tasks(self) -> Path:
        return self.root / "tasks"

    def incoming(self) -> Path:
        """A new name for bytes that are arriving; in the folder where they will stay, so that the move is a rename."""
        return self._uploads / f"{secrets.token_hex(8)}{_PART}"

    def upload_path(self, token: str, file_format: str) -> Path:
        """The file of a token."""
        return self._uploads / f"{token}.{file_format}"

    def keep(self, incoming: Path, token: str, file_format: str) -> None:
        """Makes bytes that have arrived the file of a token; it is there whole or not at all."""
        os.replace(incoming, self.upload_path(token, file_format))

    def result_folder(self, task_id: str) -> Path:
        """The folder of a task's results."""
        return self._tasks / task_id

    def clear_results(self, task_id: str) -> Path:
        """The same folder, new and empty: an attempt that was cut off may have left a part of a result."""
        self.remove_results(task_id)
        folder = self.result_folder(task_id)
        folder.mkdir(parents=True)
        return folder

    def remove_results(self, task_id: str) -> None:
        """Removes the folder of a task's results, where there is one."""
        folder = self.result_folder(task_id)
        if folder.exists():
            shutil.rmtree(folder)

    def source_model(self, task_id: str, model_name: str) -> Path:
        """The model that a follow-up of a task works on."""
        prepared = self.result_folder(task_id) / SOURCE_MODEL
        return prepared if prepared.is_file() else self.result_folder(task_id) / model_name
