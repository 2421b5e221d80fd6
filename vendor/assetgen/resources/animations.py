"""Animation (docs/api.md, 8.4)."""

from __future__ import annotations

from typing import Any

from ..contract.answers.tasks import TaskCreated
from ..contract.endpoints.animation import Retarget, Rig, RigCheck
from .tasks import Tasks


class Animations:
    """Creates tasks that make models move. See :meth:`.tasks.Tasks.create` for what creating means.

    The fields are those of the declarations in :mod:`..contract.animation`; a field that breaks their rules raises
    pydantic's ValidationError before anything is sent.
    """

    def __init__(self, tasks: Tasks) -> None:
        self._tasks = tasks

    def rig_check(self, *, request_id: str | None = None, **fields: Any) -> TaskCreated:
        """Asks whether a model can be rigged; the answer is the task's ``output.riggable``."""
        return self._tasks.create(RigCheck(**fields), request_id=request_id)

    def rig(self, *, request_id: str | None = None, **fields: Any) -> TaskCreated:
        """Gives a model a skeleton with weights."""
        return self._tasks.create(Rig(**fields), request_id=request_id)

    def retarget(self, *, request_id: str | None = None, **fields: Any) -> TaskCreated:
        """Puts one to five animations onto a rigged model; each is billed."""
        return self._tasks.create(Retarget(**fields), request_id=request_id)
