"""The base of all creation requests, and what a declaration says beside its fields."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from enum import StrEnum
from types import MappingProxyType
from typing import Annotated, Any, ClassVar, NamedTuple

from pydantic import Field, ValidationInfo, model_validator

from .limits import Category, RateGroup
from .references import FileRef, file_mark, union_members
from .regions import Region
from .rules import Declared, RuleError

MARKER_FIELD = "client_request_id"
"""Where a creation request carries its marker (docs/api.md, 2.7). The API does not know the field: it forwards it, and
echoes it with the other parameters in the task's ``input``. So it is no declared field of any request.
"""


class Takes(StrEnum):
    """What a capability works on."""

    NOTHING = "nothing"
    IMAGES = "images"
    MODEL_FILE = "model_file"
    MODEL_TASK = "model_task"
    RIG_TASK = "rig_task"
    SEGMENT_TASK = "segment_task"
    DRAFT_TASK = "draft_task"
    MULTIVIEW_TASK = "multiview_task"


class Gives(StrEnum):
    """What a capability results in."""

    MODEL = "model"
    IMAGES = "images"
    ANSWER = "answer"
    SPLAT = "splat"


_ENDINGS: Mapping[Gives, str] = {Gives.MODEL: ".glb", Gives.SPLAT: ".ply"}
"""Of the files that are made where no field says otherwise."""


class Tier(StrEnum):
    """How the extension groups capabilities."""

    CREATE = "Create"
    PROCESS = "Process"
    ANIMATE = "Animate"
    MESH = "Mesh"
    IMAGES = "Images"


class FileKinds(NamedTuple):
    """What kinds of files a capability makes, where its result is wanted as a file: the field that says which, and the
    ending that each of its values gives the file's name.
    """

    field: str
    endings: tuple[tuple[str, str], ...]


class FollowUp(NamedTuple):
    """The button that goes on with the images of a finished job, and its tooltip."""

    label: str
    tooltip: str


class Hints:
    """How a field is offered to a person, where its type and bounds do not say it.

    Args:
        label: The name shown beside the field; made from the field's name when left out.
        placeholder: What an empty field shows in a panel. The field then stands in a whole line, without its name: a
            side bar is narrow, and what the field holds says what it is.
        suggested: What a panel starts with where the API has no default. It is sent only when the user runs the
            task from the panel, because there the user sees it.
        advanced: Shown in the panel's closed "Advanced" part.
        source: The field names what the task works on. A job fills it; panels do not show it.
        panel: Whether a panel offers it. Python and the command line offer every field; another form of the same thing
            would only be in an artist's way.
        examples: Values of a text that a person may want to choose from; any other is as good.
        replaced_by: Another field that says the same in a larger way. While it is set the suggestion is not sent.
        names_parts: It holds names of parts of the model that is worked on, as the service calls them.
        forbidden_by: Model versions that do not take the field. It is hidden while one of them is chosen.
        units: Blender's property sub-type, where one fits (``FACTOR``, ``PIXEL`` ...).
        usual: The least and the most that make sense as a rule, where the API states no bounds: sliders end there, and
            any other value is sent all the same.
        usual_length: The same for the characters of a text.
        start: Where a panel's number begins when a person takes it from Auto, where neither ``suggested`` nor a bound
            is a good place.
        empty: What an empty field stands for, shown in it; Auto when left out.
        choice_words: Of a choice, what its button says and what its tooltip says.
        only_with: Another field without which it cannot be used.
        seed: Another number gives another result of the same wishes.
    """

    def __init__(
        self,
        *,
        label: str = "",
        placeholder: str = "",
        suggested: float | str | None = None,
        advanced: bool = False,
        source: bool = False,
        panel: bool = True,
        examples: tuple[str, ...] = (),
        replaced_by: str = "",
        names_parts: bool = False,
        forbidden_by: tuple[str, ...] = (),
        units: str = "",
        usual: tuple[float | None, float | None] = (None, None),
        usual_length: int | None = None,
        start: float | None = None,
        empty: str = "",
        choice_words: Mapping[str, tuple[str, str]] = MappingProxyType({}),
        only_with: str = "",
        seed: bool = False,
    ) -> None:
        self.label = label
        self.placeholder = placeholder
        self.suggested = suggested
        self.advanced = advanced
        self.source = source
        self.panel = panel
        self.examples = examples
        self.replaced_by = replaced_by
        self.names_parts = names_parts
        self.forbidden_by = forbidden_by
        self.units = units
        self.usual = usual
        self.usual_length = usual_length
        self.start = start
        self.empty = empty
        self.choice_words = choice_words
        self.only_with = only_with
        self.seed = seed


class LocalParameter(NamedTuple):
    """A whole number that the local engine reads in ``parameters``, where the API does not say what is in there."""

    name: str
    label: str
    description: str
    least: int
    most: int
    start: int


Advanced = Hints(advanced=True)
Seed = Hints(advanced=True, usual=(0, None), start=1, seed=True)


class TaskRequest(Declared):
    """A creation request: what every endpoint has in common (docs/api.md, 8.1).

    A request is sent with the fields that were set on it and no others, so the service's own defaults stay in force.
    """

    name: ClassVar[str]
    """The capability's name: the operator, the sub-command and the registry's key."""
    label: ClassVar[str]
    """What a button says."""
    done_word: ClassVar[str] = ""
    """What its result is, beside its source's name: a past participle. Empty where a result has no source."""
    summary: ClassVar[str]
    """One sentence for tooltips, ``--help`` and the reference page."""
    icon: ClassVar[str]
    """The pictogram beside it, by the name that Blender has for it."""
    quick: ClassVar[bool] = False
    """Whether it is among the first things to be wanted of a selected object."""
    image_action: ClassVar[str] = ""
    """What a button says that does it with an image that is looked at; empty where one image is not enough."""
    endpoint: ClassVar[str]
    """Path of the creation endpoint."""
    task_type: ClassVar[str]
    """The task's ``type`` as the service reports it."""
    other_types: ClassVar[tuple[str, ...]] = ()
    """Further names for it that stand in the API's texts, of this version or of the one before."""
    takes: ClassVar[Takes]
    gives: ClassVar[Gives]
    tier: ClassVar[Tier]
    category: ClassVar[Category]
    """The concurrency pool, where no field decides about it; see :meth:`pool_for`."""
    rate_group: ClassVar[RateGroup] = RateGroup.CREATION
    """The requests that it shares a rate limit with (docs/api.md, 4.1)."""
    source_field: ClassVar[str | None] = None
    """The field that takes the task or file worked on."""
    task_field: ClassVar[str | None] = None
    """The field for the task that made them, where a capability works on images; None where it takes none."""
    source_takes: ClassVar[frozenset[str]] = frozenset()
    """Capabilities whose successful tasks the source field or the task field may name; empty for any that gives a
    model.
    """
    title_fields: ClassVar[tuple[str, ...]] = ()
    """The fields that say what is done to the model, where its jobs are named after that too: the first that is set."""
    content_fields: ClassVar[tuple[str, ...]] = ()
    """The words and images that tell its requests apart, where there is no source field to do so."""
    version_field: ClassVar[str | None] = None
    """The field with the model version, where it depends on that what the other fields may be."""
    keeps_shape: ClassVar[bool] = False
    """Whether its result is meant to stand exactly where the model stands that it worked on."""
    keeps_surface: ClassVar[bool] = False
    """Whether its result has the surface of the model that it worked on, so that what is painted there goes over."""
    finds_body: ClassVar[bool] = False
    """Whether it looks for a body in its model, which is found more surely at rest than in some poses."""
    needs_true_size: ClassVar[bool] = False
    """Whether its result is a file for elsewhere, so that a model that was scaled in the scene must be sent anew."""
    gives_motion: ClassVar[bool] = False
    """Whether all that it adds to a rigged model is motion, so that a rig which is there already can take it."""
    gives_parts: ClassVar[bool] = False
    """Whether its model is one object in parts, which the service names."""
    file_kinds: ClassVar[FileKinds | None] = None
    """The files that it makes, where its result is wanted as one at a place of the user's and not in the scene."""
    result_kinds: ClassVar[FileKinds | None] = None
    """The field that says what kind of file its model is, where there is one; see :meth:`result_ending`."""
    gives_views: ClassVar[bool] = False
    """Whether its images are views of one object from several sides."""
    workload: ClassVar[float] = 5.0
    """How long a task runs beside those of other capabilities: a new model takes minutes, an image seconds."""
    follow_up: ClassVar[FollowUp | None] = None
    """The way to it from the images of a finished job, where there is one."""
    local_parameters: ClassVar[tuple[LocalParameter, ...]] = ()
    """What a panel offers of ``parameters`` while the local engine is used."""
    local_seeds: ClassVar[Mapping[str, str]] = MappingProxyType({})
    """The seeds that the local engine reads, each with the field that has to be set for it; empty where none has."""

    priority: Annotated[
        int | None,
        Field(ge=1, le=3, description="Place in the queue; higher ones need an entitled account"),
        Advanced,
    ] = None
    parameters: Annotated[
        dict[str, Any] | None,
        Field(description="Further settings, forwarded to the pipeline as they are"),
        Advanced,
    ] = None

    @model_validator(mode="before")
    @classmethod
    def _texts_where_they_belong(cls, value: Any, info: ValidationInfo) -> Any:
        # Python code may give a token or an address for a file; the API has another field for texts.
        if info.mode == "json" or not isinstance(value, Mapping):
            return value
        moved = dict(value)
        for name, field in cls.model_fields.items():
            mark = file_mark(*union_members(field.annotation)) if isinstance(moved.get(name), str) else None
            if mark is not None and mark.text_field and moved.get(mark.text_field) is None:
                moved[mark.text_field] = moved.pop(name)
        return moved

    def body(self) -> dict[str, Any]:
        """The JSON body: the fields that were set, under their wire names. None counts as not set."""
        fields = self.model_dump(mode="json", by_alias=True, exclude_unset=True)
        return {name: value for name, value in fields.items() if value is not None}

    def source_task(self) -> str | None:
        """The earlier task that this one works on, in whichever form it is given; None where there is none."""
        if self.source_field is None or self.takes is Takes.MODEL_FILE:
            return None
        task: str | None = getattr(self, self.source_field)
        return task

    def extra_files(self) -> dict[str, FileRef]:
        """The files in fields that also take something else, by name; :func:`.field_specs.file_references` has all."""
        return {}

    def price(self) -> Decimal | None:
        """Credits of such a task where the API documents them, else None."""
        return None

    @classmethod
    def pool_for(cls, fields: Mapping[str, Any]) -> Category:
        """The concurrency pool of a task (docs/api.md, 4.2), told from a body or from the fields that a person set."""
        return cls.category

    @classmethod
    def result_ending(cls, fields: Mapping[str, Any]) -> str:
        """What the name of its model's file ends in, told from the fields that a person set; empty for none."""
        kinds = cls.result_kinds
        if kinds is not None:
            endings = {value.lower(): ending for value, ending in kinds.endings}
            if ending := endings.get(str(fields.get(kinds.field)).lower()):
                return ending
        return _ENDINGS.get(cls.gives, "")

    @classmethod
    def refused(cls, body: Mapping[str, Any], region: Region = Region.INTERNATIONAL) -> str:
        """Why a region refuses a body that :meth:`body` would mend by leaving something out; else empty."""
        return ""

    def check_region(self, region: Region | None) -> None:
        """Lets pass what a region takes; rules that hold in every region are among :attr:`rules`.

        Args:
            region: None where it is not known; then nothing is refused that some region takes.

        Raises:
            RuleError: The region refuses it.
        """

    def check_local(self) -> None:
        """Lets pass what the local engine can make something of. The API may take more.

        Raises:
            RuleError: It cannot; its task would fail.
        """

    def doubt(self) -> RuleError | None:
        """What is allowed and probably not meant; the sentence says what comes of it."""
        return None
