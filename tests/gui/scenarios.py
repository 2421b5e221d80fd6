"""What is played in the window. Each scenario writes what it saw into ``stage.seen``; the tests judge it."""

from __future__ import annotations

import importlib
import math
import sys
import time
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import bpy
from mathutils import Vector

if TYPE_CHECKING:
    from driver import Stage

Steps = Iterator[float]

PACKAGE = "bl_ext.user_default.asset_generation"


def main_job(stage: Stage) -> Steps:
    """Select, press Run, wait for the result, undo, redo."""
    stage.seen["heavy"] = [name for name in ("httpx", "pydantic", "pydantic_core") if name in sys.modules]
    source = add_source("Suzanne")
    yield from stage.open_side_bar()
    stage.choose("decimate")
    bpy.context.scene.asset_generation.decimate.face_limit = 900
    yield from stage.picture("1-before")
    stage.seen["source_box"] = world_box(source)
    yield from stage.press("bpy.ops.assetgen.decimate")
    state = stage.bridge("state").state
    yield from stage.wait_for("the job is in the list", lambda: state.jobs)
    yield from stage.picture("2-running")
    job_id = next(iter(state.jobs))
    yield from stage.wait_for("the job ends", lambda: ended(state.jobs[job_id]), 150)
    job = state.jobs[job_id]
    stage.seen["job"] = {"stage": str(job.stage), "error": job.error, "advice": job.advice, "seconds": job.seconds}
    yield from stage.picture("3-done")
    stage.seen["after"] = scene_facts()
    result = stage.bridge("results.open_file").open_file.objects_of(job_id)
    stage.seen["result_box"] = world_box(result[0]) if result else []
    yield from stage.key("Z", ctrl=True)
    stage.seen["after_undo"] = scene_facts()
    yield from stage.picture("4-undone")
    yield from stage.key("Z", ctrl=True, shift=True)
    stage.seen["after_redo"] = scene_facts()
    # A step of the user's own before and after the result: undo must tell them apart.
    yield from stage.key("Z", ctrl=True)
    yield from stage.key("Z", ctrl=True)
    stage.seen["after_two_undos"] = scene_facts()
    yield from stage.key("Z", ctrl=True, shift=True)
    yield from stage.key("Z", ctrl=True, shift=True)
    stage.seen["after_two_redos"] = scene_facts()
    yield from stage.wait_for("the timer is gone", lambda: not timer_runs(stage))
    stage.seen["timer_runs"] = timer_runs(stage)


def create_and_animate(stage: Stage) -> Steps:
    """Words become a model at the cursor; a body gets bones and a motion; each is one step of undo."""
    yield from stage.open_side_bar()
    empty_scene()
    settings = bpy.context.scene.asset_generation
    stage.choose("text_to_model")
    settings.text_to_model.prompt = "a red wooden chair"
    bpy.context.scene.cursor.location = (1.0, 1.0, 0.0)
    yield from stage.press("bpy.ops.assetgen.text_to_model")
    yield from finished(stage, "text_to_model")
    stage.seen["made"] = scene_facts()
    yield from stage.picture("made")
    yield from closer(stage)
    yield from stage.picture("guide")  # docs/pictures/panel.png, when the panel has changed
    stage.viewport.spaces.active.shading.type = "SOLID"
    yield from stage.key("Z", ctrl=True)
    stage.seen["made_undone"] = scene_facts()["objects"]
    empty_scene()
    add_body("Hero")
    bpy.ops.assetgen.rig()
    yield from finished(stage, "rig")
    stage.seen["rigged"] = scene_facts()
    rig = next(item for item in bpy.context.scene.objects if item.type == "ARMATURE")
    bpy.ops.object.select_all("EXEC_DEFAULT", True, action="DESELECT")
    rig.select_set(True)
    bpy.context.view_layer.objects.active = rig
    stage.choose("retarget")  # undo has made another one of it
    yield from stage.picture("rigged")
    yield from stage.press("bpy.ops.assetgen.retarget")
    yield from finished(stage, "retarget")
    stage.seen["moving"] = scene_facts()
    stage.seen["motions"] = motions()
    yield from stage.picture("moving")
    yield from stage.key("Z", ctrl=True)
    stage.seen["moving_undone"] = scene_facts()
    yield from stage.key("Z", ctrl=True, shift=True)
    stage.seen["moving_redone"] = scene_facts()
    stage.seen["motions_redone"] = motions()


