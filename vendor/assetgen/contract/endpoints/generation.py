"""3D generation from words and images, splats too (docs/api.md, 8.2)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, ClassVar, Literal

from pydantic import AliasChoices, Field, model_validator

from ..limits import Category, RateGroup
from ..references import FileRef, TaskText
from ..request import Advanced, FollowUp, Gives, Hints, Seed, Takes, TaskRequest, Tier
from ..rules import Rule, at_least_one
from .image_inputs import InputsList, OneImage, ViewFiles, read_inputs
from .images import EditMultiview, ImageToMultiview
from .model_request import ModelRequest


class _Words(TaskRequest):
    """Only there so that the words come first among the fields."""

    content_fields: ClassVar[tuple[str, ...]] = ("prompt",)

    prompt: Annotated[
        str,
        Field(min_length=1, max_length=1024, description="What to make, in words"),
        Hints(placeholder="a red wooden chair..."),
    ]
    negative_prompt: Annotated[
        str | None,
        Field(min_length=1, max_length=255, description="What it shall not have, in words"),
        Hints(placeholder="but without..."),
    ] = None


class TextToModel(ModelRequest, _Words):
    """Makes a model from words."""

    name: ClassVar[str] = "text_to_model"
    label: ClassVar[str] = "Text to Model"
    summary: ClassVar[str] = "Make a 3D model from words"
    icon: ClassVar[str] = "FONT_DATA"
    endpoint: ClassVar[str] = "/v3/generation/text-to-model"
    task_type: ClassVar[str] = "text-to-model"
    takes: ClassVar[Takes] = Takes.NOTHING
    local_seeds: ClassVar[Mapping[str, str]] = {"model_seed": "", "texture_seed": ""}

    image_seed: Annotated[int | None, Field(description="The same seed gives the same design"), Seed] = None


class _FromImages(ModelRequest):
    """What ways from images to a model have beside."""

    takes: ClassVar[Takes] = Takes.IMAGES

    texture_alignment: Annotated[
        Literal["original_image", "geometry"] | None,
        Field(description="What counts more where image and geometry differ"),
        Hints(label="Alignment", advanced=True),
    ] = None
    orientation: Annotated[
        Literal["default", "align_image"] | None,
        Field(description="Turn the model as the image shows it"),
        Advanced,
    ] = None
    auto_size: Annotated[bool | None, Field(description="Scale the model to its real size"), Advanced] = None
    enable_image_autofix: Annotated[
        bool | None,
        Field(
            validation_alias=AliasChoices("enable_image_autofix", "image_autofix"),
            description="Improve the image first",
        ),
        Hints(label="Fix Image", advanced=True),
    ] = None


class ImageToModel(_FromImages, OneImage):
    """Makes a model from one image."""

    name: ClassVar[str] = "image_to_model"
    label: ClassVar[str] = "Image to Model"
    summary: ClassVar[str] = "Make a 3D model from an image"
    icon: ClassVar[str] = "IMAGE_DATA"
    image_action: ClassVar[str] = "Make a Model of This Image"
    endpoint: ClassVar[str] = "/v3/generation/image-to-model"
    task_type: ClassVar[str] = "image-to-model"
    follow_up: ClassVar[FollowUp | None] = FollowUp("Use for Image to Model", "Fill in this image in Image to Model")
    rules: ClassVar[tuple[Rule, ...]] = (*OneImage.rules, *ModelRequest.rules)

    mode: Annotated[str | None, Field(description="Passed on to the pipeline as it is"), Advanced] = None


class _Views(TaskRequest):
    """Only there so that the views come first among the fields."""

    content_fields: ClassVar[tuple[str, ...]] = ("files", "inputs", "original_model_task_id")

    files: Annotated[ViewFiles | None, Field(description="The object from two to four sides")] = None
    inputs: Annotated[
        InputsList,
        Field(description="In place of files: items keyed by view, a list, or one {task_id}"),
        Hints(panel=False),
    ] = None
    original_model_task_id: Annotated[
        TaskText | None,
        Field(description="In place of files: a task that made or edited a multiview"),
        Hints(label="Multiview Task"),
    ] = None


class MultiviewToModel(_FromImages, _Views):
    """Makes a model from views of several sides."""

    name: ClassVar[str] = "multiview_to_model"
    label: ClassVar[str] = "Multiview to Model"
    summary: ClassVar[str] = "Make a 3D model from images of two to four sides"
    icon: ClassVar[str] = "VIEW_ORTHO"
    endpoint: ClassVar[str] = "/v3/generation/multiview-to-model"
    task_type: ClassVar[str] = "multiview-to-model"
    follow_up: ClassVar[FollowUp | None] = FollowUp(
        "Use for Multiview to Model", "Fill in these views in Multiview to Model"
    )
    task_field: ClassVar[str | None] = "original_model_task_id"
    source_takes: ClassVar[frozenset[str]] = frozenset({ImageToMultiview.name, EditMultiview.name})
    rules: ClassVar[tuple[Rule, ...]] = (
        at_least_one("files", "inputs", "original_model_task_id", but="files beside a task are not sent"),
        *ModelRequest.rules,
    )

    orthographic_projection: Annotated[
        bool | None, Field(description="The views have no perspective"), Hints(label="Orthographic", advanced=True)
    ] = None

    @model_validator(mode="before")
    @classmethod
    def _without_needless_files(cls, value: Any) -> Any:
        # With a reference the service ignores the files entirely, so they are not even looked at.
        if isinstance(value, dict) and value.get("original_model_task_id") is not None:
            return {name: given for name, given in value.items() if name != "files"}
        return value

    def source_task(self) -> str | None:
        """The task whose views are used, in whichever form it is given."""
        return self.original_model_task_id or (read_inputs(self.inputs).task_id if self.inputs else None)

    def extra_files(self) -> dict[str, FileRef]:
        """The views in ``inputs``, by side."""
        return {} if self.inputs is None else dict(read_inputs(self.inputs).views)


class ImageToSplat(OneImage):
    """Makes a Gaussian splat from one image."""

    name: ClassVar[str] = "image_to_splat"
    label: ClassVar[str] = "Image to Splat"
    summary: ClassVar[str] = "Make a 3D Gaussian splat from an image"
    icon: ClassVar[str] = "POINTCLOUD_DATA"
    image_action: ClassVar[str] = "Make a Splat of This Image"
    endpoint: ClassVar[str] = "/v3/generation/image-to-splat"
    task_type: ClassVar[str] = "image-to-splat"
    takes: ClassVar[Takes] = Takes.IMAGES
    gives: ClassVar[Gives] = Gives.SPLAT
    tier: ClassVar[Tier] = Tier.CREATE
    category: ClassVar[Category] = Category.GENERATION_H
    rate_group: ClassVar[RateGroup] = RateGroup.GENERATION
