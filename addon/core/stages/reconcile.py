"""What became of a creation request whose answer was lost? The account's usage says; nothing is sent before that.

Exactly one unknown task of the type since the intent is the lost one; none means that the request did not arrive;
anything else is for the user to decide. An unknown task is one that no job of this journal ever had.

Two clocks are involved. The tasks nearest to the intent that both sides know show how far apart they are; until there
is one, every unknown task of the last day might be the lost one, and only one that is close to the intent surely is.
Clocks can be changed in between, so what is far from the intent is a doubt as well, unless it works on something else.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from enum import Enum, auto
from typing import Any

from ....vendor.assetgen import AssetGenError, Client, NotFoundError
from ....vendor.assetgen.contract import CAPABILITIES, MAX_USAGE_ROWS, UsageRow
from ..jobs.records import StepRecord
from ..jobs.task_table import TaskEntry

_MOST_PAGES = 25
_MOST_ECHOES = 10

_EARLY_SECONDS = 2.0  # created_at may be cut to whole seconds
_ARRIVAL_SECONDS = 300.0
"""For so long after the intent a request can come to life at the service: more than all of the client's timeouts."""

_MOST_COMPARED = 5
_COMPARED_WITHIN = 600.0
"""By how many tasks clocks are compared, and how much farther from the intent than twice the nearest they may be."""

_MEASURED_DOUBT = 30.0
_UNMEASURED_DOUBT = 26 * 3600.0
"""How far off the clocks may be: a little when they were compared, a day and a time zone when they were not."""


_CONTENT = tuple(dict.fromkeys(name for model in CAPABILITIES.values() for name in model.content_fields))
_MERE_FORM = frozenset({"type", "view"})


class Verdict(Enum):
    """What is to be done."""

    ADOPT = auto()
    RESEND = auto()
    UNCERTAIN = auto()


@dataclass(frozen=True, slots=True)
class Reconciliation:
    """A verdict, why, and the tasks that it is about, likeliest first; ``is_distant``: none is of the right time."""

    verdict: Verdict
    reason: str = ""
    candidates: tuple[str, ...] = ()
    task_type: str = ""
    is_distant: bool = False

    @property
    def may_change(self) -> bool:
        """Whether a request that is still at work could make another one of it."""
        return self.verdict is Verdict.RESEND or self.is_distant


@dataclass(frozen=True, slots=True)
class KnownTasks:
    """What the journal knows about the tasks of a service.

    Attributes:
        tasks: For each task of ours, when the service named it to us.
        types: For each task type, the capability that it belongs to: as the contract declares it, and as the service
            itself called the tasks that it created for us.
        learned: Capabilities whose task type the service itself has named.
    """

    tasks: Mapping[str, float]
    types: Mapping[str, str]
    learned: frozenset[str] = field(default_factory=frozenset)

    @classmethod
    def from_entries(cls, tasks: Iterable[TaskEntry]) -> KnownTasks:
        """Sums up the journal's entries of one service."""
        tasks = list(tasks)
        declared = {_normalized(model.task_type): name for name, model in CAPABILITIES.items()}
        learned = {_normalized(task.task_type): task.capability for task in tasks if task.task_type}
        answered = {task.task_id: task.answered_at for task in tasks}
        return cls(answered, {**declared, **learned}, frozenset(learned.values()))


class _TooMany(Exception):
    """The account has more tasks than can be looked through."""


def reconcile(
    client: Client,
    known: KnownTasks,
    step: StepRecord,
    body: Mapping[str, Any],
    source_field: str | None,
    *,
    rivals: int,
) -> Reconciliation:
    """Asks the account's usage what became of a step's open intent.

    Args:
        client: The service.
        known: The tasks that are accounted for.
        step: The step with the open intent.
        body: The request that was sent.
        source_field: The field of the request that says what it works on, where one does. Without one its words and
            images tell tasks apart; two jobs with the same ones may have each other's task.
        rivals: How many other jobs have an open intent of the same capability. An unknown task may be theirs.

    Raises:
        AssetGenError: The usage cannot be read at the moment.
    """
    try:
        rows = _rows_since(client, step.intent_at - _UNMEASURED_DOUBT)
    except NotFoundError:
        return Reconciliation(Verdict.UNCERTAIN, "the service does not list this account's tasks")
    except _TooMany:
        return Reconciliation(Verdict.UNCERTAIN, "the account has too many tasks to look through")
    return decide(rows, known, step, lambda task_id: _same_source(client, task_id, body, source_field), rivals=rivals)


def decide(
    rows: Iterable[UsageRow],
    known: KnownTasks,
    step: StepRecord,
    same_source: Callable[[str], bool | None],
    *,
    rivals: int = 0,
) -> Reconciliation:
    """The verdict on rows of usage, see :func:`reconcile`.

    ``same_source`` says whether a task works on what our request works on; None where that is not known.
    """
    sure, doubtful, distant = _unknown_rows(list(rows), known, step)
    candidates = [*sure, *doubtful]
    if not candidates:
        asked = {row.task_id: same_source(row.task_id) for row in distant[:_MOST_ECHOES]}
        possible = [row for row in distant if asked.get(row.task_id) is not False]
        if not possible:
            return Reconciliation(Verdict.RESEND)
        reason = "the service has no task of that time, but others that it could be if a clock was changed"
        likeliest = sorted(possible, key=lambda row: asked.get(row.task_id) is not True)
        ids = tuple(row.task_id for row in likeliest)
        return Reconciliation(Verdict.UNCERTAIN, reason, ids, likeliest[0].type, is_distant=True)
    fits = {row.task_id: same_source(row.task_id) for row in candidates[:_MOST_ECHOES]}
    likeliest = sorted(candidates, key=lambda row: {True: 0, None: 1, False: 2}[fits.get(row.task_id)])
    reason = ""
    if len(candidates) > 1:
        reason = f"the service has {len(candidates)} tasks that it could be"
    elif doubtful:
        reason = "the service has one task that it could be, but that is not sure"
    elif fits[candidates[0].task_id] is False:
        reason = "the service has one task of this kind, but it works on something else"
    elif rivals and fits[candidates[0].task_id] is None:
        reason = "the service has one task of this kind, and more than one job lost its answer"
    return Reconciliation(
        Verdict.UNCERTAIN if reason else Verdict.ADOPT,
        reason,
        tuple(row.task_id for row in likeliest),
        likeliest[0].type,
    )


