"""What ``--json`` prints: one class for each kind of event, from which docs/events.schema.json is generated.

Every event has ``event``, its kind, and ``message``, a sentence for people; the classes have the rest. An event of one
kind can have several forms. Later versions may add fields, and kinds: a program leaves out what it does not know.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal, NotRequired, TypedDict, get_args, get_type_hints

Job = Annotated[str, "id of the job"]
Tasks = Annotated[list[str], "ids of the tasks so far, one for each step that has begun"]
Files = Annotated[dict[str, str], "paths by what the file is: model, rendered_image, generated_image ..."]
Credits = Annotated[str, "credits as a decimal number; empty where it is not known, or nothing is charged"]
Code = Annotated[int, "the exit code"]
RequestId = Annotated[str, "what the service's support can find the request by"]


class Progress(TypedDict):
    """A job looks different from before."""

    event: Literal["progress"]
    job: Job
    name: str
    stage: Annotated[str, "snapshot, upload, create, wait, download, ready, applied, failed, stopped, uncertain"]
    progress: Annotated[float, "of the whole job, 0 to 1"]
    text: Annotated[str, "what is going on, in a few words"]
    tasks: Tasks


class JobDone(TypedDict):
    """A job has ended well."""

    event: Literal["done"]
    job: Job
    name: str
    stage: str
    tasks: Tasks
    credits: Credits
    seconds: float
    files: Files
    answer: Annotated[str, "of a capability that gives an answer and no file"]
    note: str
    understood: Annotated[str, "of the local engine: the words of the prompt that were used"]


class RecipeDone(TypedDict):
    """A recipe has been run to its end."""

    event: Literal["done"]
    recipe: str
    folder: str
    counts: Annotated[dict[str, int], "how many of its jobs are done, unchanged, failed, skipped"]
    credits: Credits
    picture: str
    files: list[str]
    exit_code: Code


class ModelDone(TypedDict):
    """``process_model.py`` has written its file."""

    event: Literal["done"]
    path: str
    triangles: int


class Error(TypedDict):
    """Something was refused or has failed; the last event, unless there are several jobs or tasks."""

    event: Literal["error"]
    exit_code: NotRequired[Code]
    code: NotRequired[Annotated[int | None, "the service's error code"]]
    request_id: NotRequired[RequestId]
    job: NotRequired[Job]
    name: NotRequired[str]
    stage: NotRequired[str]
    tasks: NotRequired[Tasks]
    credits: NotRequired[Credits]
    seconds: NotRequired[float]
    note: NotRequired[str]
    task: NotRequired[Annotated[str, "a task that the service does not know"]]
    refusal: NotRequired[Annotated[str, "why a delivery is not to be trusted: SignatureMismatch ..."]]
    recipe: NotRequired[str]
    folder: NotRequired[str]
    counts: NotRequired[dict[str, int]]
    picture: NotRequired[str]
    files: NotRequired[list[str]]
    troubles: NotRequired[Annotated[list[dict[str, Any]], "of a recipe: file, line and message of all that is wrong"]]


class Note(TypedDict):
    """Something that did not work and changes nothing about the result."""

    event: Literal["note"]


class ListedJob(TypedDict):
    """A job, in ``jobs list``."""

    event: Literal["job"]
    job: Job
    name: str
    stage: str
    text: str
    error: str
    advice: str
    actions: Annotated[list[str], "what can be done about it: retry, stop, dismiss, adopt, look_again, resend, forget"]
    tasks: Tasks
    created_at: Annotated[float, "Unix seconds"]
    files: Files
    answer: str
    note: str
    understood: str
    service: Annotated[str, "host of the service, or local"]


class Dismissed(TypedDict):
    """A job is off the list."""

    event: Literal["dismissed"]
    job: Job


class Rests(TypedDict):
    """A job was stopped or given up; or it was at its end before that."""

    event: Literal["ready", "applied", "failed", "stopped", "uncertain"]
    job: Job
    stage: str


class Restored(TypedDict):
    """A job is back on the list."""

    event: Literal["restored"]
    job: Job


class Asset(TypedDict):
    """A result was saved into an asset library."""

    event: Literal["asset"]
    job: Job
    path: str


class Stored(TypedDict):
    """A result on the disk."""

    event: Literal["stored"]
    job: Job
    name: str
    bytes: int
    made_at: Annotated[float, "Unix seconds"]
    used_at: Annotated[float, "Unix seconds; 0 where it was never used"]
    is_known: Annotated[bool, "a job is known for it"]
    is_listed: Annotated[bool, "that job is on the list"]
    is_empty: Annotated[bool, "nothing is in it but what was made on the way"]
    stays: Annotated[str, "why it cannot be deleted now"]
    service_id: Annotated[str, "host of the service, or local"]
    task_id: str
    credits: Credits
    never_used: bool


class Storage(TypedDict):
    """What the data folder takes."""

    event: Literal["storage"]
    data_dir: str
    groups: Annotated[list[dict[str, Any]], "by age: label, number, bytes, never_used, never_used_bytes"]
    snapshots: Annotated[int, "bytes"]
    local_engine: Annotated[int, "bytes"]
    set_aside: Annotated[int, "bytes"]
    set_aside_files: Annotated[int, "how many files were set aside"]


class Question(TypedDict):
    """What would be deleted; nothing was."""

    event: Literal["question"]
    results: list[dict[str, Any]]
    bytes: int


class Deleted(TypedDict):
    """Files of results were deleted."""

    event: Literal["deleted"]
    jobs: list[str]
    bytes: int
    kept: Annotated[dict[str, str], "why a result stays, by its job"]


class Task(TypedDict):
    """A task as the service tells it."""

    event: Literal["task"]
    task: dict[str, Any]


class Uploaded(TypedDict):
    """A file is at the service."""

    event: Literal["uploaded"]
    path: str
    file_token: str


class Balance(TypedDict):
    """The account's credits."""

    event: Literal["balance"]
    balance: Credits
    frozen: Credits


