"""What is wrong with the fields of the panel, before Run is pressed: asked for while drawing, told by a worker.

Drawing only reads what is known. What is not known yet is asked for, and the panel is drawn again when the answer has
come; meanwhile the last answer for the same capability stands.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import bpy

from . import pump
from .objects import image_files
from .redraw import redraw
from .session import session

if TYPE_CHECKING:
    from concurrent.futures import Future

    from ..core.requests.field_troubles import FieldTrouble
    from ..core.runtime.runtime_proxy import RuntimeProxy

FRESH_SECONDS = 2.0
"""For so long an answer about files holds: somebody may put the missing one there."""

_TOKEN = "file_00000000-0000-0000-0000-000000000000"
"""Stands for an image of Blender's own, which becomes a file only when Run is pressed."""


class _Answer:
    """What was said last of the fields of one capability.

    Attributes:
        key: The fields that it is about.
        troubles: What is wrong with them.
        since: When it was said.
    """

    def __init__(self, key: str, troubles: tuple[FieldTrouble, ...]) -> None:
        self.key = key
        self.troubles = troubles
        self.since = time.monotonic()


class FieldChecks:
    """The last answers, by capability. Belongs to the main thread."""

    def __init__(self) -> None:
        self._answers: dict[str, _Answer] = {}
        self._asked: Future[Any] | None = None
        self._is_waiting = False
        self._runtime: RuntimeProxy | None = None

    def troubles(
        self, name: str, fields: Mapping[str, Any], *, has_files: bool, is_drawn_again: bool = True
    ) -> tuple[FieldTrouble, ...]:
        """What is known to be wrong with the fields of a capability; empty as long as nothing is known.

        Args:
            name: The capability.
            fields: As they would be sent, files as paths.
            has_files: Whether the answer also depends on files, so that it does not hold for long.
            is_drawn_again: Whether what asks is drawn again when the answer has come. Where it is not, as in a dialog,
                an answer about other fields would go on standing there, so it is not given.
        """
        runtime = session.loaded
        if runtime is None:
            return ()
        if runtime is not self._runtime:
            self._runtime, self._asked = runtime, None
            self._answers.clear()
        key = f"{session.settings.region} {sorted(fields.items(), key=str)}"
        answer = self._answers.get(name)
        is_old = answer is None or answer.key != key
        if is_old or (answer is not None and has_files and time.monotonic() - answer.since > FRESH_SECONDS):
            self._ask(runtime, name, key, fields)
        return answer.troubles if answer is not None and (is_drawn_again or not is_old) else ()

    def _ask(self, runtime: RuntimeProxy, name: str, key: str, fields: Mapping[str, Any]) -> None:
        if self._asked is not None and not self._asked.done():
            self._is_waiting = True  # when that is answered the panel is drawn again, and asks for what it shows then
            return

        def told(future: Future[Any]) -> None:
            if runtime is not self._runtime or future.exception() is not None:
                return
            before = self._answers.get(name)
            self._answers[name] = _Answer(key, future.result())
            if self._is_waiting or before is None or before.key != key or before.troubles != future.result():
                redraw()

        self._is_waiting = False
        self._asked = runtime.check_fields(name, {field: _as_file(value) for field, value in fields.items()})
        pump.when_done(self._asked, told)


def missing_image(value: Any) -> str:
    """Why an image of Blender's own that a field names cannot be sent, as a sentence; empty when it can, or is none."""
    for item in value if isinstance(value, list) else [value]:
        if isinstance(item, str) and item.startswith(image_files.PREFIX):
            name = item.removeprefix(image_files.PREFIX)
            if name not in bpy.data.images:
                return f'There is no image "{name}" in this file'
    return ""


def _as_file(value: Any) -> Any:
    if isinstance(value, list):
        return [_as_file(item) for item in value]
    return _TOKEN if isinstance(value, str) and value.startswith(image_files.PREFIX) else value


field_checks = FieldChecks()
