"""What the job list holds beside the jobs themselves: a row for each, which one is chosen, and what is searched for.

It is in the WindowManager, where undo does not reach; nothing of the jobs but their ids and names, and those not in
saved files: ops.job_rows sees to that. (No postponed annotations in this file: Blender reads the properties from them.)
"""

from typing import Any

import bpy
from bpy.props import BoolProperty, CollectionProperty, EnumProperty, IntProperty, PointerProperty, StringProperty

from ..translation.context import CONTEXT

ATTRIBUTE = "asset_generation_jobs"
"""Where the list is: ``window_manager.asset_generation_jobs.words``."""

LIST, GRID = "LIST", "GRID"


class ASSETGEN_PG_job_row(bpy.types.PropertyGroup):
    """A row of the job list; its ``name`` is the job's id."""

    tooltip: StringProperty()


class ASSETGEN_PG_job_list(bpy.types.PropertyGroup):
    """The job list."""

    rows: CollectionProperty(type=ASSETGEN_PG_job_row)
    index: IntProperty(name="Job", description="The job whose details are shown")
    words: StringProperty(
        name="Search",
        description="Show only jobs that have these words in their names. Running jobs are always shown",
        options={"TEXTEDIT_UPDATE"},
    )
    kind: EnumProperty(
        name="Show",
        description="Which jobs are shown. Running ones always are",
        items=[
            ("ALL", "All", "All jobs", "FILTER", 0),
            ("RUNNING", "Running", "Only jobs that are running or waiting", "SORTTIME", 1),
            ("ASKING", "Need You", "Jobs that failed, are to be decided on, or wait to be brought in", "QUESTION", 2),
            ("DONE", "Done", "Jobs that are done", "CHECKMARK", 3),
            ("MODELS", "Models", "Jobs that made a model", "MESH_MONKEY", 4),
            ("IMAGES", "Images", "Jobs that made images", "IMAGE_DATA", 5),
        ],
    )
    order: EnumProperty(
        name="Sort",
        description="The order of the jobs below those that run",
        items=[
            ("NEWEST", "Newest First", "The job that was started last is on top", "SORT_DESC", 0),
            ("OLDEST", "Oldest First", "The job that was started first is on top", "SORT_ASC", 1),
            ("NAME", "Name", "By the words or the object that the job is named after", "SORTALPHA", 2),
            ("OPERATION", "Operation", "By what was done", "NODETREE", 3),
            ("CREDITS", "Credits", "The job that was charged most is on top", "SORTSIZE", 4),
        ],
        translation_context=CONTEXT,
    )
    view: EnumProperty(
        name="View",
        description="How jobs are shown",
        items=[
            (LIST, "List", "A list with the state of every job", "LONGDISPLAY", 0),
            (GRID, "Grid", "Large pictures of the models and images that jobs made", "IMGDISPLAY", 1),
        ],
    )
    show_details: BoolProperty(name="Details", description="Show all that there is to know of the job")
    history_words: StringProperty(
        name="Search",
        description="Show only jobs whose name or fields have these words",
        options={"TEXTEDIT_UPDATE"},
    )
    history_page: IntProperty(name="Page", description="The page of the history", min=0)
    # In place of an ``update`` on the words: with one in a group of the WindowManager, the bpy module of 4.2 crashes at
    # its exit.
    history_page_of: StringProperty(name="Page Of", description="The words that the page of the history was turned in")
    page: IntProperty(name="Page", description="The page of the grid", min=0)


CLASSES = (ASSETGEN_PG_job_row, ASSETGEN_PG_job_list)


def job_list_of(context: bpy.types.Context) -> Any:
    """The job list."""
    return getattr(context.window_manager, ATTRIBUTE)


def history_page(settings: Any) -> int:
    """The page of the history that is shown: the first one of other words than it was turned in."""
    return int(settings.history_page) if settings.history_page_of == settings.history_words else 0


def register() -> None:
    """Gives Blender its job list."""
    setattr(bpy.types.WindowManager, ATTRIBUTE, PointerProperty(type=ASSETGEN_PG_job_list))


def unregister() -> None:
    """Takes it away."""
    delattr(bpy.types.WindowManager, ATTRIBUTE)
