"""Looks at fields while they are filled in: on a thread of its own, since a file may lie on a drive that hangs."""

from __future__ import annotations

from collections.abc import Mapping
from concurrent.futures import Future
from typing import TYPE_CHECKING, Any

from ..settings import Settings
from .command_thread import CommandThread

if TYPE_CHECKING:
    from ..requests.field_troubles import FieldTrouble


class FieldCheckThread:
    """A thread that is started by the first check. Belongs to one thread, which is Blender's main one."""

    def __init__(self) -> None:
        self._thread: CommandThread | None = None

    def check(self, capability: str, fields: Mapping[str, Any], settings: Settings) -> Future[tuple[FieldTrouble, ...]]:
        """See :func:`.field_troubles.field_troubles`. Everything has to be imported."""
        from ..requests.field_troubles import field_troubles

        if self._thread is None:
            self._thread = CommandThread("assetgen-field-checks", lambda: None, lambda: None)
            self._thread.start()
        given = dict(fields)
        return self._thread.post(
            lambda: field_troubles(capability, given, region=settings.region, skip_folder=settings.data_dir)
        )

    def stop(self) -> None:
        """Ends the thread when it has done what it was asked for. Does not wait."""
        if self._thread is not None:
            self._thread.stop()
