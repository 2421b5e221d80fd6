"""What the Recipes panel holds: the chosen recipe, the values of its variables, and where results go.

(No postponed annotations in this file: Blender reads the properties from them.)
"""

from typing import Any

import bpy
from bpy.props import BoolProperty, CollectionProperty, PointerProperty, StringProperty

ATTRIBUTE = "assetgen_recipe"
"""Of a scene."""


class ASSETGEN_PG_recipe_value(bpy.types.PropertyGroup):
    """The value of one variable, as a text; Blender's own ``name`` is the variable's."""

    text: StringProperty(name="Value", description="What the recipe is run with; its own value where this is empty")


class ASSETGEN_PG_recipe(bpy.types.PropertyGroup):
    """The chosen recipe."""

    recipe: StringProperty(name="Recipe", description="What is done with the selection", default="game_asset")
    values: CollectionProperty(type=ASSETGEN_PG_recipe_value)
    folder: StringProperty(
        name="Folder",
        description=(
            "Where the recipe's files go: when empty into a folder called results beside the file, or into the data "
            "folder as long as the file was not saved. Run into the same folder again, only what has changed is done"
        ),
        subtype="DIR_PATH",
    )
    into_scene: BoolProperty(
        name="Into the Scene",
        description="Bring the results into the scene as well, into free places beside the source",
        default=True,
    )


def recipe_of(context: bpy.types.Context) -> Any:
    """The recipe settings of the open scene."""
    return getattr(context.scene, ATTRIBUTE)


def values_of(settings: Any) -> dict[str, str]:
    """The values that were filled in, by variable."""
    return {item.name: item.text for item in settings.values if item.text.strip()}


def register() -> None:
    """Gives every scene its settings."""
    setattr(bpy.types.Scene, ATTRIBUTE, PointerProperty(type=ASSETGEN_PG_recipe))


def unregister() -> None:
    """Takes them away; what is saved in files stays there."""
    delattr(bpy.types.Scene, ATTRIBUTE)


CLASSES = (ASSETGEN_PG_recipe_value, ASSETGEN_PG_recipe)
