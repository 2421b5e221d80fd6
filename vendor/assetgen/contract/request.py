"""The base of all creation requests, and what a declaration says beside its fields."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Any, ClassVar, Literal

from pydantic import BaseModel, ConfigDict, Field


class Takes(StrEnum):
    """What a capability works on."""

    NOTHING = "nothing"
    IMAGES = "images"
    MODEL_FILE = "model_file"
    MODEL_TASK = "model_task"
    RIG_TASK = "rig_task"
    SEGMENT_TASK = "segment_task"


class Gives(StrEnum):
    """What a capability results in."""

    MODEL = "model"
    IMAGES = "images"
    ANSWER = "answer"
    SPLAT = "splat"


class Tier(StrEnum):
    """How the extension groups capabilities."""

    CREATE = "Create"
    PROCESS = "Process"
    ANIMATE = "Animate"
    MESH = "Mesh"
    IMAGES = "Images"


class Category(StrEnum):
    """The concurrency pools of API section 8.2."""

    GENERATION_H = "generation_h"
    GENERATION_P = "generation_p"
    IMAGE = "image"
    ANIMATION = "animation"
    PROCESSING = "processing"
    MESH = "mesh"


class Hints:
    """How a field is offered to a person, where its type and bounds do not say it.

    Args:
        label: The name shown beside the field; made from the field's name when left out.
        suggested: What a panel starts with where the API has no default. It is sent only when the user runs the
            task from the panel, because there the user sees it.
        advanced: Shown in the panel's closed "Advanced" part.
        source: The field names what the task works on. A job fills it; panels do not show it.
        units: Blender's property sub-type, where one fits (``FACTOR``, ``PIXEL`` ...).
    """

    def __init__(
        self,
        *,
        label: str = "",
        suggested: float | str | None = None,
        advanced: bool = False,
        source: bool = False,
        units: str = "",
    ) -> None:
        self.label = label
        self.suggested = suggested
        self.advanced = advanced
        self.source = source
        self.units = units


Advanced = Hints(advanced=True)

Switch = Literal[True, False]


class TaskRequest(BaseModel):
    """A creation request: what every endpoint has in common (API section 4.1).

    A request is sent with the fields that were set on it and no others, so the service's own defaults stay in force.
    """

    model_config = ConfigDict(extra="allow", populate_by_name=True, protected_namespaces=())

    name: ClassVar[str]
    """The capability's name: the operator, the sub-command and the registry's key."""
    label: ClassVar[str]
    """What a button says."""
    summary: ClassVar[str]
    """One sentence for tooltips, ``--help`` and the reference page."""
    endpoint: ClassVar[str]
    """Path of the creation endpoint."""
    task_type: ClassVar[str]
    """The task's ``type`` as the service reports it."""
    takes: ClassVar[Takes]
    gives: ClassVar[Gives]
    tier: ClassVar[Tier]
    category: ClassVar[Category]
    source_field: ClassVar[str | None] = None
    """The field that takes the task or file worked on."""

    priority: Annotated[
        int | None,
        Field(default=None, ge=1, le=3, description="Place in the queue; higher ones need an entitled account"),
        Advanced,
    ]
    parameters: Annotated[
        dict[str, Any] | None,
        Field(default=None, description="Further settings, forwarded to the pipeline as they are"),
        Advanced,
    ]

    def body(self) -> dict[str, Any]:
        """The JSON body: the fields that were set, under their wire names."""
        return self.model_dump(mode="json", by_alias=True, exclude_unset=True)
