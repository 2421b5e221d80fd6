"""The last stage: the paid result is fetched, checked, made ready for Blender and put where it is wanted."""

from __future__ import annotations

import contextlib
import filecmp
import os
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

from ....vendor.assetgen.contract import Gives, Takes, TaskOutput, capability
from ....vendor.background_blender import BlenderFailed, BlenderMissing, BlenderTimedOut
from ..errors import BrokenResult, sentences
from ..jobs.job import Stage
from ..jobs.records import JobRecord
from ..paths import make_private
from ..status import prompt_words
from ..status.error_messages import is_full_disk, present
from ..status.job_view import keeps_shape
from ..status.job_words import PICTURE
from . import image_check
from .context import JobContext
from .converter import ResultSources
from .own_files.clean import keep_inside
from .save_result import IMAGE, MODEL, check_model, copy_to_folder, save_file, saved_text, unpacked
from .task_files import TaskFiles, file_names

READABLE = frozenset({".glb", ".gltf", ".fbx", ".obj", ".stl", ".ply", ".usdz", ".usd", ".usda", ".usdc"})
"""What Blender can import. It has no importer for 3MF."""

SLICES = (".slices", ".slices.json", ".slices.weights")
"""Beside a large prepared .blend, what it takes to bring it in piece by piece."""

_FETCH_AGAIN = "Press Retry to fetch it again: the task itself is paid and is not repeated"
_REFUSED_FILE = frozenset({"", "ValueError"})
"""What a background Blender ends with when a file is at fault: a crash, or what its script says of files."""
_NOT_PREPARED = (BrokenResult, BlenderFailed, BlenderMissing, BlenderTimedOut, OSError)
"""What can come of making a model ready for Blender."""

_FETCH_SHARE = 0.5
_MOST_BROKEN = 4


def fetch(context: JobContext, record: JobRecord) -> JobRecord:
    """Does what is left to do of fetching, preparing and delivering. Never creates a task, so it may be repeated."""
    match gives_of(record):
        case Gives.ANSWER:
            return _deliver_answer(context, record)
        case Gives.IMAGES:
            return _deliver_images(context, record)
        case Gives.MODEL | Gives.SPLAT:
            return _deliver_model(context, record)


def gives_of(record: JobRecord) -> Gives:
    """What a job results in."""
    return capability(record.plan.steps[-1].capability).gives


# Answers


def _deliver_answer(context: JobContext, record: JobRecord) -> JobRecord:
    task_files = TaskFiles(context, record)
    text = _answer_text(task_files.detail.output)
    if not text:
        raise task_files.missing("answer")
    stage = Stage.READY if record.plan.delivery.origin is not None else Stage.APPLIED
    return context.journal.change(record.id, stage=stage, answer=text, text=text)


def _answer_text(output: TaskOutput | None) -> str:
    """The answer of a rig check, which is the only one that the API has; empty where there is none."""
    if output is None or output.riggable is None:
        return ""
    if not output.riggable:
        reason = (output.reason or "").strip().rstrip(".")
        return f"Not riggable: {reason}" if reason else "Not riggable"
    words = f"Riggable: {output.rig_type}" if output.rig_type else "Riggable"
    return sentences(words, output.local_engine.note if output.local_engine is not None else "")


# Images


def _deliver_images(context: JobContext, record: JobRecord) -> JobRecord:
    if not record.result or not _all_there(record):
        record = _fetch_images(context, record)
    files = {key: Path(path) for key, path in record.files}
    main = IMAGE if IMAGE in files else next(iter(files)) if len(files) == 1 else ""
    record = copy_to_folder(context, record, files, main)
    text = saved_text(record)
    unknown = ", ".join(str(path) for path in files.values() if path.suffix == ".bin")
    if unknown:
        text = f"What came back is not an image of any kind that is known here; it is kept as {unknown}"
    if record.plan.delivery.origin is None:
        return context.journal.change(record.id, stage=Stage.APPLIED, text=text)
    return context.journal.change(record.id, stage=Stage.READY, text=text if unknown else _remarked(record))


def _all_there(record: JobRecord) -> bool:
    return all(Path(path).is_file() for _, path in record.files)


