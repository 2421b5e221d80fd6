"""Where a result is to go: what an operator was told, or what the panel says."""

from __future__ import annotations

from typing import Any

import bpy

from ..bridge.objects import places
from ..bridge.objects.places import PlaceChoice
from ..bridge.result_choices import ResultChoices, result_choices
from ..core.errors import Refused
from ..core.jobs.job import Placement
from ..core.jobs.place import FIT, STRETCH, Place
from ..props import scene_settings
from ..props.field_info import CapabilityInfo

_USUAL = "PREFERENCES"
_SAID = ("placement", "placement_object", "placement_fit", "placement_object_after", "placeholder")


def choices(properties: Any, info: CapabilityInfo, context: bpy.types.Context) -> ResultChoices:
    """What a call is to do with its result: of the panel, where the call takes its settings and says nothing else.

    Args:
        properties: Of the operator.
        info: What it runs.
        context: Has the scene.

    Raises:
        Refused: There is no object of the name that was given.
    """
    takes_panel = properties.use_panel_settings
    settings = scene_settings.settings_of(context)
    place = _from_panel(settings, info) if takes_panel else PlaceChoice()
    if not takes_panel or any(properties.is_property_set(name) for name in _SAID):
        place = _from_call(properties, context)
    source_after = properties.source_after
    if takes_panel and not properties.is_property_set("source_after"):
        source_after = settings.source_after if info.works_on_model else _USUAL
    after, names = (value if value != _USUAL else "" for value in (source_after, properties.result_names))
    return result_choices(after, names, place)


def panel_obstacle(settings: Any, info: CapabilityInfo, context: bpy.types.Context) -> str:
    """Why a result cannot go where the panel says, as a sentence without its full stop; empty where it can."""
    return places.obstacle(_from_panel(settings, info), context.scene)


def fill_panel(settings: Any, info: CapabilityInfo, placement: Placement | None) -> None:
    """Has the panel say where the result of an earlier job was to go, as far as that is here."""
    if placement is None or not info.comes_into_scene or info.file_kinds:
        return
    place = placement.place
    if place is Place.SOURCE and not info.works_on_model:  # said by a call, and not chosen in the panel
        place = Place.CURSOR
    setattr(settings, scene_settings.placement_of(info), place.value)
    settings.placeholder = placement.placeholder
    if (target := placement.target) is not None:
        settings.placement_object = bpy.data.objects.get(target.name)
        settings.placement_fit = STRETCH if target.stretch else FIT
        settings.placement_object_after = target.after


def _from_panel(settings: Any, info: CapabilityInfo) -> PlaceChoice:
    if not info.comes_into_scene or info.file_kinds:
        return PlaceChoice()
    return PlaceChoice(
        place=Place(getattr(settings, scene_settings.placement_of(info))),
        target=settings.placement_object,
        stretch=settings.placement_fit == STRETCH,
        after=settings.placement_object_after,
        placeholder=settings.placeholder,
    )


def _from_call(properties: Any, context: bpy.types.Context) -> PlaceChoice:
    place, name = Place(properties.placement), properties.placement_object
    if name and name not in context.scene.objects:
        raise Refused(f'There is no object "{name}" in this scene')
    return PlaceChoice(
        place=Place.OBJECT if name and not properties.is_property_set("placement") else place,
        target=context.scene.objects[name] if name else None,
        stretch=properties.placement_fit == STRETCH,
        after=properties.placement_object_after,
        placeholder=properties.placeholder,
    )
