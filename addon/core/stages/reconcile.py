"""What became of a creation request whose answer was lost? The account's usage says; nothing is sent before that.

A task that shows the marker of our request is ours, whatever its type and time, and one that shows another marker is
not; a token that only our request used proves as much. Without proof, exactly one unknown task of the type since the
intent is the lost one; none means that the request did not arrive; anything else is for the user to decide. An unknown
task is one that no job of this journal ever had.

Two clocks are involved. The tasks nearest to the intent that both sides know show how far apart they are; until there
is one, every unknown task of the last day might be the lost one, and only one that is close to the intent surely is.
Clocks can be changed in between, so what is far from the intent is a doubt as well, unless it works on something else.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import Enum, auto
from itertools import chain, zip_longest
from typing import NamedTuple

from ....vendor.assetgen import Client, NotFoundError
from ....vendor.assetgen.contract import CAPABILITIES, MAX_USAGE_ROWS, TaskRequest, UsageRow
from ..jobs.records import StepRecord
from ..jobs.task_table import TaskEntry
from .clocks import UNMEASURED_DOUBT, Clocks, compare_clocks, seconds_of
from .echoes import Echoes, same_source
from .proof import Proof

_MOST_PAGES = 25
_NO_OFFSET = 1_000_000
"""Farther than any account's tasks go."""

_EARLY_SECONDS = 2.0  # created_at may be cut to whole seconds
_ARRIVAL_SECONDS = 300.0
"""For so long after the intent a request can come to life at the service: more than all of the client's timeouts."""


class Verdict(Enum):
    """What is to be done."""

    ADOPT = auto()
    RESEND = auto()
    UNCERTAIN = auto()


@dataclass(frozen=True, slots=True)
class Reconciliation:
    """A verdict, why, and the tasks that it is about, likeliest first.

    Attributes:
        is_proven: The candidates are ours for certain, all of them: with more than one, our requests made more.
        is_passing: A doubt that may be gone at a later look.
    """

    verdict: Verdict
    reason: str = ""
    candidates: tuple[str, ...] = ()
    task_type: str = ""
    is_proven: bool = False
    is_passing: bool = False

    @property
    def may_change(self) -> bool:
        """Whether a later look could find something else, such as a task of a request that is still at work."""
        return self.verdict is Verdict.RESEND or self.is_passing


@dataclass(frozen=True, slots=True)
class KnownTasks:
    """What the journal knows about the tasks of a service.

    Attributes:
        tasks: For each task of ours, when the service named it to us.
        types: For each task type, the capabilities that it belongs to: as the contract guesses it, and as the service
            itself called the tasks that it created for us. A service may call several the same.
        learned: Capabilities of which the service itself has named a task type. It may have others.
        own_names: Task types that only the service itself has named. It may call tasks of several capabilities so.
    """

    tasks: Mapping[str, float]
    types: Mapping[str, frozenset[str]]
    learned: frozenset[str] = field(default_factory=frozenset)
    own_names: frozenset[str] = field(default_factory=frozenset)

    @classmethod
    def from_entries(cls, tasks: Iterable[TaskEntry]) -> KnownTasks:
        """Sums up the journal's entries of one service."""
        tasks = list(tasks)
        guessed = {
            _normalized(name): frozenset({model.name}) for model in CAPABILITIES.values() for name in _type_names(model)
        }
        learned: dict[str, frozenset[str]] = {}
        for task in tasks:
            if task.task_type:
                name = _normalized(task.task_type)
                learned[name] = learned.get(name, frozenset()) | {task.capability}
        answered = {task.task_id: task.answered_at for task in tasks}
        own_names = frozenset(learned.keys() - guessed.keys())
        return cls(answered, {**guessed, **learned}, frozenset(chain.from_iterable(learned.values())), own_names)


@dataclass(frozen=True, slots=True)
class Rivals:
    """How many other jobs have an open intent: of the same capability, and of others. Unknown tasks may be theirs."""

    same: int = 0
    others: int = 0


_NO_RIVALS = Rivals()


