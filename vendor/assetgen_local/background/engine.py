"""What does the work of a task: a background Blender, or whatever a test puts in its place."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any, Protocol

from ...background_blender import BlenderCommand, BlenderFailed, Spare

ENGINE_SCRIPT = Path(__file__).resolve().parents[1] / "engine" / "main.py"
_CAPABILITIES = ENGINE_SCRIPT.parent / "capabilities"
INPUT_ERRORS = frozenset({"EngineError"})
"""Class names of the errors with which the engine says that the input, not the engine, is at fault."""


@cache
def capabilities() -> frozenset[str]:
    """Names of the capabilities that the engine has geometry for: each has a file of its name."""
    return frozenset(path.stem for path in _CAPABILITIES.glob("[!_]*.py"))


class InputRejected(Exception):
    """The input cannot be processed. The message is for the user."""


class TaskRunner(Protocol):
    """Does one task and returns ``{"files": {...}, "values": {...}, "facts": {...}}``; runs on a worker thread.

    ``request`` holds ``type`` (the capability), ``task_id``, ``body``, ``model``, ``images`` and ``output_dir``. The
    names in ``files`` are output keys of the API; the values are file names in ``output_dir``.

    Raises:
        InputRejected: The input cannot be processed.
        BlenderTrouble: The engine failed, hung or was stopped.
    """

    def __call__(
        self,
        request: Mapping[str, Any],
        *,
        on_progress: Callable[[float, str], None],
        stopped: Callable[[], bool],
    ) -> dict[str, Any]:
        """Does one task."""


class BlenderRunner:
    """Runs ``engine/main.py`` in a background Blender, one process per task, and keeps one ready for the next.

    Args:
        command: The Blender to use.
        seconds: After this long a process counts as hung and is ended.
        spare_seconds: How long the one that is ready waits for a task before it is ended; 0 keeps none.
    """

    def __init__(self, command: BlenderCommand, seconds: float, spare_seconds: float) -> None:
        self._blenders = Spare(command, ENGINE_SCRIPT, idle_seconds=spare_seconds)
        self._seconds = seconds

    def __call__(
        self,
        request: Mapping[str, Any],
        *,
        on_progress: Callable[[float, str], None],
        stopped: Callable[[], bool],
    ) -> dict[str, Any]:
        """Does one task; see :class:`TaskRunner`."""
        try:
            return self._blenders.run(request, on_progress=on_progress, stopped=stopped, timeout=self._seconds)
        except BlenderFailed as error:
            if error.kind in INPUT_ERRORS:
                raise InputRejected(str(error)) from error
            raise

    def close(self) -> None:
        """Ends the process that is ready."""
        self._blenders.close()
