"""What becomes of a source and its result: what was said at the press, else what the preferences say."""

from __future__ import annotations

from typing import NamedTuple

from ..core.jobs.place import HIDE, KEEP, Place
from . import prefs
from .objects.places import PlaceChoice


class ResultChoices(NamedTuple):
    """What becomes of a source whose result arrives, whether the result takes its name, and where it goes."""

    source_after: str
    takes_name: bool
    place: PlaceChoice = PlaceChoice()


def result_choices(source_after: str = "", result_names: str = "", place: PlaceChoice | None = None) -> ResultChoices:
    """What a job is started with: what was said with it, else what the preferences say.

    A source stays as it is where its result goes somewhere else, unless something else was said.
    """
    values = prefs.preferences()
    place = place or PlaceChoice()
    usual = values.source_after if values is not None else HIDE
    source_after = source_after or (usual if place.place is Place.SOURCE else KEEP)
    result_names = result_names or (values.result_names if values is not None else prefs.NEW_NAME)
    return ResultChoices(source_after, result_names == prefs.SAME_NAME, place)