def reconcile(
    client: Client,
    known: KnownTasks,
    step: StepRecord,
    request: TaskRequest,
    proof: Proof,
    *,
    rivals: Rivals,
    echoes: Echoes,
) -> Reconciliation:
    """Asks the account's usage what became of a step's open intent.

    Args:
        client: The service.
        known: The tasks that are accounted for.
        step: The step with the open intent.
        request: The request that was sent. Where it has no source, its words and images tell tasks apart; without
            proof, two jobs with the same ones may have each other's task.
        proof: What shows for certain whether a task is the step's.
        rivals: The other jobs that lost an answer, or wait for one.
        echoes: What tasks say of their requests.

    Raises:
        AssetGenError: Usage or echoes cannot be read at the moment.
    """
    try:
        listed, is_whole = _rows_since(client, step.intent_at - UNMEASURED_DOUBT)
    except NotFoundError:
        return Reconciliation(Verdict.UNCERTAIN, "the service does not list this account's tasks")
    rows = [row for row in listed if row.task_id]
    ours = _proven(rows, known, step, proof, echoes)
    if ours:
        return Reconciliation(
            Verdict.ADOPT,
            candidates=tuple(row.task_id for row in ours),
            task_type=ours[0].type,
            is_proven=True,
        )
    if not is_whole:
        reason = "the account has too many tasks to look through"
        return Reconciliation(Verdict.UNCERTAIN, reason, is_passing=proof.is_expected)
    if any(step.capability in known.types.get(_normalized(row.type), ()) for row in listed if not row.task_id):
        return Reconciliation(
            Verdict.UNCERTAIN, "the service lists a task of this kind without its id", is_passing=True
        )
    possible = [row for row in rows if not proof.excludes(echoes.of(row.task_id))]
    body = request.body()
    finding = decide(
        possible,
        known,
        step,
        lambda task_id: same_source(echoes.of(task_id), body, request.source_field),
        rivals=rivals,
        clocks=compare_clocks(rows, known.tasks, step.intent_at),
    )
    if finding.verdict is Verdict.ADOPT:
        echo = echoes.of(finding.candidates[0])
        is_odd = proof.shows_input or (proof.is_expected and echo is not None)
        if is_odd and same_source(echo, body, request.source_field) is None:
            # It shows neither what it works on nor what would prove it, where a task of ours would.
            reason = "the service has one task of this kind, but does not say what it works on"
            finding = replace(finding, verdict=Verdict.UNCERTAIN, reason=reason)
    return replace(finding, is_passing=finding.is_passing or proof.is_expected)


def proven_tasks(client: Client, known: KnownTasks, step: StepRecord, proof: Proof, echoes: Echoes) -> tuple[str, ...]:
    """The tasks that no job has, and that are surely of this step, the oldest first.

    Raises:
        AssetGenError: They cannot be looked for.
    """
    rows, _ = _rows_since(client, step.intent_at - UNMEASURED_DOUBT)
    return tuple(row.task_id for row in _proven([row for row in rows if row.task_id], known, step, proof, echoes))


def _proven(rows: list[UsageRow], known: KnownTasks, step: StepRecord, proof: Proof, echoes: Echoes) -> list[UsageRow]:
    """The unknown tasks that are surely the step's: those that did not fail before the others, then the oldest first.

    What was read of echoes on the way is there for whoever judges the rest.
    """
    unknown = [row for row in rows if row.task_id not in known.tasks]
    clocks = compare_clocks(rows, known.tasks, step.intent_at)
    echoes.read(row.task_id for row in _likeliest_first(unknown, clocks, step.intent_at))

    def order(row: UsageRow) -> tuple[bool, float]:
        echo, created = echoes.of(row.task_id), seconds_of(row.created_at)
        return echo is not None and echo.has_failed, float("inf") if created is None else created

    return sorted((row for row in unknown if proof.fits(echoes.of(row.task_id))), key=order)


def _likeliest_first(rows: Iterable[UsageRow], clocks: Clocks, intent_at: float) -> list[UsageRow]:
    """Rows in the order in which it is worth while to look at them.

    By turns those nearest to the intent, as far as clocks tell, and the newest, whatever the clocks say.
    """

    def distance(row: UsageRow) -> float:
        created = seconds_of(row.created_at)
        return 0.0 if created is None else abs(created + clocks.highest - intent_at)

    nearest = sorted(rows, key=distance)
    newest = sorted(nearest, key=lambda row: -(seconds_of(row.created_at) or float("inf")))
    turns = chain.from_iterable(zip_longest(nearest, newest))
    return list({row.task_id: row for row in turns if row is not None}.values())


def decide(
    rows: Iterable[UsageRow],
    known: KnownTasks,
    step: StepRecord,
    works_on_same: Callable[[str], bool | None],
    *,
    rivals: Rivals = _NO_RIVALS,
    clocks: Clocks | None = None,
) -> Reconciliation:
    """The verdict on rows of usage by their type, time and content, see :func:`reconcile`.

    ``works_on_same`` says whether a task works on what our request works on; None where that is not known. The clocks
    are compared by these rows unless that was done already.
    """
    rows = list({row.task_id: row for row in rows}.values())
    if clocks is None:
        clocks = compare_clocks(rows, known.tasks, step.intent_at)
    sure, doubtful, distant, misnamed = _sort_unknown(rows, known, step, works_on_same, rivals, clocks)
    candidates = [*sure, *doubtful]
    if not candidates and misnamed:
        reason = "the service has a task that works on the same, but calls it another kind"
        ids = tuple(row.task_id for row in misnamed)
        return Reconciliation(Verdict.UNCERTAIN, reason, ids, misnamed[0].type, is_passing=bool(rivals.others))
    if not candidates:
        possible = [row for row in distant if works_on_same(row.task_id) is not False]
        if not possible:
            return Reconciliation(Verdict.RESEND)
        reason = "the service has no task of that time, but others that it could be if a clock was changed"
        likeliest = sorted(possible, key=lambda row: works_on_same(row.task_id) is not True)
        ids = tuple(row.task_id for row in likeliest)
        return Reconciliation(Verdict.UNCERTAIN, reason, ids, likeliest[0].type, is_passing=True)
    fits = {row.task_id: works_on_same(row.task_id) for row in candidates}
    likeliest = sorted(candidates, key=lambda row: {True: 0, None: 1, False: 2}[fits[row.task_id]])
    reason, is_passing = "", False
    if len(candidates) > 1:
        reason = f"the service has {len(candidates)} tasks that it could be"
    elif doubtful:
        reason = "the service has one task that it could be, but that is not sure"
    elif fits[candidates[0].task_id] is False:
        reason = "the service has one task of this kind, but it works on something else"
    elif rivals.same and fits[candidates[0].task_id] is None:
        reason = "the service has one task of this kind, and more than one job lost its answer"
        is_passing = True
    return Reconciliation(
        Verdict.UNCERTAIN if reason else Verdict.ADOPT,
        reason,
        tuple(row.task_id for row in likeliest),
        likeliest[0].type,
        is_passing=is_passing,
    )


