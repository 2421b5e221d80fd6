"""Image generation (docs/api.md, 8.3)."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from pydantic import Field

from ..limits import Category, RateGroup
from ..references import FileRef, ImageObject, InputText, OneImageObject, TaskText, is_task_id
from ..request import Advanced, FollowUp, Gives, Hints, Takes, TaskRequest, Tier
from ..rules import Rule, RuleError, at_least_one, refusal
from .image_inputs import OneImage, ViewPrompts

_RATIOS = ("1:1", "2:3", "3:2", "3:4", "4:3", "4:5", "5:4", "9:16", "16:9", "21:9")
_BANANA2_RATIOS = ("1:8", "1:4", "4:1", "8:1")
_BANANA2 = "banana2"
_WORDS_ONLY = "seedream_v4"
_REFERENCE_MODELS = (
    *("seedream_v5", "banana", "banana_pro", "banana2"),
    *("chat_image_1", "chat_image_1.5", "chat_image_2"),
)

_MOST_REFERENCES = {"chat_image": 16, "banana": 10, "seedream": 4}
"""Reference images by family of models."""

_WORKLOAD = 2.0


def family(model: str) -> str:
    """The family that an image model belongs to: ``chat_image``, ``banana`` or ``seedream``."""
    return next(name for name in _MOST_REFERENCES if model.startswith(name))


_FAMILY_WORDS = {
    "seedream": "a visible mark if wanted; the aspect ratio is that of the size",
    "banana": "takes an aspect ratio; always has an invisible mark",
    "chat_image": "no choice of marks; the aspect ratio is that of the size",
}


def _model_words(*models: str) -> dict[str, tuple[str, str]]:
    """Button and tooltip of image models."""
    words = {}
    for model in models:
        most, said = _MOST_REFERENCES[family(model)], _FAMILY_WORDS[family(model)]
        references = "Makes images from words only" if model == _WORDS_ONLY else f"Up to {most} reference images"
        words[model] = (model.replace("_", " ").capitalize(), f"{references}; {said}")
    return words


def _ratio_fits_model(request: _ImageRequest) -> None:
    ratio = request.aspect_ratio
    if "aspect_ratio" not in request.model_fields_set:
        return
    if family(request.chosen_model) != "banana":
        raise refusal(
            "aspect_ratio", ratio, f"nothing, since {request.chosen_model} does not take it; banana models do"
        )
    if ratio in _BANANA2_RATIOS and request.chosen_model != _BANANA2:
        raise refusal("aspect_ratio", ratio, f"{', '.join(_RATIOS)}; {_BANANA2} takes more")


class _ImageRequest(TaskRequest):
    """What the two ways to an image have in common."""

    gives: ClassVar[Gives] = Gives.IMAGES
    tier: ClassVar[Tier] = Tier.IMAGES
    category: ClassVar[Category] = Category.IMAGE
    rate_group: ClassVar[RateGroup] = RateGroup.GENERATION
    workload: ClassVar[float] = _WORKLOAD
    rules: ClassVar[tuple[Rule, ...]] = (
        Rule(
            f"aspect_ratio is for banana models only; {', '.join(_BANANA2_RATIOS)} for {_BANANA2} only",
            _ratio_fits_model,
        ),
    )

    size: Annotated[
        str,
        Field(
            description="Width x height such as 2048x2048, or a word such as 2K; what is allowed depends on the model"
        ),
        Hints(examples=("1K", "2K", "4K", "HD", "auto", "1024x1024", "2048x2048")),
    ] = "2048x2048"
    aspect_ratio: Annotated[
        Literal["1:1", "2:3", "3:2", "3:4", "4:3", "4:5", "5:4", "9:16", "16:9", "21:9", "1:8", "1:4", "4:1", "8:1"],
        Field(description="Width to height; banana models only"),
        Hints(advanced=True, only_with="model"),
    ] = "1:1"
    output_format: Annotated[
        Literal["png", "jpeg"], Field(description="File format; PNG can be transparent"), Advanced
    ] = "png"
    watermark: Annotated[bool, Field(description="Put a visible mark on the image; seedream models only"), Advanced] = (
        False
    )

    @property
    def chosen_model(self) -> str:
        """The image model that the task runs on."""
        raise NotImplementedError


class _Prompt(TaskRequest):
    """Only there so that the words come first among the fields."""

    content_fields: ClassVar[tuple[str, ...]] = ("prompt",)

    prompt: Annotated[
        str,
        Field(
            min_length=1,
            max_length=1800,
            description="The image, in words; what matters first, what it shall not have after --no",
        ),
        Hints(placeholder="a lighthouse at night..."),
    ]


class TextToImage(_ImageRequest, _Prompt):
    """Makes an image from words."""

    name: ClassVar[str] = "text_to_image"
    label: ClassVar[str] = "Text to Image"
    summary: ClassVar[str] = "Make an image from words"
    icon: ClassVar[str] = "IMAGE_REFERENCE"
    endpoint: ClassVar[str] = "/v3/generation/text-to-image"
    task_type: ClassVar[str] = "text-to-image"
    takes: ClassVar[Takes] = Takes.NOTHING

    model: Annotated[
        Literal[
            "seedream_v5",
            "seedream_v4",
            "banana",
            "banana_pro",
            "banana2",
            "chat_image_1",
            "chat_image_1.5",
            "chat_image_2",
        ],
        Field(description="The image model"),
        Hints(choice_words=_model_words(*_REFERENCE_MODELS[:1], _WORDS_ONLY, *_REFERENCE_MODELS[1:])),
    ] = "seedream_v4"
    template: Annotated[
        Literal["asset_extraction", "character_completion", "t_pose", "variants", "figure"] | None,
        Field(description="A ready-made way to arrange the image; the prompt is needed all the same"),
    ] = None

    @property
    def chosen_model(self) -> str:
        """The image model that the task runs on."""
        return self.model


def _prompt_or_template(request: ImageToImage) -> None:
    if not request.prompt and request.template is None:
        raise RuleError("prompt is missing; it is needed unless a template supplies one", field="prompt")


def _references_in_cap(request: ImageToImage) -> None:
    most = _MOST_REFERENCES[family(request.model)]
    if request.files is not None and len(request.files) > most:
        raise refusal("files", request.files, f"at most {most} images with {request.model}")


class _References(TaskRequest):
    """Only there so that prompt and images come first among the fields."""

    content_fields: ClassVar[tuple[str, ...]] = ("prompt", "files", "file", "input")

    prompt: Annotated[
        str | None,
        Field(
            max_length=1800,
            description="What to make of the images, in words; needed unless a template supplies it",
        ),
        Hints(placeholder="the same in winter..."),
    ] = None
    files: Annotated[
        list[ImageObject] | None,
        Field(min_length=1, max_length=16, description="The reference images"),
        Hints(label="Images", placeholder="Images"),
    ] = None
    file: Annotated[
        OneImageObject | None,
        Field(description="A single reference image, in place of files"),
        Hints(panel=False),
    ] = None
    input: Annotated[
        InputText | None,
        Field(description="In place of files: a file token, an https URL, or the id of an image's task"),
        Hints(panel=False),
    ] = None


class ImageToImage(_ImageRequest, _References):
    """Makes an image from words and reference images."""

    name: ClassVar[str] = "image_to_image"
    label: ClassVar[str] = "Image to Image"
    summary: ClassVar[str] = "Make an image from other images, with words or a template"
    icon: ClassVar[str] = "BRUSH_DATA"
    image_action: ClassVar[str] = "Change This Image"
    endpoint: ClassVar[str] = "/v3/generation/image-to-image"
    task_type: ClassVar[str] = "image-to-image"
    takes: ClassVar[Takes] = Takes.IMAGES
    task_field: ClassVar[str | None] = OneImage.task_field
    source_takes: ClassVar[frozenset[str]] = OneImage.source_takes
    rules: ClassVar[tuple[Rule, ...]] = (
        at_least_one("files", "file", "input"),
        Rule("prompt is needed unless a template supplies one", _prompt_or_template),
        Rule(
            "At most "
            + ", ".join(f"{most} reference images with {name} models" for name, most in _MOST_REFERENCES.items()),
            _references_in_cap,
        ),
        *_ImageRequest.rules,
    )

    model: Annotated[
        Literal["seedream_v5", "banana", "banana_pro", "banana2", "chat_image_1", "chat_image_1.5", "chat_image_2"],
        Field(description="The image model; seedream_v4 is for words only"),
        Hints(choice_words=_model_words(*_REFERENCE_MODELS)),
    ] = "seedream_v5"
    template: Annotated[
        Literal["t_pose", "character_completion", "3d_enhance", "variants", "figure"] | None,
        Field(description="A ready-made task, which needs no prompt"),
    ] = None
    t_pose: Annotated[bool | None, Field(description="Put the character into a T-pose"), Advanced] = None
    sketch_to_render: Annotated[bool | None, Field(description="Take the image for a sketch"), Advanced] = None

    @property
    def chosen_model(self) -> str:
        """The image model that the task runs on."""
        return self.model

    def source_task(self) -> str | None:
        """The task whose image is meant, where ``input`` names one."""
        return self.input if self.input is not None and is_task_id(self.input) else None

    def extra_files(self) -> dict[str, FileRef]:
        """The reference image in ``input``, where that names no task."""
        return {} if self.input is None or is_task_id(self.input) else {"input": self.input}


class ImageToMultiview(OneImage):
    """Makes the four views of an object from one image of it."""

    name: ClassVar[str] = "image_to_multiview"
    label: ClassVar[str] = "Image to Multiview"
    summary: ClassVar[str] = "Make front, left, back and right views from one image"
    icon: ClassVar[str] = "RENDERLAYERS"
    image_action: ClassVar[str] = "Make Views of This Image"
    endpoint: ClassVar[str] = "/v3/generation/image-to-multiview"
    task_type: ClassVar[str] = "image-to-multiview"
    takes: ClassVar[Takes] = Takes.IMAGES
    gives: ClassVar[Gives] = Gives.IMAGES
    tier: ClassVar[Tier] = Tier.IMAGES
    category: ClassVar[Category] = Category.IMAGE
    rate_group: ClassVar[RateGroup] = RateGroup.GENERATION
    gives_views: ClassVar[bool] = True
    workload: ClassVar[float] = _WORKLOAD


class EditMultiview(TaskRequest):
    """Changes some of the views that a multiview task made."""

    name: ClassVar[str] = "edit_multiview"
    label: ClassVar[str] = "Edit Multiview"
    summary: ClassVar[str] = "Change views of an earlier multiview, each with words of its own"
    icon: ClassVar[str] = "GREASEPENCIL"
    endpoint: ClassVar[str] = "/v3/generation/edit-multiview"
    task_type: ClassVar[str] = "edit-multiview"
    takes: ClassVar[Takes] = Takes.MULTIVIEW_TASK
    gives: ClassVar[Gives] = Gives.IMAGES
    tier: ClassVar[Tier] = Tier.IMAGES
    category: ClassVar[Category] = Category.IMAGE
    rate_group: ClassVar[RateGroup] = RateGroup.GENERATION
    source_field: ClassVar[str | None] = "original_task_id"
    gives_views: ClassVar[bool] = True
    workload: ClassVar[float] = _WORKLOAD
    follow_up: ClassVar[FollowUp | None] = FollowUp("Edit Views", "Choose these views in Edit Multiview")
    source_takes: ClassVar[frozenset[str]] = frozenset({ImageToMultiview.name})

    original_task_id: Annotated[
        TaskText, Field(description="The multiview task whose views are changed"), Hints(source=True)
    ]
    prompts: Annotated[ViewPrompts, Field(description="What to change, for one to four views")]
