"""The forms of all operations, with the advanced part open: for the local engine, and for a service."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import blf
import bpy

from scenarios.scene import add_source

if TYPE_CHECKING:
    from driver import Stage

Steps = Iterator[float]

PACKAGE = "bl_ext.user_default.asset_generation"


class OpenLayout:
    """A layout whose closed parts are open."""

    def __init__(self, layout: Any) -> None:
        self._layout = layout

    def __getattr__(self, name: str) -> Any:
        return getattr(self._layout, name)

    def panel(self, _name: str, **_options: Any) -> tuple[Any, Any]:
        return self._layout.row(), self._layout.column()


def forms(stage: Stage) -> Steps:
    """A picture of every form, and what each has of its fields; then a job that says which words it took."""
    props = importlib.import_module(f"{PACKAGE}.addon.props.task_properties")
    values = importlib.import_module(f"{PACKAGE}.addon.props.field_values")
    fields = importlib.import_module(f"{PACKAGE}.addon.ui.fields")
    closed = fields.draw_advanced
    yield from stage.open_side_bar()
    yield from stage.wait_for("the runtime is there", lambda: stage.bridge("session").session.ready)
    add_source("Suzanne")
    settings = bpy.context.scene.asset_generation
    settings.text_to_model.prompt = "a red wooden chair"
    stage.choose("text_to_model")
    yield from stage.picture("closed", side_bar_only=True)
    yield from press_auto(stage)
    stage.seen["face_limit"] = settings.text_to_model.face_limit
    fields.draw_advanced = lambda layout, *rest: closed(OpenLayout(layout), *rest)
    cut: list[str] = []
    for service in ("local", "online"):
        if service == "online":
            preferences = bpy.context.preferences.addons[PACKAGE].preferences
            preferences.service, preferences.base_url = "REMOTE", "https://api.service.example"
            yield 0.5
        is_local = stage.bridge("session").session.settings.is_local
        stage.seen[f"{service} is local"] = is_local
        for name, info in props.CAPABILITIES.items():
            stage.choose(name)
            yield 0.5  # parts open slowly
            yield from stage.picture(f"{service}-{name}", side_bar_only=True)
            group = getattr(settings, name)
            shown = values.shown_fields(group, info.for_service(is_local=is_local))
            stage.seen[f"{service} {name}"] = [field.name for field in shown]
            cut += [f"{name} {field.name}" for field in shown if not field.placeholder and is_cut(stage, group, field)]
    stage.seen["cut"] = sorted(set(cut))
    fields.draw_advanced = closed
    bpy.context.preferences.addons[PACKAGE].preferences.service = "LOCAL"
    stage.choose("text_to_model")
    yield from words(stage)


def is_cut(stage: Stage, group: Any, field: Any) -> bool:
    """Whether the name of a field is wider than its place: the box of a switch is before it, other fields behind it."""
    item = group.bl_rna.properties[field.name]
    width = stage.region("UI").width - PANEL_BORDERS
    room = 0.6 * width - CHECK_BOX if item.type == "BOOLEAN" else 0.4 * width - LABEL_BORDER
    blf.size(0, bpy.context.preferences.ui_styles[0].widget.points)
    return bool(blf.dimensions(0, item.name)[0] > room)


PANEL_BORDERS = 54  # pixels, as these: the tabs, and both sides of the panel
CHECK_BOX = 24
LABEL_BORDER = 8


def press_auto(stage: Stage) -> Steps:
    """Takes the face limit from Auto as its button does."""
    with bpy.context.temp_override(area=stage.viewport, region=stage.region("UI")):
        bpy.ops.assetgen.set_auto("INVOKE_DEFAULT", capability="text_to_model", field="face_limit")
    yield from stage.picture("face-limit", side_bar_only=True)


def words(stage: Stage) -> Steps:
    """Jobs that say what became of the words of their prompts."""
    job = importlib.import_module(f"{PACKAGE}.addon.core.jobs.job")
    state = stage.bridge("state").state
    state.jobs.clear()
    for number, (prompt, text, understood) in enumerate(SAID):
        name = f"Text to Model: {prompt}"
        steps = (job.StepPlan("text_to_model", {}),)
        plan = job.JobPlan(name, job.Source(job.SourceKind.NOTHING, title=prompt), steps, job.Delivery())
        state.jobs[f"job-{number}"] = job.JobView(
            f"job-{number}", name, job.Stage.APPLIED, 1.0, text, created_at=100.0 - number, seconds=12.0,
            actions=frozenset({job.Action.DISMISS}), plan=plan, understood=understood,
            service_id=stage.bridge("session").session.settings.service_id,
        )  # fmt: skip
    yield from stage.picture("words", side_bar_only=True)


SAID = (
    ("A wooden table with a lamp", "Done", "Understood: wooden, table; not understood: lamp"),
    (
        *("a red dragon", "Done, with a remark"),
        "No form is known for dragon: it is an abstract sculpture. The nearest: animal, bird."
        " Understood: red; not understood: dragon",
    ),
    ("a tall wooden chair", "Done", "Understood: tall, wooden, chair"),
)
