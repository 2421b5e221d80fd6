"""Who does the work of a task: the Blender of ``background/engine.py``, or whatever a test puts in its place."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Protocol


class InputRejected(Exception):
    """The input cannot be processed. The message is for the user."""


class TaskRunner(Protocol):
    """Does one task and returns ``{"files": {...}, "values": {...}, "facts": {...}}``; runs on a worker thread.

    ``request`` holds what ``engine/main.py`` says. The names in ``files`` are output keys of the API; the values are
    file names in the request's ``output_dir``.

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
