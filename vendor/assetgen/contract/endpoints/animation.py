"""Animation: rig check, rig, retarget (docs/api.md, 8.4)."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from pydantic import AliasChoices, Field

from ..limits import Category
from ..request import Advanced, FileKinds, Gives, Hints, Takes, TaskRequest, Tier
from ..rules import Rule, RuleError, value_text
from .common_fields import SourceTask

MAX_ANIMATIONS = 5

_PREFIX = "preset:"
PRESETS = (
    *("preset:idle", "preset:walk", "preset:run", "preset:jump", "preset:turn", "preset:climb"),
    *("preset:slash", "preset:shoot", "preset:hurt", "preset:fall", "preset:dive", "preset:quadruped:walk"),
)
"""Animations that the local engine has. The API takes any name."""


_KINDS = FileKinds("out_format", (("glb", ".glb"), ("fbx", ".fbx")))


class RigCheck(TaskRequest):
    """Asks whether a model can be rigged."""

    name: ClassVar[str] = "rig_check"
    label: ClassVar[str] = "Rig Check"
    summary: ClassVar[str] = "Ask whether the model can be rigged"
    icon: ClassVar[str] = "VIEWZOOM"
    endpoint: ClassVar[str] = "/v3/animations/rig-check"
    task_type: ClassVar[str] = "rig-check"
    other_types: ClassVar[tuple[str, ...]] = ("animate-prerigcheck",)
    takes: ClassVar[Takes] = Takes.MODEL_TASK
    gives: ClassVar[Gives] = Gives.ANSWER
    tier: ClassVar[Tier] = Tier.ANIMATE
    category: ClassVar[Category] = Category.ANIMATION
    source_field: ClassVar[str | None] = "original_model_task_id"
    finds_body: ClassVar[bool] = True
    workload: ClassVar[float] = 2.0

    original_model_task_id: SourceTask


class Rig(TaskRequest):
    """Gives a model a skeleton."""

    name: ClassVar[str] = "rig"
    label: ClassVar[str] = "Rig"
    done_word: ClassVar[str] = "rigged"
    summary: ClassVar[str] = "Give the model a skeleton with weights"
    icon: ClassVar[str] = "ARMATURE_DATA"
    quick: ClassVar[bool] = True
    endpoint: ClassVar[str] = "/v3/animations/rig"
    task_type: ClassVar[str] = "rig"
    other_types: ClassVar[tuple[str, ...]] = ("rig-model", "animate-rig")
    takes: ClassVar[Takes] = Takes.MODEL_TASK
    gives: ClassVar[Gives] = Gives.MODEL
    tier: ClassVar[Tier] = Tier.ANIMATE
    category: ClassVar[Category] = Category.ANIMATION
    source_field: ClassVar[str | None] = "original_model_task_id"
    keeps_shape: ClassVar[bool] = True
    finds_body: ClassVar[bool] = True
    result_kinds: ClassVar[FileKinds | None] = _KINDS

    original_model_task_id: SourceTask
    rig_type: Annotated[
        str,
        Field(
            validation_alias=AliasChoices("rig_type", "topology"),
            description="Kind of body, such as biped or quadruped; Rig Check tells it",
        ),
        Hints(examples=("biped", "quadruped")),
    ] = "biped"
    spec: Annotated[Literal["mixamo", "tripo"] | None, Field(description="Whose names the bones have")] = None
    out_format: Annotated[Literal["glb", "fbx"] | None, Field(description="File format of the result"), Advanced] = None
    model_version: Annotated[
        Literal["v1.0-20240301", "v2.5-20260210"],
        Field(description="Version of the rigging"),
        Advanced,
    ] = "v1.0-20240301"


def _some_animation(request: Retarget) -> None:
    if request.animation is None and request.animations is None:
        raise RuleError("animation is missing; give animation, or animations with 1 to 5 of them", field="animation")


class Retarget(TaskRequest):
    """Lets a rigged model move."""

    name: ClassVar[str] = "retarget"
    label: ClassVar[str] = "Retarget"
    done_word: ClassVar[str] = "animated"
    summary: ClassVar[str] = "Put one or more animations onto a rigged model"
    icon: ClassVar[str] = "POSE_HLT"
    quick: ClassVar[bool] = True
    endpoint: ClassVar[str] = "/v3/animations/retarget"
    task_type: ClassVar[str] = "retarget"
    other_types: ClassVar[tuple[str, ...]] = ("retarget-model", "animate-retarget")
    takes: ClassVar[Takes] = Takes.RIG_TASK
    gives: ClassVar[Gives] = Gives.MODEL
    tier: ClassVar[Tier] = Tier.ANIMATE
    category: ClassVar[Category] = Category.ANIMATION
    source_field: ClassVar[str | None] = "original_model_task_id"
    keeps_shape: ClassVar[bool] = True
    result_kinds: ClassVar[FileKinds | None] = _KINDS
    gives_motion: ClassVar[bool] = True
    source_takes: ClassVar[frozenset[str]] = frozenset({"rig"})
    title_fields: ClassVar[tuple[str, ...]] = ("animations", "animation")
    rules: ClassVar[tuple[Rule, ...]] = (Rule("At least one of animation and animations is given", _some_animation),)

    original_model_task_id: SourceTask
    animation: Annotated[
        str | None,
        Field(min_length=1, description="Name of the animation, such as preset:walk"),
        Hints(suggested="preset:walk", examples=PRESETS, replaced_by="animations"),
    ] = None
    animations: Annotated[
        list[str] | None,
        Field(
            min_length=1,
            max_length=MAX_ANIMATIONS,
            description="Names of up to five animations, each billed",
        ),
        Hints(advanced=True, empty="One"),
    ] = None
    animate_in_place: Annotated[bool | None, Field(description="Keep the root still")] = None
    bake_animation: Annotated[bool | None, Field(description="Bake the motion into every frame"), Advanced] = None
    export_with_geometry: Annotated[
        bool | None,
        Field(description="Return the model with its motion, not the motion alone"),
        Hints(label="With Geometry", advanced=True),
    ] = None
    render_video: Annotated[bool | None, Field(description="Return a rendered video as well"), Advanced] = None
    out_format: Annotated[Literal["glb", "fbx"] | None, Field(description="File format of the result"), Advanced] = None

    def check_local(self) -> None:
        """The local engine has presets and no others; the prefix may be left out."""
        super().check_local()
        field, names = ("animation", [self.animation]) if self.animations is None else ("animations", self.animations)
        for name in names:
            if name is not None and _PREFIX + name.strip().lower().removeprefix(_PREFIX) not in PRESETS:
                known = ", ".join(preset.removeprefix(_PREFIX) for preset in PRESETS)
                raise RuleError(f"{field} is {value_text(name)}; the local engine has {known}", field=field)


def billed_animations(request: Retarget) -> int:
    """How many animations a retarget is billed for."""
    return len(request.animations or ()) or 1
