"""Mesh operations (API sections 4.5 and 4.7)."""

from __future__ import annotations

from typing import Any

from ..contract.mesh import Decimate
from ..contract.tasks import TaskCreated
from .tasks import Tasks


class Mesh:
    """Creates tasks that work on meshes. See :meth:`.tasks.Tasks.create` for what creating means."""

    def __init__(self, tasks: Tasks) -> None:
        self._tasks = tasks

    def decimate(self, *, request_id: str | None = None, **fields: Any) -> TaskCreated:
        """Rebuilds a model with few faces; the fields are those of :class:`..contract.mesh.Decimate`."""
        return self._tasks.create(Decimate(**fields), request_id=request_id)