def _fetch_images(context: JobContext, record: JobRecord) -> JobRecord:
    """Fetches every image that is not here yet, each under the name of its key."""
    task_files = TaskFiles(context, record)
    keys = list(task_files.links())
    if not keys:
        raise task_files.missing("image")
    names = file_names(keys)
    files = {key: path for key, path in record.files if Path(path).is_file()}
    for place, key in enumerate(keys):
        if key in files:
            continue
        context.board.live(record.id, fraction=place / len(keys), text="Fetching the result")
        progress = _progress_callback(context, record.id, place / len(keys), 1 / len(keys))
        limit = context.connection.settings.max_download_bytes
        path = task_files.fetch(key, names[key], max_bytes=limit, on_progress=progress)
        try:
            image_check.check(path)
        except BrokenResult as error:
            raise _set_aside(path, error) from error
        files[key] = str(path)
        record = context.journal.change(record.id, files=[(key, files[key]) for key in keys if key in files])
    main = IMAGE if IMAGE in files else keys[0]
    return context.journal.change(record.id, result=files[main])


# Models


def _deliver_model(context: JobContext, record: JobRecord) -> JobRecord:
    if not record.result or not Path(record.result).is_file():
        record = _fetch_model(context, record)
    delivery = record.plan.delivery
    result = Path(record.result)
    blend, text, note = "", "", ""
    if delivery.file_name:  # first: whether Blender can show it does not matter to who wants a file
        context.board.live(record.id, fraction=_FETCH_SHARE, text=f"Writing {delivery.file_name}")
        try:
            record = save_file(context, record)
        except BrokenResult as error:
            raise _set_aside(result, error) from error
    is_file_enough = bool(record.delivered) and not delivery.brings_in
    if delivery.origin is not None:
        try:
            model, note = keep_inside(unpacked(result), result)
            blend, text = _for_blender(context, record, model)
        except _NOT_PREPARED as error:
            if is_file_enough:
                text = f"It cannot be brought in: {present(error).text}"
            elif isinstance(error, BrokenResult):
                raise _set_aside(result, error) from error
            else:
                raise
    files = {key: Path(path) for key, path in record.files if Path(path).is_file()}
    record = copy_to_folder(context, record, {MODEL: result, **files}, MODEL)
    note = note or _remarked(record)
    if record.delivered:
        text = sentences(saved_text(record), note if blend else text)
    else:
        text = (note or _remarked(record)) if blend and delivery.brings_in else text or saved_text(record)
    stage = Stage.READY if blend and delivery.brings_in else Stage.APPLIED
    return context.journal.change(record.id, stage=stage, blend=blend, text=text)


def lacks_picture(record: JobRecord) -> bool:
    """Whether a result is ready for Blender and nothing shows it in the list."""
    return bool(record.blend) and PICTURE not in dict(record.files)


def draw_picture(context: JobContext, record: JobRecord) -> None:
    """Draws a small picture of a result whose service sends none, or would have to render it first.

    Nothing waits for it: the result is ready, and may be in the scene already. So it is drawn to its end when all else
    ends; where it cannot be drawn, a pictogram is shown.

    Raises:
        Postponed: All background Blenders are taken.
        BlenderTrouble: It could not be drawn.
        OSError: It could not be written.
        LookupError: The job is gone, or its files are.
    """
    with TemporaryDirectory(prefix="assetgen-picture-") as folder:
        drawn = Path(folder) / "preview.png"
        with context.blender_slot(record.id):
            context.converter.to_picture(Path(record.blend), drawn, lambda: False)
        if drawn.is_file():  # there was something to be seen
            home = Path(record.blend).with_name(drawn.name)
            context.board.changed(context.journal.add_file(record.id, PICTURE, home, drawn.read_bytes()))


def _fetch_model(context: JobContext, record: JobRecord) -> JobRecord:
    task_files = TaskFiles(context, record)
    context.board.live(record.id, fraction=0.0, text="Fetching the result")
    if MODEL not in task_files.links():
        raise task_files.missing("model")
    limit = context.connection.settings.max_download_bytes
    progress = _progress_callback(context, record.id, 0.0, _FETCH_SHARE)
    path = task_files.fetch(MODEL, MODEL, max_bytes=limit, on_progress=progress)
    if path.suffix == ".bin" and gives_of(record) is Gives.MODEL:
        text = f"What came back is not a model of any kind that is known here; it is kept as {path}"
        raise BrokenResult(text, _FETCH_AGAIN)
    if gives_of(record) is Gives.MODEL or path.suffix == ".glb":
        try:
            check_model(path)
        except BrokenResult as error:
            raise _set_aside(path, error) from error
    # What was paid for is in the journal before anything else is tried.
    record = context.journal.change(record.id, result=str(path), files=[(MODEL, str(path))])
    extras = task_files.fetch_extras(besides={MODEL, PICTURE} if _draws_picture(context, record) else {MODEL})
    return context.journal.change(record.id, files=[*record.files, *extras]) if extras else record


