"""The first stage: whatever the tasks need is brought to the service. Costs nothing, so it may be repeated."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from ....vendor.assetgen import RateLimitError
from ..jobs.job import SourceKind, Stage
from ..jobs.records import JobRecord
from ..limits.rate_limiter import DEFAULTS, UPLOADS, Group
from ..paths import make_private
from ..requests.build import uploads_of
from ..requests.file_checks import check_file
from ..status.wait_messages import upload_text
from .context import JobContext, Postponed

SOURCE = "source"
"""Key of the source's own token, beside the paths of further files."""

_CONVERSION_SHARE = 0.4
_UPLOAD_NAME = "upload.glb"


def upload(context: JobContext, record: JobRecord) -> JobRecord:
    """Uploads what has no token yet and goes on to the first task."""
    source = record.plan.source
    if source.kind in (SourceKind.SELECTION, SourceKind.MODEL_FILE) and SOURCE not in record.tokens:
        file, begin = _source_file(context, record)
        token = _send(context, record, file, begin)
        record = context.journal.change(record.id, tokens={**record.tokens, SOURCE: token})
        if source.kind is SourceKind.SELECTION:
            file.unlink(missing_ok=True)  # can be made again from the snapshot, which is smaller
    for path in uploads_of(record.plan):
        if path not in record.tokens:
            token = _send(context, record, Path(path), _CONVERSION_SHARE)
            record = context.journal.change(record.id, tokens={**record.tokens, path: token})
    return context.journal.change(record.id, stage=Stage.CREATE, text="")


def _source_file(context: JobContext, record: JobRecord) -> tuple[Path, float]:
    """The model to upload, and how much of the phase is done with having it."""
    source = record.plan.source
    if source.kind is SourceKind.MODEL_FILE:
        return Path(source.path), 0.0
    out = make_private(context.locations.results(record.id)) / _UPLOAD_NAME
    if out.is_file():  # it had to wait for its turn, or its upload failed
        return out, _CONVERSION_SHARE
    part = out.with_name("upload.part.glb")
    context.board.live(record.id, fraction=0.0, text="Preparing the selection")

    def on_progress(fraction: float, words: str) -> None:
        context.board.live(record.id, fraction=fraction * _CONVERSION_SHARE)

    assert source.snapshot is not None  # or the plan would have been refused
    stopped = context.cancel_flags.stopped(record.id)
    with context.blender_slot():
        context.converter.to_glb(Path(source.path), source.snapshot, part, on_progress, stopped)
    check_file(str(part), ("glb",))
    part.replace(out)
    return out, _CONVERSION_SHARE


def _send(context: JobContext, record: JobRecord, file: Path, begin: float) -> str:
    stopped = context.cancel_flags.stopped(record.id)
    client = context.connection.client(record.service_id, stopped)
    group = Group(record.service_id, UPLOADS)
    default = None if context.connection.is_loopback else DEFAULTS[UPLOADS]
    if seconds := context.rate_limiter.begin(group, record.id, default):
        raise Postponed(upload_text(seconds), seconds)
    try:
        words = f"Uploading {file.name}" if file.name != _UPLOAD_NAME else "Uploading"
        context.board.live(record.id, fraction=begin, text=words)
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
