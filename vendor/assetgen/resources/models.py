"""Model processing (docs/api.md, 8.4)."""

from __future__ import annotations

from typing import Any

from ..contract.answers.tasks import TaskCreated
from ..contract.endpoints.models import Convert, ImportModel, Refine, Stylize, Texture
from .tasks import Tasks


class Models:
    """Creates tasks that bring in and process models. See :meth:`.tasks.Tasks.create` for what creating means.

    The fields are those of the declarations in :mod:`..contract.models`; a field that breaks their rules raises
    pydantic's ValidationError before anything is sent.
    """

    def __init__(self, tasks: Tasks) -> None:
        self._tasks = tasks

    def import_model(self, *, request_id: str | None = None, **fields: Any) -> TaskCreated:
        """Brings an uploaded model into the service."""
        return self._tasks.create(ImportModel(**fields), request_id=request_id)

    def texture(self, *, request_id: str | None = None, **fields: Any) -> TaskCreated:
        """Gives a model a new texture."""
        return self._tasks.create(Texture(**fields), request_id=request_id)

    def refine(self, *, request_id: str | None = None, **fields: Any) -> TaskCreated:
        """Makes the draft of a text-to-model task finer."""
        return self._tasks.create(Refine(**fields), request_id=request_id)

    def stylize(self, *, request_id: str | None = None, **fields: Any) -> TaskCreated:
        """Rebuilds a model in a style."""
        return self._tasks.create(Stylize(**fields), request_id=request_id)

    def convert(self, *, request_id: str | None = None, **fields: Any) -> TaskCreated:
        """Turns a model into another file format."""
        return self._tasks.create(Convert(**fields), request_id=request_id)
