"""What a job is: source, steps, delivery, and the stages it goes through (plain data, no bpy, no network)."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, NamedTuple


class Stage(StrEnum):
    """Where a job stands. The stages up to APPLIED are passed in this order; CREATE and WAIT once for each step."""

    SNAPSHOT = "snapshot"
    UPLOAD = "upload"
    CREATE = "create"
    WAIT = "wait"
    DOWNLOAD = "download"
    READY = "ready"
    APPLIED = "applied"
    FAILED = "failed"
    STOPPED = "stopped"
    UNCERTAIN = "uncertain"


ENDED = frozenset({Stage.APPLIED, Stage.FAILED, Stage.STOPPED})
"""Nothing more happens by itself, and nothing is waited for."""

RESTING = ENDED | {Stage.READY, Stage.UNCERTAIN}
"""Workers have nothing to do: the job has ended, or waits for the scene or for the user."""


class SourceKind(StrEnum):
    """What a job works on."""

    NOTHING = "nothing"
    SELECTION = "selection"
    MODEL_FILE = "model_file"
    TASK = "task"


@dataclass(frozen=True, slots=True)
class Source:
    """What a job works on.

    ``path`` is the snapshot (.blend) for SELECTION and the model file for MODEL_FILE; ``task_id`` is the finished task
    whose model is used for TASK, so that nothing is uploaded. ``details`` is what the snapshot's helper needs beside
    the file.
    """

    kind: SourceKind
    path: str = ""
    task_id: str = ""
    details: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class StepPlan:
    """One service task: a capability and the fields that the user set, flattened, files as paths."""

    capability: str
    fields: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Placement:
    """Where a result goes in the scene.

    ``frame`` is the world matrix (row-major, 16 numbers, Blender's units and axes) that the upload was expressed
    in; ``bounds`` is the source's box in that frame (min x y z, max x y z). Objects are named and known by session_uid.
    """

    frame: tuple[float, ...]
    bounds: tuple[float, ...]
    collection: str
    sources: tuple[tuple[str, int], ...]
    hide_source: bool = True


@dataclass(frozen=True, slots=True)
class Origin:
    """The scene that a job was started from.

    ``session`` is new with every file that is opened; ``frame_rate``, in frames per second, is what times of motions
    become frames with.
    """

    scene: str
    blend_path: str
    session: str
    frame_rate: float = 24.0


@dataclass(frozen=True, slots=True)
class Delivery:
    """Where the result goes: into the scene that it came from, into a folder, or both."""

    origin: Origin | None = None
    placement: Placement | None = None
    folder: str = ""


@dataclass(frozen=True, slots=True)
class JobPlan:
    """All that the user asked for. It never changes once the job is in the journal."""

    name: str
    source: Source
    steps: tuple[StepPlan, ...]
    delivery: Delivery


class Action(StrEnum):
    """What a user can do with a job."""

    STOP = "stop"
    RETRY = "retry"
    ADOPT = "adopt"
    RESEND = "resend"
    FORGET = "forget"
    DISMISS = "dismiss"
    APPLY = "apply"


class StepView(NamedTuple):
    """One step as a person sees it."""

    capability: str
    task_id: str = ""
    status: str = ""
    progress: float = 0.0
    credits: str = ""
    seconds: float = 0.0


class JobView(NamedTuple):
    """A job as a person sees it: what panels and command lines show. Frozen, made by the workers.

    ``progress`` is of the whole job, 0 to 1. ``text`` says in a few words what is going on. ``error`` and ``advice``
    are sentences for the user; ``request_id`` goes with them. ``result`` is the main downloaded file (the model, the
    first image; empty for an answer) and ``blend`` the file to append. ``files`` are all that was fetched: key as in
    ``TaskOutput.links()``, local path; ``delivered`` are their copies in the folder that the user named. ``answer`` is
    what a task said that gives an answer instead of a file, in words. ``service_id`` names the service that knows its
    tasks.
    """

    id: str
    name: str
    stage: Stage
    progress: float
    text: str
    error: str = ""
    advice: str = ""
    request_id: str = ""
    steps: tuple[StepView, ...] = ()
    actions: frozenset[Action] = frozenset()
    created_at: float = 0.0
    seconds: float = 0.0
    result: str = ""
    blend: str = ""
    exit_code: int = 0
    service_id: str = ""
    plan: JobPlan | None = None
    files: tuple[tuple[str, str], ...] = ()
    delivered: tuple[tuple[str, str], ...] = ()
    answer: str = ""

    @property
    def title(self) -> str:
        """What a job without a source in the scene is named after; empty for one that has such a source."""
        return str(self.plan.source.details.get("title", "")) if self.plan is not None else ""
