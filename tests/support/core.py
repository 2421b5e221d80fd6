"""Runtimes for tests: in a hurry, without Blender, and with a way to die as a killed process does."""

from __future__ import annotations

import threading
import uuid
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any

from asset_generation.addon.core.jobs.job import (
    RESTING,
    Delivery,
    JobPlan,
    JobView,
    Origin,
    Snapshot,
    SnapshotObject,
    Source,
    SourceKind,
    StepPlan,
)
from asset_generation.addon.core.jobs.upload_facts import UploadFacts
from asset_generation.addon.core.limits.timeouts import Timing
from asset_generation.addon.core.runtime.runtime import Runtime
from asset_generation.addon.core.settings import Settings
from asset_generation.addon.core.status.job_words import PICTURE
from asset_generation.addon.core.status.messages import JobChanged, Message
from asset_generation.vendor.assetgen.retrying import READ_TIMEOUT
from asset_generation.vendor.assetgen_local import LocalService
from asset_generation.vendor.background_blender import BlenderCommand

from .services.local_engine import KEY, instant_runner, tiny_glb
from .waits import looks

QUICK = Timing(
    resend=0.05,
    unreachable=0.5,
    unreachable_paid=1.5,
    settle=0.05,
    look_again=0.05,
    lost_request=0.005 * READ_TIMEOUT,
    local_request=0.2,
    journal=0.1,
    watch=0.05,
    take_over=0.1,
)
SCENE = Delivery(origin=Origin(scene="Scene", blend_path="", session="session"))
SECONDS = 45.0


class InstantConverter:
    """Stands in for the background Blender. What it shall raise is set by the test."""

    def __init__(self) -> None:
        self.to_glb_calls: list[Snapshot] = []
        self.to_blend_calls: list[Path] = []
        self.file_to_glb_calls: list[tuple[Path, str]] = []
        self.errors: list[Exception] = []

    def to_glb(self, blend: Path, snapshot: Snapshot, out: Path, on_progress: Any, stopped: Any) -> UploadFacts:
        self.to_glb_calls.append(snapshot)
        on_progress(0.5, "half")
        out.write_bytes(tiny_glb())
        return UploadFacts(
            ("print",) * len(snapshot.objects), ((0.0, 0.0, 0.0, 1.0, 1.0, 1.0),) * len(snapshot.objects)
        )

    def file_to_glb(self, model: Path, item: str, out: Path, on_progress: Any, stopped: Any) -> None:
        self.file_to_glb_calls.append((model, item))
        on_progress(0.5, "half")
        out.write_bytes(tiny_glb())

    def to_blend(
        self,
        model: Path,
        out: Path,
        name: str,
        on_progress: Any,
        stopped: Any,
        *,
        frame_rate: float = 24.0,
        sources: Any = None,
        picture: Path | None = None,
    ) -> None:
        self.to_blend_calls.append(model)
        on_progress(0.5, "half")
        if self.errors:
            raise self.errors.pop(0)
        out.write_bytes(b"BLENDER of " + model.read_bytes())

    def to_picture(self, blend: Path, picture: Path, stopped: Any) -> None:
        picture.write_bytes(b"picture")


def settings_for(service: LocalService, data_dir: Path, **changes: Any) -> Settings:
    """Settings that name a running engine as if it were a remote service."""
    fields: dict[str, Any] = {
        "blender": BlenderCommand.of_python(),
        "data_dir": data_dir,
        "base_url": service.base_url,
        "api_key": KEY,
    }
    return Settings(**(fields | changes))


class GatedRunner:
    """An engine whose tasks take until the test opens the gate."""

    def __init__(self) -> None:
        self.gate = threading.Event()

    def __call__(self, request: Mapping[str, Any], *, on_progress: Any, stopped: Callable[[], bool]) -> dict[str, Any]:
        if request["type"] != "import_model":
            while not self.gate.wait(0.02) and not stopped():
                pass
        return instant_runner(request, on_progress=on_progress, stopped=stopped)


