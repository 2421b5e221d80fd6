"""Runs a recipe on the selection.

(No postponed annotations in this file: Blender reads the properties from them.)
"""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import bpy
from bpy.props import BoolProperty, StringProperty

from ..bridge import prefs, pump, redraw
from ..bridge.recipe_runs import recipe_runs
from ..bridge.session import session
from ..bridge.state import state
from ..core.errors import CoreError, Refused
from ..core.jobs.place import KEEP, Place
from ..core.log import logger
from ..props import recipe_settings
from ..translation.interface import translated
from . import reports
from .waiting_press import WaitsForLoading

if TYPE_CHECKING:
    from ..core.jobs.job import Delivery
    from ..core.recipes.recipe import ModelInput, Recipe
    from ..core.recipes.recipe_view import RecipeView
    from ..core.settings import Settings
    from ..props.field_info import CapabilityInfo


class ASSETGEN_OT_choose_recipe(bpy.types.Operator):
    """Choose a recipe."""

    bl_idname = "assetgen.choose_recipe"
    bl_label = "Choose Recipe"
    bl_description = "Show this recipe, to run it on the selection"
    bl_options = {"INTERNAL", "UNDO"}

    recipe: StringProperty(options={"HIDDEN", "SKIP_SAVE"})

    def execute(self, context: bpy.types.Context) -> set[str]:
        settings = recipe_settings.recipe_of(context)
        settings.recipe = self.recipe
        settings.values.clear()
        recipe_runs.forget_view()
        redraw.redraw()
        return {"FINISHED"}


class ASSETGEN_OT_run_recipe(WaitsForLoading, bpy.types.Operator):
    """Run a recipe."""

    bl_idname = "assetgen.run_recipe"
    bl_label = "Run Recipe"
    bl_description = (
        "Run the recipe on the selection. All of it is checked first; run again, it does only what is missing or has "
        "changed"
    )

    recipe: StringProperty(
        name="Recipe",
        description="The path of a recipe, or the name of one that comes along; that of the panel when left out",
        options={"HIDDEN", "SKIP_SAVE"},
    )
    folder: StringProperty(
        name="Folder",
        description="Where its files go; as in the panel when left out",
        options={"HIDDEN", "SKIP_SAVE"},
    )
    values: StringProperty(
        name="Values",
        description="The values of its variables, as a JSON object; as in the panel when left out",
        options={"HIDDEN", "SKIP_SAVE"},
    )
    into_scene: BoolProperty(
        name="Into the Scene",
        description="Bring the results into the scene as well, into free places beside the source",
        default=True,
        options={"HIDDEN", "SKIP_SAVE"},
    )

    @classmethod
    def poll(cls, _context: bpy.types.Context) -> bool:
        if recipe_runs.is_running:
            cls.poll_message_set("A recipe is running already")
        return not recipe_runs.is_running

    def press(self, context: bpy.types.Context, _event: bpy.types.Event) -> set[str]:
        from . import planning  # here: enabling the extension need not wait for it

        return self.with_copies(context, planning.painted_images(context), self.execute)

    def execute(self, context: bpy.types.Context) -> set[str]:
        try:
            return self._run(context)
        except CoreError as error:
            return reports.report_error(self, error)
        except Exception as error:  # whatever it is: a sentence for the user, the rest for the log
            logger(__name__).exception("running a recipe")
            return reports.report_unexpected(self, error)

    def _run(self, context: bpy.types.Context) -> set[str]:
        from ..bridge import scripting  # here, as below: enabling the extension need not wait for it

        settings = recipe_settings.recipe_of(context)
        is_set = self.properties.is_property_set
        given = _values(self.values) if self.values else recipe_settings.values_of(settings)
        into_scene = self.into_scene if is_set("into_scene") or self.recipe else settings.into_scene
        future = _start(
            context, self.recipe or settings.recipe, given, self.folder or settings.folder, into_scene=into_scene
        )
        if not bpy.app.background:
            pump.start()
            self.report({"INFO"}, translated("The recipe has started; its progress is in the Recipes panel"))
            return {"FINISHED"}
        end = pump.result_of(future)
        jobs = [job_id for job_id in end.job_ids if job_id in state.jobs]
        if jobs:
            scripting.remember_jobs(jobs)
            scripting.wait(jobs)
        for error in end.errors:
            self.report({"ERROR"}, translated(error))
        return {"FINISHED"} if not end.errors else {"CANCELLED"}


def _values(text: str) -> dict[str, Any]:
    from ..core import text_values

    try:
        found: dict[str, Any] = text_values.from_json(text, dict)
    except ValueError as error:
        raise Refused(f"values: {error}") from None
    return found


