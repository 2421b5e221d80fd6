"""What the panel's fields hold: one group per capability, in the Scene, so that it is saved with the file.

Only values of fields are here. The state of jobs is not: see bridge.mirror. (No postponed annotations in this file:
Blender reads the properties from them.)
"""

from typing import Any

import bpy
from bpy.props import EnumProperty, PointerProperty

from .field_info import CapabilityInfo
from .task_properties import CAPABILITIES, FIELD_CLASSES

ATTRIBUTE = "asset_generation"
"""Where the settings are: ``scene.asset_generation.decimate.face_limit``."""

_NAMES = tuple(CAPABILITIES)
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


def _get_operation(settings: "ASSETGEN_PG_settings") -> int:
    return _NAMES.index(getattr(settings, choice_of(settings.group)))


def _set_operation(settings: "ASSETGEN_PG_settings", number: int) -> None:
    info = CAPABILITIES[_NAMES[number]]
    settings.group = info.tier
    setattr(settings, choice_of(info.tier), info.name)


class ASSETGEN_PG_settings(bpy.types.PropertyGroup):
    """The chosen operation and the fields of each."""

    group: EnumProperty(
        name="Group",
        description="What kind of operation",
        items=[(tier, tier, *_TIER_WORDS[tier], number) for number, tier in enumerate(TIERS)],
    )
    # Scripts set this one; the panel shows the group and, beside it, what was last chosen in it.
    operation: EnumProperty(
        name="Operation",
        description="What the service shall do",
        items=[(info.name, info.label, info.summary, number) for number, info in enumerate(CAPABILITIES.values())],
        get=_get_operation,
        set=_set_operation,
        options={"SKIP_SAVE"},
    )


def _choice(infos: list[CapabilityInfo]) -> Any:
    return EnumProperty(
        name="Operation",
        description="What the service shall do",
        items=[(info.name, info.label, info.summary) for info in infos],
    )


# One pointer per capability, under its name. On Python 3.14 a class has no dictionary of annotations until it is asked
# for, so they are set as a whole.
ASSETGEN_PG_settings.__annotations__ = {
    **ASSETGEN_PG_settings.__annotations__,
    **{choice_of(tier): _choice(infos) for tier, infos in TIERS.items()},
    **{name: PointerProperty(type=group) for name, group in _GROUPS.items()},
}

CLASSES = (*_GROUPS.values(), ASSETGEN_PG_settings)


def of(context: bpy.types.Context) -> Any:
    """The settings of the open scene."""
    return getattr(context.scene, ATTRIBUTE)


def register() -> None:
    """Gives every scene its settings."""
    setattr(bpy.types.Scene, ATTRIBUTE, PointerProperty(type=ASSETGEN_PG_settings))


def unregister() -> None:
    """Takes them away; what is saved in files stays there."""
    delattr(bpy.types.Scene, ATTRIBUTE)