@contextmanager
def runtime_on(settings: Settings, *, converter: Any = None, timing: Timing = QUICK) -> Iterator[Runtime]:
    """A started runtime that is shut down at the end."""
    runtime = Runtime(settings, news=SimpleQueue(), converter=converter or InstantConverter(), timing=timing)
    runtime.start()
    try:
        yield runtime
    finally:
        runtime.shutdown()


def kill(runtime: Runtime) -> None:
    """Ends a runtime as SIGKILL would: nothing is given back, but the lock on the owner's file is gone."""
    room = runtime._started
    assert room is not None
    room.context.cancel_flags.ending.set()
    room._threads.stop(SECONDS)
    room._poller.stop(SECONDS)
    room._journal_watcher.join(SECONDS)
    room.context.journal.close()
    room.context.connection.close()
    room._owner._file.close()
    runtime._started = None


def selection_plan(folder: Path, *steps: StepPlan, delivery: Delivery = SCENE, name: str = "Bunny") -> JobPlan:
    """The main job: a selected mesh is imported and decimated, unless other steps are given.

    ``folder / "data"`` is the data folder, where snapshots are written.
    """
    blend = folder / "data" / "snapshots" / f"{uuid.uuid4().hex}.blend"
    blend.parent.mkdir(parents=True, exist_ok=True)
    blend.write_bytes(b"BLENDER")
    source = Source(SourceKind.SELECTION, str(blend), snapshot=Snapshot((SnapshotObject(name),)))
    return JobPlan(name, source, (StepPlan("import_model"), *(steps or (decimate_step(),))), delivery)


def task_plan(task_id: str, *steps: StepPlan, delivery: Delivery = SCENE) -> JobPlan:
    """A job on the result of an earlier task: one creation, nothing uploaded."""
    return JobPlan("Again", Source(SourceKind.TASK, task_id=task_id), steps or (decimate_step(),), delivery)


def new_plan(*steps: StepPlan, delivery: Delivery = SCENE, name: str = "New") -> JobPlan:
    """A job that begins with words or images."""
    return JobPlan(name, Source(SourceKind.NOTHING), steps, delivery)


def decimate_step(**fields: Any) -> StepPlan:
    """A step with a field that was set."""
    return StepPlan("decimate", {"face_limit": 5000, **fields})


def imported_task(runtime: Runtime, folder: Path) -> str:
    """A finished import, to work on."""
    model = folder / "model.glb"
    model.write_bytes(tiny_glb())
    plan = JobPlan("In", Source(SourceKind.MODEL_FILE, str(model)), (StepPlan("import_model"),), Delivery())
    return rested(runtime, runtime.submit(plan)).steps[0].task_id


def rested(runtime: Runtime, job_id: str, seconds: float = SECONDS) -> JobView:
    """The job, once nothing more happens to it by itself."""
    return until(runtime, job_id, lambda job: job.stage in RESTING, seconds)


def until(runtime: Runtime, job_id: str, wanted: Callable[[JobView], bool], seconds: float = SECONDS) -> JobView:
    """The job, once it looks as wanted."""
    for _ in looks(seconds):
        job = runtime.job(job_id)
        if wanted(job):
            return job
    raise AssertionError(f"after {seconds} s the job is still {job}")


def shown(runtime: Runtime, job_id: str) -> JobView:
    """Waits until a result has its small picture, which is drawn when it is ready already."""
    return until(runtime, job_id, lambda job: bool(job.blend) and PICTURE in dict(job.files))


def wait_until(condition: Callable[[], bool], seconds: float = SECONDS) -> None:
    """Waits until something is so, which other threads bring about."""
    for _ in looks(seconds):
        if condition():
            return
    raise AssertionError("waited in vain")


def changes_of(runtime: Runtime, job_id: str) -> list[JobView]:
    """Every view of a job that was sent so far, oldest first."""
    found: list[Message] = []
    while True:
        try:
            found.append(runtime._news.get_nowait())
        except Empty:
            return [message.job for message in found if isinstance(message, JobChanged) and message.job.id == job_id]
