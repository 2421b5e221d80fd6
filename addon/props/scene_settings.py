"""What the panel's fields hold: one group per capability, in the Scene, so that it is saved with the file.

Only values of fields are here. The state of jobs is not: see bridge.state. (No postponed annotations in this file:
Blender reads the properties from them.)
"""

from typing import Any

import bpy
from bpy.props import EnumProperty, PointerProperty

from ..translation.context import CONTEXT
from .field_info import CapabilityInfo
from .task_properties import CAPABILITIES, FIELD_CLASSES

ATTRIBUTE = "asset_generation"
"""Where the settings are: ``scene.asset_generation.decimate.face_limit``."""

TOGETHER, EACH = "TOGETHER", "EACH"
"""What becomes of several selected models: one job, or one for each of them."""

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
