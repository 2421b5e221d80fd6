"""Puts a result where the user wants it as files: into a folder, or as the file that was named."""

from __future__ import annotations

import time
from pathlib import Path

from ..errors import BrokenResult, NotSaved
from ..jobs.records import JobRecord
from ..status.error_messages import is_full_disk
from . import glb_check, shared_row, zip_files
from .context import JobContext
from .save_as import save_as
from .save_copies import save_copies

MODEL = "model"
"""Key of a model's link, and the name of its file."""

IMAGE = "generated_image"
"""Key of the link of an image that is the only one of its task."""


def unpacked(result: Path) -> Path:
    """The model: the result, or what is in it.

    Raises:
        BrokenResult: It is not usable.
    """
    if result.suffix != ".zip":
        return result
    model = zip_files.unpack(result)
    check_model(model)
    return model


def check_model(path: Path) -> None:
    """Makes sure that a file can be a model.

    Raises:
        BrokenResult: It cannot.
    """
    if path.suffix == ".glb":
        glb_check.check(path)
    elif path.stat().st_size == 0:
        raise BrokenResult("The model that came back is empty")


def copy_to_folder(context: JobContext, record: JobRecord, files: dict[str, Path], main: str) -> JobRecord:
    """Copies the files into the folder that the user named, where there is one; not a second time when that is done."""
    folder = record.plan.delivery.folder
    if not folder or record.plan.delivery.file_name or _is_delivered(record):
        return record
    if shared_row.is_delivered_by_others(record):  # this one was interrupted, and another computer took the row over
        return record
    copies = save_copies(files, main, Path(folder), record.plan.name, context.locations.results(record.id))
    delivered = [(key, str(copy)) for key, copy in zip(files, copies, strict=True)]
    return context.journal.change(record.id, delivered=delivered, used_at=time.time())


def save_file(context: JobContext, record: JobRecord) -> JobRecord:
    """Writes the model where the user wants it; not a second time when that is done.

    Raises:
        BrokenResult: It is not usable.
        NotSaved: It could not be written there.
    """
    if _is_delivered(record):
        return record
    delivery, result = record.plan.delivery, Path(record.result)
    target = Path(delivery.folder, delivery.file_name)
    model = unpacked(result)
    folder = zip_files.unpacked_folder(result)
    companions = [
        path
        for path in (sorted(folder.rglob("*")) if model != result else ())
        if path.is_file() and path.suffix.lower() not in zip_files.MODELS
    ]
    try:
        paths = save_as(model, companions, target, delivery.replaceable, context.locations.results(record.id))
    except OSError as error:
        raise _not_saved(target, error, result) from None  # all that it says is said
    delivered = [(MODEL if path == paths[0] else path.name, str(path)) for path in paths]
    return context.journal.change(record.id, delivered=delivered, used_at=time.time())


def saved_text(record: JobRecord) -> str:
    """Where the result is."""
    if not record.delivered:
        return f"Saved as {record.result}"
    path = Path(record.delivered[0][1])
    others = len(record.delivered) - 1
    saved = f"Saved as {path}" + (f" and {others} more" if others else "")
    wanted = record.plan.delivery.file_name
    if wanted and path.name != wanted and path.suffix.lower() == Path(wanted).suffix.lower():
        saved += f", since another {wanted} has come there"
    return saved


def _is_delivered(record: JobRecord) -> bool:
    return bool(record.delivered) and all(Path(path).is_file() for _, path in record.delivered)


def _not_saved(target: Path, error: OSError, result: Path) -> NotSaved:
    """What is said of a folder that is gone, a full disk, or a file that another program holds open."""
    if is_full_disk(error):
        reason = "the disk is full"
    elif isinstance(error, FileNotFoundError):
        reason = "the folder is not there"
    elif isinstance(error, PermissionError):
        reason = "the system does not allow it, or another program has the file open"
    else:
        reason = (error.strerror or str(error)).rstrip(".")
    return NotSaved(
        f"{target} could not be written: {reason}",
        f"Retry writes it again, and nothing is paid again. The result is kept as {result}",
    )
