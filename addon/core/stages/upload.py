"""The first stage: whatever the tasks need is brought to the service. Costs nothing, so it may be repeated."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from ....vendor.assetgen import RateLimitError
from ....vendor.assetgen.contract import RateGroup
from ..jobs.job import Snapshot, SourceKind, Stage
from ..jobs.records import JobRecord
from ..limits.rate_limiter import DEFAULTS, UPLOADS, Group
from ..paths import make_private
from ..requests.build import uploads_of
from ..requests.file_checks import check_file
from ..requests.model_files import split_object
from ..status.job_view import numbered_text
from ..status.wait_messages import upload_text
from .context import JobContext, Postponed
from .converter import needs_blender

SOURCE = "source"
"""Key of the source's own token, beside the paths of further files."""

_CONVERSION_SHARE = 0.4


def upload(context: JobContext, record: JobRecord) -> JobRecord:
    """Uploads what has no token yet and goes on to the first task."""
    source = record.plan.source
    if source.kind in (SourceKind.SELECTION, SourceKind.MODEL_FILE) and SOURCE not in record.tokens:
        record = _upload_as(context, record, SOURCE, _file_to_send(context, record, source.path, source.snapshot))
    for number, path in enumerate(uploads_of(record.plan)):
        if path not in record.tokens:
            record = _upload_as(context, record, path, _file_to_send(context, record, path, name=f"upload-{number}"))
    return context.journal.change(record.id, stage=Stage.CREATE, text="")


class _FileToSend(NamedTuple):
    """A file, and whether it was only made for the upload."""

    path: Path
    is_made: bool


def _upload_as(context: JobContext, record: JobRecord, key: str, file: _FileToSend) -> JobRecord:
    token = _send(context, record, file.path, _CONVERSION_SHARE if file.is_made or key != SOURCE else 0.0)
    record = context.journal.change(record.id, tokens={**record.tokens, key: token})
    if file.is_made:
        file.path.unlink(missing_ok=True)  # can be made again from what it was made of
    return record


def _file_to_send(
    context: JobContext, record: JobRecord, path: str, snapshot: Snapshot | None = None, name: str = "upload"
) -> _FileToSend:
    """The file as the service takes it: what it does not take becomes a GLB in a background Blender."""
    if snapshot is None and not needs_blender(path):
        return _FileToSend(Path(path), is_made=False)
    out = make_private(context.locations.results(record.id)) / f"{name}.glb"
    if out.is_file():  # it had to wait for its turn, or its upload failed
        return _FileToSend(out, is_made=True)
    part = out.with_name(f"{name}.part.glb")
    file, item = split_object(path)
    words = "Preparing the selection" if snapshot is not None else f"Preparing {Path(file).name}"
    context.board.live(record.id, fraction=0.0, text=numbered_text(record, words))

    def on_progress(fraction: float, words: str) -> None:
        context.board.live(record.id, fraction=fraction * _CONVERSION_SHARE)

    stopped = context.cancel_flags.stopped(record.id)
    context.connection.warm_up(stopped)  # by the time the file is ready, so is the engine
    with context.blender_slot(record.id):
        if snapshot is not None:
            facts = context.converter.to_glb(Path(path), snapshot, part, on_progress, stopped)
            context.journal.record_facts(record.id, facts)  # before the GLB is there, which is not made a second time
        else:
            context.converter.file_to_glb(Path(file), item, part, on_progress, stopped)
    check_file(str(part), ("glb",))
    part.replace(out)
    return _FileToSend(out, is_made=True)


def _send(context: JobContext, record: JobRecord, file: Path, begin: float) -> str:
    stopped = context.cancel_flags.stopped(record.id)
    client = context.connection.client(record.service_id, stopped)
    group = Group(record.service_id, UPLOADS)
    default = None if context.connection.is_loopback else DEFAULTS[RateGroup.UPLOAD]
    if seconds := context.rate_limiter.begin(group, record.id, default):
        raise Postponed(upload_text(seconds), seconds)
    try:
        is_made = file.parent == context.locations.results(record.id)
        words = "Uploading" if is_made else f"Uploading {file.name}"
        context.board.live(record.id, fraction=begin, text=numbered_text(record, words))
        return client.files.upload(file, on_progress=_progress_callback(context, record.id, begin), stopped=stopped)
    except RateLimitError as error:
        seconds = context.rate_limiter.refused(group, error.retry_after)
        raise Postponed(upload_text(seconds), seconds) from error
    finally:
        context.rate_limiter.end(group, client.rate_limits.get(UPLOADS))


def _progress_callback(context: JobContext, job_id: str, begin: float) -> Callable[[int, int], None]:
    def on_progress(done: int, whole: int) -> None:
        context.board.live(job_id, fraction=begin + (1 - begin) * done / max(1, whole))

    return on_progress
