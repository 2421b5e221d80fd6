"""Whether a job of a recipe would still be the same: a hash of all that its result depends on."""

from __future__ import annotations

import hashlib
import json
import secrets
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from ..jobs.job import SourceKind
from ..requests.build import files_of
from ..requests.model_files import split_object
from .recipe_plan import PlannedJob

_PIECE = 1 << 20


class Fingerprints:
    """Of the jobs of one run. Every file is read once.

    Args:
        service_id: The service that is asked: another one makes something else.
    """

    def __init__(self, service_id: str) -> None:
        self._service_id = service_id
        self._files: dict[str, str] = {}
        self._jobs: dict[str, str] = {}
        self._uploaded: dict[str, str] = {}

    def of(self, job: PlannedJob) -> str | None:
        """The fingerprint of a job; None as long as it cannot be told, because it works on a selection of which is only
        known what it is once it has been uploaded. Those of the jobs that it waits for have been asked for.

        Raises:
            OSError: A file cannot be read.
        """
        if job.source is not None and job.source.kind is SourceKind.SELECTION:
            return secrets.token_hex(32)  # nothing here says whether it looks as it did before
        waits = {job.after, *(use.key for use in job.images)} - {""} - set(self._uploaded)
        if not waits.issubset(self._jobs):
            return None
        images = {(use.field, use.place): self._jobs[use.key] for use in job.images}
        facts = {
            "service": self._service_id,
            "capability": job.capability,
            "fields": self._fields(job, images),
            "images": sorted((field, place, print_) for (field, place), print_ in images.items()),
            "after": self._jobs.get(job.after, ""),
            # Of a selection that was uploaded before, its task is all that the next run begins with.
            "source": [self._uploaded[job.after]] if job.after in self._uploaded else self._source(job),
        }
        text = json.dumps(facts, sort_keys=True, default=str)
        fingerprint = hashlib.sha256(text.encode()).hexdigest()
        self._jobs[job.key] = fingerprint
        return fingerprint

    def uploaded(self, job: PlannedJob, task_id: str) -> None:
        """A selection has been uploaded, and has a task now."""
        if job.source is not None and job.source.kind is SourceKind.SELECTION:
            self._uploaded[job.key] = task_id

    def _fields(self, job: PlannedJob, images: Mapping[tuple[str, int], str]) -> dict[str, Any]:
        """The fields, with what is in their files in place of the paths; the places of images are left out."""
        paths = set(files_of(job.capability, without_images(job)))
        fields = {}
        for name, value in without_images(job).items():
            items = value if isinstance(value, list) else [value]
            texts = [self._file(item) if isinstance(item, str) and item in paths else item for item in items]
            fields[name] = texts if isinstance(value, list) else texts[0]
        return fields

    def _source(self, job: PlannedJob) -> list[str]:
        source = job.source
        if source is None:
            return []
        if job.fingerprint:
            return [job.fingerprint]
        if source.kind is SourceKind.TASK:
            return [source.task_id]
        file, item = split_object(source.path)
        return [self._file(file), item]

    def _file(self, path: str) -> str:
        if path not in self._files:
            summed = hashlib.sha256()
            for piece in _pieces(Path(path)):
                summed.update(piece)
            self._files[path] = f"sha256:{summed.hexdigest()}"
        return self._files[path]


def without_images(job: PlannedJob) -> dict[str, Any]:
    """The fields of a job without the places that images of other jobs take."""
    taken: dict[str, set[int]] = {}
    for use in job.images:
        taken.setdefault(use.field, set()).add(use.place)
    fields = {}
    for name, value in job.fields.items():
        places = taken.get(name, set())
        if -1 in places:
            continue
        if places:
            value = [item for place, item in enumerate(value) if place not in places]
        fields[name] = value
    return fields


def _pieces(path: Path) -> Iterator[bytes]:
    with path.open("rb") as file:
        while piece := file.read(_PIECE):
            yield piece
