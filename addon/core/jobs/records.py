"""What the journal knows of a job, as frozen data."""

from __future__ import annotations

from dataclasses import dataclass, field

from .job import JobPlan, Stage


@dataclass(frozen=True, slots=True)
class StepRecord:
    """One step.

    ``request_id`` and ``intent_at`` are written before the creation request leaves, ``task_id`` and ``answered_at``
    right after its answer. An intent without a task is a request whose fate is not known: it is reconciled before
    anything is sent again. ``sends`` counts the requests that left for this step. ``marker`` is what all of them carry,
    so that the service's echo tells whose a task is; ``unmarked`` is whether one of them may have left without it.
    ``lost`` counts those that were given up although their answer was lost: each may still make a task. ``candidates``
    are the tasks that the step could have; once it has one, those that its requests made beside it. Times are seconds
    since 1970.
    """

    position: int
    capability: str
    request_id: str = ""
    intent_at: float = 0.0
    sends: int = 0
    task_id: str = ""
    task_type: str = ""
    answered_at: float = 0.0
    finished_at: float = 0.0
    status: str = ""
    credits: str = ""
    candidates: tuple[str, ...] = ()
    marker: str = ""
    unmarked: bool = False
    lost: int = 0

    @property
    def intent_is_open(self) -> bool:
        """Whether a creation request may have left whose answer is not known."""
        return bool(self.request_id) and not self.task_id


@dataclass(frozen=True, slots=True)
class JobRecord:
    """One job.

    ``resume`` is the stage at which a retry goes on. ``revision`` grows with every change. ``position`` is the current
    step. ``tokens`` maps paths to what their upload gave. ``files`` are the files that were fetched, each with its key
    among the links of the task's output, and ``delivered`` their copies in the folder that the user named.
    ``answer`` is what a rig check said; of other jobs what became of the words of their prompts (``prompt_words``).
    ``asked_to_stop`` is the user's wish, which whoever runs the job obeys before its next stage. ``removed_at`` is when
    the user took it off the list, ``used_at`` when its result first was in a scene or a folder; 0 for never.
    """

    id: str
    plan: JobPlan
    service_id: str
    stage: Stage
    resume: Stage | None
    position: int
    created_at: float
    changed_at: float
    revision: int
    asked_to_stop: bool = False
    text: str = ""
    error: str = ""
    advice: str = ""
    request_id: str = ""
    exit_code: int = 0
    error_code: int = 0
    tokens: dict[str, str] = field(default_factory=dict)
    result: str = ""
    blend: str = ""
    owner: str = ""
    applier: str = ""
    files: tuple[tuple[str, str], ...] = ()
    delivered: tuple[tuple[str, str], ...] = ()
    answer: str = ""
    removed_at: float = 0.0
    used_at: float = 0.0
    steps: tuple[StepRecord, ...] = ()

    @property
    def step(self) -> StepRecord:
        """The current step."""
        return self.steps[self.position]

    @property
    def has_paid(self) -> bool:
        """Whether any task of this job has been created."""
        return any(step.task_id for step in self.steps)
