"""The one runtime of this Blender: made when it is first needed, told of changed settings, shut down at the end."""

from __future__ import annotations

import threading
from queue import SimpleQueue
from typing import TYPE_CHECKING

from ..core.errors import CoreError, Refused, sentences
from ..core.log import logger
from ..core.settings import Settings
from . import prefs
from .state import state

if TYPE_CHECKING:
    from ..core.runtime.runtime import Runtime
    from ..core.status.messages import Message


SHUTDOWN_SECONDS = 5.0


class Session:
    """Holds the runtime. All methods belong to the main thread."""

    def __init__(self) -> None:
        self.news: SimpleQueue[Message] = SimpleQueue()
        self._settings: Settings | None = None
        self._runtime: Runtime | None = None
        self._loader: threading.Thread | None = None
        self._failure: Exception | None = None

    @property
    def settings(self) -> Settings:
        """The settings that the runtime follows; those of this moment when there is no runtime yet."""
        return self._settings or prefs.settings()

    @property
    def ready(self) -> Runtime | None:
        """The runtime if it is there; never waits."""
        return None if self.loading else self._runtime

    @property
    def loading(self) -> bool:
        """Whether the runtime is being made."""
        return self._loader is not None and self._loader.is_alive()

    @property
    def failure(self) -> str:
        """Why there is no runtime, as sentences; empty when nothing went wrong."""
        if self.loading or self._failure is None:
            return ""
        error = _refusal(self._failure)
        return sentences(str(error), error.advice) + "."

    def warm_up(self) -> None:
        """Begins to load the runtime on a thread of its own: the first press of Run need not wait for imports."""
        if self._runtime is None and self._loader is None and self._failure is None:
            self._load_in_background()

    def runtime(self) -> Runtime:
        """The runtime, following the settings of this moment. Waits for it, a fraction of a second, the first time.

        Raises:
            Refused: It cannot be had; the message says why.
        """
        if self._runtime is None and not self.loading:
            self._load_in_background()
        if self._loader is not None:
            self._loader.join()
        if self._runtime is None:
            raise _refusal(self._failure)
        self.follow_settings()
        return self._runtime

    def follow_settings(self) -> None:
        """Hands changed preferences, environment and online access to the runtime."""
        runtime = self.ready
        if runtime is None:
            return
        now = prefs.settings()
        if now == self._settings:
            return
        self._settings = now
        state.service = None
        try:
            runtime.reconfigure(now)
        except CoreError as error:
            # Another data folder, and it cannot be used. The next press of Run says so; so does the panel.
            self.shutdown()
            self._failure = error
            state.trouble = str(error)

    def key_changed(self) -> None:
        """The key is not part of the settings, so the workers are told to look for it again."""
        runtime = self.ready
        if runtime is not None and self._settings is not None:
            runtime.reconfigure(self._settings)

    def shutdown(self) -> None:
        """Ends the runtime and its threads; the jobs go on at the next start."""
        if self._loader is not None:
            self._loader.join(SHUTDOWN_SECONDS)
            self._loader = None
        runtime, self._runtime, self._failure, self._settings = self._runtime, None, None, None
        if runtime is not None:
            runtime.shutdown(SHUTDOWN_SECONDS)
        self.news = SimpleQueue()
        state.clear()

    def _load_in_background(self) -> None:
        self._failure = None
        self._settings = prefs.settings()
        self._loader = threading.Thread(
            target=self._load, args=(self._settings, self.news), daemon=True, name="assetgen-loader"
        )
        self._loader.start()

    def _load(self, settings: Settings, news: SimpleQueue[Message]) -> None:
        try:
            from ..core.runtime.runtime import Runtime

            runtime = Runtime(settings, news=news)
            runtime.start()
        except Exception as error:  # every error becomes a sentence where the runtime is asked for
            logger(__name__).exception("the runtime did not start")
            self._failure = error
        else:
            self._runtime = runtime


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