def _unknown_rows(
    rows: list[UsageRow], known: KnownTasks, step: StepRecord
) -> tuple[list[UsageRow], list[UsageRow], list[UsageRow]]:
    """The rows that by type and time surely can be the lost task, perhaps can, and only if a clock was changed."""
    clocks = _compare_clocks(rows, known, step.intent_at)
    sure: list[UsageRow] = []
    doubtful: list[UsageRow] = []
    distant: list[UsageRow] = []
    for row in rows:
        if row.task_id in known.tasks:
            continue
        kind = known.types.get(_normalized(row.type))
        other_kind = kind != step.capability if kind else bool(row.type) and step.capability in known.learned
        if other_kind:
            continue
        created = _seconds(row.created_at)
        if created is None:
            doubtful.append(row)
        elif created >= clocks.before:
            earliest, latest = (created + offset - step.intent_at for offset in (clocks.lowest, clocks.highest))
            if kind and earliest >= -_EARLY_SECONDS and latest <= _ARRIVAL_SECONDS:
                sure.append(row)
            elif latest >= -clocks.doubt and earliest <= _ARRIVAL_SECONDS + clocks.doubt:
                doubtful.append(row)
            elif abs(created - step.intent_at) <= _UNMEASURED_DOUBT or abs(latest) <= _UNMEASURED_DOUBT:
                distant.append(row)
    return sure, doubtful, sorted(distant, key=lambda row: abs((_seconds(row.created_at) or 0.0) - step.intent_at))


@dataclass(frozen=True, slots=True)
class _Clocks:
    """What is to be added to the service's times to have ours, at least and at most, and how far that may be off.

    What the service created before ``before``, by its own clock, is older than the intent.
    """

    lowest: float = 0.0
    highest: float = 0.0
    doubt: float = _UNMEASURED_DOUBT
    before: float = float("-inf")


def _compare_clocks(rows: Iterable[UsageRow], known: KnownTasks, intent_at: float) -> _Clocks:
    """Compares the clocks by the tasks nearest to the intent: long before it one of them may have been wrong."""
    compared = sorted(
        (abs(answered - intent_at), answered, created)
        for row in rows
        if (answered := known.tasks.get(row.task_id)) is not None and (created := _seconds(row.created_at)) is not None
    )
    if not compared:
        return _Clocks()
    reach = 2 * compared[0][0] + _COMPARED_WITHIN
    nearest = [(answered, created) for distance, answered, created in compared[:_MOST_COMPARED] if distance <= reach]
    # We hear of a task after it was created, or much later when it was adopted: the true difference is the smallest,
    # unless a clock was changed in between. Where they do not agree, nothing is sure.
    offsets = [answered - created for answered, created in nearest]
    lowest, highest = min(offsets), max(offsets)
    older = (
        created
        for answered, created in nearest
        if answered <= intent_at and created + highest <= intent_at + _MEASURED_DOUBT
    )
    return _Clocks(lowest, highest, _MEASURED_DOUBT, max(older, default=float("-inf")))


def _rows_since(client: Client, moment: float) -> list[UsageRow]:
    rows: list[UsageRow] = []
    for page in range(_MOST_PAGES):
        page_rows = client.account.usage(limit=MAX_USAGE_ROWS, offset=page * MAX_USAGE_ROWS)
        rows += page_rows
        if len(page_rows) < MAX_USAGE_ROWS:
            return rows
        first, last = _seconds(page_rows[0].created_at), _seconds(page_rows[-1].created_at)
        # The order of the rows is not documented: only a page that is newest first tells that older ones follow.
        if first is not None and last is not None and last < moment and last <= first:
            return rows
    raise _TooMany


def _same_source(client: Client, task_id: str, body: Mapping[str, Any], source_field: str | None) -> bool | None:
    try:
        echo = client.tasks.retrieve(task_id).input
    except AssetGenError:
        return None
    names = (source_field, "input") if source_field else _CONTENT
    ours, theirs = _worked_on(body, names), _worked_on(echo, names)
    return ours == theirs if ours and theirs else None


def _worked_on(fields: Mapping[str, Any], names: Iterable[str]) -> frozenset[str]:
    """What a request works on: its task or file, or the words and images that it begins with."""
    found: set[str] = set()
    for name in names:
        found |= _values(fields.get(name))
    return frozenset(found)


def _values(value: Any) -> set[str]:
    if isinstance(value, Mapping):
        value = [item for name, item in value.items() if name not in _MERE_FORM]
    if isinstance(value, list | tuple):
        return {leaf for item in value for leaf in _values(item)}
    return {value} if isinstance(value, str) and value else set()


def _normalized(task_type: str) -> str:
    return task_type.lower().replace("_", "-")


def _seconds(moment: datetime | None) -> float | None:
    if moment is None:
        return None
    return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()
