"""What the panel's fields hold: one group per capability, in the Scene, so that it is saved with the file.

Only values of fields are here. The state of jobs is not: see bridge.state. (No postponed annotations in this file:
Blender reads the properties from them.)
"""

from typing import Any

import bpy
from bpy.props import BoolProperty, EnumProperty, PointerProperty

from ..core.jobs.place import FITS, HOLDERS, OBJECT_AFTER, PLACES, Place
from ..core.jobs.place import SOURCE_AFTER as _SOURCE_AFTER
from ..translation.context import CONTEXT
from .field_info import CapabilityInfo
from .task_properties import CAPABILITIES, FIELD_CLASSES

ATTRIBUTE = "asset_generation"
"""Where the settings are: ``scene.asset_generation.decimate.face_limit``."""

TOGETHER, EACH = "TOGETHER", "EACH"
"""What becomes of several selected models: one job, or one for each of them."""

SOURCE_AFTER = (
    ("PREFERENCES", "As Usual", "As in the preferences; kept where the result goes elsewhere"),
    *_SOURCE_AFTER,
)
"""What becomes of a source, for one job."""

TIERS: dict[str, list[CapabilityInfo]] = {}
"""The groups, in the order in which the panel shows them, each with its capabilities."""

for _info in CAPABILITIES.values():
    TIERS.setdefault(_info.tier, []).append(_info)

_TIER_WORDS = {
    "Create": ("Make models from words and images", "LIGHT_SUN"),
    "Process": ("Texture, refine, restyle, convert and upload the selected model", "MATERIAL"),
    "Animate": ("Rig the selected model and give it motions", "ARMATURE_DATA"),
    "Mesh": ("Reduce the selected mesh, and take it apart", "MOD_DECIM"),
    "Images": ("Make and change images", "IMAGE_DATA"),
}
"""Tooltip and icon of each group."""


def _group(name: str) -> type[bpy.types.PropertyGroup]:
    fields = FIELD_CLASSES[name]
    return type(f"ASSETGEN_PG_{name}", (fields, bpy.types.PropertyGroup), {"__doc__": fields.__doc__})


_GROUPS = {name: _group(name) for name in CAPABILITIES}


def choice_of(tier: str) -> str:
    """The property that holds which capability of a group was chosen last."""
    return f"operation_{tier.lower()}"


def _can_hold(_settings: Any, item: bpy.types.Object) -> bool:
    return item.type in HOLDERS


_ONLY_HOLDERS: dict[str, Any] = {"poll": _can_hold} if bpy.app.version >= (4, 3) else {}
"""Not in 4.2, whose bpy module crashes at its exit then, see docs/platform.md: there any object can be chosen."""


class ASSETGEN_PG_settings(bpy.types.PropertyGroup):
    """The chosen operation and the fields of each."""

    group: EnumProperty(
        name="Group",
        description="What kind of operation",
        items=[(tier, tier, *_TIER_WORDS[tier], number) for number, tier in enumerate(TIERS)],
    )
    several: EnumProperty(
        name="Several Models",
        description="What becomes of several selected models",
        items=[
            (TOGETHER, "Together", "One job: what is selected is one model, and the fields are for all of it"),
            (EACH, "One Job Each", "A job for every selected model, with the same fields and a result of its own"),
        ],
    )
    placement: EnumProperty(name="Place", description="Where the result goes", items=PLACES)
    placement_new: EnumProperty(
        name="Place",
        description="Where the result goes",
        items=[item for item in PLACES if item[0] != Place.SOURCE],
    )
    placement_object: PointerProperty(
        name="Object",
        description="The object that the result goes into: a mesh or an empty. Only its box counts",
        type=bpy.types.Object,
        **_ONLY_HOLDERS,
    )
    placement_fit: EnumProperty(name="Fit", description="How the result is fitted into the object", items=FITS)
    placement_object_after: EnumProperty(
        name="Afterwards", description="What becomes of the object when the result arrives", items=OBJECT_AFTER
    )
    source_after: EnumProperty(
        name="Source", description="What becomes of the source when the result arrives", items=SOURCE_AFTER
    )
    placeholder: BoolProperty(
        name="Show Progress Here",
        description=(
            "Show the name and the progress of the job in the viewport, where its result will be. What stands for it "
            "there can be moved meanwhile"
        ),
        default=False,
    )


def _choice(infos: list[CapabilityInfo]) -> Any:
    return EnumProperty(
        name="Operation",
        description="What the service shall do",
        items=[(info.name, info.label, info.summary) for info in infos],
        translation_context=CONTEXT,
    )


# One pointer per capability, under its name. On Python 3.14 a class has no dictionary of annotations until it is asked
# for, so they are set as a whole.
ASSETGEN_PG_settings.__annotations__ = {
    **ASSETGEN_PG_settings.__annotations__,
    **{choice_of(tier): _choice(infos) for tier, infos in TIERS.items()},
    **{name: PointerProperty(type=group) for name, group in _GROUPS.items()},
}

CLASSES = (*_GROUPS.values(), ASSETGEN_PG_settings)


def settings_of(context: bpy.types.Context) -> Any:
    """The settings of the open scene."""
    return getattr(context.scene, ATTRIBUTE)


# Functions and not a property with ``get`` and ``set``: with one in a group of the Scene, the bpy module of 4.2 crashes
# at its exit.


def chosen_capability(settings: Any) -> str:
    """The capability that the panel shows: the one that was last chosen in the chosen group."""
    return str(getattr(settings, choice_of(settings.group)))


def placement_of(info: CapabilityInfo) -> str:
    """The property that holds where results go: what works on something has a choice of its own."""
    return "placement" if info.works_on_model else "placement_new"


def choose_capability(settings: Any, name: str) -> None:
    """Has the panel show a capability."""
    settings.group = CAPABILITIES[name].tier
    setattr(settings, choice_of(settings.group), name)


def register() -> None:
    """Gives every scene its settings."""
    setattr(bpy.types.Scene, ATTRIBUTE, PointerProperty(type=ASSETGEN_PG_settings))


def unregister() -> None:
    """Takes them away; what is saved in files stays there."""
    delattr(bpy.types.Scene, ATTRIBUTE)