def images(stage: Stage) -> Steps:
    """Words become an image, in an editor that is open for images and nowhere else; one step of undo."""
    yield from stage.open_side_bar()
    areas = [area for area in stage.window.screen.areas if area.type in {"OUTLINER", "DOPESHEET_EDITOR"}]
    for area, kind in zip(areas, ("IMAGE_EDITOR", "UV"), strict=True):
        area.ui_type = kind
    stage.choose("text_to_image")
    bpy.context.scene.asset_generation.text_to_image.prompt = "a red lighthouse on a rock"
    bpy.ops.ed.undo_push(message="Prompt")
    yield from stage.press("bpy.ops.assetgen.text_to_image")
    yield from finished(stage, "text_to_image")
    stage.seen["made"] = image_facts(stage)
    yield from stage.picture("image")
    yield from stage.press("bpy.ops.assetgen.use_result")
    settings = bpy.context.scene.asset_generation
    stage.seen["next"] = [stage.chosen, settings.image_to_model.file]
    yield from stage.picture("next")
    yield from stage.key("Z", ctrl=True)
    yield from stage.key("Z", ctrl=True)
    stage.seen["undone"] = image_facts(stage)
    yield from stage.key("Z", ctrl=True, shift=True)
    stage.seen["redone"] = image_facts(stage)


def local_view(stage: Stage) -> Steps:
    """A job on what Local View shows alone: its result is seen there too, also after undo and redo."""
    yield from stage.open_side_bar()
    source = add_source("Suzanne")
    bpy.ops.mesh.primitive_cube_add("EXEC_DEFAULT", True, location=(5, 0, 0))
    bpy.ops.object.select_all("EXEC_DEFAULT", True, action="DESELECT")
    source.select_set(True)
    bpy.context.view_layer.objects.active = source
    with bpy.context.temp_override(area=stage.viewport, region=stage.region("WINDOW")):
        bpy.ops.view3d.localview("EXEC_DEFAULT", True)
    yield 0.5
    stage.choose("decimate")
    stage.seen["before"] = seen_in_viewport(stage)
    yield from stage.press("bpy.ops.assetgen.decimate")
    yield from finished(stage, "decimate")
    stage.seen["after"] = seen_in_viewport(stage)
    yield from stage.picture("local-view")
    yield from stage.key("Z", ctrl=True)
    yield 1.0  # what Local View shows is known again with the next redraw
    stage.seen["undone"] = seen_in_viewport(stage)
    yield from stage.key("Z", ctrl=True, shift=True)
    yield 1.0
    stage.seen["redone"] = seen_in_viewport(stage)
    with bpy.context.temp_override(area=stage.viewport, region=stage.region("WINDOW")):
        bpy.ops.view3d.localview("EXEC_DEFAULT", True)
    yield 0.5
    stage.seen["left"] = seen_in_viewport(stage)


def seen_in_viewport(stage: Stage) -> list[str]:
    """The objects that the viewport shows."""
    space = stage.viewport.spaces.active
    return sorted(item.name for item in bpy.context.scene.objects if item.visible_in_viewport_get(space))


def baking(stage: Stage) -> Steps:
    """A result is ready when a bake begins: it waits for the end of that."""
    yield from stage.open_side_bar()
    yield from stage.wait_for("the runtime is there", lambda: stage.bridge("session").session.ready)
    scene = bpy.context.scene
    try:
        scene.render.engine = "CYCLES"
    except TypeError:
        stage.seen["no_cycles"] = True
        return
    source = add_source("Suzanne")
    canvas = add_canvas()
    select_only(source)
    bpy.ops.assetgen.decimate(face_limit=900)
    select_only(canvas)
    bpy.ops.object.mode_set(mode="EDIT")  # or the result would be in before the bake begins
    state = stage.bridge("state").state
    yield from stage.wait_for("the result is ready", state.ready)
    bpy.ops.object.mode_set(mode="OBJECT")
    bpy.ops.object.bake("INVOKE_DEFAULT", type="AO")
    yield 2.0  # several ticks of the pump
    stage.seen["while_baking"] = {
        "bakes": bpy.app.is_job_running("OBJECT_BAKE"),
        "words": stage.bridge("idle").busy_reason(),
        "objects": sorted(item.name for item in scene.objects),
        "waiting": len(state.ready()),
    }
    yield from stage.picture("baking")
    yield from stage.key("ESC")
    yield from stage.wait_for("the bake ends", lambda: not bpy.app.is_job_running("OBJECT_BAKE"))
    yield from finished(stage, "decimate")
    stage.seen["after"] = sorted(item.name for item in scene.objects)


