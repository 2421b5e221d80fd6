"""Mesh operations (docs/api.md, 8.4)."""

from __future__ import annotations

from typing import Any

from ..contract.answers.tasks import TaskCreated
from ..contract.endpoints.mesh import Complete, Decimate, Segment, SmartSegment
from .tasks import Tasks


class Mesh:
    """Creates tasks that work on meshes. See :meth:`.tasks.Tasks.create` for what creating means.

    The fields are those of the declarations in :mod:`..contract.mesh`; a field that breaks their rules raises
    pydantic's ValidationError before anything is sent.
    """

    def __init__(self, tasks: Tasks) -> None:
        self._tasks = tasks

    def decimate(self, *, request_id: str | None = None, **fields: Any) -> TaskCreated:
        """Rebuilds a model with few faces."""
        return self._tasks.create(Decimate(**fields), request_id=request_id)

    def segment(self, *, request_id: str | None = None, **fields: Any) -> TaskCreated:
        """Takes a model apart."""
        return self._tasks.create(Segment(**fields), request_id=request_id)

    def complete(self, *, request_id: str | None = None, **fields: Any) -> TaskCreated:
        """Closes the parts of a segmented model."""
        return self._tasks.create(Complete(**fields), request_id=request_id)

    def smart_segment(self, *, request_id: str | None = None, **fields: Any) -> TaskCreated:
        """Takes a model apart as further settings say; the API does not show them, so any are forwarded."""
        return self._tasks.create(SmartSegment(**fields), request_id=request_id)
