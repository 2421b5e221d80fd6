"""All that the campaign does with the product: a runtime is opened, asked, and closed. Nothing else here knows it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from concurrent.futures import Future
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, Any

from .scripted import results

if TYPE_CHECKING:
    from asset_generation.addon.core.jobs.job import JobPlan, JobView

_PATIENCE = 300.0
"""Seconds for which the user of a campaign waits for what was pressed: longer than any script holds the journal."""

_LOOK_SECONDS = 0.1


def warm_up() -> None:
    """Imports everything that a process will need, before processes are forked."""
    import asset_generation.addon.core.runtime.runtime
    import asset_generation.addon.core.runtime.runtime_proxy
    import httpx
    from asset_generation.addon.core.jobs import process_lock

    context = httpx.create_ssl_context()
    httpx.create_ssl_context = lambda *_, **__: context  # 10 ms and more, in each of thousands of processes

    # Files have the time of the world outside, so how old one is must be asked there.
    process_lock.time = _OutsideTime  # type: ignore[attr-defined,assignment]
    del asset_generation


class _OutsideTime:
    @staticmethod
    def time() -> float:
        from . import fast_time

        return fast_time._real_time()


def report_creations(report: Callable[..., None]) -> None:
    """Has every creation reported as it begins: its id and the true time, so that the judge knows how late one came."""
    from asset_generation.vendor.assetgen.resources.tasks import Tasks

    from . import fast_time

    create: Any = Tasks.create

    def reported(self: Tasks, request: Any, *, request_id: str, **more: Any) -> Any:
        report(sent=request_id, at=fast_time.true_now())
        return create(self, request, request_id=request_id, **more)

    Tasks.create = reported  # type: ignore[assignment,method-assign]


class CopyingConverter:
    """Stands in for the background Blender: takes some seconds, and copies."""

    def __init__(self, sleep: Callable[[float], None]) -> None:
        self._sleep = sleep

    def close(self) -> None:
        """Nothing is kept."""

    def to_glb(self, blend: Path, snapshot: Any, out: Path, on_progress: Any, stopped: Any) -> Any:
        """Makes a GLB that has the snapshot's label in it."""
        from asset_generation.addon.core.jobs.upload_facts import UploadFacts

        self._sleep(1.0)
        on_progress(0.5, "half")
        out.write_bytes(results.glb(blend.read_text()))
        return UploadFacts(("print",) * len(snapshot.objects), ())

    def file_to_glb(self, model: Path, item: str, out: Path, on_progress: Any, stopped: Any) -> None:
        """Makes a GLB that has the model's content for a label."""
        self._sleep(1.0)
        out.write_bytes(results.glb(model.read_text()))

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
        """Makes a file that has the model in it."""
        self._sleep(1.0)
        on_progress(0.5, "half")
        out.write_bytes(b"BLENDER of " + model.read_bytes())


class Client:
    """One runtime on one data folder, as Blender has it: every call is handed to its thread.

    Args:
        folder: Has the data folder, ``data``.
        base_url: The service.
        sleep: Waits.
        key: Of the service.
        impatient: Whether the product is broken on purpose: it sends a lost request again as soon as it has looked.
        marks: Whether the preference for markers is on.
    """

    def __init__(
        self,
        folder: Path,
        base_url: str,
        sleep: Callable[[float], None],
        *,
        key: str,
        impatient: bool = False,
        marks: bool = True,
    ) -> None:
        from asset_generation.addon.core.limits.timeouts import Timing
        from asset_generation.addon.core.runtime.runtime_proxy import RuntimeProxy
        from asset_generation.addon.core.settings import Settings
        from asset_generation.vendor.background_blender import BlenderCommand

        settings = Settings(
            blender=BlenderCommand.of_python(),
            data_dir=folder / "data",
            base_url=base_url,
            api_key=key,
            mark_requests=marks,
        )
        self._news: SimpleQueue[Any] = SimpleQueue()
        timing = Timing(lost_request=0.0) if impatient else Timing()

        def make() -> RuntimeProxy:
            return RuntimeProxy(settings, self._news, converter=CopyingConverter(sleep), timing=timing)

        self._make = make
        self._sleep = sleep
        self._runtime = self._make()
        self._views: dict[str, JobView] = {}
        self._asked: dict[str, Future[Any]] = {}
        self.brought_in: Counter[str] = Counter()

    def open(self) -> None:
        """Begins; unfinished jobs of earlier processes go on.

        Raises:
            Exception: The data folder cannot be used now.
        """
        self._runtime.start()
        while self._runtime.connecting:
            self._sleep(_LOOK_SECONDS)
        if (failure := self._runtime.failure) is not None:
            self._runtime.close()
            self._runtime.join(_PATIENCE)
            self._runtime = self._make()
            raise failure

    def close(self) -> None:
        """Ends as Blender does."""
        self._runtime.close()
        self._runtime.join(_PATIENCE)

    def submit(self, plan: JobPlan) -> None:
        """Asks for a job, which is shown at once.

        Raises:
            Exception: It was refused; nothing was written or sent.
        """
        self._runtime.submit(plan, views=self._views.values())

    def jobs(self) -> list[JobView]:
        """All jobs as they are shown now."""
        from asset_generation.addon.core.status.messages import JobChanged, JobRemoved

        while True:
            try:
                message = self._news.get_nowait()
            except Empty:
                break
            if isinstance(message, JobChanged):
                self._views[message.job.id] = message.job
            elif isinstance(message, JobRemoved):
                self._views.pop(message.job_id, None)
        return sorted(self._views.values(), key=lambda job: (job.created_at, job.id))

    def press(self, job_id: str, action: str) -> None:
        """Presses a button of a job.

        Raises:
            Exception: It does not fit any more, or cannot be done now.
        """
        from asset_generation.addon.core.jobs.job import Action

        self._runtime.act(job_id, Action(action)).result(_PATIENCE)

    def bring_in(self, job: JobView, between: Callable[[], None]) -> bool:
        """Brings a result into the scene; False when another process does.

        Args:
            job: It is ready.
            between: Called when the result is claimed and not yet in the scene.

        Raises:
            Exception: It cannot be done now.
        """
        files = [job.blend] if job.blend else [path for _, path in job.files]
        if job.id not in self._asked:
            self._asked[job.id] = self._runtime.claim_apply(job.id, files)
        if not self._asked[job.id].done():  # the scene is not kept waiting for the journal
            return False
        if not self._asked.pop(job.id).result():
            return False
        between()
        try:
            for path in files:
                Path(path).read_bytes()
        except OSError as error:
            self._runtime.apply_failed(job.id, str(error)).result(_PATIENCE)
            return False
        self.brought_in[job.id] += 1
        self._runtime.applied(job.id).result(_PATIENCE)
        return True