def select_only(item: bpy.types.Object) -> None:
    bpy.ops.object.select_all("EXEC_DEFAULT", True, action="DESELECT")
    item.select_set(True)
    bpy.context.view_layer.objects.active = item


def add_canvas() -> bpy.types.Object:
    """A cube with an image to bake onto, in a scene that takes minutes to bake."""
    bpy.context.scene.cycles.samples = 100_000
    bpy.context.scene.render.threads_mode, bpy.context.scene.render.threads = "FIXED", 1
    bpy.ops.mesh.primitive_cube_add("EXEC_DEFAULT", True, location=(5, 0, 0))
    canvas = bpy.context.view_layer.objects.active
    material = bpy.data.materials.new("Canvas")
    if not material.node_tree:
        material.use_nodes = True
    node = material.node_tree.nodes.new("ShaderNodeTexImage")
    node.image = bpy.data.images.new("Canvas", 512, 512)
    material.node_tree.nodes.active = node
    canvas.data.materials.append(material)
    return canvas


def closer(stage: Stage) -> Steps:
    """Shows what is selected, large and in its own colours."""
    stage.viewport.spaces.active.shading.type = "MATERIAL"
    with bpy.context.temp_override(area=stage.viewport, region=stage.region("WINDOW")):
        bpy.ops.view3d.view_selected()
    yield 2.0


def image_facts(stage: Stage) -> dict[str, Any]:
    """The images of the file, and what is seen where."""
    areas = [area for area in stage.window.screen.areas if area.type == "IMAGE_EDITOR"]
    shown = {area.ui_type: area.spaces.active.image.name for area in areas if area.spaces.active.image}
    packed = [image.name for image in bpy.data.images if image.packed_file]
    return {"packed": packed, "shown": shown, "areas": sorted(area.type for area in stage.window.screen.areas)}


def finished(stage: Stage, capability: str) -> Steps:
    """Waits for the latest job to be in the scene."""
    state = stage.bridge("state").state

    def latest() -> Any:
        jobs = state.newest_first()
        return jobs[0] if jobs and jobs[0].steps[-1].capability == capability else None

    yield from stage.wait_for(f"{capability} ends", lambda: latest() is not None and ended(latest()), 150)
    job = latest()
    stage.seen.setdefault("jobs", []).append([job.name, str(job.stage), job.error])
    assert str(job.stage) == "applied", job.error
    yield 0.3


def empty_scene() -> None:
    bpy.ops.object.select_all("EXEC_DEFAULT", True, action="SELECT")
    bpy.ops.object.delete("EXEC_DEFAULT", True)


def add_body(name: str) -> bpy.types.Object:
    """A body of limbs: bones of edges with the Skin modifier around them."""
    points = [(0, 0, 0.95), (0, 0, 1.45), (0, 0, 1.75)]
    edges = [(0, 1), (1, 2)]
    for side in (-1, 1):
        for start, limb in ((0, ((0.12, 0.9), (0.14, 0.5), (0.15, 0.05))), (1, ((0.2, 1.4), (0.5, 1.4), (0.8, 1.4)))):
            for x, z in limb:
                points.append((side * x, 0, z))
                edges.append((start, len(points) - 1))
                start = len(points) - 1
    mesh = bpy.data.meshes.new(name)
    mesh.from_pydata(points, edges, [])
    item = bpy.data.objects.new(name, mesh)
    bpy.context.scene.collection.objects.link(item)
    bpy.ops.object.select_all("EXEC_DEFAULT", True, action="DESELECT")
    item.select_set(True)
    bpy.context.view_layer.objects.active = item
    item.modifiers.new("Skin", "SKIN")
    for vertex in mesh.skin_vertices[0].data:
        vertex.radius = (0.08, 0.08)
    item.modifiers.new("Subdivision", "SUBSURF").levels = 2
    bpy.ops.ed.undo_push(message="Body")
    return item


