"""What tasks say of the requests that made them: their echoes, read many at once and kept from look to look."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from ....vendor.assetgen import AssetGenError, AuthenticationError, Client
from ....vendor.assetgen.contract import CAPABILITIES, MAX_TASK_IDS, TaskDetail, TaskStatus
from ..limits.backoff import is_transient

_MOST_READ = 3 * MAX_TASK_IDS
"""Echoes that are read in one look. The next look goes on with those that are left."""

_MOST_SINGLE = 10
"""Tasks that are read one by one, where a service shows no echo when many are read at once."""

_CONTENT = tuple(dict.fromkeys(name for model in CAPABILITIES.values() for name in model.content_fields))
_SOURCES = frozenset(
    name for model in CAPABILITIES.values() for name in (model.source_field, model.task_field) if name is not None
)
"""A service may name what a task works on otherwise than the request did, in any of the forms that the API has."""

_MERE_FORM = frozenset({"type", "view"})


class Echo(NamedTuple):
    """What a task says of its request: its marker, its parameters, and whether the task has failed."""

    marker: str
    fields: Mapping[str, Any]
    has_failed: bool


class Echoes:
    """The echoes of an account's tasks. They do not change, so each is read once.

    Args:
        client: The service.
        kept: Echoes by task id that were read before; what is read now is added.
        is_patient: Whether trouble with reading a single task is raised, because there will be another look.
    """

    def __init__(self, client: Client, kept: dict[str, Echo], *, is_patient: bool) -> None:
        self._client = client
        self._kept = kept
        self._is_patient = is_patient

    def read(self, task_ids: Iterable[str]) -> None:
        """Reads the echoes of tasks, the first of those that are not known yet.

        Raises:
            AuthenticationError: The key is not accepted.
            AssetGenError: They cannot be read at the moment.
        """
        wanted = [task_id for task_id in task_ids if task_id not in self._kept][:_MOST_READ]
        if not wanted:
            return
        try:
            for detail in self._client.tasks.list(wanted).tasks.values():
                self._keep(detail)
        except AssetGenError as error:
            self._pass_over(error, is_passing=is_transient(error))
        for task_id in [task_id for task_id in wanted if task_id not in self._kept][:_MOST_SINGLE]:
            try:
                self._keep(self._client.tasks.retrieve(task_id))
            except AssetGenError as error:
                self._pass_over(error, is_passing=self._is_patient and is_transient(error))

    def of(self, task_id: str) -> Echo | None:
        """The echo of a task; None where it is not known."""
        return self._kept.get(task_id)

    def _keep(self, detail: TaskDetail) -> None:
        if detail.input:
            has_failed = detail.outcome in (TaskStatus.FAILED, TaskStatus.CANCELLED)
            self._kept[detail.task_id] = Echo(detail.marker, detail.input, has_failed)

    def _pass_over(self, error: AssetGenError, *, is_passing: bool) -> None:
        if isinstance(error, AuthenticationError) or is_passing:
            raise error


def same_source(echo: Echo | None, body: Mapping[str, Any], source_field: str | None) -> bool | None:
    """Whether a task works on what a request works on; None where that is not known.

    Args:
        echo: The task's.
        body: The request.
        source_field: The field of the request that says what it works on; without one its words and images do.
    """
    if echo is None:
        return None
    names: Iterable[str] = _SOURCES if source_field else _CONTENT
    ours, theirs = _worked_on(body, names), _worked_on(echo.fields, names)
    if ours and not theirs and _worked_on(echo.fields, _CONTENT):
        return False  # it works on words or images, where ours works on a model
    return ours == theirs if ours and theirs else None


def texts_in(value: Any) -> Iterator[str]:
    """Every text in a request or an echo, however deep, but for those that only say which form another one has."""
    if isinstance(value, Mapping):
        value = [item for name, item in value.items() if name not in _MERE_FORM]
    if isinstance(value, list | tuple):
        for item in value:
            yield from texts_in(item)
    elif isinstance(value, str) and value:
        yield value


def _worked_on(fields: Mapping[str, Any], names: Iterable[str]) -> frozenset[str]:
    """What a request works on: its task or file, or the words and images that it begins with."""
    return frozenset(text for name in names for text in texts_in(fields.get(name)))
