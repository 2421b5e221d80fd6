"""Whether requests carry their markers, and what services were seen to do with them."""

from __future__ import annotations

import re

from ....vendor.assetgen import AssetGenError, BadParameterError
from ....vendor.assetgen.contract import MARKER_FIELD, ErrorCode, TaskDetail
from ..jobs.service_table import MarkerFate, ServiceTable
from ..log import logger

log = logger(__name__)

_NOT_TAKEN = frozenset({ErrorCode.MALFORMED_REQUEST, ErrorCode.BAD_PARAMETER})
"""With these the service itself says that a request was not taken, for something that stands in it."""

_NAMED = re.compile(MARKER_FIELD.replace("_", "[_-]?"), re.IGNORECASE)


class Markers:
    """The markers of this process's requests. Thread-safe.

    Args:
        services: The journal's knowledge about services, which all processes share.
    """

    def __init__(self, services: ServiceTable) -> None:
        self._services = services
        self._expected: dict[str, tuple[str, str]] = {}
        self._without: set[str] = set()

    def may_be_sent(self, job_id: str, service_id: str) -> bool:
        """Whether the next request of a job may carry its marker."""
        return job_id not in self._without and self.fate(service_id) is not MarkerFate.REFUSED

    def fate(self, service_id: str) -> MarkerFate:
        """What becomes of markers at a service."""
        return self._services.marker_fate(service_id)

    def is_to_blame(self, job_id: str, service_id: str, error: AssetGenError) -> bool:
        """Whether a request with a marker was refused, and is to be sent once more without it.

        Only after the service itself has said that it did not take the request; so there is never a second task. Where
        its words name the field, the service is known to refuse it from now on. Where they do not, that is known when
        the job's next request, which carries none, is taken.
        """
        if not isinstance(error, BadParameterError) or error.code not in _NOT_TAKEN or error.may_have_arrived:
            return False
        if _NAMED.search(f"{error.message} {error.suggestion}"):
            self._note(service_id, MarkerFate.REFUSED)
            return True
        if self.fate(service_id) is MarkerFate.ECHOED:
            return False
        self._without.add(job_id)
        return True

    def taken(self, job_id: str, service_id: str) -> None:
        """A request of a job was taken."""
        if job_id in self._without:
            self._without.discard(job_id)
            self._note(service_id, MarkerFate.REFUSED)

    def forget(self, job_id: str) -> None:
        """A request of a job was refused for something else."""
        self._without.discard(job_id)

    def expect(self, task_id: str, service_id: str, marker: str) -> None:
        """The task was made by a request with this marker: how it is shown tells what becomes of markers there."""
        self._expected[task_id] = (service_id, marker)

    def seen(self, detail: TaskDetail) -> None:
        """A task was read. Costs nothing but for the first time that a task of ours shows its request."""
        expected = self._expected.get(detail.task_id)
        if expected is None or not (detail.input or detail.is_final):
            return
        self._expected.pop(detail.task_id, None)
        service_id, marker = expected
        # Who refuses markers now may have taken that one before.
        if detail.input and self.fate(service_id) is not MarkerFate.REFUSED:
            self._note(service_id, MarkerFate.ECHOED if detail.marker == marker else MarkerFate.DROPPED)

    def _note(self, service_id: str, fate: MarkerFate) -> None:
        if self.fate(service_id) is not fate:
            log.info("%s: markers of requests are %s", service_id, fate)
            self._services.note_marker_fate(service_id, fate)
