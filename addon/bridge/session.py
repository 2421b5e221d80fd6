"""The one runtime of this Blender: made when it is first needed, told of changed settings, shut down at the end."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import bpy

from ..core.errors import CoreError, Refused, sentences
from ..core.log import logger
from ..core.settings import Settings
from . import prefs, preload
from .state import state

if TYPE_CHECKING:
    from pathlib import Path
    from queue import SimpleQueue

    from ..core.jobs.staged_files import StagingArea
    from ..core.runtime.runtime_proxy import RuntimeProxy
    from ..core.status.messages import Message


SHUTDOWN_SECONDS = 10.0
_LOOK_SECONDS = 0.01


class Session:
    """Holds the runtime. All methods belong to the main thread, and none of them waits for a disk or for a lock."""

    def __init__(self) -> None:
        self._news: SimpleQueue[Message] | None = None
        self._settings: Settings | None = None
        self._runtime: RuntimeProxy | None = None
        self._left: list[RuntimeProxy] = []
        self._staging: StagingArea | None = None
        self._failure: Exception | None = None

    @property
    def news(self) -> SimpleQueue[Message]:
        """What workers have said; another one for every runtime."""
        from queue import SimpleQueue  # here, as below: enabling the extension need not wait for it

        if self._news is None:
            self._news = SimpleQueue()
        return self._news

    @property
    def settings(self) -> Settings:
        """The settings that the runtime follows; those of this moment when there is no runtime yet."""
        return self._settings or prefs.settings()

    @property
    def ready(self) -> RuntimeProxy | None:
        """The runtime, if its journal has been opened."""
        return self._runtime if self._runtime is not None and self._runtime.is_open else None

    @property
    def loaded(self) -> RuntimeProxy | None:
        """The runtime, if all that it needs has been imported; its journal may not be open yet."""
        return self._runtime if self._runtime is not None and self._runtime.is_imported else None

    @property
    def loading(self) -> bool:
        """Whether the runtime is on its way to the service and the data folder that are set."""
        return self._runtime is not None and self._runtime.connecting

    @property
    def busy(self) -> bool:
        """Whether news may come."""
        return self._runtime is not None and (self._runtime.connecting or self._runtime.busy)

    @property
    def failure(self) -> str:
        """Why there is no runtime, as sentences; empty when nothing went wrong."""
        failure = self._runtime.failure if self._runtime is not None else self._failure
        if self.loading or failure is None:
            return ""
        error = _refusal(failure)
        return sentences(str(error), error.advice) + "."

    def show_waiting(self) -> None:
        """Says on jobs that are not in the journal yet what they wait for."""
        if self._runtime is not None:
            self._runtime.show_waiting()

    def warm_up(self) -> None:
        """Begins to load the runtime on a thread of its own: the first press of Run need not wait for imports."""
        if self._runtime is None and self._failure is None:
            self._begin()

    def prepare_conversion(self) -> None:
        """Begins to start the background Blender that a job needs which is about to be asked for."""
        self.warm_up()
        if self._runtime is not None:
            self._runtime.prepare_conversion()

    def runtime(self) -> RuntimeProxy:
        """The runtime, following the settings of this moment. The first time it waits until all is imported; in the
        background, where nobody looks on, also until the data folder is there.

        Raises:
            Refused: It cannot be had; the message says why.
        """
        self.follow_settings()
        if bpy.app.background and self._runtime is not None and self._runtime.failure is not None:
            self._leave()
        runtime = self._runtime or self._begin()
        try:
            runtime.wait_for_imports()
        except Exception as error:
            self.shutdown()
            self._failure = error
            raise _refusal(error) from error
        if bpy.app.background:
            while runtime.connecting:
                time.sleep(_LOOK_SECONDS)
            if runtime.failure is not None:
                raise _refusal(runtime.failure) from runtime.failure
        return runtime

    def follow_settings(self) -> None:
        """Hands changed preferences, environment and online access to the runtime. Another data folder is another list
        of jobs: the one that is shown ends on its own thread, and the new one takes its place.
        """
        if self._runtime is None or self._settings is None:
            return
        now, before = prefs.settings(), self._settings
        if now == before:
            return
        state.service = None
        if now.data_dir == before.data_dir and now.blender == before.blender:
            self._settings = now
            self._runtime.reconfigure(now)
        else:
            self._leave()
            self._begin()

    def key_changed(self) -> None:
        """The key is not part of the settings, so the workers are told to look for it again."""
        if self._runtime is not None and self._settings is not None:
            self._runtime.reconfigure(self._settings)

    def staging_folder(self) -> Path:
        """An empty folder on this machine for the files of one job.

        Raises:
            Refused: There is none to be had.
        """
        from ..core.jobs.staged_files import StagingArea

        self._staging = self._staging or StagingArea()
        try:
            return self._staging.new_folder()
        except OSError as error:
            raise Refused(
                f"The folder for temporary files{f' {error.filename}' if error.filename else ''} cannot be used: "
                f"{error.strerror or error}",
                "Make room on the disk",
            ) from error

    def remove_staged(self, folder: Path) -> None:
        """Removes the files of a job that came to nothing."""
        from ..core.jobs.staged_files import remove_folder

        remove_folder(folder)

    def shutdown(self) -> None:
        """Ends the runtime and its threads; the jobs go on at the next start. A drive that hangs is not waited for."""
        self._leave()
        until = time.monotonic() + SHUTDOWN_SECONDS
        for runtime in self._left:
            if not runtime.join(max(0.1, until - time.monotonic())):
                logger(__name__).warning("the data folder did not answer at the end; its jobs go on at the next start")
        self._left.clear()
        if self._staging is not None:
            self._staging.remove()
        self._failure = None

    def _begin(self) -> RuntimeProxy:
        from ..core.runtime.runtime_proxy import RuntimeProxy

        self._failure = None
        self._settings = prefs.settings()
        self._runtime = RuntimeProxy(self._settings, self.news)
        self._runtime.start()
        preload.start()
        return self._runtime

    def _leave(self) -> None:
        runtime, self._runtime, self._settings = self._runtime, None, None
        if runtime is not None:
            runtime.close()
            self._left = [*(left for left in self._left if not left.ended), runtime]
        self._news = None
        state.clear()


def _refusal(error: Exception | None) -> Refused:
    if isinstance(error, ImportError) and not isinstance(error, ModuleNotFoundError):
        # In the session of an installation Blender (seen in 4.3) looks for packages in its own folders first, and may
        # find older ones there; from the next start on it looks in those of extensions first.
        return Refused(
            f"Another version of a package that the extension needs is loaded ({error.name or error})",
            "Restart Blender once to finish the installation",
        )
    if isinstance(error, ImportError):
        return Refused(
            f"A part of the extension is missing ({error.name or error})",
            "Install the extension again, with the zip that is made for this system and this version of Blender",
        )
    if isinstance(error, CoreError):
        return Refused(str(error), error.advice)
    if isinstance(error, OSError):
        place = f" {error.filename}" if error.filename else ""
        return Refused(
            f"The data folder{place} cannot be used: {error.strerror or error}", "Choose another one in the preferences"
        )
    return Refused(f"The extension could not start its work: {error}")


session = Session()
