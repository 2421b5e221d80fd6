"""What the panel's fields hold: one group per capability, in the Scene, so that it is saved with the file.

Only values of fields are here. The state of jobs is not: see bridge.mirror. (No postponed annotations in this file:
Blender reads the properties from them.)
"""

import bpy
from bpy.props import EnumProperty, PointerProperty

from .task_properties import CAPABILITIES, FIELD_CLASSES

ATTRIBUTE = "asset_generation"
"""Where the settings are: ``scene.asset_generation.decimate.face_limit``."""


def _group(name: str) -> type[bpy.types.PropertyGroup]:
    fields = FIELD_CLASSES[name]
    return type(f"ASSETGEN_PG_{name}", (fields, bpy.types.PropertyGroup), {"__doc__": fields.__doc__})


_GROUPS = {name: _group(name) for name in CAPABILITIES}


class ASSETGEN_PG_settings(bpy.types.PropertyGroup):
    """The chosen operation and the fields of each."""

    operation: EnumProperty(
        name="Operation",
        description="What the service shall do with the selected mesh",
        items=[(info.name, info.label, info.summary) for info in CAPABILITIES.values()],
    )


# One pointer per capability, under its name. On Python 3.14 a class has no dictionary of annotations until it is asked
# for, so they are set as a whole.
ASSETGEN_PG_settings.__annotations__ = {
    **ASSETGEN_PG_settings.__annotations__,
    **{name: PointerProperty(type=group) for name, group in _GROUPS.items()},
}

CLASSES = (*_GROUPS.values(), ASSETGEN_PG_settings)


def register() -> None:
    """Gives every scene its settings."""
    setattr(bpy.types.Scene, ATTRIBUTE, PointerProperty(type=ASSETGEN_PG_settings))


def unregister() -> None:
    """Takes them away; what is saved in files stays there."""
    delattr(bpy.types.Scene, ATTRIBUTE)