def _start(context: bpy.types.Context, named: str, given: dict[str, Any], folder: str, *, into_scene: bool) -> Any:
    """Begins to run a recipe; what of the selection has to be written is written now.

    Raises:
        Refused: It cannot be run; the message says what to do.
    """
    from ..bridge import preflight

    session.runtime()  # before the imports below: it waits for them
    from ..core.recipes.background_run import RecipeCall
    from ..core.recipes.planning import make_plan
    from ..core.recipes.recipe_file import read_recipe
    from ..core.recipes.shipped import find_recipe
    from .planning import takes_rig

    values = session.settings
    if words := preflight.obstacle(values):
        raise Refused(words)
    out = _folder(folder)
    recipe = read_recipe(find_recipe(named, prefs.recipe_folder()))
    delivery = None
    staged = session.staging_folder()
    try:
        if names := _selection_names(recipe, given):
            item, delivery = _selected(context, values, staged, rigged=takes_rig(values, _uses(recipe, names)))
            given = {**given, **dict.fromkeys(names, item)}
        make_plan(recipe, given, out, region=values.region)  # whatever is wrong is said at the press
        return recipe_runs.start(RecipeCall(recipe.path, given, out, delivery, into_scene), staged)
    except BaseException:
        session.remove_staged(staged)
        raise


def _folder(folder: str) -> Path:
    if folder.startswith("//") and not bpy.data.filepath:
        raise Refused("The folder is beside the file, which was not saved yet", "Save it, or choose another folder")
    if not folder:
        return Path(bpy.path.abspath("//results")) if bpy.data.filepath else session.settings.data_dir / "recipes"
    return Path(bpy.path.abspath(folder)).absolute()


def _selection_names(recipe: "Recipe", given: dict[str, Any]) -> list[str]:
    """The variables that the selection is the value of."""
    from ..core.recipes.recipe import VariableKind

    return [
        variable.name
        for variable in recipe.variables.values()
        if variable.kind is VariableKind.MODEL and variable.default is None and variable.name not in given
    ]


def _uses(recipe: "Recipe", names: Sequence[str]) -> "list[CapabilityInfo]":
    """The capabilities that work on what these variables stand for itself, and not on what was made of it."""
    from ..props.task_properties import CAPABILITIES

    sources = {f"{{{name}}}" for name in names}
    return [CAPABILITIES[step.use] for step in recipe.steps if step.source in sources and step.use in CAPABILITIES]


def _selected(
    context: bpy.types.Context, settings: "Settings", staged: Path, *, rigged: bool
) -> "tuple[ModelInput, Delivery]":
    """The selected meshes: the task that they are the unmodified result of, else a snapshot, ``rigged`` or not; and
    where results go.
    """
    from ..bridge.objects import places, provenance, snapshot, transforms
    from ..bridge.objects.places import PlaceChoice
    from ..bridge.objects.selection import usable_selection
    from ..bridge.result_choices import result_choices
    from ..core.jobs.job import Delivery, Source, SourceKind
    from ..core.paths import Locations
    from ..core.recipes.recipe import ModelInput
    from .planning import origin_of

    selection = usable_selection(context)
    # What becomes of it are files for elsewhere, so the task of an object that was scaled is of no use.
    task = provenance.unmodified_task(selection.objects, settings.service_id, in_true_size=True)
    if task is not None:
        source = Source(SourceKind.TASK, task_id=task.task_id, capability=task.capability)
        parts = provenance.part_names(selection.objects)
        placement = snapshot.placement(context, selection, task.matrix, part_names=parts)
    else:
        source = snapshot.write(context, selection, Locations(staged), rigged=rigged)
        frame = transforms.from_numbers(source.snapshot.frame)
        placement = snapshot.placement(context, selection, frame, exact=False)
    placement = places.with_place(placement, PlaceChoice(Place.BESIDE), context)
    placement = placement._replace(hide_source=result_choices(KEEP).source_after != KEEP)
    return ModelInput(selection.title, source), Delivery(origin=origin_of(context), placement=placement)


def _fill(view: "RecipeView") -> None:
    """Gives a recipe that was read a field for each of its variables."""
    settings = recipe_settings.recipe_of(bpy.context)
    names = [variable.name for variable in view.variables if not variable.is_selection]
    if names and [item.name for item in settings.values] != names:
        kept = {item.name: item.text for item in settings.values}
        settings.values.clear()
        for name in names:
            item = settings.values.add()
            item.name, item.text = name, kept.get(name, "")


def register() -> None:
    """Has fields made for what a recipe leaves open."""
    recipe_runs.on_view = _fill


CLASSES = (ASSETGEN_OT_choose_recipe, ASSETGEN_OT_run_recipe)