class Usage(TypedDict):
    """A row of the account's usage."""

    event: Literal["usage"]
    row: dict[str, Any]


class Costs(TypedDict):
    """What this month cost."""

    event: Literal["costs"]
    month: Credits
    operations: Annotated[dict[str, str], "credits by capability"]
    left: Annotated[str, "credits left of the budget; empty without one"]


class Verified(TypedDict):
    """A delivery that was kept is the service's."""

    event: Literal["verified"]
    webhook: Annotated[dict[str, Any], "the event of the service"]


class Listening(TypedDict):
    """Deliveries are taken from now on."""

    event: Literal["listening"]
    host: str
    port: int
    service: Annotated[str, "host of the service whose jobs are woken, or local"]


class Webhook(TypedDict):
    """A delivery was taken."""

    event: Literal["webhook"]
    id: Annotated[str, "of the service's event"]
    type: str
    task: str
    repeated: Annotated[bool, "it was there before"]


class Refused(TypedDict):
    """Deliveries were refused; told once a second at most."""

    event: Literal["refused"]
    refusal: str
    count: int


class Ended(TypedDict):
    """Deliveries are taken no more."""

    event: Literal["ended"]
    events: Annotated[int, "how many there were, repeated ones left out"]


class Open(TypedDict):
    """``process_model.py`` opens its model."""

    event: Literal["open"]
    path: str


class ModelStep(TypedDict):
    """``process_model.py`` has done one operation."""

    event: Literal["step"]
    capability: str
    tasks: Tasks
    seconds: float
    triangles_before: int
    triangles_after: int
    credits: Credits


class RecipeStep(TypedDict):
    """A job of a recipe has ended."""

    event: Literal["step"]
    step: str
    key: Annotated[str, "the step, with what it was fanned out by"]
    capability: str
    state: Annotated[str, "done, unchanged, failed or skipped"]
    job: Job
    tasks: Tasks
    credits: NotRequired[Credits]
    seconds: NotRequired[float]
    files: NotRequired[list[str]]
    error: NotRequired[str]
    exit_code: NotRequired[int | None]


class Request(TypedDict):
    """A request that a recipe would send."""

    event: Literal["request"]
    number: int
    step: str
    key: str
    capability: str
    endpoint: str
    fields: dict[str, Any]
    source: str
    waits_for: list[str]
    files: list[str]
    unchanged: Annotated[bool, "it is done already"]
    credits: Credits
    is_estimate: NotRequired[bool]


class Plan(TypedDict):
    """What a recipe would send in all."""

    event: Literal["plan"]
    recipe: str
    requests: int
    credits: Credits
    is_estimate: bool
    unknown: Annotated[int, "requests whose price is not known"]
    free: bool


class Batch(TypedDict):
    """A batch begins."""

    event: Literal["batch"]
    rows: int
    out: str


class BatchProgress(TypedDict):
    """How far a batch is."""

    event: Literal["batch_progress"]
    total: NotRequired[int]
    done: NotRequired[int]
    failed: NotRequired[int]
    running: NotRequired[int]
    rows_a_minute: NotRequired[float]
    credits: NotRequired[Credits]
    seconds_left: NotRequired[int | None]


class Row(TypedDict):
    """A row of a batch has ended."""

    event: Literal["row"]
    row: Annotated[str, "its id"]
    line: int
    state: str
    job: Job
    tasks: Tasks
    credits: Credits
    seconds: float
    files: dict[str, str]
    error: str
    request_id: RequestId
    exit_code: int


class BatchStopped(TypedDict):
    """A batch was stopped before its end."""

    event: Literal["stopped"]
    reason: str


class Report(TypedDict):
    """The reports of a batch were written."""

    event: Literal["report"]
    states: dict[str, int]
    credits: Annotated[Any, "what the rows were charged"]
    csv: str
    html: str


class Price(TypedDict):
    """What a batch would cost."""

    event: Literal["price"]
    rows: int
    requests: Annotated[int, "tasks that the rows come to"]
    credits: Credits
    estimate: bool
    unknown: Annotated[int, "rows whose price is not known"]


class Template(TypedDict):
    """A job for a render farm was written."""

    event: Literal["template"]
    rows: int
    tasks: Annotated[int, "how many tasks of the farm they are"]
    parameters: dict[str, Any]


class JobType(TypedDict):
    """The job type for Flamenco was written."""

    event: Literal["job_type"]
    path: str


EVENTS: tuple[type, ...] = tuple(
    item
    for item in list(globals().values())
    if isinstance(item, type) and "event" in getattr(item, "__annotations__", {})
)
"""All of them, in their order here."""


def kinds_of(event: type) -> tuple[str, ...]:
    """The kinds of events that have the form of a class."""
    return get_args(get_type_hints(event)["event"])
