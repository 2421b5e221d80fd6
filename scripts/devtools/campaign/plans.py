"""The jobs of a campaign: one to three steps of different capabilities, each on something that bears its label."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from .scripted import results
from .scripted.forms import FORMS

if TYPE_CHECKING:
    from asset_generation.addon.core.jobs.job import JobPlan, Source

Step = tuple[str, Mapping[str, object]]

_VERSION = {"model_version": "v3.1-20260211"}
_DECIMATE: Step = ("decimate", {"face_limit": 5000})
_IMPORT: Step = ("import_model", {})
_TEXTURE: Step = ("texture", {"text": "old bricks"})

_STEPS: Mapping[str, tuple[str, tuple[Step, ...]]] = {
    "words": ("words", (("text_to_model", _VERSION),)),
    "words, texture": ("words", (("text_to_model", _VERSION), _TEXTURE)),
    "words, rig, retarget": (
        "words",
        (("text_to_model", _VERSION), ("rig", {}), ("retarget", {"animation": "preset:walk"})),
    ),
    "words for an image": ("words", (("text_to_image", {}),)),
    "image": ("image", (("image_to_model", _VERSION),)),
    "image, texture, decimate": ("image", (("image_to_model", _VERSION), _TEXTURE, _DECIMATE)),
    "selection": ("selection", (_IMPORT, _DECIMATE)),
    "selection, texture": ("selection", (_IMPORT, _DECIMATE, _TEXTURE)),
    "selection, check": ("selection", (_IMPORT, ("rig_check", {}))),
    "file": ("file", (_IMPORT, ("segment", {}), ("complete", {}))),
}
PLANS = tuple(_STEPS)
"""Their names."""

ALONE = frozenset({"words for an image"})
"""Plans whose pool has one place only."""

FROM_WORDS = tuple(name for name, (source, _) in _STEPS.items() if source == "words")


def kinds_of(plan: str) -> tuple[str, ...]:
    """What the scripted service calls the tasks of a plan, in their order."""
    from asset_generation.vendor.assetgen.contract import capability

    return tuple(FORMS[capability(name).endpoint].kind for name, _ in _STEPS[plan][1])


def make_plan(name: str, label: str, folder: Path) -> JobPlan:
    """A job to submit.

    Args:
        name: Of :data:`PLANS`.
        label: Names the job, and is in the words or in the file that it works on.
        folder: Has the data folder, ``data``, and takes the files that a user would have.
    """
    from asset_generation.addon.core.jobs.job import Delivery, JobPlan, Origin, StepPlan

    source, steps = _STEPS[name]
    made = []
    for number, (capability, fields) in enumerate(steps):
        values = dict(fields)
        if number == 0 and source == "words":
            values["prompt"] = label
        if number == 0 and source == "image":
            image = folder / f"{label}.png"
            image.write_bytes(results.png(label))
            values["file"] = str(image)
        made.append(StepPlan(capability, values))
    scene = Delivery(origin=Origin(scene="Scene", blend_path="", session="session"))
    delivery = Delivery(folder=str(folder / "delivered")) if source == "file" else scene
    return JobPlan(label, _SOURCES[source](label, folder), tuple(made), delivery)


def _nothing(label: str, folder: Path) -> Source:
    from asset_generation.addon.core.jobs.job import Source, SourceKind

    return Source(SourceKind.NOTHING)


def _selection(label: str, folder: Path) -> Source:
    from asset_generation.addon.core.jobs.job import Snapshot, SnapshotObject, Source, SourceKind

    blend = folder / "data" / "snapshots" / f"{label}.blend"
    blend.parent.mkdir(parents=True, exist_ok=True)
    blend.write_bytes(label.encode())
    return Source(SourceKind.SELECTION, str(blend), snapshot=Snapshot((SnapshotObject(label),)))


def _file(label: str, folder: Path) -> Source:
    from asset_generation.addon.core.jobs.job import Source, SourceKind

    model = folder / f"{label}.glb"
    model.write_bytes(results.glb(label))
    return Source(SourceKind.MODEL_FILE, str(model))


_SOURCES: Mapping[str, Callable[[str, Path], Source]] = {
    "words": _nothing,
    "image": _nothing,
    "selection": _selection,
    "file": _file,
}