def motions() -> list[str]:
    """What the armatures that are seen are moved by."""
    found = []
    for item in bpy.context.scene.objects:
        if item.type == "ARMATURE" and item.animation_data is not None and not item.hide_get():
            action = item.animation_data.action
            found += [action.name] if action else []
            found += [strip.name for track in item.animation_data.nla_tracks for strip in track.strips]
    return found


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
    state.jobs.clear()
    for number in range(first, last):
        name, title, phase, progress, text, error, advice, actions = views[number]
        done = phase is job.Stage.APPLIED
        words = title.partition(": ")[2]
        source = job.Source(job.SourceKind.NOTHING, title=words)
        files = {"image_to_multiview": VIEWS, "text_to_image": ("generated_image",)}.get(name, ())
        state.jobs[f"job-{number}"] = job.JobView(
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


VIEWS = ("front_view", "left_view", "back_view", "right_view")


def ended(job: Any) -> bool:
    return str(job.stage) in {"applied", "failed", "stopped", "uncertain"}


def timer_runs(stage: Stage) -> bool:
    return bool(bpy.app.timers.is_registered(stage.bridge("pump")._on_timer))


def add_source(name: str, kind: str = "monkey") -> bpy.types.Object:
    """A mesh that is moved, turned and scaled, as the user's last undoable step before Run is a move."""
    bpy.ops.object.select_all("EXEC_DEFAULT", True, action="SELECT")
    bpy.ops.object.delete("EXEC_DEFAULT", True)
    getattr(bpy.ops.mesh, f"primitive_{kind}_add")("EXEC_DEFAULT", True, location=(0.5, -0.4, 0.3))
    item = bpy.context.view_layer.objects.active
    item.name = name
    item.rotation_euler = (0.3, 0.2, math.radians(40))
    item.scale = (1.4, 1.4, 1.4)
    modifier = item.modifiers.new("Subdivision", "SUBSURF")
    modifier.levels = 2
    bpy.ops.transform.translate("EXEC_DEFAULT", True, value=(0.25, 0, 0))
    return item


def world_box(item: bpy.types.Object) -> list[float]:
    evaluated = item.evaluated_get(bpy.context.evaluated_depsgraph_get())
    mesh = evaluated.to_mesh()
    points = [item.matrix_world @ vertex.co for vertex in mesh.vertices]
    evaluated.to_mesh_clear()
    return [*Vector(map(min, zip(*points, strict=True))), *Vector(map(max, zip(*points, strict=True)))]


def scene_facts() -> dict[str, Any]:
    layer = bpy.context.view_layer
    return {
        "objects": sorted(item.name for item in bpy.context.scene.objects),
        "hidden": sorted(item.name for item in bpy.context.scene.objects if item.hide_get()),
        "selected": sorted(item.name for item in layer.objects.selected),
        "active": layer.objects.active.name if layer.objects.active else "",
        "x": {item.name: round(item.location.x, 3) for item in bpy.context.scene.objects},
    }


def storage(stage: Stage) -> Steps:
    """The storage page of the preferences and its questions, also in a narrow place; a used result is deleted."""
    bridge = stage.bridge("storage")
    messages = importlib.import_module(f"{PACKAGE}.addon.core.status.messages")
    stage.seen["folder"] = str(bridge.results_dir())
    bpy.ops.wm.window_new()
    window = stage.window_manager.windows[-1]
    area = max(window.screen.areas, key=lambda item: item.width * item.height)
    yield from show_preferences(window, area)
    yield from stage.picture("not-looked-at")
    yield from scanned(stage)
    yield from stage.picture("no-results")
    write_results(stage)
    yield from scanned(stage)
    yield from stage.picture("usual")
    main = next(region for region in area.regions if region.type == "WINDOW")
    with bpy.context.temp_override(window=window, area=area, region=main):
        for _ in range(20):
            bpy.ops.view2d.scroll_down("EXEC_DEFAULT")
    yield from stage.picture("bottom")
    with bpy.context.temp_override(window=window, area=area, region=area.regions[-1]):
        bpy.ops.assetgen.storage_delete_older("INVOKE_DEFAULT")
    yield from stage.picture("delete-older")
    yield from escape(stage, window)
    unused = next(item for item in bridge.report().results if item.never_used and not item.stays)
    with bpy.context.temp_override(window=window, area=area, region=area.regions[-1]):
        bpy.ops.assetgen.storage_delete("INVOKE_DEFAULT", job_id=unused.id)
    yield from stage.picture("delete-unused")
    yield from escape(stage, window)
    stage.seen["before"] = sorted(item.id for item in bridge.report().results)
    bpy.ops.assetgen.storage_show(first=8)
    with bpy.context.temp_override(window=window, area=area):
        bpy.ops.screen.area_split(direction="VERTICAL", factor=0.42)
    yield from stage.picture("narrow")
    bpy.ops.assetgen.storage_delete_older(days=30)
    yield from stage.wait_for("the deletion is over", lambda: not stage.bridge("state").state.storage.busy)
    stage.seen["after"] = sorted(item.id for item in bridge.report().results)
    stage.seen["sentence"] = stage.bridge("state").state.storage.sentence
    bpy.ops.assetgen.storage_show(only_unused=True)
    yield from stage.picture("deleted")
    stage.bridge("state").state.update(messages.StorageChanged("Deleting 3 of 12", 0.25))
    yield from stage.picture("busy")


def show_preferences(window: bpy.types.Window, area: bpy.types.Area) -> Steps:
    area.type = "PREFERENCES"
    bpy.context.preferences.active_section = "ADDONS"
    bpy.context.window_manager.addon_search = "Asset Gen"
    with bpy.context.temp_override(window=window, area=area):
        bpy.ops.preferences.addon_expand(module=PACKAGE)
    yield 1.0


def scanned(stage: Stage) -> Steps:
    bpy.ops.assetgen.storage_scan()
    yield from stage.wait_for("the scan is over", lambda: not stage.bridge("state").state.storage.busy)


def escape(stage: Stage, window: bpy.types.Window) -> Steps:
    x, y = window.width // 2, window.height // 2
    for value in ("PRESS", "RELEASE"):
        window.event_simulate(type="ESC", value=value, x=x, y=y)
    yield 0.5


def write_results(stage: Stage) -> None:
    """Results of every age and kind in the data folder, without a service."""
    core = f"{PACKAGE}.addon.core"
    job = importlib.import_module(f"{core}.jobs.job")
    journal_class = importlib.import_module(f"{core}.jobs.journal").Journal
    locations = importlib.import_module(f"{core}.paths").Locations(stage.bridge("prefs").settings().data_dir)
    now = {"is": time.time()}
    journal = journal_class(locations.journal, "gallery", clock=lambda: now["is"])
    present = now["is"]
    names = (
        ("Decimate: Suzanne", 0.2, 3_400_000, True, job.Stage.APPLIED),
        (f"Text to Model: {LONG_PROMPT}", 0.5, 48_200_000, False, job.Stage.READY),
        ("Texture: rusty iron with flakes of old red paint", 3, 21_000_000, True, job.Stage.APPLIED),
        ("Convert: Statue", 5, 640_000, False, job.Stage.FAILED),
        *(
            (f"Stylize: Chair {number}", 12 + number, 900_000 * number, True, job.Stage.APPLIED)
            for number in range(1, 6)
        ),
        *(
            (f"Segment: Robot {number}", 50 + number, 90_000 * number, True, job.Stage.APPLIED)
            for number in range(1, 9)
        ),
        ("Rig: Hero", 200, 7_000_000, False, job.Stage.APPLIED),
    )
    for number, (name, days, size, used, where) in enumerate(names):
        job_id = f"20261122-1010{number:02}-gallery"
        plan = job.JobPlan(
            name, job.Source(job.SourceKind.TASK, task_id="t"), (job.StepPlan("decimate"),), job.Delivery()
        )
        now["is"] = present - days * 86400
        journal.add(job_id, plan, "api.service.example", job.Stage.CREATE)
        journal.record_task(job_id, f"0b7c9a52-6d0e-4f0e-9d6a-00000000{number:04}", "")
        now["is"] = present
        folder = locations.results(job_id)
        folder.mkdir(parents=True)
        model = folder / "model.glb"
        model.write_bytes(bytes(size))
        columns = {"stage": where, "resume": job.Stage.READY if where is job.Stage.FAILED else None}
        journal.change(
            job_id,
            step={"status": "success", "credits": "25"},
            files=[("model", str(model))],
            result=str(model),
            used_at=present if used else 0,
            **columns,
        )
    journal.remove(f"20261122-1010{len(names) - 1:02}-gallery")
    journal.close()
    (locations.results("20261122-101002-gallery") / "model.glb.broken").write_bytes(bytes(120_000))
    (locations.local_engine / "tasks").mkdir(parents=True, exist_ok=True)
    (locations.local_engine / "tasks" / "model.glb").write_bytes(bytes(5_000_000))
