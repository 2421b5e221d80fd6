"""What the panel looks like: every state of it, and every operation."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import bpy

from scenarios.scene import add_source

if TYPE_CHECKING:
    from driver import Stage

Steps = Iterator[float]

PACKAGE = "bl_ext.user_default.asset_generation"


def gallery(stage: Stage) -> Steps:
    """Pictures of the states that a panel has: for eyes, and for the guide."""
    yield from stage.open_side_bar()
    settings = bpy.context.scene.asset_generation
    yield from stage.wait_for("the runtime is there", lambda: stage.bridge("session").session.ready)
    bpy.ops.object.select_all(action="DESELECT")
    yield from stage.picture("empty")
    item = add_source("A statue with a very long name that does not fit in here")
    stage.choose("texture")
    settings.texture.text = "rusty iron with flakes of old red paint"
    yield from stage.picture("texture")
    stage.choose("convert")
    yield from stage.picture("convert")
    armature = pose(item)
    stage.choose("rig")
    yield from stage.picture("posed")
    armature.data.pose_position = "REST"
    yield from stage.picture("at-rest")
    bpy.data.objects.remove(armature)
    stage.choose("convert")
    bpy.ops.object.mode_set(mode="EDIT")
    yield from stage.picture("edit-mode")
    bpy.ops.object.mode_set(mode="OBJECT")
    item.select_set(False)
    stage.choose("import_model")
    show_jobs(stage, 0, 4)
    yield from stage.picture("jobs")
    show_jobs(stage, 4, 7)
    yield from stage.picture("jobs-in-trouble")
    show_jobs(stage, 11, 13)
    yield from stage.picture("jobs-lost")
    show_jobs(stage, 7, 11)
    stage.choose("edit_multiview")
    yield from stage.picture("jobs-with-images")
    settings.edit_multiview.original_task_id = "task-8"
    settings.edit_multiview.front = "a hat"
    yield from stage.picture("views-chosen")
    stage.viewport.spaces.active.show_region_ui = True
    with bpy.context.temp_override(area=stage.viewport, region=stage.region("UI")):
        yield from narrow(stage)
    yield from stage.picture("narrow")
    set_theme("Blender_Light")
    yield from stage.picture("narrow-light")
    set_theme("Blender_Dark")
    bpy.context.preferences.view.ui_scale = 1.5
    yield from stage.picture("narrow-large")
    bpy.context.preferences.view.ui_scale = 1.0
    yield from stage.wait_until_loaded()
    bpy.ops.screen.userpref_show("INVOKE_DEFAULT", section="ADDONS")
    yield 1.0
    bpy.context.window_manager.addon_search = "Asset Gen"
    bpy.ops.preferences.addon_expand(module=PACKAGE)
    yield 1.0
    yield from stage.picture("preferences-local")
    values = bpy.context.preferences.addons[PACKAGE].preferences
    values.service = "REMOTE"
    yield from stage.picture("preferences-no-address")
    values.base_url = "https://api.service.example"
    values.key = "abc"
    yield from stage.picture("preferences-remote")
    values.base_url = "http://127.0.0.1:9"
    values.key = "abc"
    yield from test_connection(stage)
    yield from stage.picture("preferences-tested")


def pose(item: bpy.types.Object) -> bpy.types.Object:
    """Has an armature lay an object down; the object stays the active one."""
    armature = bpy.data.objects.new("Armature", bpy.data.armatures.new("Armature"))
    bpy.context.scene.collection.objects.link(armature)
    bpy.context.view_layer.objects.active = armature
    bpy.ops.object.mode_set(mode="EDIT")
    armature.data.edit_bones.new("Bone").tail = (0, 0, 1)
    bpy.ops.object.mode_set(mode="OBJECT")
    armature.pose.bones[0].rotation_quaternion = (0.7, 0.7, 0, 0)
    item.modifiers.new("Armature", "ARMATURE").object = armature
    item.select_set(True)
    bpy.context.view_layer.objects.active = item
    return armature


def capabilities(stage: Stage) -> Steps:
    """Every operation in the panel, in a side bar of the usual width and in a narrow one."""
    names = list(importlib.import_module(f"{PACKAGE}.addon.props.task_properties").CAPABILITIES)
    yield from stage.open_side_bar()
    yield from stage.wait_for("the runtime is there", lambda: stage.bridge("session").session.ready)
    add_source("Suzanne")
    bpy.data.images.new("Sketch", 64, 64)
    settings = bpy.context.scene.asset_generation
    settings.text_to_model.prompt = LONG_PROMPT
    settings.image_to_model.file = "image:Sketch"
    settings.image_to_image.files = "//one.png; image:Sketch"
    for width in ("usual", "narrow"):
        if width == "narrow":
            with bpy.context.temp_override(area=stage.viewport, region=stage.region("UI")):
                yield from narrow(stage)
        for name in names:
            stage.choose(name)
            yield from stage.picture(f"{width}-{name}", side_bar_only=True)
    stage.seen["names"] = names
    stage.seen["width"] = stage.region("UI").width


LONG_PROMPT = (
    "a red wooden chair with a woven seat, carved legs and a high back, worn at the edges, as it would stand in the"
    " kitchen of an old farmhouse"
)


def test_connection(stage: Stage) -> Steps:
    bpy.ops.assetgen.test_service()
    yield from stage.wait_for("the answer", lambda: stage.bridge("state").state.service is not None, 60)


def narrow(stage: Stage) -> Steps:
    """Drags the border of the side bar to the right. Below the last panel there is no border that could be dragged."""
    usual = stage.region("UI").width
    for offset in (0, 7):  # Blender's versions do not agree where exactly the border is
        region = stage.region("UI")
        x, y = region.x + offset, region.y + region.height - 150
        yield from stage.move(x - 40, y)
        yield from stage.move(x, y)
        stage.window.event_simulate(type="LEFTMOUSE", value="PRESS", x=x, y=y)
        yield 0.1
        for step in range(1, 12):
            stage.window.event_simulate(type="MOUSEMOVE", value="NOTHING", x=x + 8 * step, y=y)
            yield 0.05
        stage.window.event_simulate(type="LEFTMOUSE", value="RELEASE", x=x + 88, y=y)
        yield 0.3
        if stage.region("UI").width < usual:
            return
    raise AssertionError("the side bar did not become narrower")


def set_theme(name: str) -> None:
    folders = bpy.utils.preset_paths("interface_theme")
    paths = [path for folder in folders for path in Path(folder).glob("*.xml")]
    # Dark is what Blender has without a preset of its own.
    chosen = next((path for path in paths if path.stem.casefold() == name.casefold()), None)
    if chosen is None:
        bpy.ops.preferences.reset_default_theme()
        return
    bpy.ops.script.execute_preset(filepath=str(chosen), menu_idname="USERPREF_MT_interface_theme_presets")


def show_jobs(stage: Stage, first: int, last: int) -> None:
    """Jobs in every stage, put straight into the state: nothing of them is in the journal."""
    job = importlib.import_module(f"{PACKAGE}.addon.core.jobs.job")
    state = stage.bridge("state").state
    act = job.Action
    views = [
        ("decimate", "Decimate Suzanne", job.Stage.WAIT, 0.42, "Decimate: 42 %", "", "", {act.STOP}),
        ("texture", "Texture A statue with a very long name", job.Stage.UPLOAD, 0.07, "Uploading", "", "", {act.STOP}),
        ("texture", "Texture Chair", job.Stage.READY, 1.0, "Ready", "", "", {act.APPLY, act.DISMISS}),
        ("convert", "Convert Chair", job.Stage.APPLIED, 1.0, "Done", "", "", {act.APPLY, act.DISMISS}),
        (
            *("texture", "Texture Bench", job.Stage.FAILED, 0.3, "Failed"),
            *("There are not enough credits for this task", "Top up the balance in the service's console"),
            {act.RETRY, act.DISMISS},
        ),
        (
            *("decimate", "Decimate Lamp", job.Stage.UNCERTAIN, 0.5, "Please decide"),
            *("The answer to the request was lost", "It may have begun and be charged"),
            {act.ADOPT, act.LOOK_AGAIN, act.RESEND, act.FORGET},
        ),
        ("decimate", "Decimate Lamp", job.Stage.STOPPED, 0.5, "Stopped", "", "", {act.RETRY, act.DISMISS}),
        ("rig_check", "Rig Check Hero", job.Stage.APPLIED, 1.0, "Done", "", "", {act.DISMISS}),
        ("image_to_multiview", "Image to Multiview: chair", job.Stage.APPLIED, 1.0, "Done", "", "", {act.DISMISS}),
        (
            *("text_to_image", "Text to Image: a lighthouse on a rock, seen from...", job.Stage.APPLIED, 1.0, "Done"),
            *("", "", {act.APPLY, act.DISMISS}),
        ),
        (
            *("text_to_model", "Text to Model: a red wooden chair with a woven seat...", job.Stage.WAIT, 0.3),
            *("Waiting for a free slot (3rd in line)", "", "", {act.STOP}),
        ),
        (
            *("texture", "Texture Bench", job.Stage.CREATE, 0.3),
            "The answer was lost; looking at the service whether the task exists."
            " Nothing is sent meanwhile (at most 84 s more)",
            *("", "", {act.STOP, act.LOOK_AGAIN, act.RESEND}),
        ),
        ("decimate", "Decimate Lamp", job.Stage.WAIT, 0.5, "Decimate: 42 %", "", "", {act.STOP}),
    ]
    messages = importlib.import_module(f"{PACKAGE}.addon.core.status.messages")
    for job_id in list(state.jobs):
        state.update(messages.JobRemoved(job_id))
    for number in range(first, last):
        name, title, phase, progress, text, error, advice, actions = views[number]
        done = phase is job.Stage.APPLIED
        words = title.partition(": ")[2]
        source = job.Source(job.SourceKind.NOTHING, title=words)
        files = {"image_to_multiview": VIEWS, "text_to_image": ("generated_image",)}.get(name, ())
        view = job.JobView(
            id=f"job-{number}",
            name=title,
            stage=phase,
            progress=progress,
            text=text,
            error=error,
            advice=advice,
            request_id="3f0c2f6e-7a51-4f0e-9d6a-1c3f5a9b2d10" if error else "",
            actions=frozenset(actions),
            created_at=100.0 - number,
            seconds=61.0,
            result="/somewhere/model.stl" if done and name != "rig_check" else "",
            files=tuple((key, f"/somewhere/{key}.png") for key in files),
            answer="Riggable: biped" if name == "rig_check" else "",
            steps=(job.StepView(name, f"task-{number}", "success", 1.0, "12.5", 9.0),),
            service_id=stage.bridge("session").session.settings.service_id,
            note="The service has made the task 8f2c1d0e-11aa-4b7c-9d21-5a0c77e1b2f4 as well, which is charged too"
            if number == 12
            else "",
            plan=job.JobPlan(title, source, (job.StepPlan(name, {}),), job.Delivery()),
        )
        state.update(messages.JobChanged(view))
    stage.bridge("pump").tick()


VIEWS = ("front_view", "left_view", "back_view", "right_view")
