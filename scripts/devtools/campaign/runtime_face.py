"""All that the campaign does with the product: a runtime is opened, asked, and closed. Nothing else here knows it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, Any

from .scripted import results

if TYPE_CHECKING:
    from asset_generation.addon.core.jobs.job import JobPlan, JobView


def warm_up() -> None:
    """Imports everything that a process will need, before processes are forked."""
    import asset_generation.addon.core.runtime.runtime
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


class CopyingConverter:
    """Stands in for the background Blender: takes some seconds, and copies."""

    def __init__(self, sleep: Callable[[float], None]) -> None:
        self._sleep = sleep

    def to_glb(self, blend: Path, snapshot: Any, out: Path, on_progress: Any, stopped: Any) -> None:
        """Makes a GLB that has the snapshot's label in it."""
        self._sleep(1.0)
        on_progress(0.5, "half")
        out.write_bytes(results.glb(blend.read_text()))

    def file_to_glb(self, model: Path, item: str, out: Path, on_progress: Any, stopped: Any) -> None:
        """Makes a GLB that has the model's content for a label."""
        self._sleep(1.0)
        out.write_bytes(results.glb(model.read_text()))

    def to_blend(
        self, model: Path, out: Path, name: str, on_progress: Any, stopped: Any, *, frame_rate: float = 24.0
    ) -> None:
        """Makes a file that has the model in it."""
        self._sleep(1.0)
        on_progress(0.5, "half")
        out.write_bytes(b"BLENDER of " + model.read_bytes())


class Client:
    """One runtime on one data folder.

    Args:
        folder: Has the data folder, ``data``.
        base_url: The service.
        sleep: Waits.
        key: Of the service.
        impatient: Whether the product is broken on purpose: it sends a lost request again as soon as it has looked.
    """

    def __init__(
        self,
        folder: Path,
        base_url: str,
        sleep: Callable[[float], None],
        *,
        key: str,
        impatient: bool = False,
    ) -> None:
        from asset_generation.addon.core.limits.timeouts import Timing
        from asset_generation.addon.core.runtime.runtime import Runtime
        from asset_generation.addon.core.settings import Settings
        from asset_generation.vendor.background_blender import BlenderCommand

        settings = Settings(
            blender=BlenderCommand.of_python(), data_dir=folder / "data", base_url=base_url, api_key=key
        )
        self._news: SimpleQueue[Any] = SimpleQueue()
        timing = Timing(lost_request=0.0) if impatient else Timing()
        self._runtime = Runtime(settings, news=self._news, converter=CopyingConverter(sleep), timing=timing)
        self.brought_in: Counter[str] = Counter()

    def open(self) -> None:
        """Begins; unfinished jobs of earlier processes go on.

        Raises:
            Exception: The data folder cannot be used now.
        """
        self._runtime.start()

    def close(self) -> None:
        """Ends as Blender does."""
        self._runtime.shutdown()

    def submit(self, plan: JobPlan) -> None:
        """Asks for a job.

        Raises:
            Exception: It was refused; nothing was written or sent.
        """
        self._runtime.submit(plan)

    def jobs(self) -> list[JobView]:
        """All jobs as they are shown now."""
        while True:
            try:
                self._news.get_nowait()
            except Empty:
                break
        self._runtime.retry_notes()
        return self._runtime.jobs()

    def press(self, job_id: str, action: str) -> None:
        """Presses a button of a job.

        Raises:
            Exception: It does not fit any more, or cannot be done now.
        """
        from asset_generation.addon.core.jobs.job import Action

        self._runtime.act(job_id, Action(action))

    def bring_in(self, job: JobView, between: Callable[[], None]) -> bool:
        """Brings a result into the scene; False when another process does.

        Args:
            job: It is ready.
            between: Called when the result is claimed and not yet in the scene.

        Raises:
            Exception: It cannot be done now.
        """
        if not self._runtime.claim_apply(job.id):
            return False
        between()
        files = [job.blend] if job.blend else [path for _, path in job.files]
        try:
            for path in files:
                Path(path).read_bytes()
        except OSError as error:
            self._runtime.apply_failed(job.id, str(error))
            return False
        self.brought_in[job.id] += 1
        self._runtime.applied(job.id)
        return True
