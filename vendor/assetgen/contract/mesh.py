"""Mesh operations (API sections 4.5 and 4.7)."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal, Self

from pydantic import BeforeValidator, Field, model_validator

from .models import PartNames, SourceTask
from .request import Advanced, Category, Gives, Hints, Takes, TaskRequest, Tier

MAX_QUADS = 10_000
_LEGACY_VERSIONS = {"P-v1.0-20250506": "v1.0", "P-v2.0-20251225": "v2.0"}


def _without_legacy_names(value: object) -> object:
    return _LEGACY_VERSIONS.get(value, value) if isinstance(value, str) else value


class Decimate(TaskRequest):
    """Rebuilds a high-poly model with few faces."""

    name: ClassVar[str] = "decimate"
    label: ClassVar[str] = "Decimate"
    summary: ClassVar[str] = "Rebuild the model with few faces and bake its look onto them"
    endpoint: ClassVar[str] = "/v3/mesh/decimate"
    task_type: ClassVar[str] = "decimate-model"
    takes: ClassVar[Takes] = Takes.MODEL_TASK
    gives: ClassVar[Gives] = Gives.MODEL
    tier: ClassVar[Tier] = Tier.MESH
    category: ClassVar[Category] = Category.MESH
    source_field: ClassVar[str | None] = "original_model_task_id"

    original_model_task_id: SourceTask
    face_limit: Annotated[
        int | None,
        Field(
            default=None,
            ge=500,
            le=20_000,
            description="Most faces of the result: 500 to 20000 triangles, 500 to 10000 quads",
        ),
        Hints(suggested=5000),
    ]
    quad: Annotated[bool | None, Field(default=None, description="Quads instead of triangles; the result is an FBX")]
    bake: Annotated[bool, Field(default=True, description="Bake the colour of the source onto the result")]
    part_names: PartNames
    model_version: Annotated[
        Literal["v2.0", "v1.0"],
        BeforeValidator(_without_legacy_names),
        Field(default="v2.0", description="Version of the decimation"),
        Advanced,
    ]

    @model_validator(mode="after")
    def _quad_window(self) -> Self:
        if self.quad and self.face_limit is not None and self.face_limit > MAX_QUADS:
            raise ValueError(f"face_limit is {self.face_limit}; with quad at most {MAX_QUADS} are allowed")
        return self
