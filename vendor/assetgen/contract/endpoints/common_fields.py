"""Fields that several capabilities on a model have in common."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from ..references import TaskText
from ..request import Hints

SourceTask = Annotated[
    TaskText,
    Field(description="Task whose model is worked on; the selection's own task when left out"),
    Hints(source=True),
]

PartNames = Annotated[
    list[str] | None,
    Field(description="Names of the parts to work on; all of them when empty"),
    Hints(advanced=True, empty="All", names_parts=True),
]
