"""Mesh operations (docs/api.md, 8.4)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, ClassVar, Literal

from pydantic import AliasChoices, BeforeValidator, Field

from ..limits import Category
from ..references import ImageText, TaskText
from ..request import Advanced, Gives, Hints, LocalParameter, Takes, TaskRequest, Tier
from ..rules import Rule, refusal
from .common_fields import PartNames, SourceTask
from .model_request import QUAD_ENDING

MIN_FACES, MAX_TRIANGLES, MAX_QUADS = 500, 20_000, 10_000
_WINDOW = f"{MIN_FACES} to {MAX_TRIANGLES} triangles, {MIN_FACES} to {MAX_QUADS} quads"
_DEFAULT_VERSION = "v2.0"
_LEGACY_VERSIONS = {"P-v1.0-20250506": "v1.0", "P-v2.0-20251225": "v2.0"}


def _without_legacy_names(value: object) -> object:
    return _LEGACY_VERSIONS.get(value, value) if isinstance(value, str) else value


def _faces_in_window(request: Decimate) -> None:
    # The window is that of the default version. Of the other one the API states none.
    if request.face_limit is None or request.model_version != _DEFAULT_VERSION:
        return
    most = MAX_QUADS if request.quad else MAX_TRIANGLES
    if not MIN_FACES <= request.face_limit <= most:
        raise refusal("face_limit", request.face_limit, f"{MIN_FACES} to {most}{' with quad' * bool(request.quad)}")


class Decimate(TaskRequest):
    """Rebuilds a high-poly model with few faces."""

    name: ClassVar[str] = "decimate"
    label: ClassVar[str] = "Decimate"
    done_word: ClassVar[str] = "decimated"
    summary: ClassVar[str] = "Rebuild the model with few faces and bake its look onto them"
    icon: ClassVar[str] = "MOD_DECIM"
    quick: ClassVar[bool] = True
    endpoint: ClassVar[str] = "/v3/mesh/decimate"
    task_type: ClassVar[str] = "retopology"
    other_types: ClassVar[tuple[str, ...]] = ("decimate-model", "highpoly-to-lowpoly")
    takes: ClassVar[Takes] = Takes.MODEL_TASK
    gives: ClassVar[Gives] = Gives.MODEL
    tier: ClassVar[Tier] = Tier.MESH
    category: ClassVar[Category] = Category.MESH
    source_field: ClassVar[str | None] = "input"
    keeps_surface: ClassVar[bool] = True
    keeps_shape: ClassVar[bool] = True
    workload: ClassVar[float] = 3.0

    rules: ClassVar[tuple[Rule, ...]] = (Rule(f"face_limit is {_WINDOW} with {_DEFAULT_VERSION}", _faces_in_window),)

    input: Annotated[
        TaskText,
        Field(
            # The API lists no field for it, so the general one is sent. What others on a model are given is read too.
            validation_alias=AliasChoices("input", "original_model_task_id"),
            description="Task whose model is worked on; the selection's own task when left out",
        ),
        Hints(source=True),
    ]
    face_limit: Annotated[
        int | None,
        Field(description=f"Most faces of the result: {_WINDOW}"),
        Hints(suggested=5000, usual=(MIN_FACES, MAX_TRIANGLES)),
    ] = None
    quad: Annotated[bool | None, Field(description="Quads instead of triangles; the result is an FBX")] = None
    bake: Annotated[bool, Field(description="Bake the colour of the source onto the result")] = True
    part_names: PartNames = None
    model_version: Annotated[
        Literal["v2.0", "v1.0"],
        BeforeValidator(_without_legacy_names),
        Field(description="Version of the decimation"),
        Advanced,
    ] = "v2.0"

    @classmethod
    def result_ending(cls, fields: Mapping[str, Any]) -> str:
        """Quads come as an FBX."""
        return QUAD_ENDING if fields.get("quad") else super().result_ending(fields)


class Segment(TaskRequest):
    """Takes a model apart."""

    name: ClassVar[str] = "segment"
    label: ClassVar[str] = "Segment"
    done_word: ClassVar[str] = "segmented"
    summary: ClassVar[str] = "Split the model into named parts"
    icon: ClassVar[str] = "MOD_EXPLODE"
    quick: ClassVar[bool] = True
    endpoint: ClassVar[str] = "/v3/mesh/segment"
    task_type: ClassVar[str] = "segment"
    other_types: ClassVar[tuple[str, ...]] = ("segment-model", "mesh-segmentation")
    takes: ClassVar[Takes] = Takes.MODEL_TASK
    gives: ClassVar[Gives] = Gives.MODEL
    tier: ClassVar[Tier] = Tier.MESH
    category: ClassVar[Category] = Category.MESH
    source_field: ClassVar[str | None] = "original_model_task_id"
    gives_parts: ClassVar[bool] = True
    keeps_shape: ClassVar[bool] = True

    original_model_task_id: SourceTask
    ref_image: Annotated[
        ImageText | None,
        Field(description="An image that shows the parts"),
        Hints(label="Reference Image", placeholder="Reference Image"),
    ] = None
    model_version: Annotated[
        Literal["v1.0-20250506", "v2.0-20260430"],
        Field(description="Version of the segmentation"),
        Advanced,
    ] = "v1.0-20250506"


class Complete(TaskRequest):
    """Closes the parts of a segmented model."""

    name: ClassVar[str] = "complete"
    label: ClassVar[str] = "Complete"
    done_word: ClassVar[str] = "completed"
    summary: ClassVar[str] = "Close the parts of a segmented model"
    icon: ClassVar[str] = "MOD_SOLIDIFY"
    quick: ClassVar[bool] = True
    endpoint: ClassVar[str] = "/v3/mesh/complete"
    task_type: ClassVar[str] = "complete"
    other_types: ClassVar[tuple[str, ...]] = ("complete-model", "mesh-completion")
    takes: ClassVar[Takes] = Takes.SEGMENT_TASK
    gives: ClassVar[Gives] = Gives.MODEL
    tier: ClassVar[Tier] = Tier.MESH
    category: ClassVar[Category] = Category.MESH
    source_field: ClassVar[str | None] = "original_model_task_id"
    gives_parts: ClassVar[bool] = True
    source_takes: ClassVar[frozenset[str]] = frozenset({"segment", "smart_segment"})

    original_model_task_id: SourceTask
    part_names: PartNames = None


class SmartSegment(TaskRequest):
    """Takes a model apart as further settings say. The API does not show its fields, so any are forwarded."""

    name: ClassVar[str] = "smart_segment"
    label: ClassVar[str] = "Smart Segment"
    done_word: ClassVar[str] = "segmented"
    summary: ClassVar[str] = "Split the model into parts as further parameters say"
    icon: ClassVar[str] = "MOD_EDGESPLIT"
    endpoint: ClassVar[str] = "/v3/mesh/smartsegment"
    task_type: ClassVar[str] = "smart-segment"
    takes: ClassVar[Takes] = Takes.MODEL_TASK
    gives: ClassVar[Gives] = Gives.MODEL
    tier: ClassVar[Tier] = Tier.MESH
    category: ClassVar[Category] = Category.MESH
    source_field: ClassVar[str | None] = "input"
    gives_parts: ClassVar[bool] = True
    keeps_shape: ClassVar[bool] = True
    local_parameters: ClassVar[tuple[LocalParameter, ...]] = (
        LocalParameter("parts", "Parts", "How many parts the model is cut into", 2, 24, 6),
    )

    input: SourceTask
