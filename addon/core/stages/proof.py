"""What shows for certain that a task was made by a request of ours: its marker, or an upload that nobody else uses."""

from __future__ import annotations

from dataclasses import dataclass

from ....vendor.assetgen.contract import TaskRequest
from ..jobs.records import JobRecord
from ..jobs.service_table import MarkerFate
from ..requests.build import files_of
from .context import JobContext
from .echoes import Echo, texts_in
from .upload import SOURCE


@dataclass(frozen=True, slots=True)
class Proof:
    """What shows for certain whether a task is that of a step.

    Attributes:
        marker: What the step's requests carry; empty where they carry none.
        tokens: Uploads that only the step's requests refer to.
        is_complete: The service is known to echo markers, and every request of the step had one: a task that shows
            none is not the step's.
        is_expected: A task of the step may well show its marker or an upload. While one can still come, a doubt about
            others is no reason to ask.
        shows_input: The service was seen to show what its tasks work on. One that does not is hardly the step's.
    """

    marker: str = ""
    tokens: frozenset[str] = frozenset()
    is_complete: bool = False
    is_expected: bool = False
    shows_input: bool = False

    def fits(self, echo: Echo | None) -> bool:
        """Whether a task is surely the step's."""
        if echo is None:
            return False
        if echo.marker:
            return echo.marker == self.marker
        return bool(self.tokens) and not self.tokens.isdisjoint(texts_in(echo.fields))

    def excludes(self, echo: Echo | None) -> bool:
        """Whether a task that does not fit is surely not the step's."""
        return echo is not None and (bool(echo.marker) or self.is_complete)


def proof_of(context: JobContext, record: JobRecord, request: TaskRequest) -> Proof:
    """The proof for the current step of a job, whose request this is."""
    step = record.step
    is_marked = bool(step.marker) and not step.unmarked
    fate = context.markers.fate(record.service_id)
    tokens = _own_tokens(context, record, request)
    is_shown = bool(step.marker) and fate in (MarkerFate.UNKNOWN, MarkerFate.ECHOED)
    return Proof(
        step.marker,
        tokens,
        is_complete=is_marked and fate is MarkerFate.ECHOED,
        is_expected=is_shown or bool(tokens),
        shows_input=fate in (MarkerFate.DROPPED, MarkerFate.ECHOED),
    )


def _own_tokens(context: JobContext, record: JobRecord, request: TaskRequest) -> frozenset[str]:
    """The job's uploads that the request refers to, and no request of another step or job."""
    uploaded = set(record.tokens.values()).intersection(texts_in(request.body()))
    for position, step in enumerate(record.plan.steps):
        if position != record.position:
            paths = (*files_of(step.capability, step.fields), *((SOURCE,) if position == 0 else ()))
            uploaded -= {record.tokens[path] for path in paths if path in record.tokens}
    return frozenset(token for token in uploaded if not context.journal.is_token_of_others(record.id, token))