def _draws_picture(context: JobContext, record: JobRecord) -> bool:
    """Whether the picture of a model that was worked on is drawn here, where it is loaded anyway: a service on this
    machine would only begin to render its own when it is asked for, and the result would wait for it.
    """
    delivery, last = record.plan.delivery, capability(record.plan.steps[-1].capability)
    is_shown = delivery.origin is not None and not delivery.folder
    is_made_of_model = last.takes in (Takes.MODEL_TASK, Takes.MODEL_FILE) and last.gives is Gives.MODEL
    return is_shown and is_made_of_model and context.connection.is_loopback


def _set_aside(path: Path, error: BrokenResult) -> BrokenResult:
    """Renames a file that cannot be used, so that Retry fetches it anew. It was paid for, so it is kept.

    The same file again is kept once. Of files that differ the first ones stay, and of those after them the last.
    """
    for number in range(1, _MOST_BROKEN + 1):
        kept = path.with_name(f"{path.name}.broken" if number == 1 else f"{path.name}.{number}.broken")
        if not kept.exists() or filecmp.cmp(path, kept, shallow=False):
            break
    path.replace(kept)
    return BrokenResult(str(error), f"{_FETCH_AGAIN}. What came is kept as {kept}")


def _for_blender(context: JobContext, record: JobRecord, model: Path) -> tuple[str, str]:
    """The .blend to append; or nothing, and why."""
    if model.suffix not in READABLE:
        if record.delivered and not record.plan.delivery.brings_in:
            return "", ""  # nobody asked for it
        kind = model.suffix.lstrip(".").upper()
        return "", f"Blender cannot read {kind if kind != 'BIN' else 'this kind of file'}; the file is {record.result}"
    try:
        return str(_prepare(context, record, model)), ""
    except BlenderFailed as error:
        if is_full_disk(error):
            raise
        # A splat is for viewers of splats; that Blender shows its points is more than was asked for.
        if gives_of(record) is Gives.SPLAT:
            return "", f"Blender cannot show this splat; the file is {record.result}"
        if error.kind not in _REFUSED_FILE:
            raise
        raise BrokenResult(present(error).text) from error


def _prepare(context: JobContext, record: JobRecord, model: Path) -> Path:
    out = make_private(context.locations.results(record.id)) / "result.blend"
    part = out.with_name("part.blend")
    context.board.live(record.id, fraction=_FETCH_SHARE, text="Preparing it for Blender")

    def on_progress(fraction: float, text: str) -> None:
        context.board.live(record.id, fraction=_FETCH_SHARE + (1 - _FETCH_SHARE) * fraction)

    origin = record.plan.delivery.origin
    assert origin is not None  # nothing is made ready for a scene that there is none of
    stopped = context.cancel_flags.stopped(record.id)
    sources = _sources(record)
    with context.blender_slot(record.id):
        context.converter.to_blend(
            model, part, record.plan.name, on_progress, stopped, frame_rate=origin.frame_rate, sources=sources
        )
    for suffix in SLICES:  # the old ones go first, the new ones come last: they tell of what is in it
        out.with_suffix(suffix).unlink(missing_ok=True)
    os.replace(part, out)
    for suffix in SLICES:
        with contextlib.suppress(FileNotFoundError):  # it is small
            os.replace(part.with_suffix(suffix), out.with_suffix(suffix))
    return out


def _sources(record: JobRecord) -> ResultSources | None:
    """What the parts of the result are the results of; None where there was nothing, or too little is known of it."""
    placement = record.plan.delivery.placement
    if placement is None or not placement.parts or len(placement.parts) != len(placement.poses):
        return None
    source = record.plan.source
    if source.snapshot is None or not source.snapshot.layered or not _keeps_surface(record):
        return ResultSources(placement, fitted=keeps_shape(record.plan))
    return ResultSources(placement, keeps_shape(record.plan), Path(source.path), source.snapshot)


def _keeps_surface(record: JobRecord) -> bool:
    return all(capability(step.capability).keeps_surface for step in record.plan.steps)


def _progress_callback(context: JobContext, job_id: str, begin: float, share: float) -> Callable[[int, int], None]:
    def on_progress(done: int, whole: int) -> None:
        context.board.live(job_id, fraction=begin + share * done / whole if whole else begin)

    return on_progress


def _remarked(record: JobRecord) -> str:
    """What stands in place of a plain "Done" where a task did something else than it was told, as the job says."""
    return "Done, with a remark" if prompt_words.remark(record.answer) else ""
