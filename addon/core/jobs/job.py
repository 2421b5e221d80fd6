"""What a job is: source, steps, delivery, and the stages it goes through (plain data, no bpy, no network).

The stages have a file of their own: enabling the extension needs them, and nothing else of this. (No postponed
annotations in this file: each of them would be compiled when it is imported.)
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

from .place import HIDE, Place
from .stage import ENDED as ENDED
from .stage import FILES_DELETED as FILES_DELETED
from .stage import RESTING as RESTING
from .stage import Action as Action
from .stage import Stage as Stage

EXTRA = "extra"
"""Among the fields of a step, the map of those that the extension does not know. They are sent as they are."""


class SourceKind(StrEnum):
    """What a job works on."""

    NOTHING = "nothing"
    SELECTION = "selection"
    MODEL_FILE = "model_file"
    TASK = "task"


class SnapshotObject(NamedTuple):
    """One object of a snapshot.

    Attributes:
        name: In the .blend.
        title: In the scene that it was taken from.
        matrix: World matrix; row-major, 16 numbers.
    """

    name: str
    title: str = ""
    matrix: tuple[float, ...] = ()


class Snapshot(NamedTuple):
    """What must be known of a selection beside the .blend that it was written to.

    Attributes:
        objects: In the order of the selection.
        frame: World matrix that the upload is expressed in; row-major, 16 numbers.
        scene_frame: Frame of the scene's animation at which the objects were seen.
        images: Names of images whose pixels the .blend lacks, and the files that have them.
        fingerprints: Of each object; empty for one whose looks depend on more than itself. Not there until the upload
            is made, see ``upload_facts``.
        layered: Whether any of them has vertex groups or colours, which may go over to the result.
        looks: Of each object that part of its fingerprint that only the open file can tell: modifiers and materials.
        packed: Of each object the names of the packed images that it shows, whose content belongs to its fingerprint.
        rigged: Whether what rigs pose is uploaded with these rigs, so that its rest pose can be tried as well.
    """

    objects: tuple[SnapshotObject, ...]
    frame: tuple[float, ...] = ()
    scene_frame: int = 1
    images: Mapping[str, str] = MappingProxyType({})
    fingerprints: tuple[str, ...] = ()
    layered: bool = False
    looks: tuple[str, ...] = ()
    packed: tuple[tuple[str, ...], ...] = ()
    rigged: bool = False


@dataclass(frozen=True, slots=True)
class Source:
    """What a job works on.

    Attributes:
        kind: Says which of the others count.
        path: The .blend with the ``snapshot``, the model file for MODEL_FILE.
        task_id: For TASK, the finished task whose model is used, so that nothing is uploaded.
        capability: What made that task, where it is known.
        title: What the job is named after where it has no source in the scene.
        snapshot: What was selected, for SELECTION; for TASK, where what it is painted with may go over to the result.
    """

    kind: SourceKind
    path: str = ""
    task_id: str = ""
    capability: str = ""
    title: str = ""
    snapshot: Snapshot | None = None

    @property
    def snapshot_files(self) -> tuple[Path, ...]:
        """All that was written to the disk when the selection was taken."""
        if self.snapshot is None:
            return ()
        return tuple(map(Path, (self.path, *self.snapshot.images.values())))


@dataclass(frozen=True, slots=True)
class StepPlan:
    """One service task: a capability and the fields that the user set, flattened, files as paths."""

    capability: str
    fields: dict[str, Any] = field(default_factory=dict)


class SourcePose(NamedTuple):
    """Where a source stood when its job was started: world matrix (row-major), what its mesh looked like, and when."""

    matrix: tuple[float, ...]
    shape: str
    scene_frame: int


class ModelPart(NamedTuple):
    """What a source is in the model that the service works on: its name there, and its box as in a placement."""

    name: str
    bounds: tuple[float, ...] = ()


class TargetObject(NamedTuple):
    """The object that a result goes into, as it was at the press.

    Attributes:
        name: Its name.
        uid: Its session id.
        matrix: World matrix; row-major, 16 numbers.
        bounds: Its box in its own coordinates: min x y z, max x y z.
        stretch: Whether the result is stretched to the box.
        after: What becomes of it: one of :data:`.place.OBJECT_AFTER`.
    """

    name: str
    uid: int
    matrix: tuple[float, ...]
    bounds: tuple[float, ...]
    stretch: bool = False
    after: str = HIDE


class Placement(NamedTuple):
    """Where a result goes in the scene.

    ``frame`` is the world matrix (row-major, 16 numbers, Blender's units and axes) that the upload was expressed
    in; ``bounds`` is the source's box in that frame (min x y z, max x y z), and ``rest_bounds`` the one that it would
    have there at rest, where it was uploaded with its rig. Objects are named and known by session_uid;
    ``poses`` has one for each of them, so that the result can follow them, and ``parts`` one to tell which result is
    that of which source; both are empty in plans from when there were none. ``hide_source`` and ``collects_source``
    (into a collection that is hidden) say what becomes of the sources, and ``takes_name`` whether the result is named
    as its source was, which then gets another name.

    ``place`` is what was asked for. For CURSOR and BESIDE, and where there is no source to take the place of,
    ``anchor`` is the world box there at the press (of the cursor one without extent) and ``anchors`` are the objects
    that it is of, so that it can follow them; for OBJECT there is a ``target``. ``placeholder`` is whether name and
    progress are shown in the viewport where it will be.
    """

    frame: tuple[float, ...]
    bounds: tuple[float, ...]
    collection: str
    sources: tuple[tuple[str, int], ...]
    hide_source: bool = True
    poses: tuple[SourcePose, ...] = ()
    parts: tuple[ModelPart, ...] = ()
    takes_name: bool = False
    collects_source: bool = False
    place: Place = Place.SOURCE
    anchor: tuple[float, ...] = ()
    anchors: tuple[tuple[str, int], ...] = ()
    target: TargetObject | None = None
    placeholder: bool = False
    rest_bounds: tuple[float, ...] = ()

    @property
    def takes_source_place(self) -> bool:
        """Whether the result goes where something is that it was made from."""
        return self.place is Place.SOURCE and bool(self.sources)

    @property
    def needs_empty(self) -> bool:
        """Whether its progress is to be shown where nothing stands yet: neither a source nor an object to go into."""
        return self.placeholder and bool(self.anchor)


class Origin(NamedTuple):
    """The scene that a job was started from.

    ``session`` is new with every file that is opened; ``frame_rate``, in frames per second, is what times of motions
    become frames with.
    """

    scene: str
    blend_path: str
    session: str
    frame_rate: float = 24.0


class ReplaceableFile(NamedTuple):
    """A file that may be overwritten as long as it is the one that the user saw: its size, and when it was written."""

    name: str
    size: int
    modified_ns: int


class Delivery(NamedTuple):
    """Where the result goes: into the scene that it came from, into a folder, or both.

    Attributes:
        origin: The scene that it may come into.
        placement: Where in it.
        folder: Where copies of its files go; empty for none.
        file_name: What the user called the file there, as in an exporter; empty where copies are named after the job.
        replaceable: What lay in the folder under that name and was to be overwritten.
        brings_in: Whether it comes into the scene by itself. What does not can be brought in later.
        row: What was asked for with the row of a batch that the folder is of, as a short text that tells it from every
            other; empty for what is of no batch. Other computers may take such a row, see :mod:`..claims`.
        row_folder: Where they find what was begun of it, where that is not ``folder``: of a recipe's row each step has
            a folder of its own for that.
    """

    origin: Origin | None = None
    placement: Placement | None = None
    folder: str = ""
    file_name: str = ""
    replaceable: tuple[ReplaceableFile, ...] = ()
    brings_in: bool = True
    row: str = ""
    row_folder: str = ""


@dataclass(frozen=True, slots=True)
class JobPlan:
    """All that the user asked for. It never changes once the job is in the journal, but for the facts of an upload."""

    name: str
    source: Source
    steps: tuple[StepPlan, ...]
    delivery: Delivery


class StepView(NamedTuple):
    """One step as a person sees it."""

    capability: str
    task_id: str = ""
    status: str = ""
    progress: float = 0.0
    credits: str = ""
    seconds: float = 0.0


class JobView(NamedTuple):
    """A job as a person sees it: what panels and command lines show. Frozen, so that any thread may make and read it.

    ``progress`` is of the whole job, 0 to 1. ``text`` says in a few words what is going on. ``error`` and ``advice``
    are sentences for the user; ``request_id`` goes with them. ``result`` is the main downloaded file (the model, the
    first image; empty for an answer) and ``blend`` the file to append. ``files`` are all that was fetched: key as in
    ``TaskOutput.links()``, local path; ``delivered`` are their copies in the folder that the user named. ``answer`` is
    what a task said that gives an answer instead of a file, in words. ``service_id`` names the service that knows its
    tasks. ``keeps_shape`` is whether the result is meant to stand exactly where its source stands,
    ``gives_motion`` whether all that it adds to a rigged source is motion, ``gives_parts`` whether it is one thing in
    named parts. ``note`` is a sentence that the user must see however the job ends, and ``understood`` says which words
    of a prompt were used. ``ends_at`` is when its tasks will be done if they take as long as earlier ones like them, in
    seconds since 1970; 0 where that is not known.
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
    keeps_shape: bool = False
    gives_motion: bool = False
    gives_parts: bool = False
    note: str = ""
    understood: str = ""
    ends_at: float = 0.0

    @property
    def credits(self) -> str:
        """What its tasks were charged for, as far as the service has said; empty where it has not said of any."""
        known = [step.credits for step in self.steps if step.credits]
        if not known:
            return ""
        from decimal import Decimal  # here: enabling the extension need not wait for it

        return f"{sum(map(Decimal, known), Decimal(0)).normalize():f}"

    @property
    def title(self) -> str:
        """What a job without a source in the scene is named after; empty for one that has such a source."""
        return self.plan.source.title if self.plan is not None else ""


def plain(value: object) -> Any:
    """A value of a plan as JSON has it: what has names as an object, what has none as a list."""
    if isinstance(value, Mapping):
        return dict(value)
    if not isinstance(value, tuple):
        return value
    if hasattr(value, "_fields"):
        return {name: plain(part) for name, part in zip(value._fields, value, strict=True)}
    return [plain(part) for part in value]
