"""The last stage: the paid result is fetched, checked, made ready for Blender and put where it is wanted."""

from __future__ import annotations

import logging
import os
import shutil
from pathlib import Path

from ...vendor.assetgen import AssetGenError, Client, DiskError, StoppedError, TaskFailedError
from ...vendor.assetgen.contract import TaskDetail, TaskStatus
from . import archives, glb
from .converting import blender_slot
from .errors import BrokenResult, CoreError, NoResult
from .job import Stage
from .locations import file_name, free_path, make_private
from .records import JobRecord
from .tools import Tools

log = logging.getLogger(__name__)

READABLE = frozenset({".glb", ".gltf", ".fbx", ".obj", ".stl", ".ply", ".usdz", ".usd", ".usda", ".usdc"})
"""What Blender can import. It has no importer for 3MF."""

_FETCH_SHARE = 0.5
_MAX_PREVIEW_BYTES = 64 * 1024 * 1024


def fetch(tools: Tools, record: JobRecord) -> JobRecord:
    """Does what is left to do of fetching, preparing and delivering. Never creates a task, so it may be repeated."""
    if not record.result or not Path(record.result).is_file():
        result = _download(tools, record)
        record = tools.journal.change(record.id, result=str(result))
    result = Path(record.result)
    delivery = record.plan.delivery
    blend, text = "", ""
    if delivery.origin is not None:
        model = result
        if result.suffix == ".zip":
            model = archives.unpacked(result)
            _check(model)
        if model.suffix in READABLE:
            blend = str(_prepare(tools, record, model))
        else:
            text = f"Blender cannot read {model.suffix.lstrip('.').upper()}; the file is {result}"
    if delivery.folder:
        saved = _deliver(result, Path(delivery.folder), record.plan.name)
        text = text or f"Saved as {saved}"
    stage = Stage.READY if blend else Stage.APPLIED
    return tools.journal.change(record.id, stage=stage, blend=blend, text="" if blend else text or f"Saved as {result}")


def _download(tools: Tools, record: JobRecord) -> Path:
    stopped = tools.wishes.stopped(record.id)
    client = tools.connection.client(record.service_id, stopped)
    task_id = record.step.task_id
    detail = tools.details.pop(task_id, None) or client.tasks.retrieve(task_id)
    folder = make_private(tools.locations.results(record.id))

    def renew() -> str:
        return _link(client.tasks.retrieve(task_id))

    def on_progress(done: int, whole: int) -> None:
        tools.board.live(record.id, fraction=_FETCH_SHARE * done / whole if whole else 0.0)

    tools.board.live(record.id, fraction=0.0, text="Fetching the result")
    link = _link(detail)
    tools.connection.check_online(link)
    path = client.download(
        link,
        folder,
        name="model",
        renew=renew,
        on_progress=on_progress,
        stopped=stopped,
        max_bytes=tools.connection.settings.max_download_bytes,
    )
    _check(path)
    _preview(tools, client, detail, folder, record.id)
    return path


def _link(detail: TaskDetail) -> str:
    if detail.outcome is not TaskStatus.SUCCESS:
        raise TaskFailedError(detail)
    if detail.output is None or not detail.output.model_url:
        raise NoResult(
            f"The service says that the task {detail.task_id} succeeded, but gives no model",
            "Press Retry to ask again; if it stays so, tell the service's support the task's number",
        )
    return detail.output.model_url


def _check(path: Path) -> None:
    try:
        if path.suffix == ".glb":
            glb.check(path)
        elif path.suffix == ".bin":
            raise BrokenResult("What came back is not a model of any kind that is known here")
        elif path.stat().st_size == 0:
            raise BrokenResult("The model that came back is empty")
    except BrokenResult as error:
        path.unlink(missing_ok=True)
        advice = "Press Retry to fetch it again: the task itself is paid and is not repeated"
        raise BrokenResult(str(error), error.advice or advice) from None


def _preview(tools: Tools, client: Client, detail: TaskDetail, folder: Path, job_id: str) -> None:
    """The picture is an extra: without it the job is as good."""
    link = detail.output.rendered_image_url if detail.output else None
    if not link:
        return
    try:
        tools.connection.check_online(link)
        client.download(
            link, folder, name="preview", stopped=tools.wishes.stopped(job_id), max_bytes=_MAX_PREVIEW_BYTES
        )
    except (StoppedError, DiskError):
        raise
    except (AssetGenError, CoreError) as error:
        log.info("job %s: no preview: %s", job_id, error)


def _prepare(tools: Tools, record: JobRecord, model: Path) -> Path:
    out = make_private(tools.locations.results(record.id)) / "result.blend"
    part = out.with_name("part.blend")
    tools.board.live(record.id, fraction=_FETCH_SHARE, text="Preparing it for Blender")

    def on_progress(fraction: float, words: str) -> None:
        tools.board.live(record.id, fraction=_FETCH_SHARE + (1 - _FETCH_SHARE) * fraction)

    with blender_slot(tools):
        tools.converter.to_blend(model, part, record.plan.name, on_progress, tools.wishes.stopped(record.id))
    os.replace(part, out)
    return out


def _deliver(result: Path, folder: Path, name: str) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    target = free_path(folder, file_name(name), result.suffix)
    part = target.with_name(f".{target.name}.part")
    try:
        shutil.copyfile(result, part)
        os.replace(part, target)
    finally:
        part.unlink(missing_ok=True)
    return target