class _SortedRows(NamedTuple):
    """Rows that surely can be the lost task, perhaps can, only if a clock was changed, only if the type says wrong."""

    sure: list[UsageRow]
    doubtful: list[UsageRow]
    distant: list[UsageRow]
    misnamed: list[UsageRow]


def _sort_unknown(
    rows: list[UsageRow],
    known: KnownTasks,
    step: StepRecord,
    works_on_same: Callable[[str], bool | None],
    rivals: Rivals,
    clocks: Clocks,
) -> _SortedRows:
    found = _SortedRows([], [], [], [])
    for row in rows:
        if row.task_id in known.tasks:
            continue
        kinds = known.types.get(_normalized(row.type), frozenset())
        is_other = bool(kinds) and step.capability not in kinds
        if is_other and _normalized(row.type) not in known.own_names:
            continue
        is_sure_kind = kinds == {step.capability}
        if not is_sure_kind:
            # A type is a hint: what nobody knows may be another name for ours, and a name that only the service has
            # used may be one for several kinds. What it works on decides.
            same = works_on_same(row.task_id)
            is_told_otherwise = is_other or (not kinds and bool(row.type) and step.capability in known.learned)
            if same is False or (is_told_otherwise and same is not True):
                continue
            is_sure_kind = same is True and not is_told_otherwise and not rivals.others
        doubtful = found.misnamed if is_other else found.doubtful
        created = seconds_of(row.created_at)
        if created is None:
            doubtful.append(row)
        elif created >= clocks.before:
            earliest, latest = (created + offset - step.intent_at for offset in (clocks.lowest, clocks.highest))
            if is_sure_kind and earliest >= -_EARLY_SECONDS and latest <= _ARRIVAL_SECONDS:
                found.sure.append(row)
            elif latest >= -clocks.doubt and earliest <= _ARRIVAL_SECONDS + clocks.doubt:
                doubtful.append(row)
            elif not is_other and (
                abs(created - step.intent_at) <= UNMEASURED_DOUBT or abs(latest) <= UNMEASURED_DOUBT
            ):
                found.distant.append(row)
    found.distant.sort(key=lambda row: abs((seconds_of(row.created_at) or 0.0) - step.intent_at))
    return found


def _rows_since(client: Client, moment: float) -> tuple[list[UsageRow], bool]:
    """The account's tasks since a moment, each once, and whether these are all of them."""
    rows: dict[str, UsageRow] = {}
    offset = 0
    page_before: list[UsageRow] = []
    for _ in range(_MOST_PAGES):
        page_rows = client.account.usage(limit=MAX_USAGE_ROWS, offset=offset)
        # Only an empty page is surely the last: a service may give fewer rows than it is asked for.
        if not page_rows:
            return list(rows.values()), True
        offset += len(page_rows)
        # A task that is created meanwhile pushes the others along, so that a row can come on two pages.
        rows.update((row.task_id, row) for row in page_rows)
        if page_rows == page_before and client.account.usage(limit=MAX_USAGE_ROWS, offset=_NO_OFFSET) == page_rows:
            # The service does not look at the offset: it gives all that it has, or there is no way to the rest.
            return list(rows.values()), len(page_rows) < MAX_USAGE_ROWS
        page_before = page_rows
        # The order of the rows is not documented: only a page that is newest first tells that older ones follow.
        times = [created for row in page_rows if (created := seconds_of(row.created_at)) is not None]
        if times and times[-1] < min(moment, times[0]) and times == sorted(times, reverse=True):
            return list(rows.values()), True
    return list(rows.values()), False


def _type_names(model: type[TaskRequest]) -> tuple[str, ...]:
    """What a service may call the tasks of a capability."""
    return (model.task_type, model.name, model.endpoint.rpartition("/")[2], *model.other_types)


def _normalized(task_type: str) -> str:
    return task_type.lower().replace("_", "-").replace(" ", "-")
